import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Job,
  type MadeProduct,
  productComparisonSchema,
  publicSiteSchema,
  type Reprocessing,
  ROLE_MANAGER,
  radarVolumeEntrySchema,
  reprocessingSchema,
  reprocessingsSchema,
} from '@radx/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCommand } from '../cli/testing/run-command.ts'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { openRecovery } from '../ingest/api.ts'
import { registerIngest } from '../ingest/feature.ts'
import { registerJobs } from '../jobs/routes.ts'
import { Jobs } from '../jobs/service.ts'
import { registerRadar } from '../radar/routes.ts'
import { forgetFrames } from '../store/forget-frames.ts'
import { qualityPlaces, readQuality } from '../store/frame-quality.ts'
import { refreshMadeProducts } from '../store/made-products.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { Verifier, verifyDay } from '../store/verify.ts'
import { registerSweeps } from '../sweeps/routes.ts'
import { dropVolume, stormVolume } from '../sweeps/testing/storm-volume.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite, writeSmallSite } from '../testing/small-site.ts'
import { reprocessingJob } from './job.ts'
import { reprocess } from './reprocess.ts'
import { registerReprocessing } from './routes.ts'
import { makingOf } from './service.ts'
import { sweepUnfinished } from './under-way.ts'

const TIMES = ['2026-06-01T12:00:00Z', '2026-06-01T12:30:00Z', '2026-06-01T13:00:00Z'] as const
const PERIOD = { start: '2026-06-01T12:00:00Z', end: '2026-06-01T14:00:00Z' }
const SPAN = { startMs: Date.parse(PERIOD.start), endMs: Date.parse(PERIOD.end) }
const session = (name: string, more: Partial<Session> = {}): Session => ({
  userId: name,
  name,
  roles: [],
  restriction: null,
  ...more,
})
const outside = { start: new Date('2026-06-10T00:00:00Z'), end: null }
const SESSIONS = new Map([
  ['m', session('chef', { roles: [ROLE_MANAGER] })],
  ['u', session('ursule')],
  ['r', session('restreint', { restriction: outside })],
  ['rm', session('chef-restreint', { roles: [ROLE_MANAGER], restriction: outside })],
])

let database: TestDatabase
let app: App
let deps: Deps
let jobs: Jobs
let store: Store
const root = mkdtempSync(join(tmpdir(), 'radx-reprocessing-'))
const [dataDir, siteDir] = [join(root, 'data'), join(root, 'site')]

beforeAll(async () => {
  database = await createTestDatabase()
  mkdirSync(siteDir)
  await writeSmallSite(siteDir)
  const env = {
    DATA_DIR: dataDir,
    SITE_DIR: siteDir,
    DATABASE_URL: database.url,
    RADX_WORKERS: '1',
    DEMO: '0',
  }
  // For the command line, which reads them itself; other files of this worker must not.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const site = smallSite()
  const base = await testDeps({
    config: testConfig(env),
    ...{ site, catchments: smallCatchments() },
    database: handleOf(database),
    sessions: { resolve: async (token) => SESSIONS.get(token) ?? null },
  })
  const kindsModule = new URL('../job-kinds.ts', import.meta.url).href
  jobs = new Jobs({ deps: base, kinds: [reprocessingJob as never], kindsModule, work: true })
  jobs.start()
  await jobs.ready()
  deps = { ...base, jobs }
  const features = [registerIngest, registerRadar, registerSweeps, registerReprocessing, registerJobs]
  app = await createApp(deps, { features })
  await app.ready()
  store = await storeOf(deps)
  await store.context.db
    .insertInto('station_reading')
    .values(
      // Cool nights and warm days: 9 degrees on the mean.
      Array.from({ length: 10 }, (_, k) => ({
        time: new Date(SPAN.startMs - k * 3 * 3_600_000),
        temperature_c: k % 2 === 0 ? 4 : 14,
      })) as never,
    )
    .execute()
  for (const [n, time] of TIMES.entries())
    await dropVolume(dataDir, stormVolume(site.radar.position, time), `volume-${n}.h5`)
  await until(async () => (await store.index.count(product('dpsri'), SPAN)) === TIMES.length)
  // What was known of a volume when it came in stays with its frame.
  await store.context.db.deleteFrom('station_reading').execute()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await app?.close()
  await jobs?.stop()
  await store?.threads.close()
  await database?.drop()
  rmSync(root, { recursive: true, force: true })
})

