import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RainFrame } from '@radx/motion/field'
import { showers } from '@radx/motion/testing/weather'
import { Accumulation, encodeRates, RATE_NO_DATA } from '@radx/rainfall'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { smallCatchments, smallSite } from '../../testing/small-site.ts'
import { sourceFile } from '../../testing/source-file.ts'
import { commitFrames } from '../commit-frames.ts'
import { openStore, type Store } from '../open-store.ts'
import { prepareFrame } from '../prepared-frame.ts'
import { FILE_TILE_SIZE, headerBytes } from '../tile-file.ts'
import { Verifier, verifyDay } from '../verify.ts'
import { zoneWeights } from '../zone-weights.ts'
import { readMotion } from './motion-bytes.ts'
import { movedCumul, movedTime } from './moved-rain.ts'
import { totalsOf } from './totals.ts'

const steps = 120
const shape = { nrows: steps, ncols: steps }
const start = Date.parse('2021-07-04T15:00:00Z')
const at = (minute: number) => start + minute * 60_000
const span = { startMs: at(0), endMs: at(40) }
const VELOCITY = [1.9, -1.1] as const

let database: TestDatabase
let dataDir: string
let store: Store

beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'radx-moved-'))
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
const weather = (minutes: readonly number[]) => showers(shape, VELOCITY, minutes, 3)
const ALL = { startMs: 0, endMs: 8.64e15 }
const followAll = async () => {
  while ((await store.moved.makeSome(product(), ALL)) > 0);
}
/** Square root of the mean square difference over the middle, mm. */
const off = (a: Float32Array, b: Float32Array) => {
  let sum = 0
  for (let row = 20; row < 100; row++)
    for (let col = 20; col < 100; col++) sum += (a[row * steps + col] - b[row * steps + col]) ** 2
  return Math.sqrt(sum) / 80
}

test('totals take the rain as it moved between frames, and keep those of frames that stand still', async () => {
  // Ten minutes apart a shower jumps twenty cells. The three within stand for the half hour.
  const span = { startMs: at(5), endMs: at(35) }
  await commit(weather([0, 10, 20, 30, 40]))
  expect(await store.moved.isReady(product(), span)).toBe(false)
  const summaries = () => store.index.summaries(product(), span, 'melun')
  expect(movedCumul(product(), await summaries(), span, 'zone')).toBeNull()
  expect((await totalsOf(store, product(), span, 'moved')).method).toBe('raw')

  await followAll()
  const [moved, raw] = [
    await totalsOf(store, product(), span, 'moved'),
    await totalsOf(store, product(), span, 'raw'),
  ]
  expect([moved.method, raw.method]).toEqual(['moved', 'raw'])
  const fine = new Float32Array(steps * steps)
  for (const { rateMmH } of weather(Array.from({ length: 120 }, (_, k) => 5 + (k + 0.5) / 4)))
    for (let i = 0; i < fine.length; i++) fine[i] += rateMmH[i] / 240
  expect(off(moved.depthMm, fine)).toBeLessThan(0.35 * off(raw.depthMm, fine))

  // The same numbers by pixel and by zone.
  const [row, col] = [57, 63]
  const series = await store.pixels.read(product(), row, col, span)
  const values = (await store.moved.pixel(product(), row, col, span, series))!
  const mm = values.reduce<number>((sum, rate) => sum + (rate! * 600) / 3600, 0)
  expect(mm).toBeCloseTo(moved.depthMm[row * steps + col], 1)
  const zone = movedCumul(product(), await summaries(), span, 'zone')!
  const mean = moved.depthMm.reduce((sum, depth) => sum + depth, 0) / moved.depthMm.length
  expect(zone.totalMm).toBeCloseTo(mean, 5)
  expect(zone.missingSeconds).toBe(moved.missingSeconds)

  const { motion } = await database.db
    .selectFrom('radar_moved')
    .select('motion')
    .where('time', '=', new Date(at(20)))
    .executeTakeFirstOrThrow()
  const field = readMotion(motion!, steps)
  const middle = Math.floor(field.u.length / 2)
  expect(field.u[middle]).toBeCloseTo(VELOCITY[0], 1)
  expect(field.v[middle]).toBeCloseTo(VELOCITY[1], 1)
})

