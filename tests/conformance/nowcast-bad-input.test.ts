import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { siteSchema } from '@radx/contracts'
import { odim } from '@radx/formats/testing/odim-file'
import { ready } from 'h5wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../apps/server/src/cli/main.ts'
import { Ingest } from '../../apps/server/src/ingest/ingest.ts'
import { openHandlers } from '../../apps/server/src/ingest/kinds.ts'
import { createLogger } from '../../apps/server/src/log.ts'
import { openRainFiles } from '../../apps/server/src/nowcast/files/rain-files.ts'
import { KeptForecasts, partsOf } from '../../apps/server/src/nowcast/kept/kept-forecasts.ts'
import { readPictures } from '../../apps/server/src/nowcast/kept/parts.ts'
import { ForecastCycle } from '../../apps/server/src/nowcast/live/keeper.ts'
import { ScoreStore } from '../../apps/server/src/nowcast/scores/score-store.ts'
import type { StoredProduct } from '../../apps/server/src/store/catalog.ts'
import { openStore, type Store } from '../../apps/server/src/store/open-store.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database.ts'
import { testConfig } from '../../apps/server/src/testing/deps.ts'
import { smallCatchments, smallSite } from '../../apps/server/src/testing/small-site.ts'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

/**
 * Rain of the RMI event on 200 x 200 km round Paris, written as ODIM files of its own and given as a radar in trouble would
 * give it: to `radx nowcast`, and to the inbox of a server that forecasts after each frame.
 */
const CELLS = 200
const START = Date.UTC(2021, 6, 6)
const STEP_MS = 300_000
/** Of the event's frames there and back, so that a day of them is one weather. */
const eventFrame = (k: number) => 38 - Math.abs(38 - (k % 76))
const at = (k: number) => START + k * STEP_MS

let folder: string
/** mm/h, `[frame of the event][row * CELLS + col]`. */
let event: Float32Array[]
let where: Record<string, string | number>

beforeAll(async () => {
  if (!hasReferenceData()) return
  await ready
  folder = await mkdtemp(join(tmpdir(), 'radx-bad-'))
  const series = await openRainFiles([join(REFERENCE_DATA, 'odim/rmi-20210704')])
  const { geometry, shape } = series
  const size = (geometry.right - geometry.left) / geometry.ncols
  event = []
  for (let k = 0; k < series.timesMs.length; k++) {
    const { rateMmH } = await series.frame(k)
    event.push(
      Float32Array.from(
        { length: CELLS * CELLS },
        (_, i) => rateMmH[(450 + Math.floor(i / CELLS)) * shape.ncols + 119 + (i % CELLS)],
      ),
    )
  }
  // A plane of its own over Paris: where the rain fell does not matter here.
  where = { projdef: '+proj=laea +lat_0=48.55 +lon_0=2.5 +x_0=100000 +y_0=100000 +ellps=WGS84' }
  Object.assign(where, {
    LL_lon: 1.17,
    LL_lat: 47.63,
    xsize: CELLS,
    ysize: CELLS,
    xscale: size,
    yscale: size,
  })
})
afterAll(() => folder && rm(folder, { recursive: true, force: true }))

function fileOf(timeMs: number, rates: Float32Array, cells = CELLS): Uint8Array {
  const iso = new Date(timeMs).toISOString().replace(/[-:T]/g, '')
  return odim(
    [
      {
        what: { quantity: 'RATE', nodata: -1, undetect: 0 },
        data: rates.map((rate) => (rate >= 0 ? rate : -1)),
        shape: [cells, cells],
      },
    ],
    {
      what: { date: iso.slice(0, 8), time: iso.slice(8, 14) },
      where: { ...where, xsize: cells, ysize: cells },
    },
  )
}
const rainAt = (k: number) => event[eventFrame(k)]
/** 24 h of frames without one in three. */
const thinned = Array.from({ length: 288 }, (_, k) => k).filter((k) => k % 3 !== 1)
/** The north-west is not seen. */
const withoutSector = (rates: Float32Array) =>
  rates.map((rate, i) => (Math.floor(i / CELLS) < 90 && i % CELLS < 90 ? Number.NaN : rate))

