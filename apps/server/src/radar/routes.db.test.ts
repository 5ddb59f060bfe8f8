import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  archiveResponseSchema,
  type Bounds,
  COMPASS_DIRECTIONS,
  CUMUL_DRY,
  daySummarySchema,
  hourRowSchema,
  type LiveResponse,
  liveResponseSchema,
  ROLE_MANAGER,
  WIND_CLASSES,
} from '@radx/contracts'
import {
  bundleVersion,
  ClassBundleDecoder,
  cumulClass,
  encodeClassBlock,
  RATE_NO_DATA,
  unpackClassBlock,
} from '@radx/rainfall'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { giveShapefile, insertShapefile } from '../shapefiles/queries.ts'
import { insertReadings } from '../station/queries.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { registerRadar } from './routes.ts'

const steps = 40
const STEP_MS = 200_000
const HOUR = 3_600_000
/** The day on which Paris goes from 02:00 to 03:00, and the day on which it goes back. */
const SPRING = Date.parse('2024-03-30T22:00:00Z')
const AUTUMN = Date.parse('2024-10-26T21:00:00Z')
const LIVE = Date.parse('2026-06-15T08:00:00Z')
const NEWEST = LIVE + 3 * HOUR + 40 * 60_000

const instants = [
  ...Array.from({ length: (27 * HOUR) / 300_000 }, (_, k) => SPRING + k * 300_000),
  ...Array.from({ length: (29 * HOUR) / 300_000 }, (_, k) => AUTUMN + k * 300_000),
  ...Array.from({ length: (NEWEST - LIVE) / STEP_MS + 1 }, (_, k) => LIVE + k * STEP_MS),
]
/** Rain over melun (rows and columns 16-19) that differs from frame to frame; row 0 has no data. */
function codesOf(ms: number): Uint16Array {
  const codes = new Uint16Array(steps * steps)
  codes.fill(RATE_NO_DATA, 0, steps)
  const strength = 100 + ((ms / 100_000) % 37) * 100
  for (let row = 16; row < 20; row++)
    for (let col = 16; col < 20; col++) codes[row * steps + col] = strength + row
  return codes
}
const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

const LAYERS_ID = '00000000-0000-4000-8000-000000000001'
const session = (changes: Partial<Session> = {}): Session => ({
  userId: '00000000-0000-4000-8000-000000000000',
  name: 'u',
  roles: [],
  restriction: null,
  ...changes,
})
const tokens = new Map([
  ['user', session()],
  ['manager', session({ roles: [ROLE_MANAGER] })],
  ['early', session({ restriction: { start: null, end: new Date('2024-06-01T00:00:00Z') } })],
  ['layers', session({ userId: LAYERS_ID })],
])

/** An account with one layer of its own, of those bounds. */
async function giveLayer(db: TestDatabase['db'], id: string, bounds: Bounds): Promise<void> {
  await db
    .insertInto('account')
    .values({ id, name: 'layers', name_key: 'layers', password_hash: '-' })
    .execute()
  await insertShapefile(db, {
    name: 'quartier',
    long_name: 'Quartier',
    description: '',
    color: '#0b7285',
    content: '{"type":"FeatureCollection","features":[]}',
    features: 0,
    bounds,
  })
  await giveShapefile(db, id, 'quartier')
}

