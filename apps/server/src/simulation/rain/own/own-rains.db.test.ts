import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Battery, LuseConfig, OwnRainDetail, SimulationInput, SimulationListItem } from '@radx/contracts'
import { type Layer, odim } from '@radx/formats/testing/odim-file'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { ready } from 'h5wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeReadings } from '../../../gauges/api.ts'
import type { App, Deps } from '../../../http/app.ts'
import { createApp } from '../../../http/create-app.ts'
import type { Session } from '../../../http/sessions.ts'
import { registerJobs } from '../../../jobs/routes.ts'
import { Jobs } from '../../../jobs/service.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../../testing/deps.ts'
import { CatchmentLibrary } from '../../catchment/library.ts'
import { multihydro } from '../../multihydro.ts'
import { registerSimulation } from '../../routes.ts'
import { runFields } from '../../testing/run-form.ts'
import { SMALL_CATCHMENT, smallCatchmentAt, writeSmallCatchment } from '../../testing/small-catchment.ts'

/** In the middle of the pictures: Lambert 93 of 2.6 E, 48.54 N. */
const [X, Y] = [670_500, 6_827_000]
const GAUGE = '00000000-0000-4000-8000-000000000001'

const session = (name: string, restriction: Session['restriction'] = null): Session => ({
  userId: GAUGE,
  name,
  roles: [],
  restriction,
})

