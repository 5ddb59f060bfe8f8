import { describe, expect, test } from 'vitest'
import { gatesOfCells, geodesic, type PolarSweep, polarCells, rainFromSweep, slantRange } from './polar.ts'

const RAD = Math.PI / 180

/**
 * End of a geodesic of WGS84 by its differential equations (Bessel 1825), Runge and Kutta's fourth order: another way
 * than the series under test.
 */
function follow(lat: number, lon: number, azimuth: number, distanceM: number): [number, number] {
  const [a, f] = [6_378_137, 1 / 298.257223563]
  const e2 = f * (2 - f)
  const slope = ([phi, , alpha]: number[]): number[] => {
    const w = Math.sqrt(1 - e2 * Math.sin(phi) ** 2)
    const [meridian, prime] = [(a * (1 - e2)) / w ** 3, a / w]
    return [
      Math.cos(alpha) / meridian,
      Math.sin(alpha) / (prime * Math.cos(phi)),
      (Math.tan(phi) * Math.sin(alpha)) / prime,
    ]
  }
  const steps = 4000
  const h = distanceM / steps
  const along = (from: number[], by: number[], part: number) => from.map((v, i) => v + h * part * by[i])
  let state = [lat * RAD, lon * RAD, azimuth * RAD]
  for (let i = 0; i < steps; i++) {
    const k1 = slope(state)
    const k2 = slope(along(state, k1, 0.5))
    const k3 = slope(along(state, k2, 0.5))
    const k4 = slope(along(state, k3, 1))
    state = state.map((v, j) => v + (h / 6) * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]))
  }
  return [state[0] / RAD, state[1] / RAD]
}

describe('the geodesic', () => {
  test.each([
    [48.841, 2.587, 33, 100_000],
    [48.841, 2.587, 237, 1_000_000],
    [-30, 10, 5, 5_000_000],
    [10, -20, 60, 12_000_000],
    [0, 0, 30, 15_000_000],
    [-40, 100, 160, 12_000_000],
    [60, -100, 300, 9_000_000],
  ])('from %f, %f at %f degrees over %f m ends where it is followed to', (lat, lon, azimuth, distanceM) => {
    const [distance, at] = geodesic(lat, lon, ...follow(lat, lon, azimuth, distanceM))
    // A millimetre: Vincenty's series is good for half of one.
    expect(Math.abs(distance - distanceM)).toBeLessThan(1e-3)
    expect(at).toBeCloseTo(azimuth, 8)
  })
})

test('a beam that has risen to the zenith of a point is nowhere above it', () => {
  // cos(angle + elevation) = 0 over a quarter of the globe from a radar that looks along the ground.
  const quarter = ((4 / 3) * 6_371_008.8 * Math.PI) / 2
  expect(slantRange(quarter * 1.0001, 0, 0)).toBeNaN()
  expect(slantRange(quarter * 0.9999, 0, 0)).toBeGreaterThan(1e10)
  expect(slantRange(0, 90, 0)).toBe(0)
})

test('cells lie on their row and column', () => {
  const radar = { lat: 48, lon: 2, altitudeM: 0 }
  const { groundM, azimuthDeg } = polarCells(radar, {
    bounds: { ul: { lat: 49, lng: 1 }, lr: { lat: 47, lng: 5 } },
    steps: 2,
  })
  for (const [cell, lat, lng] of [
    [0, 48.5, 2],
    [1, 48.5, 4],
    [2, 47.5, 2],
    [3, 47.5, 4],
  ])
    expect([groundM[cell], azimuthDeg[cell]]).toEqual(geodesic(48, 2, lat, lng))
})

