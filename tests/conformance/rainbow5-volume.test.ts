import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { lowestReflectivitySweep, type RainbowVolume, readRainbowVolume } from '@radx/formats/rainbow5/volume'
import { cellOf, type ProductGrid } from '@radx/rainfall/grid'
import { polarCells, rainFromSweep } from '@radx/rainfall/polar'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, referenceFiles } from './reference-data.ts'

const read = (name: string): RainbowVolume =>
  readRainbowVolume(readFileSync(referenceFiles('rainbow5').find((path) => basename(path) === name)!))

/** A square of about `halfKm` around a place. */
function around(lat: number, lng: number, halfKm: number, steps: number): ProductGrid {
  const dLat = halfKm / 111.2
  const dLng = dLat / Math.cos((lat * Math.PI) / 180)
  return {
    bounds: { ul: { lat: lat + dLat, lng: lng - dLng }, lr: { lat: lat - dLat, lng: lng + dLng } },
    steps,
  }
}

/**
 * The same sweep gridded the other way round: points spread over every gate are carried forward along the
 * beam (4/3 earth), placed by the ellipsoidal azimuthal equidistant projection, and each cell keeps the
 * reflectivity of the point nearest to its centre (`nearest`) and of all points in it (`all`). NaN, and an
 * empty set, where no point fell.
 */
function forwardGridding(volume: RainbowVolume, grid: ProductGrid, stepsAcross: number) {
  const sweep = lowestReflectivitySweep(volume)
  const { lat, lon, altitudeM } = volume.sensor
  const plane = proj4(`+proj=aeqd +lat_0=${lat} +lon_0=${lon} +ellps=WGS84 +units=m`)
  const R = (4 / 3) * 6_371_000 + (altitudeM ?? 0)
  const theta = (sweep.elevationDeg * Math.PI) / 180
  const { ul, lr } = grid.bounds
  const nearest = new Float64Array(grid.steps ** 2).fill(Number.NaN)
  const all = Array.from({ length: grid.steps ** 2 }, () => new Set<number>())
  const off = new Float64Array(grid.steps ** 2).fill(Number.POSITIVE_INFINITY)
  for (let ray = 0; ray < sweep.nrays; ray++) {
    const start = sweep.azimuthStartDeg[ray]
    const width = (sweep.azimuthStopDeg[ray] - start + 360) % 360
    for (let bin = 0; bin < sweep.nbins; bin++) {
      const r = sweep.rangeStartM + (bin + 0.5) * sweep.rangeStepM
      const height = Math.sqrt(r * r + R * R + 2 * r * R * Math.sin(theta)) - R
      const ground = R * Math.asin((r * Math.cos(theta)) / (R + height))
      for (let k = 0; k < stepsAcross; k++) {
        const azimuth = ((start + ((k + 0.5) / stepsAcross) * width) * Math.PI) / 180
        const [lng, la] = plane.inverse([ground * Math.sin(azimuth), ground * Math.cos(azimuth)])
        const cell = cellOf(grid, { lat: la, lng })
        if (!cell) continue
        const index = cell.row * grid.steps + cell.col
        const dRow = ((ul.lat - la) / (ul.lat - lr.lat)) * grid.steps - cell.row - 0.5
        const dCol = ((lng - ul.lng) / (lr.lng - ul.lng)) * grid.steps - cell.col - 0.5
        const distance = dRow * dRow + dCol * dCol
        const value = sweep.values[ray * sweep.nbins + bin]
        all[index].add(value)
        if (distance < off[index]) {
          off[index] = distance
          nearest[index] = value
        }
      }
    }
  }
  return { nearest, all }
}