const until = async (condition: () => Promise<boolean>) => {
  for (const end = Date.now() + 90_000; !(await condition()); await sleep(50))
    if (Date.now() > end) throw new Error('waited too long')
}
const product = (name: string) => store.catalog.products.get(name)!
const call = (
  url: string,
  token: string | null = 'm',
  method: 'GET' | 'POST' | 'DELETE' = 'GET',
  payload?: object,
) =>
  app.inject({
    method,
    url,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })
const order = (name: string, more: Partial<Reprocessing> = {}) => ({
  source: 'dpsri',
  name,
  ...PERIOD,
  ...more,
})
const submit = (body: object, token = 'm') => call('/api/job/reprocessing', token, 'POST', body)
const ended = async (id: string): Promise<Job> => {
  for (;;) {
    const job: Job = (await call(`/api/job/${id}`)).json()
    if (job.status === 'done' || job.status === 'error') return job
    await sleep(50)
  }
}
/** As the job does it, without the way through the queue. @param stopAfter volumes, 0 for none */
const makeHere = async (
  name: string,
  more: Partial<Reprocessing> = {},
  { jobId = null as string | null, stopAfter = 0 } = {},
) => {
  const stop = new AbortController()
  let done = 0
  const context = {
    ...{ config: deps.config, site: deps.site, store, signal: stop.signal, log: () => undefined },
    progress: () => {
      if (++done === stopAfter) stop.abort()
    },
    goesOn: async () => jobId !== null,
  }
  const asked = reprocessingSchema.parse(order(name, more))
  const result = await reprocess(context, { ...makingOf(deps.site, asked, 'chef'), jobId }).catch(
    (error: unknown) => {
      if (!stop.signal.aborted) throw error
      return null
    },
  )
  await refreshMadeProducts(store.catalog, store.context.db, true)
  return { result, done }
}
const listed = async (): Promise<MadeProduct[]> =>
  reprocessingsSchema.parse((await call('/api/reprocessing')).json()).products
/** Codes and qualities of all frames of a product. */
const contentOf = async (name: string) => {
  const of = product(name)
  const content: { timeMs: number; codes: number[]; quality: number[] }[] = []
  const places = await store.index.places(of, SPAN)
  const qualities = await qualityPlaces(store.context.db, of, SPAN)
  for (const [k, place] of places.entries())
    for await (const codes of store.index.codes(of, [place]))
      content.push({
        timeMs: place.timeMs,
        codes: [...codes!],
        quality: [...(await readQuality(store.frames, of, qualities[k]))],
      })
  return content
}
/** Whatever is left of a product anywhere. */
const tracesOf = async (name: string) => {
  const { rows } = await database.pool.query(
    `select (select count(*)::int from radar_product where short_name = $1) as products,
      (select count(*)::int from radar_frame f left join radar_product p on p.id = f.product_id where p.id is null) as frames`,
    [name],
  )
  const files = await readdir(join(dataDir, 'store'), { recursive: true })
  return { ...rows[0], files: files.filter((file) => new RegExp(`(^|/)${name}/.*\\.`).test(file)).length }
}
const NOTHING = { products: 0, frames: 0, files: 0 }