test('a frame that comes late is followed with its neighbours, whatever the order', async () => {
  const [a, b, c, d, e] = weather([0, 5, 10, 15, 20])
  const rows = () =>
    database.db
      .selectFrom('radar_moved')
      .select(['time', 'before', 'after', 'sum_codes', 'ends', 'zone_mean'])
      .orderBy('time')
      .execute()
  await commit([a, b, c, d, e])
  await followAll()
  const whole = await rows()
  await database.db.deleteFrom('radar_frame').execute()
  await database.db.deleteFrom('source_file').execute()
  for (const some of [[a, e], [c], [d, b]]) {
    await commit(some)
    await followAll()
  }
  expect(await rows()).toEqual(whole)
  await store.moved.forget(product())
  expect(await store.moved.isReady(product(), span)).toBe(false)
  await followAll()
  expect(await rows()).toEqual(whole)
})

test('dry frames need no row, missing cells stay missing, and more than a quarter of an hour is a gap', async () => {
  const dry = (minute: number): RainFrame => ({
    timeMs: minute * 60_000,
    rateMmH: new Float32Array(steps * steps),
  })
  const [wet, late] = weather([15, 35])
  for (const frame of [wet, late]) frame.rateMmH[0] = Number.NaN
  await commit([dry(0), dry(5), dry(10), wet, late])
  await followAll()
  const rows = await database.db.selectFrom('radar_moved').selectAll().orderBy('time').execute()
  expect(rows.map(({ time, before, after }) => [time, before, after])).toEqual([
    [new Date(at(10)), new Date(at(5)), new Date(at(15))],
    [new Date(at(15)), new Date(at(10)), null],
    [new Date(at(35)), null, null],
  ])
  const codes = await Array.fromAsync(
    store.moved.codes(product(), await store.index.places(product(), span)),
    (frame) => frame?.slice() ?? null,
  )
  expect(codes.map((frame) => frame === null)).toEqual([true, true, false, false, false])
  expect(codes[4]).toEqual(encodeRates(late.rateMmH))
  expect(codes[4]![0]).toBe(RATE_NO_DATA)
  const { missingSeconds, depthMm } = await totalsOf(store, product(), span, 'moved')
  // What the frames add up to, cell by cell.
  const sum = new Accumulation(steps * steps)
  const { seconds } = movedTime(product(), [0, 5, 10, 15, 35].map(at), span)
  codes.forEach((frame, k) => {
    if (frame) sum.add(frame, seconds[k])
    else sum.addDry(seconds[k])
  })
  expect(depthMm).toEqual(sum.result().depthMm)
  expect(depthMm[0]).toBe(0)
  expect(depthMm.some((mm) => mm > 0.1)).toBe(true)
  // Twenty minutes between the last two, of which each stands for its nominal five.
  expect(missingSeconds).toBe(600)
})

test('rain is followed first where it is asked for, and nothing is lost at the edges', async () => {
  await commit(weather([0, 5, 10, 15, 20, 25, 30, 35]))
  const waiting = async () =>
    (await database.db.selectFrom('radar_frame').select('time').where('moved', '=', false).execute())
      .map(({ time }) => (time.getTime() - start) / 60_000)
      .toSorted((a, b) => a - b)
  const early = { startMs: start, endMs: start + 15 * 60_000 }
  expect(await store.moved.makeSome(product(), early)).toBe(3)
  expect(await waiting()).toEqual([15, 20, 25, 30, 35])
  expect(await store.moved.makeSome(product(), early)).toBe(0)
  await followAll()
  expect(await waiting()).toEqual([])
  const rows = () => database.db.selectFrom('radar_moved').selectAll().orderBy('time').execute()
  const inParts = await rows()
  // As if they had been followed at once.
  await store.moved.forget(product())
  await followAll()
  expect(await rows()).toEqual(inParts)
  expect(inParts).toHaveLength(8)
})

