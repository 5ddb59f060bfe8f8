import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RainMethod } from '@radx/contracts'
import type { RainFrame } from '@radx/motion/field'
import { showers } from '@radx/motion/testing/weather'
import { encodeRates } from '@radx/rainfall'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commitFrames } from '../store/commit-frames.ts'
import { totalsOf } from '../store/moved/totals.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { radarBins } from './radar-at-gauges.ts'

const steps = 120
// Just before midnight UTC: what the radar had over gauges is kept by day.
const start = Date.parse('2021-07-04T23:30:00Z')
const span = { startMs: start, endMs: start + 60 * 60_000 }
const cells = [25, 45, 65, 85, 105].flatMap((row) => [30, 60, 90].map((col) => ({ row, col })))

let database: TestDatabase
let dataDir: string
let store: Store

beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'radx-gauge-cells-'))
  const site = smallSite()
  const products = site.products.map((product) => ({ ...product, steps, frameSeconds: 300 }))
  store = await openStore({
    db: database.db,
    config: { dataDir, objectStore: null },
    site: { ...site, products },
    catchments: smallCatchments(),
  })
})
afterEach(async () => {
  await store.threads.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const product = () => store.catalog.products.get('dpsri')!
const weather = (minutes: readonly number[]) =>
  showers({ nrows: steps, ncols: steps }, [1.9, -1.1], minutes, 3)
const commit = (frames: readonly RainFrame[]) =>
  commitFrames(
    store.context,
    frames.map(({ timeMs, rateMmH }) => ({
      frame: prepareFrame(encodeRates(rateMmH), zoneWeights(product(), store.catalog.zones), {
        product: 'dpsri',
        timeMs: start + timeMs,
        version: '1',
        name: 'DPSRI',
        sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
      }),
      source: sourceFile(`at ${timeMs}`),
    })),
  )
const followAll = async () => {
  while ((await store.moved.makeSome(product(), { startMs: 0, endMs: 8.64e15 })) > 0);
}
const bins = (method: RainMethod) => radarBins({ db: database.db, store }, product(), cells, span, method)
const sums = ({ bins: found }: Awaited<ReturnType<typeof bins>>) =>
  found.map(({ radar }) => radar.reduce((sum, mm) => sum + mm, 0))
/** Root mean square difference over the places, mm. */
const off = (a: readonly number[], b: readonly number[]) =>
  Math.sqrt(a.reduce((sum, v, i) => sum + (v - b[i]) ** 2, 0) / a.length)

test('gauges meet the rain as it moved between frames once it was followed, frames that stand still till then', async () => {
  await commit(weather([5, 15, 25, 35, 45, 55]))
  const still = await bins('raw')
  const before = await bins('moved')
  expect([still.method, before.method]).toEqual(['raw', 'raw'])
  expect(before.bins).toEqual(still.bins)

  await followAll()
  const moved = await bins('moved')
  expect(moved.method).toBe('moved')
  // The same as the map of totals has in these cells.
  for (const [found, method] of [
    [moved, 'moved'],
    [await bins('raw'), 'raw'],
  ] as const) {
    const { depthMm, method: done } = await totalsOf(store, product(), span, method)
    expect(done).toBe(method)
    sums(found).forEach((mm, g) => {
      expect(mm).toBeCloseTo(depthMm[cells[g].row * steps + cells[g].col], 3)
    })
  }
  // Nearer to the rain that fell, minute by minute.
  const fine = weather(Array.from({ length: 200 }, (_, k) => 0.15 + 0.3 * k))
  const truth = cells.map(({ row, col }) =>
    fine.reduce((sum, { rateMmH }) => sum + rateMmH[row * steps + col] / 200, 0),
  )
  expect(off(sums(moved), truth)).toBeLessThan(0.6 * off(sums(still), truth))
})

test('what is kept of moved rain is read again when a frame comes between, also over midnight', async () => {
  await commit(weather([5, 15, 25, 45, 55]))
  await followAll()
  const first = await bins('moved')
  // Read from what is kept.
  expect(await bins('moved')).toEqual(first)
  await commit(weather([35]))
  expect((await bins('moved')).method).toBe('raw')
  await followAll()
  const then = await bins('moved')
  expect(then.method).toBe('moved')
  expect(then.bins).not.toEqual(first.bins)
  await database.db.deleteFrom('gauge_radar').execute()
  expect(await bins('moved')).toEqual(then)
})
