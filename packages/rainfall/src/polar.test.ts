import { describe, expect, test } from 'vitest'
import { cellCentre, type ProductGrid } from './grid.ts'
import { geodesic, type PolarSweep, polarCells, rainFromSweep, rateFromDbz, slantRange } from './polar.ts'

const RADAR = { lat: 48.841, lon: 2.587, altitudeM: 100 }
const GRID: ProductGrid = { bounds: { ul: { lat: 49.1, lng: 2.2 }, lr: { lat: 48.6, lng: 3.0 } }, steps: 80 }

/** A sweep of `nrays` rays of one degree, gates of 250 m, with a value a gate. */
function sweepOf(
  first: number,
  nrays: number,
  value: (azimuth: number, rangeM: number) => number,
): PolarSweep {
  const nbins = 100
  const start = Float64Array.from({ length: nrays }, (_, i) => (first + i) % 360)
  const values = new Float32Array(nrays * nbins)
  for (let ray = 0; ray < nrays; ray++)
    for (let bin = 0; bin < nbins; bin++)
      values[ray * nbins + bin] = value((start[ray] + 0.5) % 360, (bin + 0.5) * 250)
  return {
    elevationDeg: 0.6,
    nrays,
    nbins,
    azimuthStartDeg: start,
    azimuthStopDeg: start.map((a) => (a + 1) % 360),
    rangeStartM: 0,
    rangeStepM: 250,
    values,
  }
}

describe('the relation of reflectivity and rain', () => {
  test('Z = 200 R^1.6: 23.01 dBZ is 1 mm/h, 39.01 dBZ is 10 mm/h, no echo is no rain', () => {
    expect(rateFromDbz(10 * Math.log10(200))).toBeCloseTo(1)
    expect(rateFromDbz(10 * Math.log10(200 * 10 ** 1.6))).toBeCloseTo(10)
    expect(rateFromDbz(Number.NEGATIVE_INFINITY)).toBe(0)
    expect(rateFromDbz(Number.NaN)).toBeNaN()
    expect(rateFromDbz(30, { a: 300, b: 1.4 })).toBeCloseTo((1000 / 300) ** (1 / 1.4))
  })
})

describe('geometry', () => {
  test('the geodesic of Vincenty gives Flinders Peak to Buninyong as surveyed', () => {
    // Geocentric Datum of Australia technical manual: 54 972.271 m, azimuth 306° 52' 05.37".
    const dms = (d: number, m: number, s: number) => Math.sign(d) * (Math.abs(d) + m / 60 + s / 3600)
    const [distance, azimuth] = geodesic(
      dms(-37, 57, 3.7203),
      dms(144, 25, 29.5244),
      dms(-37, 39, 10.15611),
      dms(143, 55, 35.38393),
    )
    expect(distance).toBeCloseTo(54_972.271, 2)
    expect(azimuth).toBeCloseTo(306 + 52 / 60 + 5.37 / 3600, 5)
  })

  test('long lines: along the equator, to the pole, New York to London', () => {
    const equator = geodesic(0, 2, 0, 62)
    expect(equator[0]).toBeCloseTo((6_378_137 * Math.PI) / 3, 3)
    expect(equator[1]).toBe(90)
    expect(geodesic(0, 62, 0, 2)[1]).toBe(270)
    // A quarter of a meridian of WGS84.
    expect(geodesic(0, 2, 90, 2)[0]).toBeCloseTo(10_001_965.729, 3)
    // As GeographicLib's documentation has it.
    const [distance, azimuth] = geodesic(40.6, -73.8, 51.6, -0.5)
    expect(distance).toBeCloseTo(5_551_759.4, 2)
    expect(azimuth).toBeCloseTo(51.198883, 6)
    expect(geodesic(48.841, 2.587, 48.841, 2.587)).toEqual([0, 0])
  })

  test('from an antenna on a hill the beam starts higher', () => {
    const R = (4 / 3) * 6_371_008.8
    for (const elevation of [0.6, 5, 30])
      for (const altitude of [100, 2500])
        for (const ground of [500, 40_000]) {
          const range = slantRange(ground, elevation, altitude)
          const theta = (elevation * Math.PI) / 180
          // Seen from the centre of the Earth, the end of the beam stands over the point.
          const angle = Math.atan2(range * Math.cos(theta), R + altitude + range * Math.sin(theta))
          expect(angle * R).toBeCloseTo(ground, 4)
        }
  })

  test('the range over a point undoes the beam height and ground distance of the 4/3 earth', () => {
    for (const elevation of [0, 0.6, 5, 30])
      for (const range of [500, 20_000, 100_000]) {
        const R = (4 / 3) * 6_371_008.8
        const theta = (elevation * Math.PI) / 180
        const height = Math.sqrt(range ** 2 + R ** 2 + 2 * range * R * Math.sin(theta)) - R
        const ground = R * Math.asin((range * Math.cos(theta)) / (R + height))
        expect(slantRange(ground, elevation, 0)).toBeCloseTo(range, 3)
      }
    expect(slantRange(9e6, 60, 0)).toBeNaN()
  })
})

