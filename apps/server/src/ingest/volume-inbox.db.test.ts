import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RadarVolume } from '@radx/contracts/radar-volume'
import { seenSweep } from '@radx/demo/volume/radar-view'
import { writeRainbowVolume } from '@radx/formats/rainbow5/volume-writer'
import { QUALITY_NO_DATA } from '@radx/rainfall'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { frameFiles } from '../backup/frame-files.ts'
import { createLogger, type Logger } from '../log.ts'
import type { FsFrameStore } from '../store/fs-frame-store.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { Verifier, verifyDay } from '../store/verify.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { Inbox } from './inbox.ts'
import { Ingest } from './ingest.ts'
import { openHandlers } from './kinds.ts'
import { openRecovery } from './recovery.ts'

const MOMENTS = ['dBZ', 'ZDR', 'PhiDP', 'RhoHV']
/** Long enough for the rest of a volume, short enough for a test. */
const WAIT_S = 1.5
const site = smallSite()
site.polarimetry = { ...site.polarimetry, moments: MOMENTS, waitSeconds: WAIT_S }
const NOW = Date.parse('2026-06-15T12:00:00Z')
const all = { startMs: 0, endMs: NOW }

/** Rain of 5 mm/h with a storm of 50 mm/h in the north-east. */
function stormAt(minute: number): RadarVolume {
  const rainAt = (azimuth: number, rangeM: number) =>
    azimuth < 90 && rangeM > 8000 && rangeM < 14_000 ? 50 : 5
  const datetime = `2024-06-01T12:${String(minute).padStart(2, '0')}:00Z`
  const geometry = { datetime, elevationDeg: 1, nrays: 90, nbins: 200, rangeStepM: 200 }
  const { sweep } = seenSweep(rainAt, geometry)
  const place = { name: 'TES', lat: 48.5, lon: 2.5, altitudeM: 100 }
  return { format: 'rainbow5', site: place, wavelengthM: 0.032, beamWidthDeg: 1, sweeps: [sweep], notes: [] }
}

