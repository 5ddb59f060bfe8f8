import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { MrrRecord } from '@radx/contracts'
import { writeMrrPro } from '@radx/formats/mrrpro/mrrpro'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../../apps/server/src/http/app.ts'
import { createApp } from '../../apps/server/src/http/create-app.ts'
import type { Session } from '../../apps/server/src/http/sessions.ts'
import { Ingest } from '../../apps/server/src/ingest/ingest.ts'
import { openHandlers } from '../../apps/server/src/ingest/kinds.ts'
import { registerMrr } from '../../apps/server/src/mrr/routes.ts'
import { storeOf } from '../../apps/server/src/store/open-store.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../apps/server/src/testing/deps.ts'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

const files = [
  '20230322_014000.nc',
  '20230322_015000.nc',
  '20230322_021000.nc',
  'cloudnetpy_20220124_180000.nc',
]

describe.skipIf(!hasReferenceData())('micro rain radar, from real files to the calls', () => {
  let database: TestDatabase
  let app: App
  let deps: Deps
  let ingest: Ingest
  let close: () => Promise<void>
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-mrr-'))
  const restriction = { start: new Date('2023-03-22T01:45:00Z'), end: null }
  const sessions = new Map<string, Session>([
    ['user', { userId: 'u', name: 'u', roles: [], restriction: null }],
    ['restricted', { userId: 'r', name: 'r', roles: [], restriction }],
  ])

  beforeAll(async () => {
    database = await createTestDatabase()
    const base = await testDeps({
      config: testConfig({ DATA_DIR: dataDir }),
      database: handleOf(database),
      sessions: { resolve: async (token) => sessions.get(token) ?? null },
      clock: { now: () => Date.now() },
    })
    const site = {
      ...base.site,
      microRainRadar: { ...base.site.microRainRadar!, openHour: '2023-03-22T01:00:00Z' },
    }
    deps = { ...base, site }
    const store = await storeOf(deps)
    const opened = openHandlers({ config: deps.config, site, db: deps.db, store, log: deps.log })
    close = opened.close
    const { config, log, clock } = deps
    const signal = new AbortController().signal
    ingest = new Ingest({
      dataDir: config.dataDir,
      files: store.files,
      handlers: opened.handlers,
      log,
      clock,
      timeZone: site.timeZone,
      signal,
    })
    await ingest.prepareFolders()
    app = await createApp(deps, { features: [registerMrr] })
  })
  afterAll(async () => {
    await app?.close()
    await close?.()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const take = (source: string) => {
    const path = join(ingest.folders.inbox, basename(source))
    copyFileSync(source, path)
    return ingest.take({ path, product: null, refused: 'reject' })
  }
  const get = async (path: string, token: string | null = 'user') => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await app.inject({ url: path, headers })
    return {
      status: response.statusCode,
      body: response.headers['content-type']?.toString().includes('json')
        ? response.json()
        : response.rawPayload,
    }
  }
  const tableOf = () => deps.db.selectFrom('mrr_chunk').selectAll().orderBy('id').execute()

  test('real files of both firmwares are taken in once', async () => {
    for (const file of files)
      expect(await take(join(REFERENCE_DATA, 'mrr', file))).toMatchObject({ status: 'stored' })
    const before = await tableOf()
    for (const file of files)
      expect(await take(join(REFERENCE_DATA, 'mrr', file))).toMatchObject({ status: 'known' })
    expect(await tableOf()).toEqual(before)
    expect(readdirSync(ingest.folders.rejected)).toEqual([])
    expect(before.map((c) => c.profiles)).toEqual([60, 60, 60, 3])
  })

  test('[API-49] [MRR-14] [MRR-25] records of an hour have the figures of the reference', async () => {
    const { status, body } = await get('/api/mrr/hour/2023-03-22T01:00:00Z')
    expect(status).toBe(200)
    const records = body as MrrRecord[]
    expect(records).toHaveLength(120)
    expect(new Set(records.map((r) => r.datetime)).size).toBe(120)
    const first = records.filter((r) => r.datetime < '2023-03-22T01:50')
    expect(Math.max(...first.map((r) => r.maxValue))).toBeCloseTo(1.944186, 5)
    const second = records.filter((r) => r.datetime >= '2023-03-22T01:50')
    expect(Math.max(...second.map((r) => r.maxValue))).toBeCloseTo(0.128781, 5)
    for (const r of records) {
      expect(r.meters_between_gates).toBeCloseTo(50, 3)
      if (r.maxValue > 0) {
        expect(r.lwc).toHaveLength(128)
        expect(Math.max(...r.lwc.map((v) => v ?? 0))).toBeCloseTo(r.maxValue, 3)
      } else expect(r.lwc).toEqual([0])
    }
    const values = first.flatMap((r) => r.lwc.filter((v) => v !== null))
    expect(values.reduce((a, b) => a + b, 0) / values.length).toBeCloseTo(0.039529, 3)
  })

  test('the melting layer of 01:40 is there: reflectivity peaks above the fast rain below', async () => {
    const [ze, vel] = await Promise.all(
      ['Ze', 'VEL'].map(
        async (v) => (await get(`/api/mrr/hour/2023-03-22T01:00:00Z?v=${v}`)).body as MrrRecord[],
      ),
    )
    const meanAt = (records: MrrRecord[], gate: number) => {
      const found = records.slice(0, 60).flatMap((r) => r.values?.[gate] ?? [])
      return found.reduce((a, b) => a + b, 0) / found.length
    }
    const profile = Array.from({ length: 70 }, (_, gate) => ({
      ze: meanAt(ze, gate),
      vel: meanAt(vel, gate),
    }))
    const bright = profile.reduce((best, p, i) => (i > 10 && p.ze > profile[best].ze ? i : best), 10)
    const heightM = 50 * (bright + 1)
    expect(heightM).toBeGreaterThan(1_000)
    // The layer that each profile tells holds that height.
    const layers = ze.slice(0, 60).flatMap(({ melting }) => (melting ? [melting] : []))
    expect(layers.length).toBeGreaterThan(30)
    const middle = layers.map(({ bottomM, topM }) => (bottomM + topM) / 2).sort((a, b) => a - b)
    expect(Math.abs(middle[Math.floor(middle.length / 2)] - heightM)).toBeLessThan(250)
    expect(heightM).toBeLessThan(3_000)
    // Snow above falls slowly, rain below fast.
    expect(profile[bright - 8].vel).toBeGreaterThan(profile[bright + 6].vel + 2)
  })

  test('[API-48] five-minute maxima and [API-50] daily maxima come from the same profiles', async () => {
    const { body: bins } = await get('/api/mrr/day/2023-03-22')
    expect((bins as { time: string }[]).map((b) => b.time)).toEqual([
      '02:40',
      '02:45',
      '02:50',
      '02:55',
      '03:10',
      '03:15',
    ])
    const largest = Math.max(...(bins as { maxValue: number }[]).map((b) => b.maxValue))
    expect(largest).toBeCloseTo(1.944186, 5)
    const { body: days } = await get('/api/mrr/calendar')
    expect(days).toEqual([
      { day: '2022-01-24', maxValue: expect.closeTo(0.000917, 6) },
      { day: '2023-03-22', maxValue: largest },
    ])
    // Ours, on request: outside the melting layer, which can only be less.
    const { body: rain } = await get('/api/mrr/calendar?rain=1')
    expect(rain).toEqual([
      { ...days[0], rainMaxValue: expect.any(Number) },
      { ...days[1], rainMaxValue: expect.any(Number) },
    ])
    for (const { maxValue, rainMaxValue } of rain) expect(rainMaxValue).toBeLessThanOrEqual(maxValue)
  })

  test('[API-47] [MRR-16] latest names a picture that everyone may see; older names are gone', async () => {
    const { body } = await get('/api/mrr/latest', null)
    expect(body.file).toMatch(/^mrr-20230322T0219\d\dZ\.png$/)
    const { status, body: png } = await get(`/images/mrr/${body.file}`, null)
    expect(status).toBe(200)
    const picture = PNG.sync.read(png as Buffer)
    expect([picture.width, picture.height]).toEqual([960, 420])
    expect((await get('/images/mrr/mrr-20230322T010000Z.png', null)).status).toBe(404)
    expect((await get('/images/mrr/..%2F..%2Fetc%2Fpasswd', null)).status).toBe(404)
  })

  test('[MRR-03] [MRR-04] without a session only the demonstration hour and the latest picture are open', async () => {
    for (const path of [
      'calendar',
      'day/2023-03-22',
      'hour/2023-03-22T01:00:00Z',
      'export/2023-03-22T01:00:00Z?format=csv',
    ])
      expect((await get(`/api/mrr/${path}`, null)).status).toBe(401)
    expect((await get('/api/mrr/demo', null)).body).toHaveLength(120)
  })

  test('an account’s dates cut days and refuse hours outside', async () => {
    expect((await get('/api/mrr/hour/2023-03-22T01:00:00Z', 'restricted')).status).toBe(403)
    expect((await get('/api/mrr/hour/2023-03-22T01:45:00Z', 'restricted')).status).toBe(200)
    const { body: bins } = await get('/api/mrr/day/2023-03-22', 'restricted')
    expect((bins as { time: string }[])[0].time).toBe('02:45')
    expect((await get('/api/mrr/day/2022-01-24', 'restricted')).body).toEqual([])
    expect((await get('/api/mrr/calendar', 'restricted')).body).toHaveLength(1)
  })

  test('a period is its profiles in columns, with the mean that the file itself has', async () => {
    const url = '/api/mrr/period?p=dpsri&s=2023-03-22T01:40:00Z&e=2023-03-22T02:30:00Z'
    const { status, body } = await get(url)
    expect(status).toBe(200)
    // 50 min in columns of 10 s: two files of ten minutes follow each other, the third comes after a pause.
    expect([body.columnSeconds, body.columns.length]).toEqual([10, 180])
    expect([body.meters_between_gates, body.rateHeightM]).toEqual([50, 150])
    const maximum = Math.max(...body.columns.flatMap(({ lwc }: { lwc: number[] }) => lwc))
    expect(maximum).toBeCloseTo(1.944186, 2)
    // Profiles taken together keep the sum: half an hour in one column or in many.
    const mean = (columns: { lwc: number[] }[]) =>
      columns.reduce((sum, { lwc }) => sum + lwc.reduce((a, b) => a + b, 0), 0) / columns.length
    const week = await get('/api/mrr/period?p=dpsri&s=2023-03-22T01:40:00Z&e=2023-03-29T01:40:00Z')
    expect(week.body.columns).toHaveLength(2)
    const first = body.columns.filter(({ datetime }: { datetime: string }) => datetime < '2023-03-22T02:01')
    expect(mean(week.body.columns.slice(0, 1))).toBeCloseTo(mean(first), 1)
    expect(
      (await get('/api/mrr/period?p=dpsri&s=2020-01-01T00:00:00Z&e=2020-01-02T00:00:00Z')).body.columns,
    ).toEqual([])
    // Nothing of the radar was taken in, but its pixel over the instrument is named.
    expect([body.pixel.radarPixel.row, body.pixel.radarData]).toEqual([199, []])
    expect((await get(url, null)).status).toBe(401)
    expect((await get(url, 'restricted')).status).toBe(403)
    expect((await get('/api/mrr/period?p=dpsri&s=2023-03-22T00:00:00Z&e=2023-04-29T00:00:00Z')).status).toBe(
      400,
    )
  })

  test('an hour leaves as CSV, netCDF that reads back, and PNG', async () => {
    const path = '/api/mrr/export/2023-03-22T01:00:00Z'
    const { body: csv } = await get(`${path}?format=csv&v=RR`)
    const lines: string[] = csv.toString('utf8').trim().split('\n')
    expect(lines[0]).toBe('# CSV : champs séparés par des points-virgules, virgule décimale')
    expect(lines).toHaveLength(122)
    expect(lines[1].split(';')).toHaveLength(129)
    // Semicolons go with decimal commas.
    const fields = lines.slice(2).flatMap((line) => line.split(';').slice(1))
    expect(fields.filter((field) => !/^(\d+(,\d+)?(e-\d+)?)?$/.test(field))).toEqual([])
    const { body: nc } = await get(`${path}?format=netcdf`)
    const { readMrrPro } = await import('@radx/formats/mrrpro/mrrpro')
    const read = await readMrrPro(nc)
    expect([read.nprofiles, read.ngates]).toEqual([120, 128])
    expect(read.variables.LWC.filter((v) => v > 0).reduce((a, b) => Math.max(a, b))).toBeCloseTo(1.944186, 5)
    const { body: png } = await get(`${path}?format=png&v=Ze`)
    expect(PNG.sync.read(png).width).toBe(1920)
    expect((await get('/api/mrr/export/2020-01-01T00:00:00Z?format=csv')).status).toBe(404)
  })

  test('a file of a day that overlaps and repeats itself adds each instant once', async () => {
    const start = Date.parse('2024-05-01T10:00:00Z')
    // A restart in the middle: the clock goes back by ten profiles.
    const times = Array.from({ length: 720 }, (_, i) => start + 10_000 * (i < 360 ? i : i - 10))
    const LWC = Float32Array.from({ length: 720 * 4 }, (_, i) => (i % 4 === 3 ? Number.NaN : (i % 50) / 100))
    const bytes = await writeMrrPro({
      instrumentName: 'MRR Pro 1.2.5',
      siteName: '',
      lat: null,
      lon: null,
      altitudeM: null,
      timesMs: Float64Array.from(times),
      heightsM: Float32Array.of(35, 70, 105, 140),
      variables: { LWC },
    })
    mkdirSync(join(dataDir, 'made'), { recursive: true })
    const path = join(ingest.folders.inbox, 'day.nc')
    const { writeFileSync } = await import('node:fs')
    writeFileSync(path, bytes)
    expect(await ingest.take({ path, product: null, refused: 'reject' })).toMatchObject({ status: 'stored' })
    const { body: first } = await get('/api/mrr/hour/2024-05-01T10:00:00Z')
    const { body: second } = await get('/api/mrr/hour/2024-05-01T11:00:00Z')
    expect([first.length, second.length]).toEqual([360, 350])
    expect(new Set([...first, ...second].map((r: MrrRecord) => r.datetime)).size).toBe(710)
  })
})
