import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeRate } from '@radx/rainfall'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { registerStorms } from './routes.ts'

const START = Date.parse('2026-06-04T10:00:00Z')
const STEP_MS = 206_000
const FRAMES = 60
const RATE_MM_H = 6

const iso = (ms: number) => new Date(ms).toISOString()
const session = (name: string, restriction: Session['restriction'] = null): Session => ({
  userId: name,
  name,
  roles: [],
  restriction,
})

describe('return periods', () => {
  let database: TestDatabase
  let app: App
  let deps: Deps
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-storms-'))
  const tokens = new Map([
    ['a', { ...session('alice'), roles: ['manager'] }],
    ['b', session('bruno')],
    ['r', session('restreint', { start: new Date('2026-06-04T11:00:00Z'), end: null })],
  ])

  beforeAll(async () => {
    database = await createTestDatabase()
    deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir }),
      database: handleOf(database),
      site: smallSite(),
      catchments: smallCatchments(),
      sessions: { resolve: async (token) => tokens.get(token) ?? null },
    })
    const { context, catalog } = await storeOf(deps)
    const product = catalog.products.get('dpsri')!
    const weights = zoneWeights(product, catalog.zones)
    const codes = new Uint16Array(product.steps ** 2).fill(encodeRate(RATE_MM_H))
    await commitFrames(
      context,
      Array.from({ length: FRAMES }, (_, k) => ({
        frame: prepareFrame(codes, weights, {
          product: 'dpsri',
          timeMs: START + k * STEP_MS,
          version: '5',
          name: 'DPSRI',
          sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
        }),
        source: sourceFile(String(k)),
      })),
    )
    app = await createApp(deps, { features: [registerStorms] })
  })
  afterAll(async () => {
    await app?.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const call = async (
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    token: string | null,
    payload?: object,
  ) => {
    const response = await app.inject({
      method,
      url: path,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
    return { status: response.statusCode, body: response.body === '' ? null : response.json() }
  }
  const zone = () => smallCatchments().all[0].key

  const CSV = 'T;a;b;durée min;durée max\n5;0,2;0,3;6;60\n10;0,4;0,3;6;60\n100;0,8;0,3;6;60\n'
  const add = (token: string, source: object, name = 'Le nôtre') =>
    call('PUT', '/api/storms/tables', token, { name, units: 'mm-min', source })
  const depths = (token: string, rest: string) =>
    call(
      'GET',
      `/api/storms/return-periods?p=dpsri&s=${iso(START)}&e=${iso(START + 30 * STEP_MS)}&${rest}`,
      token,
    )

  test('a table is kept as CSV or as lines, for its user alone, and removed', async () => {
    const added = await add('a', { csv: CSV })
    expect(added).toMatchObject({ status: 200, body: { owner: 'user', laws: [{ periodYears: 5 }, {}, {}] } })
    const lines = { laws: [{ periodYears: 10, fromMin: 6, toMin: 60, a: 24, b: 0.3 }] }
    const inHours = await call('PUT', '/api/storms/tables', 'a', {
      name: 'En mm/h',
      units: 'mmh-min',
      source: lines,
    })
    expect(inHours.body.laws[0].a).toBeCloseTo(0.4, 12)
    expect((await call('GET', '/api/storms/tables', 'a')).body).toHaveLength(2)
    expect((await call('GET', '/api/storms/tables', 'b')).body).toEqual([])
    expect((await call('DELETE', `/api/storms/tables/${added.body.id}`, 'b')).status).toBe(404)
    expect((await call('DELETE', `/api/storms/tables/${inHours.body.id}`, 'a')).status).toBe(204)
  })

  test('lines that cannot be are refused with their place', async () => {
    const lines = await add('a', { laws: [{ periodYears: 10, fromMin: 6, toMin: 60, a: 4, b: 1.3 }] })
    expect(lines).toMatchObject({
      status: 422,
      body: { code: 'montana.table', details: { issues: [{ line: 1, field: 'b' }] } },
    })
    const csv = await add('a', { csv: `${CSV}5;0,2;0,3;30;90\n` })
    expect(csv).toMatchObject({ status: 422, body: { message: expect.stringContaining('ligne 5') } })
  })

  test('a uniform rain has the depths of its rate and the periods of the table, at zone and pixel', async () => {
    const { body } = await depths('a', `c=${zone()}&g=48.55,2.45`)
    expect(body).toMatchObject({ table: { name: 'Le nôtre' } })
    expect(body.places.map((place: { kind: string }) => place.kind)).toEqual(['zone', 'zone', 'pixel'])
    for (const place of body.places) {
      const hour = place.depths.find((d: { durationMin: number }) => d.durationMin === 60)
      expect(hour.depthMm).toBeCloseTo(RATE_MM_H, 6)
      // 0.4 * 60^0.7 = 7.0 mm for ten years, 3.5 mm for five.
      expect(hour.period).toMatchObject({ kind: 'between', label: '5 à 10\u00a0ans' })
      const longest = place.depths.at(-1)
      expect(longest.durationMin).toBe(90)
      expect(longest.period).toMatchObject({ kind: 'outside', years: null, label: 'hors du tableau' })
      expect(place.totalMm).toBeCloseTo((RATE_MM_H * 30 * STEP_MS) / 3_600_000, 6)
    }
  })

  test('depths are of rain that moved once all of it was followed, of frames that stand still where that is asked for', async () => {
    const hours = async (rest: string) => {
      const { body } = await depths('a', rest)
      const depth = body.places[0].depths.find((d: { durationMin: number }) => d.durationMin === 60)
      return [body.method, depth.depthMm]
    }
    const here = `c=${zone()}`
    expect(await hours(here)).toEqual(['raw', expect.closeTo(RATE_MM_H, 6)])
    const store = await storeOf(deps)
    const product = store.catalog.products.get('dpsri')!
    while ((await store.moved.makeSome(product, { startMs: 0, endMs: 8.64e15 })) > 0);
    expect(await hours(here)).toEqual(['moved', expect.closeTo(RATE_MM_H, 2)])
    // What was followed says otherwise than the frames: the answer tells the two apart.
    await sql`update radar_moved set zone_mean = (select array_agg(2 * one) from unnest(zone_mean) one)`.execute(
      deps.db,
    )
    expect(await hours(here)).toEqual(['moved', expect.closeTo(2 * RATE_MM_H, 1)])
    expect(await hours(`${here}&method=raw`)).toEqual(['raw', expect.closeTo(RATE_MM_H, 6)])
  })

  test('where the archive has no image there is no depth, and nothing is said of its period', async () => {
    const day = START + 86_400_000
    const { body } = await call(
      'GET',
      `/api/storms/return-periods?p=dpsri&s=${iso(day)}&e=${iso(day + 2 * 3_600_000)}&c=${zone()}&g=48.55,2.45`,
      'a',
    )
    expect(body.places).toHaveLength(3)
    for (const { depths: found, missingSeconds } of body.places) {
      expect(missingSeconds).toBe(7200)
      expect(found).toHaveLength(9)
      for (const { depthMm, period } of found)
        expect([depthMm, period]).toEqual([null, { kind: 'missing', years: null, label: 'sans donnée' }])
    }
  })

  test('dates of the account and unknown tables are refused', async () => {
    expect((await depths('r', `c=${zone()}`)).status).toBe(403)
    expect((await depths('b', `c=${zone()}`)).body.message).toContain('Aucun tableau')
    expect((await depths('a', `c=${zone()}&table=nope`)).status).toBe(404)
  })

  test('an archive of hours says that its own statistics need years', async () => {
    const { body } = await call('GET', `/api/storms/statistics?p=dpsri&c=${zone()}`, 'a')
    expect(body).toMatchObject({ law: 'none', years: [], incompleteYears: [2026], durations: [] })
    expect(body.noteFr).toContain('il en faut 10')
  })
})