describe('calls about the radar', () => {
  let database: TestDatabase
  let app: App
  let store: Store
  let dataDir: string
  let now = NEWEST + 60_000

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-radar-'))
    const deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir }),
      database: handleOf(database),
      site: smallSite(),
      catchments: smallCatchments(),
      clock: { now: () => now },
      sessions: { resolve: async (token) => tokens.get(token) ?? null },
    })
    await giveLayer(database.db, LAYERS_ID, { ul: { lat: 48.6, lng: 2.4 }, lr: { lat: 48.55, lng: 2.45 } })
    store = await storeOf(deps)
    const product = store.catalog.products.get('dpsri')!
    const weights = zoneWeights(product, store.catalog.zones)
    for (let i = 0; i < instants.length; i += 100)
      await commitFrames(
        store.context,
        instants.slice(i, i + 100).map((timeMs) => ({
          frame: prepareFrame(codesOf(timeMs), weights, {
            product: 'dpsri',
            timeMs,
            version: timeMs < LIVE ? '5.43.1' : '5.43.11',
            name: 'DPSRI 125m',
            sensor: { name: 'X', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
          }),
          source: sourceFile(String(timeMs)),
        })),
      )
    const minutes = Array.from({ length: 400 }, (_, k) => NEWEST - 399 * 60_000 + k * 60_000)
    await insertReadings(
      database.db,
      {
        timesMs: Float64Array.from(minutes),
        values: {
          temperatureC: Float64Array.from(minutes, (_, k) => k / 10),
          windSpeedMs: Float64Array.from(minutes, () => 30 / 3.6),
          windDirectionDeg: Float64Array.from(minutes, () => 270),
        },
      },
      { hash: Buffer.from('station'), kind: 'station', name: 's', bytes: 1, archivePath: 'station/s' },
    )
    app = await createApp(deps, { features: [registerRadar], webDir: dataDir })
  })
  afterAll(async () => {
    await app.close()
    await store.threads.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const call = (url: string, token?: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) } })
  const get = async (url: string, token?: string) => {
    const answer = await call(url, token)
    expect([url, answer.statusCode]).toEqual([url, 200])
    return answer.json()
  }
  const live = () => get('/api/products/latestImages?p=dpsri')

  test('[API-01] [LIVE-22] products are listed for everyone, inactive ones included', async () => {
    const products = await get('/api/products')
    expect(products.map((p: Record<string, unknown>) => [p.shortName, p.longName, p.activeStatus])).toEqual([
      ['dpsri', 'DPSRI', true],
      ['sri', 'SRI', false],
    ])
    expect((await call('/api/products', 'ended')).statusCode).toBe(200)
  })

  test('catchments come with their parts and outlines', async () => {
    const { features } = await get('/api/catchments')
    expect(features.map((f: { properties: unknown }) => f.properties)).toEqual([
      { key: 'melun', name: 'Melun', parent: null },
      { key: 'melun-a', name: 'Melun nord', parent: 'melun' },
      { key: 'livry', name: 'Livry', parent: null },
    ])
    expect(features[0].geometry.coordinates[0][0][0]).toEqual([2.4, 48.5])
  })

  test('[API-04] [LIVE-24] [LIVE-25] [LIVE-37] the live answer has the latest 3 h, newest last', async () => {
    const answer = liveResponseSchema.parse(await live())
    expect(Object.keys(answer).sort()).toEqual(['cumulated', 'images', 'isRadarDown', 'mrr', 'taranis'])
    expect(answer.images.map(({ datetime }) => datetime)).toEqual(
      instants.filter((ms) => ms > NEWEST - 3 * HOUR).map(iso),
    )
    const last = answer.images.at(-1)!
    expect(last).toMatchObject({
      path: '/images/radar/dpsri/20260615T114000Z.png',
      datetime: '2026-06-15T11:40:00Z',
      time: '11:40:00',
      localtime: '13:40:00',
      date: '15/06/2026',
      validpc: 97.5,
      max: (100 + ((NEWEST / 100_000) % 37) * 100 + 19) / 100,
    })
    expect(last.nonzerospc).toBeCloseTo((100 * 16) / 1560, 10)
    expect(last.maxAt!.lat).toBeCloseTo(49 - 19.5 / 40, 10)
    expect(last.maxAt!.lng).toBeCloseTo(2 + 16.5 / 40, 10)
  })

  test('[LIVE-35] [LIVE-36] the radar is down once its newest frame is older than 15 min, and up again after', async () => {
    now = NEWEST + 15 * 60_000
    expect((await live()).isRadarDown).toBe(false)
    now = NEWEST + 15 * 60_000 + 1
    const down = await live()
    expect(down.isRadarDown).toBe(true)
    expect(down.images.length).toBeGreaterThan(50)
    now = NEWEST + 60_000
    expect((await live()).isRadarDown).toBe(false)
    expect(await get('/api/products/latestImages?p=sri')).toMatchObject({ images: [], isRadarDown: true })
  })

  test('[STATION-07] [STATION-08] [STATION-09] [STATION-10] the station has four curves and two compasses', async () => {
    const { taranis } = await live()
    expect(Object.keys(taranis).sort()).toEqual(['end', 'h', 'p', 'sonic', 'station', 't', 'uzSonic'])
    expect(Object.keys(taranis.station)).toEqual([...WIND_CLASSES])
    for (const name of WIND_CLASSES)
      expect(Object.keys(taranis.station[name])).toEqual([...COMPASS_DIRECTIONS])
    // 30 km/h from the west: the last class, and the wind goes east.
    expect(taranis.station.t3.e).toBeCloseTo(100, 6)
    expect(taranis.sonic).toBeNull()
    expect(taranis.end).toBe(new Date(NEWEST).toISOString())
    expect(taranis.t).toHaveLength(180)
    const longer = await get(
      `/api/products/archive?p=dpsri&s=${iso(NEWEST - 7 * HOUR)}&e=${iso(NEWEST)}`,
      'user',
    )
    expect(longer.taranis.t.length).toBeLessThanOrEqual(300)
    expect(longer.taranis.t.length).toBeGreaterThan(150)
  })

  test('[API-02] the weight counts the frames of [s, e), whatever the offset of the instants', async () => {
    const weight = (s: string, e: string) =>
      get(`/api/products/weight?p=dpsri&s=${encodeURIComponent(s)}&e=${encodeURIComponent(e)}`)
    const three = await weight(iso(LIVE), iso(LIVE + 3 * STEP_MS))
    expect(three.slides).toBe(3)
    // Bytes: those of the class blocks as `frames` sends them.
    const sent = await store.index.places(store.catalog.products.get('dpsri')!, {
      startMs: LIVE,
      endMs: LIVE + 3 * STEP_MS,
    })
    expect(three.weight).toBe(sent.reduce((sum, { classes }) => sum + classes!.zstd, 0))
    expect((await weight(iso(LIVE), iso(LIVE + 3 * STEP_MS + 1))).slides).toBe(4)
    expect((await weight('2026-06-15T10:00:00+02:00', iso(LIVE + STEP_MS))).slides).toBe(1)
    expect((await weight('2019-01-01T00:00:00Z', '2026-12-31T00:00:00Z')).slides).toBe(instants.length)
  })

  test.each([
    ['2024-03-31', 23, '00:00:00', '23:55:00'],
    ['2024-10-27', 25, '00:00:00', '23:55:00'],
    ['2024-10-26', 1, '23:00:00', '23:55:00'],
  ])('[API-07] [ANA-32] the day %s has %i hours of frames', async (day, hours, first, last) => {
    const rows = hourRowSchema.array().parse(await get(`/api/products/hours/${day}?p=dpsri&c=melun`))
    expect(rows).toHaveLength(hours * 12)
    expect([rows[0].localtime, rows.at(-1)!.localtime]).toEqual([first, last])
    const clocks = new Set(rows.map(({ localtime }) => localtime))
    expect(clocks.has('02:30:00')).toBe(hours === 25)
    expect(rows.filter(({ localtime }) => localtime === '02:30:00')).toHaveLength(hours === 25 ? 2 : 0)
    expect(Object.keys(rows[0]).sort()).toEqual([
      'catchment',
      'datetime',
      'localtime',
      'nonzerosmean',
      'nonzerospc',
      'time',
    ])
    expect(rows[0].catchment!.nonzerospc).toBeCloseTo(100, 6)
  })

  test('hours of a sub-catchment, of another catchment and of none', async () => {
    const of = async (query: string) =>
      (await get(`/api/products/hours/2024-03-31?p=dpsri${query}`))[0].catchment
    expect((await of('&c=melun&sc=melun-a')).mean).toBeLessThan((await of('&c=melun')).mean)
    expect(await of('&c=livry')).toEqual({ mean: 0, nonzerosmean: 0, nonzerospc: 0 })
    expect(await of('')).toBeNull()
  })

  test('[API-08] [ANA-31] a month lists its days that have data with their largest mean and its time', async () => {
    const days = daySummarySchema.array().parse(await get('/api/products/month/2024-10?p=dpsri'))
    expect(days.map(({ day }) => day)).toEqual(['2024-10-26', '2024-10-27', '2024-10-28'])
    const [, sunday] = days
    expect(Object.keys(sunday)).toEqual(['day', 'meanmax', 'catchments'])
    const rows = hourRowSchema.array().parse(await get('/api/products/hours/2024-10-27?p=dpsri&c=melun'))
    const best = Math.max(...rows.map(({ nonzerosmean }) => nonzerosmean!))
    expect(sunday.meanmax).toEqual({
      value: best,
      desc: rows.find(({ nonzerosmean }) => nonzerosmean === best)!.localtime.slice(0, 5),
    })
    const bestMelun = Math.max(...rows.map(({ catchment }) => catchment!.nonzerosmean!))
    expect(sunday.catchments.melun.meanmax!.value).toBe(bestMelun)
    expect(sunday.catchments.melun.subcatchments['melun-a'].meanmax!.value).toBeLessThan(bestMelun)
    expect(sunday.catchments.livry).toEqual({
      meanmax: { value: 0, desc: '00:00' },
      subcatchments: {},
    })
    expect(await get('/api/products/month/2024-11?p=dpsri')).toEqual([])
  })

  test('the months that have data are told in order, product by product', async () => {
    const months = (await get('/api/products/months?p=dpsri')) as string[]
    expect(months).toContain('2024-10')
    expect(months).not.toContain('2024-11')
    expect(months).toEqual([...new Set(months)].sort())
    for (const month of months)
      expect(await get(`/api/products/month/${month}?p=dpsri`), month).not.toEqual([])
    expect(await get('/api/products/months?p=sri')).not.toContain('2024-10')
  })

  test('[API-09] parameters are those of the frame, or of the one before the instant', async () => {
    const params = (at: string) => get(`/api/products/params/${encodeURIComponent(at)}?p=dpsri`)
    expect(await params(iso(LIVE))).toEqual({
      product: { version: '5.43.11', name: 'DPSRI 125m', datetime: iso(LIVE) },
      data: { sensorinfo: { name: 'X', wavelen: 0.0319, beamwidth: 1, alt: 130 } },
    })
    expect((await params(iso(LIVE + 1000))).product.datetime).toBe(iso(LIVE))
    expect((await params(iso(LIVE - 1000))).product.datetime).toBe(iso(LIVE))
    expect((await params(iso(SPRING + 1000))).product.version).toBe('5.43.1')
    expect((await params(iso(SPRING - 60_000))).product.datetime).toBe(iso(SPRING))
    // Within an hour of a frame; not one of another day or year.
    const found = async (ms: number) => (await call(`/api/products/params/${iso(ms)}?p=dpsri`)).statusCode
    expect(await found(NEWEST + HOUR)).toBe(200)
    expect(await found(NEWEST + HOUR + 1000)).toBe(404)
    expect(await found(SPRING - HOUR - 1000)).toBe(404)
    expect(await found(Date.parse('2019-01-01T00:00:00Z'))).toBe(404)
    expect((await call(`/api/products/params/${iso(LIVE)}?p=sri`)).statusCode).toBe(404)
  })

  const archive = (s: number, e: number, rest = '') =>
    `/api/products/archive?p=dpsri&s=${iso(s)}&e=${iso(e)}${rest}`

  test('[API-05] the archive of a period has its frames, cumuls and gaps', async () => {
    const [s, e] = [LIVE - 1000_000, LIVE + 10 * STEP_MS]
    const answer = archiveResponseSchema.parse(await get(archive(s, e, '&c=melun'), 'user'))
    expect(answer.images.map(({ datetime }) => datetime)).toEqual(
      Array.from({ length: 10 }, (_, k) => iso(LIVE + k * STEP_MS)),
    )
    // The first frame reaches back one nominal step of 206 s; before that is a gap.
    expect(answer.gaps).toEqual([{ start: iso(s), end: iso(LIVE - 206_000) }])
    expect(answer.cumulated.missingSeconds).toBe(1000 - 206)
    const seconds = answer.images.map((_, k) => (k === 0 ? 206 + 100 : k === 9 ? 100 + 200 : 200))
    let depth = 0
    for (const [k, image] of answer.images.entries()) {
      depth += (image.catchment!.mean! * seconds[k]) / 3600
      expect(answer.cumulated.catchmentMm![k]).toBeCloseTo(depth, 10)
    }
    expect((await get(archive(s, e), 'user')).cumulated.catchmentMm).toBeNull()
  })

  test('[API-05] a long archive streams, tells how many images come, and takes a coarser step', async () => {
    const [s, e] = [SPRING - 30 * 86_400_000, AUTUMN + 30 * 86_400_000]
    const inside = instants.filter((ms) => ms < e)
    const answer = await call(archive(s, e, '&c=melun'), 'user')
    expect(answer.headers['radx-images']).toBe(String(inside.length))
    const long = archiveResponseSchema.parse(answer.json())
    expect(long.images.map(({ datetime }) => datetime)).toEqual(inside.map(iso))
    expect(long.cumulated.zoneMm).toHaveLength(inside.length)
    expect(long.gaps).toHaveLength(3)

    // The first image of each hour; sums take every frame.
    const coarse = await call(archive(s, e, '&c=melun&step=3600'), 'user')
    const hourly = archiveResponseSchema.parse(coarse.json())
    const wanted = inside.filter(
      (ms, i) => i === 0 || Math.floor(ms / HOUR) > Math.floor(inside[i - 1] / HOUR),
    )
    expect(hourly.images.map(({ datetime }) => datetime)).toEqual(wanted.map(iso))
    expect(coarse.headers['radx-images']).toBe(String(wanted.length))
    for (const sums of ['zoneMm', 'catchmentMm'] as const)
      expect(hourly.cumulated[sums]).toEqual(wanted.map((ms) => long.cumulated[sums]![inside.indexOf(ms)]))
    expect(hourly.gaps).toEqual(long.gaps)
    const strongest = long.images.reduce((best, image) => (image.max! > best.max! ? image : best))
    expect(hourly.every).toMatchObject({
      frames: inside.length,
      max: { valueMmH: strongest.max, datetime: strongest.datetime, at: strongest.maxAt },
    })
    const rates = long.images.map(({ nonzerosmean }) => nonzerosmean!)
    expect(hourly.every!.rmoyenMmH).toBeCloseTo(rates.reduce((sum, r) => sum + r, 0) / rates.length, 10)
    expect(long.every).toBeUndefined()

    // A short one and the frames themselves keep the same step, wherever they begin.
    const query = `p=dpsri&s=${iso(LIVE + STEP_MS)}&e=${iso(LIVE + 2 * HOUR)}&step=3600`
    const short = archiveResponseSchema.parse(await get(`/api/products/archive?${query}`, 'user'))
    expect(short.images.map(({ datetime }) => datetime)).toEqual([iso(LIVE + STEP_MS), iso(LIVE + HOUR)])
    expect((await get(`/api/products/weight?${query}`)).slides).toBe(2)
    const decoder = new ClassBundleDecoder()
    const sent = await call(`/api/products/frames?${query}`, 'user', { 'accept-encoding': 'identity' })
    expect(decoder.push(sent.rawPayload).map(({ time }) => time)).toEqual(
      short.images.map(({ datetime }) => datetime),
    )
    const refused = await call(archive(s, e, '&step=5'), 'user')
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'Champ « step » : 60 au moins est attendu.',
    ])
  })

  test('what is refused is told in words, and a part needs its catchment', async () => {
    const month = await call('/api/products/month/juin?p=dpsri')
    expect(month.json().message).toBe('Champ « month » : un mois s’écrit AAAA-MM, par exemple 2026-06.')
    for (const path of ['latestImages?p=dpsri', `hours/2026-06-15?p=dpsri`, 'month/2026-06?p=dpsri']) {
      const answer = await call(`/api/products/${path}&sc=melun-nord`)
      expect([path, answer.statusCode]).toEqual([path, 400])
      expect(answer.json().message).toContain('demande aussi son bassin versant (c)')
    }
  })

  test('calls that give a chosen period need a session and respect its dates', async () => {
    const period = (s: number, e: number) => `p=dpsri&s=${iso(s)}&e=${iso(e)}`
    const late = period(LIVE, LIVE + HOUR)
    const old = period(SPRING, SPRING + HOUR)
    const across = period(Date.parse('2024-05-31T00:00:00Z'), Date.parse('2024-06-02T00:00:00Z'))
    for (const name of ['archive', 'accumulation', 'pixel', 'frames']) {
      const url = (query: string) => `/api/products/${name}?${query}&lat=48.51&lng=2.41`
      expect([name, (await call(url(old))).statusCode]).toEqual([name, 401])
      expect([name, (await call(url(old), 'ended')).statusCode]).toEqual([name, 401])
      expect([name, (await call(url(old), 'early')).statusCode]).toEqual([name, 200])
      expect([name, (await call(url(late), 'early')).statusCode]).toEqual([name, 403])
      expect([name, (await call(url(across), 'early')).statusCode]).toEqual([name, 403])
      expect([name, (await call(url(old), 'user')).statusCode]).toEqual([name, 200])
    }
    for (const path of [
      `weight?${late}`,
      'hours/2026-06-15?p=dpsri',
      'month/2026-06?p=dpsri',
      `params/${iso(LIVE)}?p=dpsri`,
      'latestImages?p=dpsri',
    ])
      expect(await get(`/api/products/${path}`, 'early')).toEqual(await get(`/api/products/${path}`))
  })

  const bundle = async (s: number, e: number, token?: string, encoding = 'gzip') => {
    const answer = await call(`/api/products/frames?p=dpsri&s=${iso(s)}&e=${iso(e)}`, token, {
      'accept-encoding': encoding,
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/x-radx-frames')
    return answer
  }

  test('the live window is public as a class bundle, with the classes of every cell', async () => {
    const from = NEWEST - 2 * HOUR
    const answer = await bundle(from, NEWEST + 1)
    expect(answer.headers['content-encoding']).toBe('gzip')
    const decoder = new ClassBundleDecoder()
    const frames = decoder.push(gunzipSync(answer.rawPayload))
    const expected = instants.filter((ms) => ms >= from)
    expect(decoder.finish().times).toEqual(expected.map(iso))
    for (const [k, frame] of frames.entries())
      expect(Buffer.from(frame.block)).toEqual(Buffer.from(encodeClassBlock(codesOf(expected[k]))))
    const plain = await bundle(from, NEWEST + 1, undefined, 'identity')
    expect(plain.rawPayload).toEqual(gunzipSync(answer.rawPayload))
    expect(
      (await bundle(from, NEWEST + 1, undefined, 'gzip, deflate, br, zstd')).headers['content-encoding'],
    ).toBe('zstd')
  })

  test('a session that ended still sees the live window; without any, the archive stays closed', async () => {
    await bundle(NEWEST - HOUR, NEWEST + 1, 'ended')
    await bundle(NEWEST - HOUR, NEWEST + 1, 'early')
    const old = `/api/products/frames?p=dpsri&s=${iso(NEWEST - 4 * HOUR)}&e=${iso(NEWEST)}`
    expect((await call(old)).statusCode).toBe(401)
    await bundle(NEWEST - 4 * HOUR, NEWEST, 'user')
  })

  test('what is live may be kept by any cache, as long as it is live', async () => {
    const shared = ({ headers }: { headers: Record<string, unknown> }) => String(headers['cache-control'])
    const latest = await call('/api/products/latestImages?p=dpsri')
    expect(shared(latest)).toBe('public, max-age=0, s-maxage=10, stale-while-revalidate=10')
    expect(latest.headers.vary).toContain('authorization')
    const known = { 'if-none-match': String(latest.headers.etag) }
    const again = await call('/api/products/latestImages?p=dpsri', undefined, known)
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', latest.headers.etag])
    expect(shared(await call('/api/products/latestImages?p=dpsri', 'user'))).toBe('private, no-cache')

    const { images } = latest.json() as LiveResponse
    const [times, checks] = [images.map(({ datetime }) => datetime), images.map(({ check }) => check!)]
    const end = iso(NEWEST + 1)
    const v = bundleVersion(times, checks)
    const address = `/api/products/frames?p=dpsri&s=${times[0]}&e=${end}`
    const named = await call(`${address}&v=${v}`)
    expect(shared(named)).toMatch(/^public, max-age=(\d+), s-maxage=\1, immutable$/)
    expect(named.headers.vary).toMatch(/authorization.*accept-encoding/)
    // What left the window by the clock, with the grace of late frames and clocks, is open for a minute at most.
    const seconds = Number(/s-maxage=(\d+)/.exec(shared(named))?.[1])
    expect(seconds).toBeLessThanOrEqual(
      Math.max(60, (Date.parse(times[0]) + 3 * HOUR + 300_000 - now) / 1000),
    )
    expect(shared(await call(`${address}&v=00000000`))).toBe('private, no-cache')
    expect(shared(await call(`${address}&v=${v}`, 'user'))).toBe('private, no-cache')
    const kept = { 'if-none-match': String(named.headers.etag) }
    expect((await call(`${address}&v=${v}`, undefined, kept)).statusCode).toBe(304)
    // The archive stays with who asked for it.
    const archived = await call(
      `/api/products/frames?p=dpsri&s=${iso(SPRING)}&e=${iso(SPRING + HOUR)}`,
      'user',
    )
    expect(shared(archived)).toBe('private, no-cache')
    expect(shared(await call(images[0].path))).toMatch(/^public, max-age=3600, s-maxage=\d+$/)
    const refused = await call(`/api/products/frames?p=dpsri&s=${iso(SPRING)}&e=${iso(SPRING + HOUR)}`)
    expect([refused.statusCode, shared(refused)]).toEqual([401, 'no-store'])
  })

  test('[API-03] a pixel has its cell, its series and its running accumulation', async () => {
    const url = `/api/products/pixel?p=dpsri&s=${iso(LIVE)}&e=${iso(LIVE + 4 * STEP_MS)}&lat=48.51&lng=2.41`
    const answer = await get(url, 'user')
    expect(answer.radarPixel).toMatchObject({ row: 19, col: 16 })
    expect(answer.radarPixel.center.lat).toBeCloseTo(49 - 19.5 / 40, 10)
    expect(answer.radarPixel.bounds.ul.lng).toBeCloseTo(2.4, 10)
    const codes = [0, 1, 2, 3].map((k) => codesOf(LIVE + k * STEP_MS)[19 * steps + 16])
    expect(answer.radarData).toEqual(
      codes.map((code, k) => ({ datetime: iso(LIVE + k * STEP_MS), value: code / 100 })),
    )
    const seconds = [100, 200, 200, 300]
    const depth = codes.reduce((sum, code, k) => sum + (code / 100) * (seconds[k] / 3600), 0)
    expect(answer.cumulMm.at(-1)).toBeCloseTo(depth, 10)
    expect(answer.missingSeconds).toBe(0)
  })

  test('[GAUGE-14] without a selection a pixel has the live window, first to last image', async () => {
    const { images } = await live()
    const { radarData } = await get('/api/products/pixel?p=dpsri&lat=48.51&lng=2.41', 'user')
    expect(radarData.map((d: { datetime: string }) => d.datetime)).toEqual(
      images.map((image: { datetime: string }) => image.datetime),
    )
    expect((await call('/api/products/pixel?p=dpsri&lat=48.51&lng=2.41', 'early')).statusCode).toBe(403)
  })

  test('[GAUGE-07] [GAUGE-08] [GAUGE-09] [GAUGE-10] where gauges may stand is checked by role and place', async () => {
    const at = async (lat: number, lng: number, token: string) =>
      call(`/api/products/pixel?p=dpsri&lat=${lat}&lng=${lng}`, token)
    const outside = await at(50, 2.5, 'user')
    expect(outside.json()).toEqual({
      radarPixel: null,
      radarData: [],
      cumulMm: [],
      missingSeconds: 0,
      moved: null,
    })
    expect((await at(48.9, 2.1, 'user')).statusCode).toBe(403)
    expect((await at(48.9, 2.1, 'manager')).statusCode).toBe(200)
    expect((await at(48.58, 2.42, 'layers')).statusCode).toBe(200)
    expect((await at(48.51, 2.48, 'layers')).statusCode).toBe(403)
    expect((await at(48.51, 2.48, 'user')).statusCode).toBe(200)
  })

  test('the accumulation of a period answers the legend row of every cell', async () => {
    const answer = await call(
      `/api/products/accumulation?p=dpsri&s=${iso(LIVE)}&e=${iso(LIVE + 3 * HOUR)}`,
      'user',
      {
        'accept-encoding': 'gzip',
      },
    )
    const decoder = new ClassBundleDecoder()
    const [{ block }] = decoder.push(gunzipSync(answer.rawPayload))
    const rows = unpackClassBlock(block, steps)
    const inside = instants.filter((ms) => ms >= LIVE && ms < LIVE + 3 * HOUR)
    const seconds = inside.map((_, k) => (k === 0 ? 100 : k === inside.length - 1 ? 100 + 200 : 200))
    const depth = (cell: number) =>
      inside.reduce((sum, ms, k) => sum + (codesOf(ms)[cell] / 100) * (seconds[k] / 3600), 0)
    expect(rows[0]).toBe(15)
    expect(rows[17 * steps + 18]).toBe(cumulClass(depth(17 * steps + 18)))
    expect(rows[30 * steps + 30]).toBe(CUMUL_DRY)
    const { accumulation } = decoder.header!
    expect(accumulation).toMatchObject({ start: iso(LIVE), end: iso(LIVE + 3 * HOUR), missingSeconds: 0 })
    expect(accumulation!.maxMm).toBeCloseTo(depth(19 * steps + 16), 4)
  })

  test('pictures are open inside the live window, elsewhere by a signed address that ends', async () => {
    const { images } = await live()
    const open = await call(images.at(-1).path)
    expect(open.headers['content-type']).toBe('image/png')
    const png = PNG.sync.read(open.rawPayload)
    expect([png.width, png.data[3]]).toEqual([steps, 0])
    const { images: old } = await get(archive(SPRING, SPRING + HOUR), 'user')
    expect((await call(old[0].path)).statusCode).toBe(200)
    const [path, query] = old[0].path.split('?')
    expect((await call(path)).statusCode).toBe(404)
    expect((await call(`${old[1].path.split('?')[0]}?${query}`)).statusCode).toBe(404)
    expect(
      (await call(`${path}?${query.replace(/k=./, (k: string) => (k === 'k=A' ? 'k=B' : 'k=A'))}`))
        .statusCode,
    ).toBe(404)
    expect((await call(`${path}?${query.replace(/x=\d/, 'x=9')}`)).statusCode).toBe(404)
    now = NEWEST + 2 * HOUR
    expect((await call(old[0].path)).statusCode).toBe(404)
    now = NEWEST + 60_000
  })

  test('the quality of rain stands beside means and totals, and as a layer of the frames; a frame that says nothing has none', async () => {
    const product = store.catalog.products.get('sri')!
    const weights = zoneWeights(product, store.catalog.zones)
    const cells = product.steps ** 2
    const frame = (timeMs: number, quality: Uint8Array | null) => ({
      frame: prepareFrame(
        new Uint16Array(cells).fill(100),
        weights,
        {
          product: 'sri',
          timeMs,
          version: '5',
          name: 'SRI',
          sensor: { name: 'X', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
        },
        quality,
      ),
      source: sourceFile(`quality ${timeMs}`),
    })
    await commitFrames(store.context, [
      frame(NEWEST - STEP_MS, new Uint8Array(cells).fill(60)),
      frame(NEWEST, null),
    ])
    const { images, cumulated } = liveResponseSchema.parse(
      await get('/api/products/latestImages?p=sri&c=melun'),
    )
    expect(images.map(({ quality }) => quality?.zone)).toEqual([expect.closeTo(0.6, 6), undefined])
    expect(images[0].quality!.catchment).toBeCloseTo(0.6, 6)
    expect(cumulated.quality!.zone!.mean).toBeCloseTo(0.6, 6)
    expect(cumulated.quality!.zone!.share).toBeLessThan(0.9)
    const period = `p=sri&s=${iso(NEWEST - STEP_MS)}&e=${iso(NEWEST + 1)}`
    const answer = await call(`/api/products/frames?${period}&layer=quality`)
    expect(answer.statusCode).toBe(200)
    const decoder = new ClassBundleDecoder()
    const blocks = decoder.push(new Uint8Array(answer.rawPayload))
    decoder.finish()
    const shown = blocks.map(({ block }) => [...new Set(unpackClassBlock(block, product.steps))])
    expect(shown).toEqual([[6], [15]])
    // The same rights as the rain's.
    expect(
      (await call(`/api/products/frames?p=sri&s=2024-01-01T00:00:00Z&e=2024-01-02T00:00:00Z&layer=quality`))
        .statusCode,
    ).toBe(401)
    expect((await call(`/api/products/frames?${period}&layer=nope`)).statusCode).toBe(400)
  })

  test.each([
    ['an unknown product', '/api/products/latestImages?p=nope', 404],
    ['no product', '/api/products/latestImages', 400],
    ['an unknown catchment', '/api/products/hours/2024-03-31?p=dpsri&c=nope', 404],
    ['a sub-catchment of another', '/api/products/hours/2024-03-31?p=dpsri&c=livry&sc=melun-a', 404],
    ['a day that does not exist', '/api/products/hours/2024-02-30?p=dpsri', 400],
    ['a month that does not exist', '/api/products/month/2024-13?p=dpsri', 400],
    [
      'an instant without zone',
      '/api/products/weight?p=dpsri&s=2024-01-01T00:00:00&e=2024-01-02T00:00:00Z',
      400,
    ],
    ['a reversed period', archive(LIVE, LIVE - 1), 400],
    ['an empty period', archive(LIVE, LIVE), 400],
    ['more than 100 years', archive(LIVE, LIVE + 36_601 * 24 * HOUR), 400],
    ['half a period of a pixel', `/api/products/pixel?p=dpsri&s=${iso(LIVE)}&lat=48.5&lng=2.4`, 400],
    ['a latitude that is none', '/api/products/pixel?p=dpsri&lat=x&lng=2.4', 400],
  ])('%s is refused in French', async (_, url, status) => {
    const answer = await call(url, 'user')
    expect(answer.statusCode).toBe(status)
    expect(answer.json().message).toMatch(
      /s’écrit|invalide|produit|bassin|période|début|manque|attendu|nombre/i,
    )
  })
})
