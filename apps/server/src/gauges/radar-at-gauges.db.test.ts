import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RainMethod } from '@radx/contracts'
import type { RainFrame } from '@radx/motion/field'
import { showers } from '@radx/motion/testing/weather'
import { encodeRates } from '@radx/rainfall'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Config } from '../config/config.ts'
import { createLogger } from '../log.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { totalsOf } from '../store/moved/totals.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import type { AnswerContext } from '../threads/answers.ts'
import { fillGaugeDays } from './keeper.ts'
import { radarBins } from './radar-at-gauges.ts'
import { storeReadings } from './readings.ts'
import { gaugeDayAnswer, waitingDays } from './waiting-days.ts'

const steps = 120
// Just before midnight UTC: what the radar had over gauges is kept by day.
const start = Date.parse('2021-07-04T23:30:00Z')
const span = { startMs: start, endMs: start + 60 * 60_000 }
const cells = [25, 45, 65, 85, 105].flatMap((row) => [30, 60, 90].map((col) => ({ row, col })))

const silent = createLogger('silent', 2)
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

test('days that are over are read ahead of who looks, again when a frame comes, and go with their gauge', async () => {
  const { ul, lr } = product().bounds
  const at = ({ row, col }: (typeof cells)[number]) => ({
    lat: ul.lat + ((row + 0.5) / steps) * (lr.lat - ul.lat),
    lng: ul.lng + ((col + 0.5) / steps) * (lr.lng - ul.lng),
  })
  const gauges = cells.slice(0, 3).map((cell, k) => ({
    ...{ id: `g${k}`, name: `G${k}`, position: at(cell), measure: 'depth' as const, unit: 'mm' as const },
    ...{ timeZone: 'UTC', source: { format: 'toa5' as const, files: 'x', column: 'y' } },
  }))
  // The third has readings on the first day alone.
  for (const [k, minutes] of [[10, 50], [10, 50], [10]].entries())
    await database.db.transaction().execute((tx) =>
      storeReadings(tx, `g${k}`, {
        timesMs: Float64Array.from(minutes, (minute) => start + minute * 60_000),
        mm: Float64Array.from(minutes, () => 0.2),
      }),
    )
  const deps = {
    db: database.db,
    log: silent,
    site: { ...smallSite(), gauges },
    config: { followsRain: true, demo: false } as Config,
  }
  const context = { db: database.db, store } as unknown as AnswerContext
  const fill = (site = deps.site, nowMs = start + 2 * 86_400_000) =>
    fillGaugeDays(
      { ...deps, site },
      store,
      { nowMs, isWhole: true, signal: new AbortController().signal },
      (day) => gaugeDayAnswer.run(context, day),
    )
  const kept = async () => {
    const rows = await database.db.selectFrom('gauge_radar').selectAll().execute()
    return rows
      .map(
        ({ utc_day, place, frame_count }) => `${utc_day} ${place.split(' ')[0] === 'moved'} ${frame_count}`,
      )
      .sort()
  }
  await commit(weather([5, 15, 25, 35, 45, 55]))
  // A day that is under way is left to who looks; rain that was not followed is not taken for such.
  expect(await fill(deps.site, start + 40 * 60_000)).toBe(1)
  expect(await fill()).toBe(1)
  await followAll()
  expect(await fill()).toBe(2)
  expect(await fill()).toBe(0)
  const [first, second] = ['2021-07-04', '2021-07-05']
  const days = [...Array(3).fill(first), ...Array(2).fill(second)]
  expect(await kept()).toEqual(
    ['false', 'true'].flatMap((moved) => days.map((day) => `${day} ${moved} 3`)).sort(),
  )
  const own = cells.slice(0, 2)
  const look = () => radarBins({ db: database.db, store }, product(), own, span, 'moved')
  const ahead = await look()
  await database.db.deleteFrom('gauge_radar').execute()
  expect(await look()).toEqual(ahead)

  // Who looked made the second day of the moved rain whole.
  expect(await fill()).toBe(3)
  await commit(weather([20]))
  await followAll()
  const waits = await waitingDays(database.db, product(), 'raw', gauges, {
    startMs: start - 86_400_000,
    endMs: start + 2 * 86_400_000,
  })
  expect(waits.map(({ day, cells: { length } }) => [day, length])).toEqual([[first, 3]])
  // The rain that moved is another one on both sides of the frame.
  expect(await fill()).toBe(2)

  expect(await fill({ ...deps.site, gauges: gauges.slice(0, 1) })).toBe(0)
  expect(await kept()).toHaveLength(4)
})