describe.skipIf(!hasReferenceData())('radx nowcast on files', () => {
  const nowcast = async (name: string, frames: [number, Float32Array, number?][], ...args: string[]) => {
    const [home, out] = [join(folder, name), join(folder, `${name}-out`)]
    await mkdir(home)
    for (const [k, rates, cells] of frames)
      await writeFile(join(home, `${String(k).padStart(4, '0')}.h5`), fileOf(at(k), rates, cells))
    const fixed = ['--method', 'lk,sprog', '--scores-only', '--out', out]
    expect(await main(['nowcast', home, ...fixed, ...args])).toBe(0)
    const read = async (file: string) => JSON.parse(await readFile(join(out, file), 'utf8'))
    return { rows: await read('scores.json'), run: await read('run.json') }
  }
  const given = (...ks: number[]) => ks.map((k): [number, Float32Array] => [k, rainAt(k)])

  test('24 h with one frame in three missing: forecast from any moment, scored by the frames that came', async () => {
    const moments = ['00:15', '04:00', '09:00', '13:25', '18:00', '22:30']
    const options = ['--leads', '5,10,30,60', '--issues', moments.join()]
    const { rows, run } = await nowcast('day', given(...thinned), ...options)
    expect(run.frames).toBe(192)
    expect(run.issues.map(({ reason }: { reason: string | null }) => reason)).toEqual(moments.map(() => null))
    for (const row of rows) {
      expect(row.issues, `${row.method} ${row.lead_min}`).toBeGreaterThan(0)
      expect(row.n).toBeGreaterThan(1000)
    }
    const sprog = rows.find(
      (row: { method: string; lead_min: number }) => row.method === 'sprog' && row.lead_min === 10,
    )
    expect(sprog.csi['1']).toBeGreaterThan(0.35)
  }, 300_000)

  test('a sector that drops out: what it hides is not forecast nor scored, the rest as before', async () => {
    const frames = given(0, 1, 2, 3, 4, 5, 6)
    const options = ['--leads', '5,15', '--issues', '00:15']
    const whole = await nowcast('whole', frames, ...options)
    frames[3] = [3, withoutSector(rainAt(3))]
    const cut = await nowcast('sector', frames, ...options)
    expect(cut.run.issues[0].reason).toBeNull()
    cut.rows.forEach((row: { n: number; csi: Record<string, number> }, k: number) => {
      expect(row.n).toBeLessThan(whole.rows[k].n)
      expect(row.n).toBeGreaterThan(0.6 * whole.rows[k].n)
      expect(Math.abs(row.csi['1'] - whole.rows[k].csi['1'])).toBeLessThan(0.12)
    })
  })

  test('one frame, a gap, dry, missing: no forecast, and why; a frame of another grid is left out', async () => {
    const dry = new Float32Array(CELLS ** 2)
    const none = new Float32Array(CELLS ** 2).fill(Number.NaN)
    const small = new Float32Array(100 ** 2).fill(2)
    const reasonOf = ({ run }: { run: { issues: { reason: string }[] } }) => run.issues[0].reason
    const last = ['--leads', '5', '--issues']
    expect(reasonOf(await nowcast('one', given(0), ...last, '00:00'))).toMatch(/deux images/)
    expect(reasonOf(await nowcast('gap', given(0, 1, 5), ...last, '00:25'))).toMatch(/15 min/)
    expect(reasonOf(await nowcast('dry', [...given(0, 1), [2, dry]], ...last, '00:10'))).toMatch(
      /aucune pluie/,
    )
    expect(reasonOf(await nowcast('none', [...given(0, 1), [2, none]], ...last, '00:10'))).toMatch(
      /aucune mesure/,
    )
    const other = await nowcast('grid', [...given(0, 1, 2), [3, small, 100]], ...last, '00:10')
    expect(reasonOf(other)).toBeNull()
    expect(other.run.left_out).toEqual([expect.stringMatching(/^0003\.h5 .*grille/)])
  })
})