test('the same parameters give the same frames bit for bit, in a product of their own that is chosen like others', async () => {
  const submitted = await submit(order('pareil'))
  expect(submitted.json()).toMatchObject({ status: 'pending', kind: 'reprocessing' })
  const job = await ended(submitted.json().id)
  await refreshMadeProducts(store.catalog, store.context.db, true)
  expect(job).toMatchObject({
    status: 'done',
    result: { product: 'pareil', frames: TIMES.length, lost: 0, others: 0 },
  })
  expect(await contentOf('pareil')).toEqual(await contentOf('dpsri'))
  const site = publicSiteSchema.parse((await call('/api/site', null)).json())
  expect(site.products.at(-1)).toMatchObject({ shortName: 'pareil', longName: 'DPSRI (pareil)', made: true })
  expect((await call('/api/products', null)).json().at(-1)).toMatchObject({ shortName: 'pareil', steps: 40 })
  const archive = `/api/products/archive?p=pareil&s=${PERIOD.start}&e=${PERIOD.end}`
  expect((await call(archive, 'u')).json().images).toHaveLength(TIMES.length)
  const volumes = radarVolumeEntrySchema.array().parse((await call('/api/radar-volumes', 'u')).json())
  expect(volumes.map(({ product }) => product)).toContain('pareil')
})