describe('a sweep on the grid', () => {
  test('every cell takes the gate above it, azimuths starting anywhere', () => {
    const cells = polarCells(RADAR, GRID)
    // A value that tells azimuth and range: whole degrees plus range in tenths of gates.
    const sweep = sweepOf(
      237,
      360,
      (azimuth, range) => Math.floor(azimuth) / 10 + Math.floor(range / 250) / 10_000,
    )
    const rates = rainFromSweep(sweep, RADAR, cells)
    let seen = 0
    for (let row = 0; row < 80; row++)
      for (let col = 0; col < 80; col++) {
        const centre = cellCentre(GRID, row, col)
        const [ground, azimuth] = geodesic(RADAR.lat, RADAR.lon, centre.lat, centre.lng)
        const bin = Math.floor(slantRange(ground, 0.6, 100) / 250)
        const rate = rates[row * 80 + col]
        if (bin >= 100) expect(rate).toBeNaN()
        else {
          seen++
          const expected = rateFromDbz(Math.fround(Math.floor(azimuth) / 10 + bin / 10_000))
          // One 1/32 degree of azimuth may fall to the neighbouring ray.
          const edge = Math.abs(azimuth - Math.round(azimuth)) < 1 / 32
          if (!edge) expect(rate).toBeCloseTo(expected, 5)
        }
      }
    expect(seen).toBeGreaterThan(3500)
  })

  test('a gap between rays and the area before the first gate are no data, silence is zero', () => {
    const cells = polarCells(RADAR, GRID)
    const sweep = { ...sweepOf(0, 270, () => Number.NEGATIVE_INFINITY), rangeStartM: 2000 }
    const rates = rainFromSweep(sweep, RADAR, cells)
    rates.forEach((rate, cell) => {
      const azimuth = cells.azimuthDeg[cell]
      const range = slantRange(cells.groundM[cell], 0.6, 100)
      const inside = azimuth < 270 && range >= 2000 && range < 27_000
      const edge = Math.min(Math.abs(azimuth - 270), 360 - azimuth) < 0.3
      if (edge) return
      if (inside) expect(rate).toBe(0)
      else expect(rate).toBeNaN()
    })
  })

  test('rays that turn backwards and a ray across north are found', () => {
    const cells = polarCells(RADAR, GRID)
    const forward = sweepOf(0.5, 360, (azimuth) => Math.floor(azimuth / 10))
    const backward = {
      ...forward,
      azimuthStartDeg: forward.azimuthStopDeg,
      azimuthStopDeg: forward.azimuthStartDeg,
    }
    expect(rainFromSweep(backward, RADAR, cells)).toEqual(rainFromSweep(forward, RADAR, cells))
    expect(rainFromSweep(forward, RADAR, cells).filter((v) => v >= 0).length).toBeGreaterThan(3500)
  })
})
