import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readOdim } from '@radx/formats/odim/odim'
import { cellIndexOf, type ProductGrid } from '@radx/rainfall/grid'
import { areaMap, nearestMap, regridArea, regridKey, regridNearest } from '@radx/rainfall/regrid'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, referenceFiles } from './reference-data.ts'

/** The product dpsri of the radar near Paris. */
const DPSRI: ProductGrid = {
  bounds: { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } },
  steps: 400,
}

/** Figures computed with independent tools; the place is 48.841 N 2.587 E. */
const REFERENCE = [
  { time: '155000', mean: 0.4685, meanWet: 1.6057, wet: 29.18, max: 57.294, row: 33, col: 183, place: 1.171 },
  { time: '165000', mean: 0.373, meanWet: 1.3639, wet: 27.35, max: 37.964, row: 56, col: 215, place: 0 },
  { time: '173000', mean: 0.639, meanWet: 2.334, wet: 27.38, max: 47.163, row: 83, col: 239, place: 1.685 },
]

function figures(rates: Float32Array, steps: number) {
  const valid = rates.filter((v) => v >= 0)
  const wet = valid.filter((v) => v > 0)
  const sum = wet.reduce((a, b) => a + b, 0)
  const max = valid.reduce((a, b) => Math.max(a, b), 0)
  const at = rates.indexOf(max)
  return {
    valid: valid.length,
    mean: sum / valid.length,
    meanWet: sum / wet.length,
    wet: (100 * wet.length) / valid.length,
    max,
    row: Math.floor(at / steps),
    col: at % steps,
  }
}

describe.skipIf(!hasReferenceData())('real ODIM HDF5 composites', () => {
  test('39 frames of rain over Paris give the reference figures on the dpsri grid', async () => {
    const paths = referenceFiles('odim/rmi-20210704', /\.hdf$/)
    expect(paths).toHaveLength(39)
    const maps = new Map<string, ReturnType<typeof nearestMap>>()
    const times: string[] = []
    for (const path of paths) {
      const image = await readOdim(readFileSync(path))
      times.push(image.datetime)
      expect(image).toMatchObject({ quantity: 'RATE', object: 'COMP', ncols: 700, nrows: 700 })
      const key = regridKey(image.geometry, DPSRI)
      if (!maps.has(key)) maps.set(key, nearestMap(image.geometry, DPSRI))
      const rates = regridNearest(image.rateMmH, maps.get(key)!)
      const found = figures(rates, 400)
      const reference = REFERENCE.find((r) => basename(path).includes(r.time))
      if (!reference) continue
      expect(found.mean).toBeCloseTo(reference.mean, 3)
      expect(found.meanWet).toBeCloseTo(reference.meanWet, 3)
      expect(found.wet).toBeCloseTo(reference.wet, 1)
      expect(found.max).toBeCloseTo(reference.max, 2)
      expect([found.row, found.col]).toEqual([reference.row, reference.col])
      expect(rates[cellIndexOf(DPSRI, { lat: 48.841, lng: 2.587 })]).toBeCloseTo(reference.place, 2)
    }
    expect(maps.size).toBe(1)
    expect(times).toEqual(
      Array.from({ length: 39 }, (_, i) => new Date(Date.UTC(2021, 6, 4, 15, 50 + 5 * i)).toISOString()),
    )
  })

  test('the area mean keeps the rain that the nearest cell samples', async () => {
    const image = await readOdim(readFileSync(referenceFiles('odim/rmi-20210704', /165000/)[0]))
    const coarse: ProductGrid = { ...DPSRI, steps: 25 }
    const byArea = figures(regridArea(image.rateMmH, areaMap(image.geometry, coarse)), 25)
    expect(byArea.valid).toBe(625)
    // 16 x 16 nearest samples in each coarse cell estimate the same mean.
    expect(Math.abs(byArea.mean - 0.373)).toBeLessThan(0.003)
  })

  test('the European composite (LAEA, 2 km) is read and placed', async () => {
    const image = await readOdim(readFileSync(referenceFiles('odim', /^T_PAAH21/)[0]))
    expect(image).toMatchObject({
      conventions: 'ODIM_H5/V2_0',
      datetime: '2018-08-24T18:00:00.000Z',
      quantity: 'RATE',
      ncols: 1900,
      nrows: 2200,
    })
    const { left, top, right, bottom } = image.geometry
    expect([right - left, top - bottom]).toEqual([3_800_000, 4_400_000])
    expect(Math.abs(left)).toBeLessThan(2000)
    expect(Math.abs(top)).toBeLessThan(2000)
    const found = figures(image.rateMmH, 1900)
    expect(found.valid).toBeGreaterThan(1e6)
    expect(found.wet).toBeGreaterThan(1)
    expect(found.wet).toBeLessThan(50)
  })

  test('an accumulation of one hour over Belgium becomes a rate', async () => {
    const image = await readOdim(readFileSync(referenceFiles('odim', /^belgium/)[0]))
    expect(image).toMatchObject({
      datetime: '2019-06-06T00:00:00.000Z',
      quantity: 'ACRR',
      accumulationHours: 1,
      geometry: { left: 300_000, top: 1_000_000, right: 1_000_000, bottom: 300_000 },
    })
    expect(figures(image.rateMmH, 700).max).toBeGreaterThan(1)
  })
})