describe('rays and gates', () => {
  const RADAR = { lat: 48, lon: 2, altitudeM: 0 }
  const sweep = (starts: number[], stops: number[], about: Partial<PolarSweep> = {}): PolarSweep => ({
    elevationDeg: 0,
    nrays: starts.length,
    nbins: 10,
    azimuthStartDeg: Float64Array.from(starts),
    azimuthStopDeg: Float64Array.from(stops),
    rangeStartM: 0,
    rangeStepM: 1000,
    values: new Float32Array(starts.length * 10),
    ...about,
  })
  /** Rays that are seen at these azimuths, 500 m away. */
  const raysAt = (made: PolarSweep, ...azimuths: number[]) => {
    const cells = {
      groundM: new Float64Array(azimuths.length).fill(500),
      azimuthDeg: Float64Array.from(azimuths),
    }
    return [...gatesOfCells(made, RADAR, cells)].map((gate) => Math.floor(gate / made.nbins))
  }

  test('cracks of up to a quarter of a ray on either side are closed, wider gaps stay', () => {
    const two = sweep([10, 12], [11, 13])
    expect(raysAt(two, 9.7, 9.8, 10, 10.99, 11.2, 11.3)).toEqual([-1, 0, 0, 0, 0, -1])
    expect(raysAt(two, 11.7, 11.8, 12.5, 13.2, 13.3)).toEqual([-1, 1, 1, 1, -1])
    const half = sweep([10, 11.25], [11, 12.25])
    expect(raysAt(half, 11.1, 11.15)).toEqual([0, 1])
  })

  test('where rays overlap, the one whose centre is nearer is taken, whichever comes first', () => {
    for (const [first, second] of [
      [0, 1],
      [1, 0],
    ]) {
      const starts = [20, 20.5]
      const made = sweep([starts[first], starts[second]], [starts[first] + 1, starts[second] + 1])
      expect(raysAt(made, 20.6, 20.72, 20.78, 21.3)).toEqual([first, first, second, second])
    }
  })

  test('a ray across north, turned either way, is one', () => {
    for (const made of [sweep([359.5], [0.5]), sweep([0.5], [359.5])])
      expect(raysAt(made, 359.2, 359.3, 359.99, 0, 0.7, 0.8, 180)).toEqual([-1, 0, 0, 0, 0, -1, -1])
  })

  test('slots are a 32nd of a degree, counted by their middle', () => {
    // The ray and its quarters reach from 10 + 1/64 to 10 + 5/64, which are the middles of two slots and the one
    // between.
    const width = 1 / 24
    const made = sweep([10 + 3 / 64 - width / 2], [10 + 3 / 64 + width / 2])
    const slot = (k: number) => 10 + (k + 0.5) / 32
    expect(raysAt(made, slot(-1), slot(1), slot(3))).toEqual([-1, 0, -1])
    // With its quarters it reaches from 9.975 to 10.125 degrees.
    expect(raysAt(sweep([10], [10.1]), slot(-2), slot(-1), slot(3), slot(4))).toEqual([-1, 0, 0, -1])
    expect(raysAt(made, 10 + 1 / 32 + 0.0001, 10 + 2 / 32 - 0.0001)).toEqual([0, 0])
  })

  test('an azimuth that rounding brings to 360 is that of the last slot', () => {
    const last = sweep([350], [359.9])
    expect(raysAt(last, 360)).toEqual([0])
    const away = { groundM: Float64Array.of(3500), azimuthDeg: Float64Array.of(180) }
    expect([...gatesOfCells(last, RADAR, away)], 'where no ray looks').toEqual([-1])
  })

  test('gates begin at the first and end after the last', () => {
    const made = sweep([0], [10], { rangeStartM: 2000 })
    const gates = (groundM: number[]) => [
      ...gatesOfCells(made, RADAR, {
        groundM: Float64Array.from(groundM),
        azimuthDeg: new Float64Array(groundM.length).fill(5),
      }),
    ]
    // At this distance the way along the beam is that along the ground to a millimetre or two.
    expect(gates([1999, 2001, 2999, 3001, 11_999, 12_001])).toEqual([-1, 0, 0, 1, 9, -1])
  })

  test('rain comes by the relation that is asked for', () => {
    const made = sweep([0], [10], { values: new Float32Array(10).fill(40) })
    const cells = { groundM: Float64Array.of(500), azimuthDeg: Float64Array.of(5) }
    expect(rainFromSweep(made, RADAR, cells)[0]).toBeCloseTo(50 ** (1 / 1.6), 4)
    expect(rainFromSweep(made, RADAR, cells, { a: 100, b: 2 })[0]).toBeCloseTo(10, 5)
  })
})
