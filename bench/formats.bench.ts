import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Hdf5Reader } from '@radx/formats/hdf5/reader'
import { type OdimImage, readOdim } from '@radx/formats/odim/odim'
import { readRainbowProduct, writeRainbowProduct } from '@radx/formats/rainbow5/product'
import { readRainbowVolume } from '@radx/formats/rainbow5/volume'
import type { ProductGrid } from '@radx/rainfall/grid'
import { nearestMap, regridNearest } from '@radx/rainfall/regrid'
import type { BenchResult } from '../tools/bench.ts'

const GRID: ProductGrid = {
  bounds: { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } },
  steps: 400,
}

/** Median time of a call in ms, after warming up. */
async function median(times: number, call: () => unknown): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < times + 5; i++) {
    const start = performance.now()
    await call()
    if (i >= 5) took.push(performance.now() - start)
  }
  return took.sort((a, b) => a - b)[times >> 1]
}

function product(depth: 8 | 16): Uint8Array {
  const n = GRID.steps
  const rateMmH = Float32Array.from({ length: n * n }, (_, i) => {
    const [r, c] = [Math.floor(i / n) - n / 2, (i % n) - n / 2]
    return r * r + c * c > (n / 2) ** 2 ? Number.NaN : Math.max(0, 20 * Math.sin(r / 20) * Math.cos(c / 31))
  })
  return writeRainbowProduct({
    name: 'dpsri',
    type: 'dpsri',
    datetime: '2024-01-01T00:00:00Z',
    sensor: {
      id: 'RadX',
      name: 'RadX',
      lat: 48.841,
      lon: 2.587,
      altitudeM: 97,
      wavelengthM: 0.032,
      beamwidthDeg: 1,
    },
    ncols: n,
    nrows: n,
    corners: {
      latUl: GRID.bounds.ul.lat,
      lonUl: GRID.bounds.ul.lng,
      latLr: GRID.bounds.lr.lat,
      lonLr: GRID.bounds.lr.lng,
    },
    projection: { kind: 'latlon' },
    coding: { depth, unit: 'dBR' },
    rateMmH,
  })
}

/** Reading the instruments' files and regridding, one file at a time. */
export async function run(): Promise<BenchResult[]> {
  const [small, large] = [product(8), product(16)]
  const results: BenchResult[] = [
    {
      name: 'Rainbow 5 product 400 x 400, 8 bit, read',
      value: await median(100, () => readRainbowProduct(small)),
      unit: 'ms',
      aim: '≤ 2 ms',
    },
    {
      name: 'Rainbow 5 product 400 x 400, 16 bit, read',
      value: await median(100, () => readRainbowProduct(large)),
      unit: 'ms',
      aim: '≤ 2 ms',
    },
    {
      name: 'Rainbow 5 product 400 x 400, 16 bit, written',
      value: await median(30, () => product(16)),
      unit: 'ms',
    },
  ]
  const data = resolve(import.meta.dirname, '../../shared/data')
  if (!existsSync(data)) return results
  const volume = readFileSync(join(data, 'rainbow5/2013051000000600dBZ.vol'))
  results.push({
    name: 'Rainbow 5 volume of 14 sweeps, read',
    value: await median(20, () => readRainbowVolume(volume)),
    unit: 'ms',
  })
  const folder = join(data, 'odim/rmi-20210704')
  const odim = readFileSync(join(folder, readdirSync(folder).sort()[0]))
  const image: OdimImage = await readOdim(odim)
  const start = performance.now()
  const map = nearestMap(image.geometry, GRID)
  const mapMs = performance.now() - start
  const out = new Float32Array(map.length)
  const reader = new Hdf5Reader()
  results.push(
    { name: 'ODIM composite 700 x 700, read', value: await median(50, () => readOdim(odim)), unit: 'ms' },
    {
      name: 'ODIM composite 700 x 700, read in its thread',
      value: await median(50, () => reader.readOdim(odim)),
      unit: 'ms',
    },
    { name: 'nearest map 700 x 700 to 400 x 400', value: mapMs, unit: 'ms', note: 'once a geometry' },
    {
      name: 'regrid by that map',
      value: await median(200, () => regridNearest(image.rateMmH, map, out)),
      unit: 'ms',
      aim: '≤ 1 ms',
    },
  )
  await reader.close()
  return results
}