test('days that are over are read from tile files, which say the same, until their rain is followed anew', async () => {
  // Over midnight, a frame late in the first of the days.
  const before = Date.parse('2021-07-04T23:40:00Z') - start
  const frames = weather([0, 5, 10, 15, 20, 25, 30, 35]).map((frame) => ({
    ...frame,
    timeMs: frame.timeMs + before,
  }))
  const late = frames[2]
  await commit(frames.filter((frame) => frame !== late))
  await followAll()
  const span = { startMs: start + before - 1, endMs: start + before + 3_600_000 }
  const wettest = frames[4].rateMmH.reduce((most, rate, i, all) => (rate > all[most] ? i : most), 0)
  const wet = { row: Math.floor(wettest / steps), col: wettest % steps }
  const cells = [wet, { row: 3, col: 119 }, { row: wet.row, col: (wet.col + 30) % steps }]
  const read = () => store.moved.readCells(product(), cells, span)
  const now = Date.parse('2021-07-06T00:00:00Z')
  const build = async (nowMs = now) => {
    let days = 0
    while (await store.moved.tileDays.buildOne(product(), nowMs)) days++
    return days
  }
  /** What the rows say, whatever there is in files. */
  const fromRows = async () => {
    const codes = await Array.fromAsync(
      store.moved.codes(product(), await store.index.places(product(), span)),
      (frame) => frame?.slice() ?? new Uint16Array(steps * steps),
    )
    return cells.map(({ row, col }) => Uint16Array.from(codes, (frame) => frame[row * steps + col]))
  }
  const files = () =>
    database.db
      .selectFrom('radar_moved_tiles')
      .select(['generation', 'frames', 'whole'])
      .orderBy('utc_day')
      .execute()

  const expected = await fromRows()
  expect(expected[0].some((code) => code > 0)).toBe(true)
  expect((await read())!.codes).toEqual(expected)
  // A day that is under way gets none.
  expect(await build(Date.parse('2021-07-05T12:00:00Z'))).toBe(1)
  expect((await read())!.codes).toEqual(expected)
  expect(await build()).toBe(1)
  expect(await build()).toBe(0)
  expect(await files()).toEqual([
    { generation: 1, frames: 3, whole: true },
    { generation: 1, frames: 4, whole: true },
  ])
  expect((await read())!.codes).toEqual(expected)
  // The file is what is read: rows that say otherwise are not looked at.
  await database.db
    .updateTable('radar_moved')
    .set({ ends: [], tiles: Buffer.alloc(0) })
    .execute()
  expect((await read())!.codes).toEqual(expected)

  await store.moved.forget(product())
  expect(await read()).toBeNull()
  await commit([late])
  await followAll()
  const whole = await fromRows()
  expect(whole[0]).toHaveLength(8)
  expect((await read())!.codes).toEqual(whole)
  expect(await build()).toBe(2)
  expect((await read())!.codes).toEqual(whole)
  const { row, col } = wet
  const raw = await store.pixels.read(product(), row, col, span)
  expect(await store.moved.pixel(product(), row, col, span, raw)).toEqual(
    Array.from(whole[0], (code) => code / 100),
  )
})

test('a damaged tile file of moved rain is not believed and made again', async () => {
  await commit(weather([0, 5, 10]))
  await followAll()
  const now = start + 3 * 86_400_000
  expect(await store.moved.tileDays.buildOne(product(), now)).toBe(true)
  const cells = [60, 61, 62].flatMap((row) => [10, 60, 110].map((col) => ({ row, col })))
  const read = async (asked = cells) => (await store.moved.readCells(product(), asked, span))!.codes
  const sound = await read()
  const file = join(dataDir, 'store', 'dpsri', '2021', '2021-07-04.g1.moved')
  const bytes = await readFile(file)
  // Every block of it: which of them holds the cell is its own affair.
  await writeFile(file, bytes.fill(0xa5, headerBytes(3, steps, FILE_TILE_SIZE)))
  const options = { store, catchments: smallCatchments(), timeZone: 'UTC', recover: async () => null }
  const verify = async (repair: boolean) => {
    const verifier = new Verifier({
      repair,
      signal: new AbortController().signal,
      bytesPerSecond: Number.POSITIVE_INFINITY,
    })
    await verifyDay(options, verifier, product(), '2021-07-04')
    return verifier.report
  }
  expect((await verify(false)).damaged).toEqual(['tuiles de la pluie déplacée dpsri du 2021-07-04'])
  // Cells that were read stay in memory; those around them are read from the file, which tells.
  const around = [1, 2, 3, 4, 5].flatMap((k) =>
    cells.map(({ row, col }) => ({ row: row + 4 * k, col: col + k })),
  )
  const wider = [...cells, ...around]
  expect((await read(wider)).slice(0, cells.length)).toEqual(sound)
  expect(await store.moved.tileDays.buildOne(product(), now)).toBe(true)
  expect((await verify(false)).damaged).toEqual([])
  expect(await read()).toEqual(sound)
  await writeFile(file.replace('.g1.', '.g2.'), bytes)
  expect((await verify(true)).repaired).toBe(1)
  expect(await store.moved.tileDays.buildOne(product(), now)).toBe(true)
  expect((await verify(false)).damaged).toEqual([])
})
