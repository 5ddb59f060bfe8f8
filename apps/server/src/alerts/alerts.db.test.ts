import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Alert, AlertMeasure, AlertRule, Alerts } from '@radx/contracts'
import { cellCentre, encodeRate, RATE_NO_DATA } from '@radx/rainfall'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ABOUT_VERSION } from '../ahead/api.ts'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { CHANCE_MISSING, KeptForecasts, widestFirst } from '../nowcast/api.ts'
import { memberParts } from '../nowcast/kept/parts.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { Evaluator } from './evaluator.ts'
import { startState } from './machine.ts'
import { replayRule } from './replay-job.ts'
import { registerAlerts } from './routes.ts'
import { Series } from './series/series.ts'
import { pruneAlerts, sweepAlerts } from './sweep.ts'

const START = Date.parse('2026-06-15T08:00:00Z')
const STEP_MS = 206_000
const MINUTE = 60_000

describe('alerts', () => {
  let [database, app, deps, store]: [TestDatabase, App, Deps, Store] = [] as never
  let nowMs = START
  /** Number of the next frame; frames of one test never meet those of another. */
  let frame = 0
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-alerts-'))
  const sessions = new Map<string, Session>()

  const person = async (name: string, restriction: Session['restriction'] = null) => {
    const id = randomUUID()
    sessions.set(name, { userId: id, name, roles: [], restriction })
    await database.db
      .insertInto('account')
      .values({
        ...{ id, name, name_key: name, password_hash: '', avatar: null, disabled_at: null },
        restriction_start: restriction?.start ?? null,
        restriction_end: restriction?.end ?? null,
      })
      .execute()
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    // Connections are killed below.
    database.pool.on('error', () => undefined)
    database.pool.on('connect', (client) => client.on('error', () => undefined))
    deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir, QUOTA_ALERTS: '12' }),
      ...{ database: handleOf(database), site: smallSite(), catchments: smallCatchments() },
      clock: { now: () => nowMs },
      sessions: { resolve: async (token) => sessions.get(token) ?? null },
    })
    store = await storeOf(deps)
    await person('anne')
    await person('bruno')
    await person('past', { start: null, end: new Date(START - 1) })
    app = await createApp(deps, { features: [registerAlerts] })
  })
  afterAll(async () => {
    await app?.close()
    await store?.threads.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  beforeEach(async () => {
    await database.db.deleteFrom('alert_rule').execute()
    // A day later than the test before.
    frame = Math.ceil(frame / 500) * 500 + 500
    nowMs = at(frame) - MINUTE
  })

  const at = (k: number) => START + k * STEP_MS
  const iso = (ms: number) => new Date(ms).toISOString()

  async function commit(name: string, timeMs: number, codes: Uint16Array): Promise<void> {
    const prepared = prepareFrame(
      codes,
      zoneWeights(store.catalog.products.get(name)!, store.catalog.zones),
      {
        ...{ product: name, timeMs, version: '5', name: name.toUpperCase() },
        sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
      },
    )
    await commitFrames(store.context, [{ frame: prepared, source: sourceFile(`${name} ${timeMs}`) }])
  }

  /** A frame of one rate everywhere comes, a minute after its instant. @param mmH null without data */
  async function comes(mmH: number | null): Promise<number> {
    const { steps } = store.catalog.products.get('dpsri')!
    const timeMs = at(frame)
    const code = mmH === null ? RATE_NO_DATA : encodeRate(mmH)
    await commit('dpsri', timeMs, new Uint16Array(steps ** 2).fill(code))
    frame++
    nowMs = timeMs + MINUTE
    return timeMs
  }
  const evaluator = (graceMs = 0) => new Evaluator(deps, store, graceMs)
  const call = async <T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    token = 'anne',
  ) => {
    const answer = await app.inject({ method, url, payload, headers: { authorization: `Bearer ${token}` } })
    return { status: answer.statusCode, body: (answer.body === '' ? null : answer.json()) as T }
  }
  const ruleBody = (changes: object = {}) => ({
    name: 'Averse sur Melun',
    measure: {
      kind: 'rain-rate',
      product: 'dpsri',
      place: { kind: 'zone', catchment: 'melun', subcatchment: null },
    },
    ...{
      threshold: 10,
      clear: 5,
      minMinutes: 0,
      severity: 'warning',
      escalateMin: null,
      enabled: true,
    },
    ...changes,
  })
  const add = async (changes: object = {}, token = 'anne') => {
    const { status, body } = await call<AlertRule>('POST', '/api/alerts/rules', ruleBody(changes), token)
    expect(body).toMatchObject({ id: expect.any(String) })
    expect(status).toBe(200)
    return body
  }
  const rows = () =>
    database.db.selectFrom('alert').selectAll().orderBy('raised_at').orderBy('crossing').execute()
  const whats = async () =>
    (await database.db.selectFrom('alert_log').select('what').orderBy('id').execute()).map(({ what }) => what)

  test('rain over a threshold is told once, with its image and reason, and ends below the other one', async () => {
    await add()
    const watch = evaluator()
    await comes(2)
    await watch.round()
    const crossing = await comes(12)
    await watch.round()
    for (const rate of [14, 8, 6]) {
      await comes(rate)
      await watch.round()
    }
    const { body } = await call<Alerts>('GET', '/api/alerts')
    expect(body.rules[0]).toMatchObject({ phase: 'raised', value: 6 })
    expect(body.current).toHaveLength(1)
    expect(body.current[0]).toMatchObject({
      crossing: iso(crossing),
      value: 12,
      peak: 14,
      last: 6,
      ended: null,
    })
    expect(body.current[0].reason).toMatch(/^Pluie, sur Melun\s: 12\smm\/h \(seuil 10\smm\/h\), image du /)
    await comes(3)
    await watch.round()
    expect((await call<Alerts>('GET', '/api/alerts')).body).toMatchObject({
      current: [],
      rules: [{ phase: 'below' }],
    })
    expect(await whats()).toEqual(['raised', 'ended'])
    // Those of others see nothing of it.
    expect((await call<Alerts>('GET', '/api/alerts', undefined, 'bruno')).body).toMatchObject({
      rules: [],
      current: [],
    })
  })

  test('two servers, and connections that die at any moment, neither lose nor double an alert', async () => {
    const told = { email: 'anne@example.org', email_confirmed_at: new Date(), quiet: null }
    await database.db
      .insertInto('alert_person')
      .values({ username: 'anne', email_code: null, email_code_until: null, ...told })
      .execute()
    const notify = { email: true, push: false, webhooks: [] }
    await add({ notify })
    await add({ name: 'Durable', minMinutes: 3, notify })
    const evaluators = [evaluator(), evaluator()]
    const crossings: number[] = []
    let deaths = 0
    for (let k = 0; k < 24; k++) {
      const timeMs = await comes(k % 3 === 0 ? 1 : 20)
      if (k % 3 === 1) crossings.push(timeMs)
      const kills = [1, 2, 3, 4].map(async (n) => {
        await new Promise((resolve) => setTimeout(resolve, 3 * n * ((k % 5) / 2)))
        const killed = await sql<{
          done: boolean
        }>`select pg_terminate_backend(pid) as done from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and application_name = 'radx'
          and state <> 'idle'`
          .execute(database.db)
          .catch(() => ({ rows: [] }))
        deaths += killed.rows.length
      })
      await Promise.all([...evaluators.map((one) => one.round().catch(() => false)), ...kills])
      // Whoever is left looks again, as the keeper does.
      for (const one of evaluators) await retried(() => one.round())
    }
    const found = await rows()
    expect(deaths).toBeGreaterThan(0)
    const rules = [...new Set(found.map(({ rule_id }) => rule_id))]
    expect(rules).toHaveLength(2)
    for (const rule of rules) {
      const own = found.filter(({ rule_id }) => rule_id === rule)
      expect(own.map(({ crossing }) => crossing.getTime())).toEqual(crossings)
    }
    // The log has as many lines, however often a look was repeated.
    const logged = await whats()
    expect(logged.filter((what) => what === 'raised')).toHaveLength(found.length)
    // Each has its notice, which whoever sends finds.
    const notices = await database.db.selectFrom('alert_notice').select('alert_id').execute()
    expect(notices.map(({ alert_id }) => alert_id).sort()).toEqual(found.map(({ id }) => id).sort())
  })

  test('missing data is not dry: it ends nothing, raises its own alert, and that ends with the next value', async () => {
    await add()
    const watch = evaluator()
    await comes(15)
    await watch.round()
    const blindFrom = at(frame - 1)
    for (let k = 0; k < 4; k++) {
      await comes(null)
      await watch.round()
    }
    expect((await rows()).map(({ cause, ended_at }) => [cause, ended_at])).toEqual([['crossing', null]])
    // Then nothing comes at all.
    nowMs += 10 * MINUTE
    await watch.round()
    await watch.round()
    const { body } = await call<Alerts>('GET', '/api/alerts')
    expect(body.rules[0].phase).toBe('blind')
    expect(body.current.map(({ cause, crossing }) => [cause, crossing])).toEqual([
      ['missing', iso(blindFrom)],
      ['crossing', iso(blindFrom)],
    ])
    frame += 5
    await comes(15)
    await watch.round()
    expect((await call<Alerts>('GET', '/api/alerts')).body.current.map(({ cause }) => cause)).toEqual([
      'crossing',
    ])
  })

  test('after a start what came meanwhile is taken in before its absence is told', async () => {
    await add()
    await comes(1)
    await evaluator().round()
    nowMs += 60 * MINUTE
    const restarted = evaluator(3 * MINUTE)
    await restarted.round()
    expect(await rows()).toEqual([])
    nowMs += 4 * MINUTE
    await restarted.round()
    expect((await rows()).map(({ cause }) => cause)).toEqual(['missing'])
  })

  test('images of an outage that come one by one when it is over are all looked at', async () => {
    await add()
    const watch = evaluator()
    await comes(1)
    await watch.round()
    nowMs += 2 * 60 * MINUTE
    await watch.round()
    const overMs = nowMs
    const crossings: number[] = []
    for (let k = 0; k < 24; k++) {
      const isHeavy = k % 4 === 2
      const timeMs = await comes(isHeavy ? 20 : 1)
      if (isHeavy) crossings.push(timeMs)
      nowMs = overMs + 1000 * k
      await watch.round()
    }
    const found = (await rows()).filter(({ cause }) => cause === 'crossing')
    expect(found.map(({ crossing }) => crossing.getTime())).toEqual(crossings)
    expect(found.filter(({ ended_at }) => ended_at === null)).toEqual([])
    // All of them are old: that nothing newer is known was told once, and goes on until something is.
    const missing = async () => (await rows()).filter(({ cause }) => cause === 'missing')
    expect((await missing()).map(({ ended_at }) => ended_at)).toEqual([null])
    frame = Math.ceil((overMs - START) / STEP_MS)
    await comes(1)
    await watch.round()
    expect((await missing()).map(({ ended_at }) => ended_at !== null)).toEqual([true])
  })

  test('a clock that jumps ahead and back raises at most one alert, and rules go on', async () => {
    await comes(1)
    await add()
    await add({ name: 'Radar', measure: { kind: 'radar-down', product: 'dpsri' }, threshold: 15, clear: 15 })
    const watch = evaluator()
    await comes(1)
    await watch.round()
    nowMs += 2 * 86_400_000
    await watch.round()
    await watch.round()
    expect((await rows()).map(({ cause }) => cause).sort()).toEqual(['crossing', 'missing'])
    // Rain comes with the instrument's own time.
    for (let k = 0; k < 7; k++) {
      await comes(20)
      await watch.round()
    }
    const found = await rows()
    expect(found).toHaveLength(3)
    expect(found.filter(({ ended_at }) => ended_at === null).map(({ value }) => value)).toEqual([20])
  })

  test('totals, points and parts of a catchment are looked at too', async () => {
    const place = { kind: 'zone', catchment: 'melun', subcatchment: 'melun-a' }
    const point = { kind: 'point', lat: 48.55, lng: 2.45 }
    await add({
      name: 'cumul',
      measure: { kind: 'rain-total', product: 'dpsri', place, minutes: 30 },
      threshold: 9,
      clear: 9,
    })
    await add({
      name: 'point',
      measure: { kind: 'rain-total', product: 'dpsri', place: point, minutes: 30 },
      threshold: 9,
      clear: 9,
    })
    const watch = evaluator()
    for (let k = 0; k < 12; k++) {
      await comes(24)
      await watch.round()
    }
    const found = (await rows()).filter(({ cause }) => cause === 'crossing')
    expect(found).toHaveLength(2)
    // 9 mm at 24 mm/h take 22.5 min: the eighth frame after the first.
    const first = at(frame - 12)
    for (const { crossing, value } of found) {
      expect(crossing.getTime()).toBe(first + 7 * STEP_MS)
      expect(value).toBeCloseTo(9.6, 0)
    }
  })

  test('an image that 500 rules of two accounts look at raises each once; those whose place is gone hold up nobody', async () => {
    const place = (k: number) =>
      k % 2 === 0
        ? { kind: 'zone', catchment: 'melun', subcatchment: null }
        : { kind: 'point', lat: 48.55 + (k % 20) / 1000, lng: 2.45 + (k % 7) / 1000 }
    const gone = { kind: 'zone', catchment: 'nowhere', subcatchment: null }
    const fromMs = at(frame)
    await database.db
      .insertInto('alert_rule')
      .values(
        Array.from({ length: 500 }, (_, k) => ({
          ...{ username: k % 3 === 0 ? 'bruno' : 'anne', name: `Règle ${k}`, min_minutes: 0, enabled: true },
          ...{ threshold: 1 + (k % 7), clear: 1, severity: 'info' as const, escalate_min: null },
          ...{ value: null, value_at: null, quiet: null },
          measure: JSON.stringify({
            ...(k % 5 === 4 ? { kind: 'rain-total', minutes: 30 } : { kind: 'rain-rate' }),
            ...{ product: 'dpsri', place: k % 25 === 0 ? gone : place(k) },
          }),
          state: JSON.stringify(startState(fromMs - MINUTE)),
          notify: JSON.stringify({ email: false, push: false, webhooks: [] }),
        })),
      )
      .execute()
    const watch = evaluator()
    await comes(0)
    await watch.round()
    expect(await rows()).toEqual([])
    for (const rate of [90, 90]) {
      await comes(rate)
      await watch.round()
    }
    const found = await rows()
    expect(new Set(found.map(({ rule_id }) => rule_id)).size).toBe(found.length)
    expect(found).toHaveLength(480)
    const { body } = await call<Alerts>('GET', '/api/alerts')
    expect(
      body.current.length +
        (await call<Alerts>('GET', '/api/alerts', undefined, 'bruno')).body.current.length,
    ).toBe(480)
    expect((await whats()).filter((what) => what === 'raised')).toHaveLength(480)
  })

  test('chances of rain and of water are the largest within the time asked for, a lower bound where much is unknown', async () => {
    const issuedMs = at(frame)
    const span = { startMs: issuedMs, endMs: issuedMs + 60 * MINUTE }
    const valuesOf = (measure: AlertMeasure) => {
      const rule = { username: 'anne', measure, threshold: 50 }
      return new Series({ ...deps, db: database.db, store, nowMs: span.endMs }, span, [rule]).of(rule)
    }

    const product = widestFirst(store)[0]
    const cell = { row: 7, col: 9 }
    const field = (percent: number) => {
      const bytes = new Uint8Array(product.steps ** 2)
      bytes[cell.row * product.steps + cell.col] = percent
      return bytes
    }
    const leads = [5, 10, 30]
    const kept = new KeptForecasts(database.db, store.frames)
    await kept.savePictures(product, issuedMs, {
      ...{ reason: null, leadsMin: leads, zoneMean: leads.map(() => []), parts: [new Uint8Array([1])] },
    })
    const noQuantiles = leads.map(() => [field(0), field(0), field(0)])
    const chances = [10, 60, CHANCE_MISSING].map((percent) => [field(0), field(percent), field(0)])
    await kept.saveMembers(product, issuedMs, {
      ...{ members: 20, zoneQuantile: [], windows: [], parts: memberParts(chances, noQuantiles) },
    })
    const { lat, lng } = cellCentre(product, cell.row, cell.col)
    const chance = (withinMin: number) => valuesOf({ kind: 'rain-chance', lat, lng, aboveMmH: 3, withinMin })
    expect(await chance(5)).toEqual([{ timeMs: issuedMs, value: 10 }])
    expect(await chance(10)).toEqual([{ timeMs: issuedMs, value: 60 }])
    expect(await chance(30)).toEqual([{ timeMs: issuedMs, value: null, atLeast: 60 }])

    // A dry image of which the place was not seen says nothing of it.
    const codes = new Uint16Array(product.steps ** 2)
    codes[cell.row * product.steps + cell.col] = RATE_NO_DATA
    for (const [k, seen] of [new Uint16Array(codes.length), codes].entries()) {
      const timeMs = issuedMs + (k + 1) * STEP_MS
      await commit(product.shortName, timeMs, seen)
      const dry = { reason: 'dry' as const, leadsMin: [], zoneMean: [], parts: [] }
      await kept.savePictures(product, timeMs, dry)
    }
    expect((await chance(5)).map(({ value }) => value)).toEqual([10, 0, null])

    const minutes = [10, 30, 50]
    await database.db
      .insertInto('flood_cycle')
      .values(
        [0, 0.8].map((unknown, k) => ({
          ...{ catchment_id: 'melun', catchment_hash: 'x', status: 'done' as const, reason: null },
          ...{ issued: new Date(issuedMs + k * STEP_MS), epoch: new Date(issuedMs), last_wet: null },
          ...{ finished_at: new Date(issuedMs + k * STEP_MS + MINUTE), missing_share: 0 },
          ...{ state_job: null, result_job: null },
          about: JSON.stringify({
            version: ABOUT_VERSION,
            times: minutes.map((min) => iso(issuedMs + k * STEP_MS + min * MINUTE)),
            unknownShare: [0, unknown, unknown],
            nodes: [{ name: 'J1', percent: [5, 40, 90] }],
            links: [{ name: 'C1', percent: [0, 20, 20] }],
          }),
        })),
      )
      .execute()
    const water = (kind: 'flood-node' | 'flood-link', name: string, withinMin: number) =>
      valuesOf({ kind, catchmentId: 'melun', name, withinMin })
    const second = issuedMs + STEP_MS
    expect(await water('flood-node', 'J1', 30)).toEqual([
      { timeMs: issuedMs, value: 40 },
      { timeMs: second, value: null, atLeast: 40 },
    ])
    expect(await water('flood-link', 'C1', 60)).toMatchObject([{ value: 20 }, { value: null, atLeast: 20 }])
    // What is never in danger is not listed.
    expect(await water('flood-node', 'J9', 10)).toMatchObject([{ value: 0 }, { value: 0 }])
    const silence = await new Series({ ...deps, db: database.db, store, nowMs: span.endMs }, span, []).of({
      ...{ username: 'anne', threshold: 20 },
      measure: { kind: 'no-cycle', catchmentId: 'melun' },
    })
    expect(silence.map(({ value }) => value! > 20)).toEqual([false, false, true])
  })

  test('the look after a forecast is finished raises what it says, and none before', async () => {
    const issuedMs = await comes(1)
    // By its row: no town is imported here that a form could be held against.
    const { id: rule } = await add()
    await database.db
      .updateTable('alert_rule')
      .set({
        measure: JSON.stringify({ kind: 'flood-link', catchmentId: 'melun', name: 'C1', withinMin: 60 }),
        ...{ threshold: 60, clear: 60, state: JSON.stringify(startState(issuedMs - MINUTE)) },
      })
      .where('id', '=', rule)
      .execute()
    const watch = evaluator()
    await watch.round()
    const values = {
      ...{ catchment_id: 'melun', catchment_hash: 'x', reason: null, last_wet: null, missing_share: 0 },
      ...{ issued: new Date(issuedMs), epoch: new Date(issuedMs), state_job: null, result_job: null },
    }
    const { id } = await database.db
      .insertInto('flood_cycle')
      .values({ ...values, status: 'gather', finished_at: null, about: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    nowMs += 4_000
    await watch.round()
    expect(await rows()).toEqual([])
    const about = {
      ...{ version: ABOUT_VERSION, times: [iso(issuedMs + 10 * MINUTE)], unknownShare: [0], nodes: [] },
      links: [{ name: 'C1', percent: [90] }],
    }
    await database.db
      .updateTable('flood_cycle')
      .set({ status: 'done', finished_at: new Date(nowMs), about: JSON.stringify(about) })
      .where('id', '=', id)
      .execute()
    // Not five seconds later, when time itself is looked at: what is finished is looked at as it comes.
    nowMs += 1_000
    await watch.round()
    const [alert, ...others] = await rows()
    expect(others).toEqual([])
    expect(alert).toMatchObject({ crossing: new Date(issuedMs), value: 90, raised_at: new Date(nowMs) })
    expect(alert.reason).toMatch(/C1.*90\s%/)
    await database.db.deleteFrom('flood_cycle').where('id', '=', id).execute()
  })

  test('an alert is acknowledged, rests, escalates once, and is ended by its owner alone', async () => {
    await add({ escalateMin: 10 })
    const watch = evaluator()
    await comes(30)
    await watch.round()
    const [{ id }] = (await call<Alerts>('GET', '/api/alerts/current')).body.current
    expect((await call('POST', `/api/alerts/${id}/acknowledge`, undefined, 'bruno')).status).toBe(404)
    await call('POST', `/api/alerts/${id}/snooze`, { minutes: 15 })
    nowMs += 12 * MINUTE
    await sweepAlerts(deps.db, nowMs, deps.site.timeZone)
    expect(await whats()).toEqual(['raised', 'snoozed'])
    nowMs += 4 * MINUTE
    for (let k = 0; k < 3; k++) await sweepAlerts(deps.db, nowMs, deps.site.timeZone)
    expect(await whats()).toEqual(['raised', 'snoozed', 'reminded', 'escalated'])
    const taken = await call<Alert>('POST', `/api/alerts/${id}/acknowledge`)
    expect(taken.body).toMatchObject({ severity: 'critical', acknowledged: iso(nowMs) })
    await call('POST', `/api/alerts/${id}/acknowledge`)
    const ended = await call<Alert>('POST', `/api/alerts/${id}/end`)
    expect(ended.body).toMatchObject({ endedBy: 'person' })
    expect((await call('POST', `/api/alerts/${id}/end`)).status).toBe(409)
    // It still rains: nobody is told again before it stopped.
    await comes(30)
    await watch.round()
    await comes(1)
    await watch.round()
    expect(await rows()).toHaveLength(1)
    expect(await whats()).toEqual(['raised', 'snoozed', 'reminded', 'escalated', 'acknowledged', 'ended'])
    const { body } = await call<{ entries: { what: string; reason: string }[] }>('GET', '/api/alerts/log')
    expect(body.entries.map(({ what }) => what).reverse()).toEqual(await whats())
    await pruneAlerts(deps.db, nowMs + 3_600_000)
    expect(await rows()).toEqual([])
  })

  test('a rule is changed by one window at a time, begins anew with another threshold, and goes with its alerts', async () => {
    const rule = await add()
    const watch = evaluator()
    await comes(12)
    await watch.round()
    const renamed = await call<AlertRule>(
      'PUT',
      `/api/alerts/rules/${rule.id}`,
      ruleBody({ name: 'Autre', version: 1 }),
    )
    expect(renamed.body).toMatchObject({ name: 'Autre', version: 2, phase: 'raised' })
    const late = await call('PUT', `/api/alerts/rules/${rule.id}`, ruleBody({ version: 1 }))
    expect(late.status).toBe(409)
    await call('PUT', `/api/alerts/rules/${rule.id}`, ruleBody({ threshold: 20 }))
    expect((await rows()).map(({ ended_by }) => ended_by)).toEqual(['rule'])
    expect((await call('DELETE', `/api/alerts/rules/${rule.id}`, undefined, 'bruno')).status).toBe(404)
    expect((await call('DELETE', `/api/alerts/rules/${rule.id}`)).status).toBe(204)
    expect(await rows()).toEqual([])
  })

  test('a replay tells what live told, and what other thresholds would have been worth', async () => {
    const measure = ruleBody().measure as AlertMeasure
    await add()
    const watch = evaluator()
    const startMs = at(frame)
    for (const rate of [1, 12, 8, 30, 30, 1, 1, ...Array(20).fill(1), 12, 1, 1]) {
      await comes(rate)
      await watch.round()
    }
    const live = (await rows()).map(({ crossing, value }) => [crossing.toISOString(), value])
    const input = {
      username: 'anne',
      ...{
        start: iso(startMs),
        end: iso(at(frame)),
        rule: { measure, threshold: 10, clear: 5, minMinutes: 0 },
      },
      event: { measure, threshold: 25, windowMin: 30 },
    }
    const replayed = await replayRule(
      { ...deps, store },
      input,
      new AbortController().signal,
      () => undefined,
    )
    expect(replayed.alerts.map(({ crossing, value }) => [crossing, value])).toEqual(live)
    expect(live).toHaveLength(2)
    expect(replayed).toMatchObject({ events: 1, unknown: 0 })
    const own = replayed.rows.find(({ threshold }) => threshold === 10)!
    expect(own).toMatchObject({ alerts: 2, hits: 1, misses: 0, falseAlarms: 1, pod: 1, far: 0.5 })
    expect(own.leadMin).toBeCloseTo((2 * STEP_MS) / MINUTE, 6)
    expect(replayed.rows.find(({ threshold }) => threshold === 20)).toMatchObject({
      alerts: 1,
      far: 0,
      leadMin: 0,
    })
  })

  test('outside the dates of an account nothing is told', async () => {
    await add({}, 'past')
    await comes(30)
    await evaluator().round()
    expect(await rows()).toEqual([])
  })

  test('what cannot be is refused with its field: places, products, thresholds, and one rule too many', async () => {
    const refused = async (changes: object) => {
      const { status, body } = await call<{ details?: { field?: string }; error: string }>(
        'POST',
        '/api/alerts/rules',
        ruleBody(changes),
      )
      expect(body).not.toHaveProperty('id')
      return status
    }
    const rate = { kind: 'rain-rate', product: 'dpsri' }
    expect(await refused({ clear: 11 })).toBe(400)
    expect(await refused({ threshold: 0 })).toBe(400)
    expect(await refused({ measure: { ...rate, product: 'nothing', place: ruleBody().measure.place } })).toBe(
      404,
    )
    expect(
      await refused({
        measure: { ...rate, place: { kind: 'zone', catchment: 'nowhere', subcatchment: null } },
      }),
    ).toBe(404)
    expect(await refused({ measure: { ...rate, place: { kind: 'point', lat: 10, lng: 10 } } })).toBe(403)
    expect(await refused({ measure: { kind: 'gauge-stuck', gauge: 'x', minutes: 60 } })).toBe(400)
    expect(await refused({ measure: { kind: 'no-cycle', catchmentId: 'nowhere' } })).toBe(404)
    const made = await Promise.all(
      Array.from({ length: 15 }, () => call('POST', '/api/alerts/rules', ruleBody())),
    )
    expect(made.filter(({ status }) => status === 200)).toHaveLength(12)
    expect(made.filter(({ status }) => status === 409)).toHaveLength(3)
  })
})

async function retried(work: () => Promise<unknown>): Promise<void> {
  for (let k = 0; ; k++)
    try {
      await work()
      return
    } catch (error) {
      if (k > 20) throw error
    }
}