describe('rains of one’s own', () => {
  let database: TestDatabase
  let app: App
  let deps: Deps
  let jobs: Jobs
  let luseId: string
  let codes: LuseConfig[]
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-rains-'))
  const packageDir = mkdtempSync(join(tmpdir(), 'radx-rains-package-'))
  const tokens = new Map([
    ['u', session('ursule')],
    ['v', session('victor')],
    ['r', session('restreint', { start: new Date('2027-01-01T00:00:00Z'), end: null })],
  ])

  beforeAll(async () => {
    await ready
    writeSmallCatchment(packageDir, {
      ...smallCatchmentAt(X, Y),
      'catchment.json': JSON.stringify({ ...JSON.parse(SMALL_CATCHMENT['catchment.json']), xll: X, yll: Y }),
    })
    database = await createTestDatabase()
    const config = testConfig({ DATA_DIR: dataDir, RADX_WORKERS: '1', DATABASE_URL: database.url })
    const sessions = { resolve: async (token: string) => tokens.get(token) ?? null }
    const base = await testDeps({
      config,
      database: handleOf(database),
      sessions,
      clock: { now: () => Date.now() },
    })
    await new CatchmentLibrary(base.db, base.config).import(packageDir)
    const kindsModule = new URL('../../../job-kinds.ts', import.meta.url).href
    jobs = new Jobs({ deps: base, kinds: [multihydro as never], kindsModule, work: true })
    jobs.start()
    await jobs.ready()
    deps = { ...base, jobs }
    app = await createApp(deps, { features: [registerSimulation, registerJobs] })
    luseId = (await get('/api/multihydro/files?c=petit&n=luse.asc')).body[0]._id
    const data = (await get(`/api/multihydro/file/${luseId}/dataJson?allCodes=true`)).body
    codes = (data.codes as LuseConfig[]).filter(({ isSelected }) => isSelected)
  })
  afterAll(async () => {
    await app?.close()
    await jobs?.stop()
    await database?.drop()
    for (const dir of [dataDir, packageDir]) rmSync(dir, { recursive: true, force: true })
  })

  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    token = 'u',
    payload?: Buffer | FormData,
  ) {
    const form = payload instanceof FormData ? new Response(payload) : null
    const answer = await app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(payload && {
          'content-type': form ? form.headers.get('content-type')! : 'application/zip',
        }),
      },
      ...(payload && { payload: form ? Buffer.from(await form.arrayBuffer()) : (payload as Buffer) }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
  }
  const get = (url: string, token?: string) => call('GET', url, token)
  const zip = (files: Record<string, Uint8Array>) => Buffer.from(zipSync(files))
  const send = (files: Record<string, Uint8Array>, token?: string, name = 'orage.zip') =>
    call('POST', `/api/multihydro/rains?catchmentId=petit&name=${name}`, token, zip(files))

  /** Rain in the middle column of three alone, where the catchment lies, at a minute of an hour. */
  const picture = (minute: number, rate: number, more: Partial<Layer> = {}) =>
    odim(
      [
        {
          what: { quantity: 'RATE' },
          data: Float32Array.of(0, rate, 0, 0, rate, 0),
          ...more,
        },
      ],
      { what: { date: '20260601', time: `10${String(minute).padStart(2, '0')}00` } },
    )
  const storm = () => ({
    'images/c.h5': picture(10, 60),
    'images/a.h5': picture(0, 12),
    'images/b.h5': picture(5, 36),
    'lisez-moi.txt': strToU8('trois images'),
  })
  const run = (changes: Record<string, string>, token = 'u') => {
    const form = new FormData()
    const fields = runFields({ catchmentId: 'petit', luseId, codes }, changes)
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return call('POST', '/api/job/multihydro', token, form)
  }
  const ended = async (id: string) => {
    await expect
      .poll(async () => (await get(`/api/job/${id}`)).body.status, { timeout: 60_000, interval: 200 })
      .toMatch(/done|error/)
    return (await get(`/api/job/${id}`)).body
  }
  let kept: OwnRainDetail

  test('a zip of pictures is cut to the catchment, told and drawn; only its owner sees it', async () => {
    const { status, body } = await send(storm())
    expect(status).toBe(200)
    kept = body
    expect(kept).toMatchObject({
      name: 'orage',
      catchmentId: 'petit',
      pictures: 3,
      stepS: 300,
      start: '2026-06-01T09:57:30Z',
      end: '2026-06-01T10:12:30Z',
      coveredShare: 1,
      missingShare: 0,
      cellMaxMmH: 60,
    })
    // Five minutes each of 12, 36 and 60 mm/h.
    expect(kept.totalMm).toBeCloseTo(9, 6)
    expect(kept.minutesMmH).toHaveLength(15)
    expect(kept.totals.flat().filter((depth) => depth !== 0)).toEqual([9, 9])
    expect((await get('/api/multihydro/rains?catchmentId=petit')).body).toEqual([
      expect.objectContaining({ id: kept.id }),
    ])
    expect((await get('/api/multihydro/rains?catchmentId=petit', 'v')).body).toEqual([])
    expect((await get(`/api/multihydro/rains/${kept.id}`, 'v')).status).toBe(404)
  })

  test('a run takes it as it is, and its balance has what fell', async () => {
    const foreign = await run({ rainfallSelection: 'radar', ownRain: kept.id }, 'v')
    expect([foreign.status, foreign.body.details?.field]).toEqual([400, 'ownRain'])
    const { status, body } = await run({ rainfallSelection: 'radar', ownRain: kept.id })
    expect([status, body.message]).toEqual([200, undefined])
    const job = await ended(body.jobId)
    expect([job.status, job.error]).toEqual(['done', null])
    const input = job.input as SimulationInput
    expect(input).toMatchObject({
      ownRain: { id: kept.id, name: 'orage' },
      rainfallStart: '2026-06-01T09:57:30.000Z',
      simulationDuration: 0.25,
      product: null,
    })
    // 9 mm on the cells that have a ground.
    const { rainM3 } = (job.result as { balance: { rainM3: number } }).balance
    expect(rainM3).toBeCloseTo((12 * 8 - 1) * 100 * 0.009, 3)
    // What is one's own is no archive: dates hold nothing of it.
    expect((await get(`/api/job/${body.jobId}`, 'r')).body.result).not.toBeNull()
    expect((await call('DELETE', `/api/multihydro/rains/${kept.id}`)).status).toBe(204)
    expect((await run({ rainfallSelection: 'radar', ownRain: kept.id })).body.details.field).toBe('ownRain')
  })

  test.each<[string, () => Record<string, Uint8Array>, string, RegExp]>([
    ['one picture', () => ({ 'a.h5': picture(0, 1) }), 'rain.pictures', /deux images au moins/],
    [
      'a moment twice',
      () => ({ 'a.h5': picture(0, 1), 'b.h5': picture(0, 2) }),
      'rain.pictures',
      /a\.h5 et b\.h5 sont de la même heure/,
    ],
    [
      'another grid',
      () => ({
        'a.h5': picture(0, 1),
        'b.h5': picture(5, 1, { data: Float32Array.of(1, 1, 1), shape: [1, 3] }),
      }),
      'rain.pictures',
      /b\.h5/,
    ],
    [
      'another region',
      () => ({
        'a.h5': odim([{ what: { quantity: 'RATE' }, data: new Float32Array(6) }], {
          where: {
            projdef: '+proj=longlat +datum=WGS84 +no_defs',
            ...{ LL_lon: 12, LL_lat: 48, UR_lon: 13.5, UR_lat: 49, xsize: 3, ysize: 2 },
          },
        }),
      }),
      'rain.outside',
      /hors de l’image a\.h5/,
    ],
    ['no picture', () => ({ 'a.h5': strToU8('rien') }), 'rain.pictures', /a\.h5/],
    ['notes alone', () => ({ 'a.txt': strToU8('rien') }), 'rain.pictures', /aucune image radar/],
    [
      'impossible rain',
      () => ({ 'a.h5': picture(0, 1), 'b.h5': picture(5, 9_000) }),
      'rain.pictures',
      /b\.h5 a une intensité/,
    ],
    ['zeros packed tight', () => ({ 'a.h5': new Uint8Array(64 * 2 ** 20) }), 'rain.upload', /grossit|a\.h5/],
  ])('%s is refused by name, and leaves nothing', async (_what, files, code, message) => {
    const { status, body } = await send(files())
    expect([status, body.code]).toEqual([422, code])
    expect(body.message).toMatch(message)
    expect((await get('/api/multihydro/rains?catchmentId=petit')).body).toEqual([])
  })

  test('what a gauge measured becomes the rain of a run, held against the dates of its readers', async () => {
    await deps.db
      .insertInto('gauge_own')
      .values({
        id: GAUGE,
        username: 'ursule',
        name: 'Mairie',
        lat: 48.54,
        lng: 2.6,
        measure: 'depth',
        readings: 6,
      } as never)
      .execute()
    const at = (minute: number) => Date.parse('2026-06-01T10:00:00Z') + 60_000 * minute
    // Ten minutes of rain, then two readings that never came.
    await storeReadings(deps.db, GAUGE, {
      timesMs: Float64Array.of(at(5), at(10), at(15), at(30)),
      mm: Float64Array.of(1, 3, 0, 0),
    })
    const period = { s: '2026-06-01T10:00:00Z', e: '2026-06-01T10:30:00Z' }
    const url = `/api/multihydro/rains/gauge?g=${GAUGE}&s=${period.s}&e=${period.e}`
    const { body: seen } = await get(url)
    expect(seen).toMatchObject({ totalMm: expect.closeTo(4, 5), missingMin: 10, intervalMin: 5 })
    expect([seen.minutesMmH[0], seen.minutesMmH[7], seen.minutesMmH[20]]).toEqual([
      expect.closeTo(12, 5),
      expect.closeTo(36, 5),
      null,
    ])
    expect((await get(url, 'r')).body.code).toBe('auth.period')
    const asked = (gapsDry: boolean) => ({
      rainfallSelection: 'virtual',
      virtualRainShape: 'series',
      gaugeRain: JSON.stringify({
        ...{ id: GAUGE, name: 'autre', start: period.s, end: period.e },
        ...{ gapsDry, calmAfter: 10 },
      }),
    })
    expect((await run(asked(false))).body.message).toMatch(/Il manque 10 minutes de mesures à Mairie/)
    expect((await run(asked(true), 'v')).body.message).toMatch(/Ce pluviomètre n’existe pas/)
    expect((await run(asked(true), 'r')).body.code).toBe('auth.period')
    const { body } = await run(asked(true))
    const job = await ended(body.jobId)
    expect([job.status, job.error]).toEqual(['done', null])
    const { virtualData, virtualSource, gaugeRain } = job.input as SimulationInput
    expect(virtualData.reduce((sum, rate) => sum + rate / 60, 0)).toBeCloseTo(4, 5)
    expect(virtualSource).toMatch(/^Pluviomètre Mairie, du .*10 minutes manquantes comptées sèches$/)
    expect(gaugeRain?.name).toBe('Mairie')
    const hidden = (await get(`/api/job/${body.jobId}`, 'r')).body
    expect([hidden.result, hidden.input.virtualData]).toEqual([null, []])
    const listed = ((await get('/api/jobs/multihydro', 'r')).body as SimulationListItem[]).find(
      ({ id }) => id === body.jobId,
    )
    expect([listed?.rainWithheld, listed?.input.virtualData]).toEqual([expect.any(String), []])
  })

  const order = (rains: { title: string; fields: Record<string, string> }[], more: object = {}) => ({
    title: 'Orages',
    catchmentId: 'petit',
    rains,
    landUses: [luseId],
    ...more,
  })
  const uniform = (rate: number) => ({
    rainfallSelection: 'virtual',
    virtualRainShape: 'series',
    virtualParam: JSON.stringify({ step: 1, iMax: rate, calmAfter: 0 }),
    virtualData: JSON.stringify(new Array(10).fill(rate)),
  })
  const post = async (url: string, payload: object, { token = 'u', key = '' } = {}) => {
    const headers = { authorization: `Bearer ${token}`, ...(key !== '' && { 'idempotency-key': key }) }
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    return { status: answer.statusCode, body: answer.json() }
  }
  const BATTERIES = '/api/multihydro/batteries'

  test('a battery is one order: one progress, one table, and each run one like any other', async () => {
    const rains = [20, 60].map((rate) => ({ title: `${rate} mm/h`, fields: uniform(rate) }))
    const key = 'a0b1c2d3-0000-4000-8000-000000000000'
    const { status, body } = await post(BATTERIES, order(rains), { key })
    expect([status, body.message]).toEqual([200, undefined])
    expect((await post(BATTERIES, order(rains), { key })).body).toEqual(body)
    expect((await post(BATTERIES, order(rains.slice(1)), { key })).body.code).toBe('job.keyUsed')
    const look = async () => (await get(`${BATTERIES}/${body.id}`)).body as Battery
    await expect.poll(async () => (await look()).open, { timeout: 90_000, interval: 300 }).toBe(0)
    const battery = await look()
    expect(battery).toMatchObject({
      ordered: 2,
      done: 2,
      failed: 0,
      progress: 1,
      rains: ['20 mm/h', '60 mm/h'],
    })
    // Ten minutes of each, after a form's own.
    expect(battery.runs.map(({ rain, figures }) => [rain, figures?.rainMm])).toEqual([
      [0, expect.closeTo(20 / 6, 6)],
      [1, expect.closeTo(10, 6)],
    ])
    const list = (await get('/api/jobs/multihydro')).body as SimulationListItem[]
    expect(list.find(({ id }) => id === battery.runs[1].jobId)?.input.title).toBe(
      `Orages · 60 mm/h · ${battery.landUses[0].name}`,
    )
    const file = await app.inject({
      url: `${BATTERIES}/${body.id}/resultats.csv`,
      headers: { authorization: 'Bearer u' },
    })
    expect(file.body.match(/^"?(20|60) mm\/h/gm)).toHaveLength(2)
    const packed = await app.inject({
      url: `${BATTERIES}/${body.id}/resultats.zip`,
      headers: { authorization: 'Bearer u' },
    })
    expect(Object.keys(unzipSync(packed.rawPayload))).toContain('pluie-2_carte-1/max_waterdepth_10m.txt')
    // It is its owner's.
    expect((await get(`${BATTERIES}/${body.id}`, 'v')).status).toBe(404)
    expect((await get(BATTERIES, 'v')).body).toEqual([])
    expect((await get(BATTERIES)).body).toHaveLength(1)
    expect(await call('DELETE', `${BATTERIES}/${body.id}`)).toEqual({ status: 204, body: null })
    expect((await get(`/api/job/${battery.runs[0].jobId}`)).status).toBe(404)
  })

  test('a rain that cannot be refuses the whole battery by its name; dates and the count of runs hold', async () => {
    const good = { title: 'bonne', fields: uniform(20) }
    const dry = { title: 'sèche', fields: uniform(0) }
    const refused = await post(BATTERIES, order([good, dry]))
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringMatching(/^sèche, .* nulle partout/),
    ])
    const radar = { rainfallSelection: 'radar', rainfallStart: '2026-06-01T10:00:00Z' }
    const past = { title: 'passé', fields: { ...radar, rainfallEnd: '2026-06-01T11:00:00Z' } }
    expect((await post(BATTERIES, order([past]), { token: 'r' })).body.code).toBe('auth.period')
    const many = Array.from({ length: 40 }, () => good)
    const lands = Array.from({ length: 3 }, () => luseId)
    expect((await post(BATTERIES, order(many, { landUses: lands }))).body.message).toMatch(/120 simulations/)
    expect((await get(BATTERIES)).body).toEqual([])
  })

  test('a battery is cancelled as one, and what was done stays; single runs go before it', async () => {
    const rains = [10, 11, 12, 13, 14].map((rate) => ({ title: `${rate}`, fields: uniform(rate) }))
    const { body } = await post(BATTERIES, order(rains))
    const behind = (await get(`${BATTERIES}/${body.id}`)).body.runs[4].jobId
    const single = await run(uniform(30))
    expect(single.status).toBe(200)
    const cancelled = await post(`${BATTERIES}/${body.id}/cancel`, {})
    expect(cancelled.status).toBe(200)
    await expect
      .poll(async () => (await get(`${BATTERIES}/${body.id}`)).body.open, { timeout: 60_000, interval: 200 })
      .toBe(0)
    const battery = (await get(`${BATTERIES}/${body.id}`)).body as Battery
    expect(battery.done + battery.failed).toBe(5)
    expect(battery.runs[4]).toMatchObject({ jobId: behind, cancelled: true })
    expect((await ended(single.body.jobId)).status).toBe('done')
  })
})