let database: TestDatabase
let dataDir: string
let store: Store
let ingest: Ingest
let handlers: ReturnType<typeof openHandlers>
let stop: AbortController
let running: Promise<void>
const lines: string[] = []
const told = (text: unknown, more?: unknown) => void lines.push(String(more ?? text))
const log: Logger = Object.assign(createLogger('silent'), { info: told, warn: told, error: told })

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'radx-volumes-'))
  const config = { ...testConfig(), dataDir, workers: 1 }
  store = await openStore({ db: database.db, config, site, catchments: smallCatchments() })
  handlers = openHandlers({ config, site, db: database.db, store, log })
})
beforeEach(async () => {
  stop = new AbortController()
  lines.length = 0
  ingest = new Ingest({
    dataDir,
    files: store.files,
    handlers: handlers.handlers,
    log,
    clock: { now: () => NOW },
    timeZone: site.timeZone,
    signal: stop.signal,
  })
  await ingest.prepareFolders()
  running = new Inbox({ ingest, products: [], log, signal: stop.signal, scanMs: 100, patienceMs: 700 }).run()
})
afterEach(async () => {
  stop.abort()
  await running
  await sql`truncate radar_frame, radar_day, radar_tiles, source_file cascade`.execute(database.db)
  for (const folder of await readdir(dataDir))
    await rm(join(dataDir, folder), { recursive: true, force: true })
})
afterAll(async () => {
  await handlers.close()
  await store.threads.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const drop = async (minute: number, moment: string, volume = stormAt(minute)) => {
  const name = `20240601${12}${String(minute).padStart(2, '0')}0000${moment}.vol`
  await mkdir(ingest.folders.inbox, { recursive: true })
  await writeFile(join(ingest.folders.inbox, name), writeRainbowVolume(volume, moment)!)
  return name
}
const product = () => store.catalog.products.get('dpsri')!
const summaries = () => store.index.summaries(product(), all, 'melun')
const waiting = () => readdir(ingest.folders.inbox)
const archived = async () =>
  (await readdir(ingest.folders.archive, { recursive: true })).filter((name) => name.endsWith('.vol')).sort()
const until = async (condition: () => Promise<boolean>) => {
  for (const end = Date.now() + 60_000; !(await condition()); await sleep(25))
    if (Date.now() > end) throw new Error(`waited too long; log: ${lines.join('\n')}`)
}
const empty = async () => (await waiting()).length === 0

test('the moments of a volume come one by one and make one frame with its quality once all are there', async () => {
  const volume = stormAt(0)
  for (const moment of MOMENTS.slice(0, 3)) await drop(0, moment, volume)
  await sleep(700)
  expect(await summaries()).toEqual([])
  await drop(0, 'RhoHV', volume)
  await until(empty)
  const [frame, ...more] = await summaries()
  expect(more).toEqual([])
  expect(frame.timeMs).toBe(Date.parse('2024-06-01T12:00:00Z'))
  expect(await archived()).toHaveLength(4)
  expect(frame.quality!.zone).toBeGreaterThan(0.3)
  expect(frame.quality!.zone).toBeLessThan(1)
  const [place] = (await store.index.qualityPlaces(product(), all)).values()
  const bytes = await store.index.quality(product(), place)
  const [codes] = await Array.fromAsync(store.index.codes(product(), [frame]))
  expect(codes!.every((code, k) => (code === 65535) === (bytes[k] === QUALITY_NO_DATA))).toBe(true)
  expect(lines.join()).not.toContain('incomplet')

  const kinds: string[] = []
  const client = await database.pool.connect()
  for await (const { name } of frameFiles(client)) kinds.push(name.kind)
  client.release()
  expect(kinds).toContain('quality')

  // The same again changes nothing.
  for (const moment of MOMENTS) await drop(0, moment, volume)
  await until(empty)
  expect(await archived()).toHaveLength(4)

  // Spoiled bytes are found, and made again from the archived files.
  await truncate(
    (store.frames as FsFrameStore).path({
      product: 'dpsri',
      day: '2024-06-01',
      kind: 'quality',
      generation: 0,
    }),
    10,
  )
  const recovery = openRecovery({ config: { ...testConfig(), dataDir, workers: 1 }, site, store })
  const options = {
    store,
    catchments: smallCatchments(),
    timeZone: site.timeZone,
    recover: recovery.recover,
  }
  const walk = async (repair: boolean) => {
    const verifier = new Verifier({
      repair,
      signal: AbortSignal.timeout(60_000),
      bytesPerSecond: Number.POSITIVE_INFINITY,
    })
    await verifyDay(options, verifier, product(), '2024-06-01')
    return verifier.report
  }
  expect((await walk(false)).damaged).toEqual([expect.stringContaining("qualité de l'image dpsri")])
  expect(await walk(true)).toMatchObject({ repaired: 1, damagedCount: 0 })
  const [again] = (await store.index.qualityPlaces(product(), all)).values()
  expect(await store.index.quality(product(), again)).toEqual(bytes)
  await recovery.close()
})

test('what has not come by then is done without, at a lower quality, and said; what comes later is kept', async () => {
  const volume = stormAt(5)
  await drop(5, 'dBZ', volume)
  await until(empty)
  const [alone] = await summaries()
  expect(lines.join()).toMatch(/incomplet ; absents : ZDR, PhiDP, RhoHV/)
  expect(alone.quality!.zone).toBeGreaterThan(0)
  await drop(5, 'ZDR', volume)
  await until(empty)
  expect(lines.join()).toContain('ZDR arrivé après son volume')
  expect(await archived()).toHaveLength(2)
  expect(await summaries()).toEqual([alone])
  for (const moment of MOMENTS) await drop(10, moment, { ...stormAt(10) })
  await until(empty)
  const [, whole] = await summaries()
  expect(whole.quality!.zone).toBeGreaterThan(alone.quality!.zone as number)
})

test('a moment that is damaged is left out and refused, one without reflectivity makes no frame', async () => {
  const volume = stormAt(15)
  const broken = await drop(15, 'ZDR', volume)
  await truncate(join(ingest.folders.inbox, broken), 900)
  for (const moment of ['dBZ', 'PhiDP', 'RhoHV']) await drop(15, moment, volume)
  await drop(20, 'PhiDP', stormAt(20))
  await until(empty)
  expect(await summaries()).toHaveLength(1)
  expect(lines.join()).toMatch(/illisibles : \d+ZDR\.vol/)
  const rejected = (await readdir(ingest.folders.rejected)).filter((name) => name.endsWith('.vol')).sort()
  expect(rejected).toEqual(['2024060112150000ZDR.vol', '2024060112200000PhiDP.vol'])
})
