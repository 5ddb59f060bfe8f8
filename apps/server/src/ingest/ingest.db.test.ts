import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hostileOdimBytes, odimBytes } from '@radx/formats/testing/fuzz-targets'
import { writeToa5 } from '@radx/formats/toa5'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { taranisOf } from '../station/api.ts'
import { FsFrameStore } from '../store/fs-frame-store.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/deps.ts'
import { rainFile } from '../testing/rain-files.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { Inbox, inboxCensus } from './inbox.ts'
import { Ingest, type TakeResult } from './ingest.ts'
import { openHandlers } from './kinds.ts'
import { clearStaging } from './staging.ts'

const site = smallSite()
const START = Date.parse('2021-07-04T21:00:00Z')
const at = (k: number) => START + k * 206_000
const NOW = Date.parse('2026-06-15T12:00:00Z')
const all = { startMs: 0, endMs: NOW + 1e12 }

describe('ingest', () => {
  let database: TestDatabase
  let dataDir: string
  let store: Store
  let ingest: Ingest
  let handlers: ReturnType<typeof openHandlers>
  let stop: AbortController

  // The threads that decode take most of a second to start: one set serves all tests.
  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-ingest-'))
    const config = { ...testConfig(), dataDir, workers: 1 }
    store = await openStore({ db: database.db, config, site, catchments: smallCatchments() })
    handlers = openHandlers({
      config,
      site,
      db: database.db,
      store,
      hdf5: { timeoutMs: 1500 },
      log: createLogger('silent'),
    })
  })
  beforeEach(async () => {
    stop = new AbortController()
    ingest = new Ingest({
      dataDir,
      files: store.files,
      handlers: handlers.handlers,
      log: createLogger('silent'),
      clock: { now: () => NOW },
      timeZone: site.timeZone,
      signal: stop.signal,
      pauseMs: 50,
    })
    await ingest.prepareFolders()
  })
  afterEach(async () => {
    stop.abort()
    await sql`truncate radar_frame, radar_day, radar_tiles, source_file, station_reading cascade`.execute(
      database.db,
    )
    for (const folder of await readdir(dataDir))
      await rm(join(dataDir, folder), { recursive: true, force: true })
  })
  afterAll(async () => {
    await handlers.close()
    await store.threads.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const drop = async (name: string, bytes: Uint8Array | string, folder = '') => {
    const path = join(ingest.folders.inbox, folder, name)
    await mkdir(join(ingest.folders.inbox, folder), { recursive: true })
    await writeFile(path, bytes)
    return path
  }
  const dropFrame = (k: number, options = {}) => {
    const { name, bytes } = rainFile(site, { timeMs: at(k), ...options })
    return drop(name, bytes)
  }
  const take = (path: string, product: string | null = null): Promise<TakeResult> =>
    ingest.take({ path, product, refused: 'reject' })
  const files = async (folder: string) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort()
  const times = async (product = 'dpsri') =>
    (await store.index.places(store.catalog.products.get(product)!, all)).map(({ timeMs }) => timeMs)
  const inbox = (options = {}) =>
    new Inbox({
      ingest,
      products: ['dpsri', 'sri'],
      log: createLogger('silent'),
      signal: stop.signal,
      scanMs: 100,
      patienceMs: 700,
      ...options,
    })
  const until = async (condition: () => Promise<boolean>) => {
    for (const end = Date.now() + 120_000; !(await condition()); await sleep(25))
      if (Date.now() > end) throw new Error('waited too long')
  }

  test('a frame is stored and its file archived under its kind and day', async () => {
    const result = await take(await dropFrame(1))
    expect(result).toMatchObject({ status: 'stored', summary: 'dpsri 2021-07-04T21:03:26Z' })
    expect(await files(ingest.folders.archive)).toEqual(['rainbow5/2021/07/04/2021070421032600dpsri.dpsri'])
    expect(await files(ingest.folders.inbox)).toEqual([])
    const [summary] = await store.index.summaries(store.catalog.products.get('dpsri')!, all, 'melun')
    expect(summary.maxMmH).toBeCloseTo(8.98, 6)
    expect(summary.validPct).toBeCloseTo(100 - 100 / 1600, 6)
    const { sensor, version } = await database.db
      .selectFrom('radar_params')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect([version, sensor]).toEqual([
      '5.43.11',
      { name: 'Radar', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
    ])
  })

  test('the same file twice changes nothing and leaves one original', async () => {
    await take(await dropFrame(1))
    const again = await take(await dropFrame(1))
    expect(again.status).toBe('known')
    const renamed = await dropFrame(1)
    const other = join(ingest.folders.inbox, 'copy.dpsri')
    await rename(renamed, other)
    expect((await take(other)).status).toBe('known')
    expect(await files(ingest.folders.archive)).toHaveLength(1)
    expect(await files(ingest.folders.rejected)).toEqual([])
    expect(await times()).toEqual([at(1)])
    expect((await database.db.selectFrom('radar_day').selectAll().execute())[0].frames).toBe(1)
  })

  test('another file for the same instant is put aside and the first one stays', async () => {
    await take(await dropFrame(1))
    const result = await take(await dropFrame(1, { rate: () => 12 }))
    expect(result).toMatchObject({ status: 'refused', code: 'ingest.conflict' })
    const [summary] = await store.index.summaries(store.catalog.products.get('dpsri')!, all, null)
    expect(summary.maxMmH).toBeCloseTo(8.98, 6)
    expect(await files(ingest.folders.rejected)).toEqual([
      '2021070421032600dpsri.dpsri',
      '2021070421032600dpsri.dpsri.reason.txt',
    ])
  })

  const good = rainFile(site, { timeMs: at(1) })
  const elsewhere = smallSite()
  elsewhere.products[0].bounds = { ul: { lat: 41, lng: -4 }, lr: { lat: 40, lng: -3 } }
  const sri = rainFile(site, { product: 'sri', timeMs: at(1) })
  test.each([
    ['empty', 'ingest.empty', good.name, new Uint8Array(0), null],
    ['truncated', /^rainbow5\./, good.name, good.bytes.subarray(0, good.bytes.length - 200), null],
    ['of an unknown kind', 'ingest.unknownKind', 'notes.docx', Buffer.from('hello'), null],
    ['of another product than its folder', 'ingest.wrongProduct', sri.name, sri.bytes, 'dpsri'],
    ['of another place', 'ingest.wrongGrid', good.name, rainFile(elsewhere, { timeMs: at(1) }).bytes, null],
    ['from the future', 'ingest.future', good.name, rainFile(site, { timeMs: NOW + 3_600_000 }).bytes, null],
    ['from before the radar', 'ingest.clock', good.name, rainFile(site, { timeMs: 86_400_000 }).bytes, null],
    [
      'that only looks like HDF5',
      /^odim\./,
      'x.hdf',
      Buffer.from('\u0089HDF\r\n\u001a\nrubbish', 'latin1'),
      null,
    ],
    ['of TOA5 with foreign columns', 'ingest.missingColumn', 'a.dat', toa5('Nope'), null],
  ])('a file %s is put aside with its reason', async (_, code, name, bytes, product) => {
    const result = await take(await drop(name, bytes), product)
    expect(result).toMatchObject({ status: 'refused', code: expect.stringMatching(code) })
    expect(await files(ingest.folders.rejected)).toEqual([name, `${name}.reason.txt`])
    const reason = await readFile(join(ingest.folders.rejected, `${name}.reason.txt`), 'utf8')
    expect(reason).toContain(`Fichier : ${name}\nRefusé le : 15/06/2026 - 14:00:00\nMotif : `)
    expect(await times()).toEqual([])
    expect((await take(await dropFrame(2))).status).toBe('stored')
  })

  test('ODIM files on which the HDF5 library hangs or asks for gigabytes are put aside, and the next is read', async () => {
    const [hangs, greedy, sound] = await Promise.all([
      take(await drop('hangs.hdf', await hostileOdimBytes('endless'))),
      take(await drop('greedy.hdf', await hostileOdimBytes('memory'))),
      take(await drop('sound.hdf', await odimBytes())),
    ])
    expect(hangs).toMatchObject({ status: 'refused', code: 'odim.timeout' })
    expect(greedy).toMatchObject({ status: 'refused', code: 'odim.memory' })
    expect(sound).toMatchObject({ status: 'stored', summary: 'dpsri 2024-01-01T12:00:00Z' })
    expect(await files(ingest.folders.rejected)).toEqual(
      ['greedy.hdf', 'hangs.hdf'].flatMap((name) => [name, `${name}.reason.txt`]),
    )
    const reason = await readFile(join(ingest.folders.rejected, 'hangs.hdf.reason.txt'), 'utf8')
    expect(reason).toContain('a dépassé 1,5 s et a été arrêtée, il est sans doute abîmé.')
  })

  test('a file of 1 GB is refused unread', async () => {
    const path = await drop('huge.dpsri', '<product')
    const file = await open(path, 'r+')
    await file.truncate(2 ** 30)
    await file.close()
    expect(await take(path)).toMatchObject({ status: 'refused', code: 'ingest.tooLarge' })
  })

  test('a product in another resolution is regridded to the grid of the site', async () => {
    await take(await dropFrame(1, { steps: 80, rate: (i: number) => (Math.floor(i / 80) < 40 ? 4 : 0) }))
    const [codes] = await Array.fromAsync(
      store.index.codes(
        store.catalog.products.get('dpsri')!,
        await store.index.places(store.catalog.products.get('dpsri')!, all),
      ),
    )
    expect([codes![0], codes![19 * 40 + 39], codes![20 * 40], codes![1599]]).toEqual([400, 400, 0, 0])
  })

  test('a full disk pauses ingest, which goes on by itself and loses nothing', async () => {
    const { append } = FsFrameStore.prototype
    let isFull = true
    let refused = 0
    FsFrameStore.prototype.append = async function (...args) {
      if (isFull) {
        await append.call(this, args[0], args[1], [args[2][0].subarray(0, 10)])
        refused++
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      }
      return append.apply(this, args)
    }
    try {
      const taking = take(await dropFrame(1, { rate: (i: number) => (i === 5 ? 4 : 0) }))
      await until(async () => ingest.patience.paused !== null)
      expect(ingest.patience.paused).toBe('disque plein')
      await until(async () => refused > 2)
      expect(await times()).toEqual([])
      isFull = false
      expect((await taking).status).toBe('stored')
      expect(ingest.patience.paused).toBeNull()
    } finally {
      FsFrameStore.prototype.append = append
    }
    expect(await times()).toEqual([at(1)])
    // What the attempts left in the pack is not taken for the frame.
    const product = store.catalog.products.get('dpsri')!
    const [codes] = await Array.fromAsync(store.index.codes(product, await store.index.places(product, all)))
    expect([...codes!.entries()].filter(([, code]) => code > 0)).toEqual([[5, 400]])
    expect(await files(ingest.folders.archive)).toHaveLength(1)
    expect(await files(ingest.folders.rejected)).toEqual([])
  })

  test('an absent database pauses ingest, which goes on by itself and loses nothing', async () => {
    await take(await dropFrame(1))
    const { transaction } = database.db
    let away = 3
    database.db.transaction = () => {
      if (away-- > 0) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      return transaction.call(database.db)
    }
    const result = await take(await dropFrame(2))
    expect(result.status).toBe('stored')
    expect(away).toBeLessThan(0)
    expect(await times()).toEqual([at(1), at(2)])
  })

  test('what a kill leaves in the inbox after the commit goes to its place', async () => {
    const path = await dropFrame(1)
    const spare = join(dataDir, 'spare')
    await copyFile(path, spare)
    await take(path)
    const [archived] = await files(ingest.folders.archive)
    // Killed before the file was moved...
    await rm(join(ingest.folders.archive, archived))
    await copyFile(spare, path)
    expect((await take(path)).status).toBe('known')
    expect(await files(ingest.folders.archive)).toEqual([archived])
    // ... and between the two halves of the move.
    await copyFile(spare, path)
    expect((await take(path)).status).toBe('known')
    expect(await files(ingest.folders.archive)).toEqual([archived])
    expect(await files(ingest.folders.inbox)).toEqual([])
  })

  test('files of the same name and other content both keep their originals', async () => {
    const a = rainFile(site, { timeMs: at(1) })
    const b = rainFile(site, { timeMs: at(2) })
    const path = await drop('same.dpsri', a.bytes)
    await mkdir(join(dataDir, 'other'))
    const second = join(dataDir, 'other', 'same.dpsri')
    await writeFile(second, b.bytes)
    const results = await Promise.all([take(path), take(second)])
    expect(results.map(({ status }) => status)).toEqual(['stored', 'stored'])
    expect(await files(ingest.folders.archive)).toHaveLength(2)
  })

  test('a file that is refused or known does not keep its place from the next of its name', async () => {
    const frame = (k: number, options = {}) => rainFile(site, { timeMs: at(k), ...options }).bytes
    await take(await drop('first.dpsri', frame(1)))
    const conflict = await take(await drop('same.dpsri', frame(1, { rate: () => 12 })))
    expect(conflict).toMatchObject({ status: 'refused', code: 'ingest.conflict' })
    expect((await take(await drop('known.dpsri', frame(1)))).status).toBe('known')
    await take(await drop('same.dpsri', frame(2)))
    await take(await drop('known.dpsri', frame(3)))
    const kept = ['first', 'known', 'same'].map((name) => `rainbow5/2021/07/04/${name}.dpsri`)
    expect(await files(ingest.folders.archive)).toEqual(kept)
    const rows = await database.db.selectFrom('source_file').select('archive_path').execute()
    expect(rows.map(({ archive_path }) => archive_path).sort()).toEqual(kept)
  })

  test('each of many files of one name lies where the index says', async () => {
    const paths = await Promise.all(
      [1, 2, 3, 4].map((k) => drop('same.dpsri', rainFile(site, { timeMs: at(k) }).bytes, `from-${k}`)),
    )
    const results = await Promise.all(paths.map((path) => take(path)))
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('stored'))
    const rows = await database.db.selectFrom('source_file').select(['archive_path', 'hash']).execute()
    expect(new Set(rows.map(({ archive_path }) => archive_path)).size).toBe(4)
    for (const { archive_path, hash } of rows)
      expect((await store.files.originalHash(archive_path as string))?.equals(hash)).toBe(true)
  })

  test('the inbox takes a heap in any order, product folders included, and bounds what is under way', async () => {
    const ks = Array.from({ length: 120 }, (_, k) => (k * 37) % 120)
    for (const k of ks) await dropFrame(k)
    const vol = rainFile(site, { product: 'sri', timeMs: at(1) })
    await drop(vol.name, vol.bytes, 'sri')
    await drop('.hidden.dpsri', vol.bytes)
    await drop('half.dpsri.part', vol.bytes)
    let most = 0
    const original = ingest.take.bind(ingest)
    let under = 0
    ingest.take = async (request) => {
      most = Math.max(most, ++under)
      try {
        return await original(request)
      } finally {
        under--
      }
    }
    const running = inbox({ concurrency: 8, frontConcurrency: 4 }).run()
    await until(async () => (await times()).length === 120 && (await times('sri')).length === 1)
    await until(async () => (await inboxCensus(ingest.folders, ['dpsri', 'sri'])).waiting === 0)
    expect(await times()).toEqual(ks.sort((a, b) => a - b).map(at))
    // Fresh files have a lane of their own beside the heap's.
    expect(most).toBeLessThanOrEqual(8 + 4)
    expect((await files(ingest.folders.inbox)).sort()).toEqual(['.hidden.dpsri', 'half.dpsri.part'])
    stop.abort()
    await running
  })

  test('a file that is still being copied is taken when it is whole', async () => {
    const { name, bytes } = rainFile(site, { timeMs: at(3) })
    const path = join(ingest.folders.inbox, name)
    const original = ingest.take.bind(ingest)
    let looked = 0
    ingest.take = (request) => original(request).finally(() => looked++)
    const whole = new AbortController()
    const patient = inbox({ patienceMs: 3_000, signal: whole.signal }).run()
    const file = await open(path, 'w')
    // Slower than a look: it is found damaged once, and given more time.
    await file.write(bytes.subarray(0, 600))
    await until(async () => looked > 0)
    await file.write(bytes.subarray(600))
    await file.close()
    await until(async () => (await times()).length === 1)
    expect(await files(ingest.folders.rejected)).toEqual([])
    whole.abort()
    await patient
    const running = inbox().run()
    await drop('cut.dpsri', bytes.subarray(0, 600))
    await until(async () => (await files(ingest.folders.rejected)).length === 2)
    stop.abort()
    await running
  })

  test('copies of a command that was killed are put right, its sources being where they were', async () => {
    const { name, bytes } = rainFile(site, { timeMs: at(1) })
    await take(await drop(name, bytes))
    const [archived] = await files(ingest.folders.archive)
    await rm(join(ingest.folders.archive, archived))
    // Killed between the commit and the archive, and before the commit.
    const folder = join(ingest.folders.staging, 'dead', '0')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, name), bytes)
    const unknown = rainFile(site, { timeMs: at(2) })
    await writeFile(join(folder, unknown.name), unknown.bytes)
    const log = createLogger('silent')
    await clearStaging(ingest.folders, store.files, database.db, log)
    expect(await files(ingest.folders.staging)).toHaveLength(2)
    await clearStaging(ingest.folders, store.files, database.db, log, Date.now() + 25 * 3_600_000)
    expect(await files(ingest.folders.staging)).toEqual([])
    expect(await files(ingest.folders.archive)).toEqual([archived])
    expect(await times()).toEqual([at(1)])
  })

  test('[STATION-07] station tables give readings in one unit, each instant once', async () => {
    const result = await take(await drop('Taranis_1min.dat', toa5('AirTC_Avg')))
    expect(result).toMatchObject({
      status: 'stored',
      summary: 'station, 3 mesures de 2021-07-04T21:00:00Z à 2021-07-04T21:02:00Z',
    })
    expect((await take(await drop('again.dat', toa5('AirTC_Avg')))).status).toBe('known')
    const taranis = (await taranisOf(database.db, { startMs: START, endMs: START + 120_000 }))!
    expect(taranis.t.map(({ value }) => value)).toEqual([20, 21])
    expect(taranis.p[0].value).toBeCloseTo(1002, 3)
    expect(taranis.h.map(({ value }) => value)).toEqual([80, null])
    expect(taranis.uzSonic[0].value).toBeCloseTo(3.6, 5)
    expect(taranis.end).toBe('2021-07-04T21:01:00.000Z')
  })
})

/** A table of three minutes in units that must be converted. */
function toa5(temperature: string): Uint8Array {
  const column = (name: string, unit: string, values: number[]) => ({
    name,
    unit,
    processing: 'Avg',
    values: Float64Array.from(values),
  })
  return writeToa5({
    station: 'Taranis',
    model: 'CR1000X',
    serialNumber: '1',
    operatingSystem: 'x',
    program: 'x',
    signature: '1',
    table: 'min',
    localMs: Float64Array.from([0, 1, 2], (k) => START + k * 60_000),
    columns: [
      column(temperature, 'Deg C', [20, 21, 22]),
      column('BP_mbar_Avg', 'kPa', [100.2, 100.2, 100.2]),
      column('RH', '%', [80, Number.NaN, 82]),
      column('WS_ms_S_WVT', 'km/h', [36, 36, 36]),
      column('WindDir_D1_WVT', 'Deg', [270, 270, 270]),
      column('Sonic_WS_ms_Avg', 'm/s', [2, 2, 2]),
      column('Sonic_WD_deg_Avg', 'deg', [0, 0, 0]),
      column('Sonic_Uz_ms_Avg', 'm/s', [1, 1, 1]),
    ],
  })
}
