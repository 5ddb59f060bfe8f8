import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeRate } from '@radx/rainfall'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { registerRadar } from '../radar/routes.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { registerEvents } from './routes.ts'

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

describe('saved events', () => {
  let database: TestDatabase
  let app: App
  let deps: Deps
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-events-'))
  const tokens = new Map([
    ['a', session('alice')],
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
    app = await createApp(deps, { features: [registerEvents, registerRadar] })
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
  const event = (changes: object = {}) => ({
    title: 'Orage du 4 juin',
    product: 'dpsri',
    selectionDates: { start: iso(START), end: iso(START + 30 * STEP_MS) },
    catchment: { catchment: zone(), subcatchment: null },
    comment: 'Bref mais intense.',
    ...changes,
  })

  test('[API-14] [API-15] [EVENT-04] an event is saved and listed with every field, for its user alone', async () => {
    const saved = await call('PUT', '/api/users/events', 'a', event())
    expect(saved.status).toBe(200)
    const { body } = await call('GET', '/api/users/events', 'a')
    expect(body).toHaveLength(1)
    expect(body[0]).toMatchObject({
      _id: saved.body._id,
      title: 'Orage du 4 juin',
      product: 'dpsri',
      selectionDates: { start: iso(START), end: iso(START + 30 * STEP_MS) },
      catchment: { catchment: zone(), subcatchment: null },
      comment: 'Bref mais intense.',
    })
    expect((await call('GET', '/api/users/events', 'b')).body).toEqual([])
    for (const method of ['GET', 'PUT'] as const)
      expect(
        (await call(method, '/api/users/events', null, method === 'PUT' ? event() : undefined)).status,
      ).toBe(401)
  })

  test('[EVENT-05] the cumul is the server’s own, in mm, and only there when a catchment is chosen', async () => {
    const hours = (30 * STEP_MS) / 3_600_000
    const { body } = await call('PUT', '/api/users/events', 'a', event({ cumul: 999 }))
    expect(body.cumul).toBeCloseTo(RATE_MM_H * hours, 6)
    // What the analysis page shows for the same period and catchment.
    const { start, end } = event().selectionDates
    const shown = await call('GET', `/api/products/archive?p=dpsri&s=${start}&e=${end}&c=${zone()}`, 'a')
    expect(body.cumul).toBe(shown.body.cumulated.catchmentMm.at(-1))
    const without = await call('PUT', '/api/users/events', 'a', event({ catchment: null, cumul: 999 }))
    expect(without.body).not.toHaveProperty('cumul')
    const dry = { start: '2020-01-01T00:00:00Z', end: '2020-01-01T01:00:00Z' }
    expect(
      (await call('PUT', '/api/users/events', 'a', event({ selectionDates: dry }))).body.cumul,
    ).toBeNull()
  })

  test('[EVENT-05] the cumul becomes that of the rain as it moved once it was followed, and says which it is', async () => {
    const span = { start: iso(START + STEP_MS / 3), end: iso(START + 41 * STEP_MS) }
    const { body: saved } = await call('PUT', '/api/users/events', 'b', event({ selectionDates: span }))
    expect(saved.cumulMethod).toBe('raw')
    const listed = async () =>
      (await call('GET', '/api/users/events', 'b')).body.find(({ _id }: { _id: string }) => _id === saved._id)
    expect(await listed()).toEqual(saved)
    const store = await storeOf(deps)
    while (
      (await store.moved.makeSome(store.catalog.products.get('dpsri')!, { startMs: 0, endMs: 8.64e15 })) > 0
    );
    const { cumulated } = (
      await call('GET', `/api/products/archive?p=dpsri&s=${span.start}&e=${span.end}&c=${zone()}`, 'b')
    ).body
    const moved = cumulated.moved.catchmentMm.at(-1)
    // Nobody edited it: its state is the one that was saved.
    expect(await listed()).toEqual({ ...saved, cumul: moved, cumulMethod: 'moved' })
    // One saved before methods were kept.
    await database.db
      .updateTable('saved_event')
      .set({ cumul_mm: 1, cumul_method: null, cumul_frames: null })
      .where('id', '=', saved._id)
      .execute()
    expect(await listed()).toMatchObject({ cumul: moved, cumulMethod: 'moved' })
    // A frame that came after it was saved.
    await database.db
      .updateTable('saved_event')
      .set({ cumul_mm: 1, cumul_frames: 39 })
      .where('id', '=', saved._id)
      .execute()
    expect(await listed()).toMatchObject({ cumul: moved, cumulMethod: 'moved' })
    // What was saved is not lost with its catchment, or with its frames.
    const gone = { cumul_mm: 7, cumul_frames: 1, cumul_method: 'raw' as const }
    const years = { period_start: new Date('2020-01-01'), period_end: new Date('2020-01-02') }
    for (const change of [
      years,
      {
        period_start: new Date(span.start),
        period_end: new Date(span.end),
        catchment: 'nowhere',
        subcatchment: null,
      },
    ]) {
      const { db } = database
      await db
        .updateTable('saved_event')
        .set({ ...gone, ...change })
        .where('id', '=', saved._id)
        .execute()
      expect(await listed()).toMatchObject({ cumul: 7, cumulMethod: 'raw' })
    }
    await call('DELETE', `/api/users/events/${saved._id}`, 'b')
  })

  test('[API-16] an event is changed as a whole, and an edit from an old state is told, not lost', async () => {
    const { body: saved } = await call('PUT', '/api/users/events', 'a', event())
    const path = `/api/users/events/${saved._id}`
    const first = await call('PUT', path, 'a', { ...event({ title: 'Premier' }), version: saved.version })
    expect(first).toMatchObject({ status: 200, body: { title: 'Premier', version: saved.version + 1 } })
    const late = await call('PUT', path, 'a', { ...event({ title: 'Second' }), version: saved.version })
    expect(late).toMatchObject({ status: 409, body: { code: 'event.changed' } })
    expect((await call('PUT', path, 'a', event({ title: 'Sans version' }))).status).toBe(200)
    expect((await call('PUT', path, 'b', event())).status).toBe(404)
  })

  test('[API-17] an event is deleted once, by its user', async () => {
    const { body } = await call('PUT', '/api/users/events', 'a', event())
    const path = `/api/users/events/${body._id}`
    expect((await call('DELETE', path, 'b')).status).toBe(404)
    expect((await call('DELETE', path, 'a')).status).toBe(204)
    // Clients that put a content type on everything are answered alike.
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded'])
      expect(
        await app.inject({
          method: 'DELETE',
          url: path,
          headers: { authorization: 'Bearer a', 'content-type': type },
        }),
      ).toMatchObject({ statusCode: 404 })
    const { body: next } = await call('PUT', '/api/users/events', 'a', event())
    const typed = { authorization: 'Bearer a', 'content-type': 'application/json' }
    const gone = await app.inject({ method: 'DELETE', url: `/api/users/events/${next._id}`, headers: typed })
    expect(gone.statusCode).toBe(204)
  })

  test.each([
    ['[EVENT-15] a title of 1,025 characters', { title: 'x'.repeat(1025) }],
    ['[EVENT-16] a comment of 4,097 characters', { comment: 'x'.repeat(4097) }],
    ['an empty title', { title: '  ' }],
    ['a reversed period', { selectionDates: { start: iso(START + 1), end: iso(START) } }],
    ['no instant', { selectionDates: { start: 'hier', end: iso(START) } }],
    ['an unknown product', { product: 'xyz' }],
    ['a part without its catchment', { catchment: { catchment: null, subcatchment: 'melun-nord' } }],
    ['an unknown catchment', { catchment: { catchment: 'nulle-part', subcatchment: null } }],
  ])('%s is refused with a message', async (_what, changes) => {
    const { status, body } = await call('PUT', '/api/users/events', 'b', event(changes))
    expect(status).toBe(400)
    expect(body.message).toMatch(/\S/)
    expect((await call('GET', '/api/users/events', 'b')).body).toEqual([])
  })

  test('1,024 and 4,096 characters are taken', async () => {
    const longest = event({ title: 'x'.repeat(1024), comment: 'é'.repeat(4096) })
    expect((await call('PUT', '/api/users/events', 'a', longest)).status).toBe(200)
  })

  test('a restricted account learns nothing of a period outside its dates', async () => {
    expect((await call('PUT', '/api/users/events', 'r', event())).status).toBe(403)
    const inside = { start: '2026-06-04T11:00:00Z', end: '2026-06-04T11:30:00Z' }
    expect((await call('PUT', '/api/users/events', 'r', event({ selectionDates: inside }))).status).toBe(200)
  })
})