describe.skipIf(!hasReferenceData())('a server that is given such frames', () => {
  const small = smallSite()
  const site = siteSchema.parse({
    ...small,
    odimProduct: 'sri',
    products: small.products.map((product) => ({ ...product, steps: 64 })),
  })
  let database: TestDatabase
  let dataDir: string
  let store: Store
  let handlers: ReturnType<typeof openHandlers>
  let ingest: Ingest
  let cycle: ForecastCycle
  let kept: KeptForecasts
  let sri: StoredProduct
  const stop = new AbortController()

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-bad-server-'))
    const config = { ...testConfig(), dataDir, workers: 1 }
    const clock = { now: () => at(400) }
    store = await openStore({ db: database.db, config, site, catchments: smallCatchments() })
    handlers = openHandlers({ config, site, db: database.db, store, log: createLogger('silent') })
    ingest = new Ingest({
      ...{ dataDir, files: store.files, handlers: handlers.handlers, log: createLogger('silent'), clock },
      ...{ timeZone: site.timeZone, signal: stop.signal, pauseMs: 50 },
    })
    await ingest.prepareFolders()
    cycle = new ForecastCycle({ config, site, db: database.db, clock }, store)
    kept = new KeptForecasts(database.db, store.frames)
    sri = store.catalog.products.get('sri')!
  })
  afterAll(async () => {
    stop.abort()
    await cycle?.close()
    await handlers?.close()
    await store?.threads.close()
    await database?.drop()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  })

  /** Drops the file of a frame into the inbox, and forecasts from it as the server does. */
  async function frame(k: number, rates = rainAt(k)) {
    await take(k, rates)
    await cycle.follow(sri, at(k), false)
    return (await kept.find(sri, at(k)))!
  }
  async function take(k: number, rates: Float32Array) {
    const path = join(ingest.folders.inbox, `${k}.h5`)
    await writeFile(path, fileOf(at(k), rates))
    const taken = await ingest.take({ path, product: null, refused: 'reject' })
    expect(taken.status).toBe('stored')
  }
  const lastDay = 288

  test('24 h with one frame in three missing: forecasts from the second frame on, each later one scores them', async () => {
    // Forecasts are made in the first hours and in the middle of the day: the same frames come again and again.
    const isFollowed = (k: number) => k < 24 || (k >= 144 && k < 168)
    let forecasts = 0
    for (const k of thinned) {
      if (!isFollowed(k)) {
        await take(k, rainAt(k))
        continue
      }
      const { reason, leads } = await frame(k)
      expect(reason, `frame ${k}`).toBe(k === 0 ? 'few-frames' : null)
      if (reason === null) forecasts++
      expect(leads.length > 0).toBe(reason === null)
    }
    expect(forecasts).toBe(31)
    const scores = await new ScoreStore(database.db).between(sri, { startMs: START, endMs: at(lastDay) })
    const frames = new Set(scores.map(({ time }) => time.getTime()))
    // All but the two from which the first forecasts start, and the one before them.
    expect(frames.size).toBeGreaterThanOrEqual(28)
    for (const lead of [5, 10, 30, 60])
      expect(scores.filter(({ lead_min }) => lead_min === lead).length, `${lead} min`).toBeGreaterThan(8)
  }, 900_000)

  test('a sector that drops out is missing downstream, and not where rain comes from what is seen', async () => {
    await frame(lastDay)
    await frame(lastDay + 1)
    const row = await frame(lastDay + 2, withoutSector(rainAt(lastDay + 2)))
    expect(row.reason).toBeNull()
    const { codes } = readPictures(await partsOf(store.frames, sri, row, 'forecast'), sri.steps)
    const missing = (code: Uint16Array) => code.reduce((sum, value) => sum + (value === 65_535 ? 1 : 0), 0)
    const share = missing(codes[0]) / codes[0].length
    expect(share).toBeGreaterThan(0.1)
    expect(share).toBeLessThan(0.5)
    // What is not known does not become known as time goes on, nor everything unknown at once.
    expect(missing(codes[5])).toBeGreaterThan(0.8 * missing(codes[0]))
    expect(missing(codes[5])).toBeLessThan(codes[5].length)
  }, 300_000)

  test('a gap of 20 min, a frame without rain, one without measures: no forecast, and why; then it goes on', async () => {
    const first = lastDay + 6
    expect(await frame(first)).toMatchObject({ reason: 'gap', leads: [], picture_check: null })
    expect(await frame(first + 1)).toMatchObject({ reason: null })
    const cells = CELLS ** 2
    expect(await frame(first + 2, new Float32Array(cells))).toMatchObject({ reason: 'dry', leads: [] })
    const none = new Float32Array(cells).fill(Number.NaN)
    expect(await frame(first + 3, none)).toMatchObject({ reason: 'missing', leads: [] })
    // The frame without measures is passed over.
    await frame(first + 4)
    expect(await frame(first + 5)).toMatchObject({ reason: null })
  }, 300_000)
})