test('where a volume does not show the melting layer its frame tells what another instrument told, and is made again with that', async () => {
  const rows = await store.context.db
    .selectFrom('radar_quality')
    .innerJoin('radar_product', 'radar_product.id', 'radar_quality.product_id')
    .select(['short_name', 'melting'])
    .orderBy('time')
    .execute()
  expect(rows.map(({ short_name }) => short_name).sort()).toEqual([
    ...TIMES.map(() => 'dpsri'),
    ...TIMES.map(() => 'pareil'),
  ])
  // 9 degrees at 100 m, and 6.5 less a kilometre; the parts of a day that are not whole weigh on it a little.
  for (const { melting } of rows) {
    expect(melting).toMatchObject({ source: 'temperature' })
    expect(Math.abs(melting!.topM - 1485)).toBeLessThan(100)
    expect(melting!.topM - melting!.bottomM).toBeCloseTo(500, 6)
  }
  const { notes } = (await call('/api/radar-volumes/dpsri-20260601T120000Z/stages', 'u')).json()
  expect(notes.join()).toMatch(/bande brillante de \d+ à 1[345]\d\d m \(/)
})

test('its dates are held like those of others, and its newest frames are nobody’s live window', async () => {
  const period = `p=pareil&s=${PERIOD.start}&e=${PERIOD.end}`
  expect((await call(`/api/products/archive?${period}`, 'r')).json()).toMatchObject({ code: 'auth.period' })
  expect((await call(`/api/products/frames?${period}`, null)).statusCode).toBe(401)
  expect((await call(`/api/products/frames?${period}`, 'u')).statusCode).toBe(200)
  expect((await call('/api/products/latestImages?p=pareil', null)).statusCode).toBe(404)
  expect((await call('/api/products/latestImages?p=dpsri', null)).statusCode).toBe(200)
})

test('only managers order, list, compare and remove, within their dates', async () => {
  const comparison = `/api/reprocessing/pareil/comparison?s=${PERIOD.start}&e=${PERIOD.end}`
  for (const [url, method] of [
    ['/api/job/reprocessing', 'POST'],
    ['/api/reprocessing', 'GET'],
    [comparison, 'GET'],
    ['/api/reprocessing/pareil', 'DELETE'],
  ] as const) {
    const payload = method === 'POST' ? order('autre') : undefined
    expect((await call(url, 'u', method, payload)).json(), url).toMatchObject({ code: 'auth.manager' })
    expect((await call(url, null, method, payload)).statusCode, url).toBe(401)
  }
  expect((await submit(order('autre'), 'rm')).json()).toMatchObject({ code: 'auth.period' })
  expect((await call(comparison, 'rm')).json()).toMatchObject({ code: 'auth.period' })
})

test('other parameters give other rain, which is compared with the old hour by hour', async () => {
  const { result } = await makeHere('autre', { parameters: { alpha: 0.6 }, longName: 'Atténuation forte' })
  expect(result).toMatchObject({ frames: TIMES.length })
  expect(await contentOf('autre')).not.toEqual(await contentOf('dpsri'))
  expect(await listed()).toMatchObject([
    { shortName: 'autre', longName: 'Atténuation forte', ready: true, frames: 3, parameters: { alpha: 0.6 } },
    { shortName: 'pareil', parameters: {} },
  ])
  const of = async (name: string) =>
    productComparisonSchema.parse(
      (await call(`/api/reprocessing/${name}/comparison?s=${PERIOD.start}&e=${PERIOD.end}`)).json(),
    )
  const [same, other] = [await of('pareil'), await of('autre')]
  expect(same).toMatchObject({
    onlyOld: 0,
    whole: { frames: 3, missingInOld: 0, missingInNew: 0, biasMmH: 0, rmseMmH: 0 },
    hours: [
      { hour: '2026-06-01T12:00:00Z', frames: 2 },
      { hour: '2026-06-01T13:00:00Z', frames: 1 },
    ],
  })
  expect(same.whole.correlation).toBeCloseTo(1, 9)
  // What is put back behind the storm is rain.
  expect(other.whole.biasMmH).toBeGreaterThan(0.01)
  expect(other.whole.biasMmH).toBeCloseTo(other.whole.newMeanMmH! - other.whole.oldMeanMmH!, 9)
  expect(other.whole.correlation).toBeLessThan(1)
  expect(other.hours.map(({ frames }) => frames)).toEqual([2, 1])
})

test('a damaged frame of it is made again by its own parameters', async () => {
  const before = await contentOf('autre')
  const day = PERIOD.start.slice(0, 10)
  const place = (await store.index.places(product('autre'), SPAN)).at(-1)!
  const name = { product: 'autre', day, kind: 'pack' as const, generation: 0 }
  await store.frames.append(name, place.pack!.offset, [new Uint8Array(place.pack!.length)], true)
  const recovery = openRecovery({ config: deps.config, site: deps.site, store })
  const verifier = new Verifier({
    repair: true,
    signal: new AbortController().signal,
    bytesPerSecond: Number.POSITIVE_INFINITY,
  })
  const options = {
    store,
    catchments: deps.catchments,
    timeZone: deps.site.timeZone,
    recover: recovery.recover,
  }
  await verifyDay(options, verifier, product('autre'), day)
  await recovery.close()
  expect(verifier.report).toMatchObject({ repaired: 1, damagedCount: 0 })
  expect(await contentOf('autre')).toEqual(before)
})

test('what makes no sense is refused in words before anything is done', async () => {
  const codeOf = async (body: object) => (await submit(body)).json().code
  expect(await codeOf(order('dpsri', { replace: true }))).toBe('reprocessing.exists')
  expect(await codeOf(order('sri', { replace: true }))).toBe('reprocessing.exists')
  expect(await codeOf(order('autre'))).toBe('reprocessing.exists')
  expect(await codeOf(order('x', { source: 'nul' }))).toBe('reprocessing.source')
  expect(await codeOf(order('x', { end: '2026-08-01T00:00:00Z' }))).toBe('request.periodTooLong')
  for (const wrong of [
    order('Pas un nom'),
    order('../x'),
    { ...order('x'), parameters: { alpha: -1 } },
    { ...order('x'), parameters: { moments: ['dBZ'] } },
    { ...order('x'), parameters: { unknown: 1 } },
  ])
    expect((await submit(wrong)).statusCode, JSON.stringify(wrong)).toBe(400)
  const empty = makeHere('vide', { start: '2026-05-01T00:00:00Z', end: '2026-05-02T00:00:00Z' })
  await expect(empty).rejects.toThrow('Aucun volume')
  expect(await tracesOf('vide')).toEqual(NOTHING)
})

test('a cancelled reprocessing leaves nothing, nor does one that nobody goes on with', async () => {
  const { id } = (await submit(order('annule'))).json()
  await until(async () => (await listed()).some(({ shortName }) => shortName === 'annule'))
  // Nobody chooses it while it is made.
  expect((await call('/api/products', null)).body).not.toContain('annule')
  expect((await call(`/api/job/${id}/cancel`, 'm', 'POST')).statusCode).toBe(200)
  expect(await ended(id)).toMatchObject({ status: 'error', error: 'Calcul annulé.' })
  await sweepUnfinished(store)
  expect(await tracesOf('annule')).toEqual(NOTHING)
})

test('a try that was interrupted is gone on with, and what its job left goes', async () => {
  const jobId = randomUUID()
  await store.context.db
    .insertInto('job')
    .values({
      id: jobId,
      kind: 'reprocessing',
      username: 'chef',
      input: '{}' as never,
      status: 'running',
    } as never)
    .execute()
  expect(await makeHere('repris', {}, { jobId, stopAfter: 1 })).toEqual({ result: null, done: 1 })
  expect((await submit(order('repris'))).json()).toMatchObject({ code: 'reprocessing.underWay' })
  expect(await sweepUnfinished(store)).toEqual([])
  expect(await makeHere('repris', {}, { jobId })).toMatchObject({ result: { frames: 3, lost: 0 }, done: 2 })
  expect(await contentOf('repris')).toEqual(await contentOf('dpsri'))

  await store.context.db
    .updateTable('radar_made_product')
    .set({ ready: false })
    .where('job_id', '=', jobId)
    .execute()
  await store.context.db.updateTable('job').set({ status: 'error' }).where('id', '=', jobId).execute()
  expect(await sweepUnfinished(store)).toEqual(['repris'])
  expect(await tracesOf('repris')).toEqual(NOTHING)
})

test('the command line makes, compares, lists and removes beside the server', async () => {
  const from = ['--from', PERIOD.start, '--to', PERIOD.end]
  expect(await runCommand('reprocess', 'run', 'dpsri', ...from)).toMatchObject({ exit: 1 })
  const run = await runCommand('reprocess', 'run', 'ligne', ...from)
  expect(run).toMatchObject({ exit: 0, out: expect.stringContaining('ligne : 3 images faites') })
  expect((await runCommand('reprocess', 'compare', 'ligne')).out).toMatch(/période +3 /)
  expect((await runCommand('reprocess', 'list')).out).toContain('ligne')
  await refreshMadeProducts(store.catalog, store.context.db, true)
  expect(await contentOf('ligne')).toEqual(await contentOf('dpsri'))
  expect((await runCommand('reprocess', 'remove', 'ligne')).exit).toBe(0)
  expect(await tracesOf('ligne')).toEqual(NOTHING)
  expect((await runCommand('reprocess', 'remove', 'dpsri')).exit).toBe(1)
})

test('a replaced one is another one, a removed one is gone, and volumes stay while a product is made of them', async () => {
  await makeHere('autre', { replace: true })
  expect(await contentOf('autre')).toEqual(await contentOf('pareil'))
  expect((await call('/api/reprocessing/pareil', 'm', 'DELETE')).statusCode).toBe(204)
  expect(await tracesOf('pareil')).toEqual(NOTHING)
  expect(
    (await call('/api/products/weight?p=pareil&s=2026-06-01T00:00:00Z&e=2026-06-02T00:00:00Z')).statusCode,
  ).toBe(404)

  const originals = async () =>
    (await readdir(join(dataDir, 'archive'), { recursive: true })).filter((name) => name.endsWith('.h5'))
      .length
  expect(await forgetFrames(store, product('dpsri'), SPAN.endMs)).toBe(TIMES.length)
  expect(await originals()).toBe(TIMES.length)
  const [volume] = radarVolumeEntrySchema.array().parse((await call('/api/radar-volumes', 'u')).json())
  expect(volume.product).toBe('autre')
  expect((await call(`/api/radar-volumes/${volume.id}/sweeps/1/moments/DBZH`, 'u')).statusCode).toBe(200)
  expect((await call('/api/reprocessing/autre', 'm', 'DELETE')).statusCode).toBe(204)
  expect(await originals()).toBe(0)
})