describe.skipIf(!hasReferenceData())('real Rainbow 5 volumes', () => {
  test('versions 5.34, 5.36 and 5.59 are read with their sweeps and places', () => {
    const bonn = read('2013051000000600dBZ.vol')
    expect(bonn).toMatchObject({ version: '5.36.5', type: 'vol', datetime: '2013-05-10T00:00:06.000Z' })
    expect(bonn.sensor).toMatchObject({
      lat: 50.856633,
      lon: 6.379967,
      altitudeM: 116.7,
      wavelengthM: 0.0319,
    })
    expect(bonn.sweeps.map((s) => s.elevationDeg)).toEqual([
      0.6, 1.4, 2.4, 3.5, 4.8, 6.3, 8, 9.9, 12.2, 14.8, 17.9, 21.3, 25.4, 30,
    ])
    expect(bonn.sweeps[0]).toMatchObject({ quantity: 'dBZ', nrays: 361, nbins: 400, rangeStepM: 250 })

    const scanner = read('2013070308340000dBuZ.azi')
    expect(scanner).toMatchObject({ version: '5.34.16', type: 'azi', sensor: { id: 'WUE' } })
    expect(scanner.sweeps).toHaveLength(1)
    expect(scanner.sweeps[0]).toMatchObject({ quantity: 'dBuZ', nrays: 360, nbins: 500, rangeStepM: 100 })

    const wideumont = read('sample_rainbow_5_59.vol')
    expect(wideumont).toMatchObject({ version: '5.59.10', sensor: { name: 'Wideumont', altitudeM: 590 } })
    expect(wideumont.sweeps.map((s) => [s.elevationDeg, s.nbins, s.rangeStepM])).toContainEqual([
      0.9, 994, 250,
    ])
    expect(lowestReflectivitySweep(wideumont).elevationDeg).toBe(0.3)
    for (const { sweeps } of [bonn, scanner, wideumont])
      for (const { values } of sweeps)
        expect(values.every((v) => v === Number.NEGATIVE_INFINITY || (v >= -31.5 && v <= 95.5))).toBe(true)
  })

  test.each([
    ['2013051000000600dBZ.vol', { lat: 50.73, lng: 7.07 }, 100, 8],
    ['2013070308340000dBuZ.azi', { lat: 50.5049, lng: 6.33097 }, 55, 8],
  ] as const)(
    '%s becomes a frame whose echoes lie where a forward gridding of the sweep puts them',
    (name, centre, halfKm, stepsAcross) => {
      const volume = read(name)
      const steps = 200
      const grid = around(centre.lat, centre.lng, halfKm, steps)
      const { lat, lon, altitudeM } = volume.sensor
      const radar = { lat, lon, altitudeM: altitudeM ?? 0 }
      const rates = rainFromSweep(lowestReflectivitySweep(volume), radar, polarCells(radar, grid))
      const { nearest, all } = forwardGridding(volume, grid, stepsAcross)
      // The relation of rain and reflectivity, in the test's own words; compared as codes of 0.5 dB.
      const dbz = (rate: number): number =>
        Number.isNaN(rate)
          ? Number.NaN
          : rate === 0
            ? Number.NEGATIVE_INFINITY
            : Math.round(2 * 10 * Math.log10(200 * rate ** 1.6)) / 2
      let echoes = 0
      let same = 0
      const wrong: string[] = []
      for (let row = 0; row < steps; row++)
        for (let col = 0; col < steps; col++) {
          const value = dbz(rates[row * steps + col])
          if (Object.is(value, nearest[row * steps + col])) same++
          if (value > -40) echoes++
          let near = false
          for (let r = Math.max(0, row - 1); r <= Math.min(steps - 1, row + 1); r++)
            for (let c = Math.max(0, col - 1); c <= Math.min(steps - 1, col + 1); c++)
              near ||= Number.isNaN(value) ? all[r * steps + c].size === 0 : all[r * steps + c].has(value)
          if (!near) wrong.push(`${row},${col}: ${value}`)
        }
      expect(wrong).toEqual([])
      expect(echoes).toBeGreaterThan(300)
      // Cells whose centre lies on the edge of two gates may take either; all others agree exactly.
      expect(same / steps ** 2).toBeGreaterThan(0.93)
    },
  )
})
