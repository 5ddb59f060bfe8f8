import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AheadCycle,
  aheadCycleSchema,
  aheadCyclesSchema,
  aheadFanSchema,
  aheadNetworkSchema,
  aheadOverviewSchema,
  aheadScoresSchema,
  ROLE_MANAGER,
  SUBMISSION_KEY_HEADER,
  whatIfSchema,
} from '@radx/contracts'
import { showers } from '@radx/motion/testing/weather'
import { encodeRate, RATE_NO_DATA } from '@radx/rainfall'
import { sql } from 'kysely'
import proj4 from 'proj4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { findJob, jobOutput } from '../jobs/api.ts'
import { createQueues, JobQueue, startBoss } from '../jobs/queue.ts'
import { ForecastCycle } from '../nowcast/live/keeper.ts'
import { MULTIHYDRO, type MultihydroResult, projectionOf, type RunInput } from '../simulation/api.ts'
import { CatchmentLibrary } from '../simulation/catchment/library.ts'
import { multihydro } from '../simulation/multihydro.ts'
import { OUTPUT } from '../simulation/run/outputs.ts'
import { runSpecOf } from '../simulation/run-spec.ts'
import {
  SMALL_CATCHMENT,
  smallCatchmentAt,
  writeSmallCatchment,
} from '../simulation/testing/small-catchment.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { sealFolder } from '../store/folder-checksums.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite, writeSmallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { verifyAll } from '../verification.ts'
import { askToBegin, Begins } from './begins.ts'
import { cycleJob, runStep } from './cycle-job.ts'
import { Cycles } from './cycles.ts'
import { type Hindcast, hindcast } from './hindcast.ts'
import { KEPT_MS, pruneCycles } from './prune.ts'
import { CycleResults } from './results.ts'
import { registerAhead } from './routes.ts'
import { batchesOf, Scheduler } from './scheduler.ts'
import { STATE_FILE } from './state-files.ts'
import { type CycleInput, fileOf } from './steps.ts'
import { switchOnDemonstration } from './switch.ts'

const START = Date.parse('2026-06-15T08:00:00Z')
const STEP_MS = 210_000
const CRS = 'EPSG:2154'
const at = (frame: number) => START + frame * STEP_MS
const iso = (ms: number) => new Date(ms).toISOString()
const sessions: Record<string, Pick<Session, 'roles' | 'restriction'>> = {
  boss: { roles: [ROLE_MANAGER], restriction: null },
  user: { roles: [], restriction: null },
  bound: { roles: [], restriction: { start: new Date(at(-500)), end: new Date(at(-400)) } },
}

/** A pump that stands still and a gate that a rule keeps shut. */
const DEVICES = (x: number, y: number) => `OUT-2 ${x + 115} ${y + 25}
OUT-3 ${x + 35} ${y + 15}

[OUTFALLS]
OUT-2 26.5 FREE NO
OUT-3 26.5 FREE NO

[PUMPS]
P-1 J-2 OUT-2 K-1 OFF 0 0

[ORIFICES]
O-1 J-1 OUT-3 SIDE 0 0.65 NO 0

[XSECTIONS]
O-1 CIRCULAR 0.2 0 0 0

[CURVES]
K-1 Pump4 0 0.02
K-1 1.5 0.02

[CONTROLS]
RULE R-1
IF SIMULATION TIME >= 0
THEN ORIFICE O-1 SETTING = 0
`

describe('floods forecast after each frame', () => {
  let [database, app, deps, store, scheduler, nowcast, boss]: [
    TestDatabase,
    App,
    Deps,
    Store,
    Scheduler,
    ForecastCycle,
    Awaited<ReturnType<typeof startBoss>>,
  ] = [] as never
  let dataDir: string
  let nowMs = at(0)
  const cycles = () => new Cycles(deps.db)
  const call = (token: string, url: string, method: 'GET' | 'PUT' = 'GET', payload?: object) =>
    app.inject({ method, url, payload, headers: { authorization: `Bearer ${token}` } })
  const live = async () => (await cycles().enabled())[0]
  /** @param street its land use */
  const importTown = async (street: number) => {
    const [x, y] = proj4('WGS84', projectionOf(CRS)).forward([2.5, 48.5]).map(Math.round)
    const json = JSON.parse(SMALL_CATCHMENT['catchment.json'])
    const files = smallCatchmentAt(x, y)
    // The last pipe is far too narrow for what the gullies take.
    const narrow = files['network.inp'].replace('C-2 CIRCULAR 0.3', 'C-2 CIRCULAR 0.05')
    const dir = writeSmallCatchment(join(dataDir, `petit-${street}`), {
      ...files,
      'network.inp': `${narrow}${DEVICES(x, y)}`,
      'luse.asc': files['luse.asc'].replaceAll(' 2', ` ${street}`),
      'catchment.json': JSON.stringify({ ...json, xll: x, yll: y }),
    })
    await new CatchmentLibrary(deps.db, deps.config).import(dir)
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-ahead-'))
    const site = smallSite()
    site.nowcast.members = 5
    await writeSmallSite(dataDir)
    deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir, SITE_DIR: dataDir, DATABASE_URL: database.url }),
      ...{ database: handleOf(database), site, catchments: smallCatchments() },
      clock: { now: () => nowMs },
      sessions: {
        resolve: async (token) =>
          token in sessions ? { userId: token, name: token, ...sessions[token] } : null,
      },
    })
    store = await storeOf(deps)
    nowcast = new ForecastCycle(deps, store)
    boss = await startBoss(deps.database, deps.log)
    const kinds = [cycleJob, multihydro] as never
    await createQueues(boss, kinds)
    const queue = new JobQueue(deps.db, boss, kinds, () => new Date(nowMs))
    deps.jobs = { queue: () => queue, starting: () => false }
    app = await createApp(deps, { features: [registerAhead], webDir: dataDir })
    scheduler = new Scheduler(deps, store, cycles())
    await importTown(2)
  })
  afterAll(async () => {
    await nowcast?.close()
    await app?.close()
    await boss?.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Showers that move east. */
  const weather = showers(
    { nrows: 48, ncols: 48 },
    [0.2, 0.05],
    Array.from({ length: 28 }, (_, k) => 3.5 * k),
    12,
  )

  /** Stores a frame (showers in steady rain; `rate` 0 is dry), of which the first rows are seen, and its forecast. */
  async function frame(k: number, rate: number, rows = 46): Promise<void> {
    const product = store.catalog.products.get('sri')!
    const { steps } = product
    const codes = Uint16Array.from(weather[k % weather.length].rateMmH, (mmH, i) => {
      if (Math.floor(i / steps) >= rows) return RATE_NO_DATA
      return rate === 0 ? 0 : encodeRate((rate / 90) * (40 + 12 * mmH))
    })
    await commitFrames(store.context, [
      {
        frame: prepareFrame(codes, zoneWeights(product, store.catalog.zones), {
          ...{ product: 'sri', timeMs: at(k), version: '5.43.11', name: 'SRI' },
          sensor: { name: 'X', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
        }),
        source: sourceFile(String(k)),
      },
    ])
    nowMs = at(k) + 20_000
    await nowcast.follow(product, at(k), true)
  }

  /** Works off what waits, as a worker does but for its thread. @returns how many steps it did */
  async function work(): Promise<number> {
    const rows = await deps.db.selectFrom('job').selectAll().where('status', '=', 'pending').execute()
    for (const row of rows) {
      const outDir = await mkdtemp(join(dataDir, 'try-'))
      const context = {
        ...{ jobId: row.id, attempt: 1, config: deps.config, outDir },
        ...{ signal: new AbortController().signal, progress: () => undefined, log: () => undefined },
      }
      const result =
        row.kind === MULTIHYDRO
          ? await multihydro.run({ ...context, input: row.input as RunInput })
          : await runStep({
              ...{ ...context, input: row.input as CycleInput },
              ...{ db: deps.db, store, site: deps.site },
            })
      await sealFolder(outDir)
      await store.files.putFolder(outDir, jobOutput(row.id))
      await deps.db
        .updateTable('job')
        .set({ status: 'done', result: JSON.stringify(result) })
        .where('id', '=', row.id)
        .execute()
    }
    return rows.length
  }

  /** Brings the cycle of the newest frame to its end. */
  async function cycle(): Promise<void> {
    for (let k = 0; k < 12; k++) {
      await scheduler.round(await live(), false)
      await work()
      if (!(await cycles().open('petit')) && k > 0) return
    }
  }

  const newest = async (): Promise<AheadCycle> => {
    const answer = await call('user', '/api/ahead/petit/cycle')
    expect(answer.statusCode, answer.body).toBe(200)
    return aheadCycleSchema.parse(answer.json())
  }

  test('managers switch it on, others may not; a dry town has its forecast without any computing', async () => {
    expect((await call('user', '/api/ahead/petit', 'PUT', { enabled: true })).statusCode).toBe(403)
    expect((await call('boss', '/api/ahead/nulle-part', 'PUT', { enabled: true })).statusCode).toBe(404)
    const on = aheadOverviewSchema.parse(
      (await call('boss', '/api/ahead/petit', 'PUT', { enabled: true })).json(),
    )
    expect(on.catchments).toMatchObject([{ id: 'petit', enabled: true, newest: null, wait: 'first-frame' }])
    expect(
      await deps.db.selectFrom('audit_event').select(['action', 'actor', 'subject', 'details']).execute(),
    ).toEqual([
      { action: 'setting.change', actor: 'boss', subject: '/api/ahead/petit', details: { enabled: 'true' } },
    ])
    await frame(0, 0)
    await scheduler.round(await live(), true)
    expect(await cycles().newest('petit')).toBeUndefined()
    await scheduler.round(await live(), false)
    expect(await newest()).toMatchObject({ issued: iso(at(0)), dry: true, times: [], watch: [], delayS: 20 })
    expect(await work()).toBe(0)
  })

  test('rain is carried on into the state, and members say what may come of it', async () => {
    for (const k of [1, 2, 3]) await frame(k, 90)
    await cycle()
    const found = await newest()
    expect(found).toMatchObject({ issued: iso(at(3)), dry: false, skipped: 2, members: 5, alike: false })
    expect(found.times[0]).toBe(iso(at(3) + 300_000))
    expect(Date.parse(found.times.at(-1)!) - at(3)).toBe(7_200_000)
    expect(Date.parse(found.rainUntil!)).toBeLessThanOrEqual(at(3) + 3_600_000)
    expect(found.rainMmH[0].value).toBeGreaterThan(30)
    expect(found.rainMmH.at(-1)).toEqual({ value: 0, p10: 0, p50: 0, p90: 0 })
    for (const { p10, p50, p90 } of found.rainMmH) expect(p10 <= p50 && p50 <= p90).toBe(true)
    expect(found.watch).toContainEqual(expect.objectContaining({ kind: 'link', name: 'C-1' }))
    const cells = found.place.nrows * found.place.ncols
    const { rawPayload } = await call('user', '/api/ahead/petit/chances?above=50')
    expect(rawPayload.length).toBe(cells * found.times.length)
    expect(rawPayload[0]).toBe(255)
    for (const value of rawPayload) expect(value === 255 || value <= 100).toBe(true)
  })

  test('the fan at a cell, a node and a pipe goes with the probabilities of the map', async () => {
    const found = await newest()
    const { rawPayload } = await call('user', '/api/ahead/petit/chances?above=200')
    const cells = found.place.nrows * found.place.ncols
    const cell = 4 * 12 + 11
    const fan = aheadFanSchema.parse(
      (await call('user', `/api/ahead/petit/fan?kind=cell&name=${cell}`)).json(),
    )
    expect(fan.values.map(({ percent }) => percent)).toEqual(
      found.times.map((_, t) => rawPayload[t * cells + cell]),
    )
    for (const { p10, p50, p90 } of fan.values) expect(p10 <= p50 && p50 <= p90).toBe(true)
    // What rules on cells look at, all of a town together.
    const results = new CycleResults(store, new CatchmentLibrary(deps.db, deps.config))
    const courses = await results.coursesAt((await cycles().newest('petit'))!, [cell, 0], 200)
    expect([...courses.get(cell)!]).toEqual(fan.values.map(({ percent }) => percent))
    expect(new Set(courses.get(0)!)).toEqual(new Set([255]))
    const network = aheadNetworkSchema.parse((await call('user', '/api/ahead/petit/network')).json())
    expect(network.links).toContainEqual({ name: 'C-1', kind: 'conduit', from: 0, to: 1 })
    const node = aheadFanSchema.parse((await call('user', '/api/ahead/petit/fan?kind=node&name=J-1')).json())
    expect(node.limit).toBeCloseTo(1.5)
    expect(Math.max(...node.values.map(({ value }) => value))).toBeGreaterThan(0.01)
    const pipe = aheadFanSchema.parse((await call('user', '/api/ahead/petit/fan?kind=link&name=C-1')).json())
    const told = found.links.find(({ name }) => name === 'C-1')
    expect(pipe.values.map(({ percent }) => percent)).toEqual(told?.percent ?? found.times.map(() => 0))
    for (const bad of ['kind=cell&name=0', 'kind=cell&name=x', 'kind=node&name=J-9', 'kind=cell&name=99999'])
      expect((await call('user', `/api/ahead/petit/fan?${bad}`)).statusCode).toBe(400)
  })

  test('the state goes on from cycle to cycle: two of them come to what one over the same rain does', async () => {
    const before = await cycles().newest('petit')
    await frame(4, 90)
    await cycle()
    const after = await cycles().newest('petit')
    expect(after).toMatchObject({ status: 'done', epoch: before!.epoch })
    expect(after!.missing_share).toBeLessThan(0.01)
    const input = (
      await deps.db
        .selectFrom('job')
        .select('input')
        .where('id', '=', after!.state_job!)
        .executeTakeFirstOrThrow()
    ).input
    expect(input).toMatchObject({ from: { job: before!.state_job, issued: iso(at(3)) } })
  })

  test('what if, now: from the state of a forecast, with its rain, beside the same without a change', async () => {
    const { issued } = await newest()
    const asks = { catchmentId: 'petit', issued, luseId: null, settings: [{ name: 'C-1', setting: 0 }] }
    const post = (token: string | null, payload: object, key?: string) =>
      app.inject({
        ...{ method: 'POST', url: '/api/job/what-if', payload },
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(key && { [SUBMISSION_KEY_HEADER]: key }),
        },
      })
    expect((await post(null, asks)).statusCode).toBe(401)
    expect((await post('bound', asks)).statusCode).toBe(403)
    for (const bad of [
      { settings: [] },
      { settings: [{ name: 'C-9', setting: 0 }] },
      { settings: [{ name: 'C-1', setting: 0.5 }] },
      { settings: [{ name: 'C-1', setting: -1 }] },
      { settings: [...asks.settings, { name: 'C-1', setting: 1 }] },
      { luseId: 'x' },
    ])
      expect((await post('user', { ...asks, ...bad })).statusCode, JSON.stringify(bad)).toBe(400)
    const other = '00000000-0000-4000-8000-000000000000'
    for (const gone of [{ luseId: other }, { issued: iso(at(1)) }, { catchmentId: 'nulle-part' }])
      expect((await post('user', { ...asks, ...gone })).statusCode, JSON.stringify(gone)).toBe(404)
    expect((await post('user', { ...asks, issued: iso(at(0)) })).json()).toMatchObject({
      code: 'ahead.whatIf',
    })
    const [first, again] = await Promise.all([post('user', asks, 'once'), post('user', asks, 'once')])
    expect(first.statusCode, first.body).toBe(200)
    const tried = whatIfSchema.parse(first.json())
    expect(again.json()).toEqual(tried)
    const open = { ...asks, settings: [{ name: 'C-1', setting: 1 }] }
    const more = whatIfSchema.parse((await post('user', open)).json())
    expect(more.unchanged).toBe(tried.unchanged)
    expect(await work()).toBe(3)
    const runs = new Map(
      (await deps.db.selectFrom('job').selectAll().where('kind', '=', MULTIHYDRO).execute()).map((row) => [
        row.id,
        { ...(row.result as MultihydroResult), ...(row.input as RunInput), by: row.username },
      ]),
    )
    const [changed, unchanged, same] = [tried.changed, tried.unchanged, more.changed].map(
      (id) => runs.get(id)!,
    )
    expect(changed).toMatchObject({ by: 'user', title: expect.stringContaining('conduite C-1 fermée') })
    expect(unchanged.balance.rainM3).toBeGreaterThan(1)
    expect(changed.balance.rainM3).toBeCloseTo(unchanged.balance.rainM3, 6)
    expect(same.balance).toEqual(unchanged.balance)
    expect(changed.balance.outfallM3).toBeLessThan(unchanged.balance.outfallM3)
    expect(Math.abs(changed.balance.relativeError)).toBeLessThan(1e-6)
    // It goes where the deterministic member of the forecast goes.
    const cell = 4 * 12 + 11
    const { values } = aheadFanSchema.parse(
      (await call('user', `/api/ahead/petit/fan?kind=cell&name=${cell}`)).json(),
    )
    const dir = (await store.files.folder(jobOutput(tried.unchanged)))!
    const rows = (await readFile(join(dir, OUTPUT.finalDepth), 'utf8')).trim().split('\n').slice(6)
    const depthM = Number(rows[4].trim().split(/\s+/)[11])
    expect(Math.abs(1000 * depthM - values.at(-1)!.value)).toBeLessThan(2)
    expect(runSpecOf(changed).rain).toMatchObject({ kind: 'forecast', product: 'sri' })
    expect(
      await deps.db.selectFrom('audit_event').select('details').where('action', '=', 'run.submit').execute(),
    ).toContainEqual({ details: { catchment: 'petit', title: '' } })
    await deps.db.deleteFrom('job').where('kind', '=', MULTIHYDRO).execute()
  })

  test('what if, now: a pump switched on and a gate opened against its rule let water out', async () => {
    const { issued } = await newest()
    const balances: Record<string, MultihydroResult['balance']> = {}
    for (const [name, setting] of [
      ['P-1', 1],
      ['O-1', 0.3],
      ['O-1', 0],
    ] as const) {
      const settings = [{ name, setting }]
      const answer = await app.inject({
        ...{ method: 'POST', url: '/api/job/what-if', headers: { authorization: 'Bearer user' } },
        payload: { catchmentId: 'petit', issued, luseId: null, settings },
      })
      expect(answer.statusCode, answer.body).toBe(200)
      const { changed, unchanged } = whatIfSchema.parse(answer.json())
      await work()
      const rows = await deps.db
        .selectFrom('job')
        .selectAll()
        .where('id', 'in', [changed, unchanged])
        .execute()
      for (const { id, result } of rows) {
        const { balance } = result as MultihydroResult
        expect(Math.abs(balance.relativeError)).toBeLessThan(1e-6)
        balances[id === changed ? `${name} ${setting}` : 'none'] = balance
      }
    }
    const out = (of: string) => balances[of].outfallM3
    expect(out('P-1 1')).toBeGreaterThan(1.2 * out('none'))
    expect(out('O-1 0.3')).toBeGreaterThan(1.2 * out('none'))
    // It is shut already.
    expect(out('O-1 0')).toBeCloseTo(out('none'), 6)
    await deps.db.deleteFrom('job').where('kind', '=', MULTIHYDRO).execute()
  })

  test('forecasts are held against the state that observed rain made', async () => {
    for (let k = 5; k <= 8; k++) await frame(k, 90)
    await cycle()
    const s = iso(at(0))
    const scores = aheadScoresSchema.parse(
      (await call('user', `/api/ahead/petit/scores?s=${s}&e=${iso(at(20))}`)).json(),
    )
    expect(scores.leads).toMatchObject([
      { leadMin: 15, cycles: 1 },
      { leadMin: 30, cycles: 0 },
      { leadMin: 60 },
    ])
    const counts = scores.leads[0].reliability.map(({ count }) => count)
    expect(counts.reduce((a, b) => a + b)).toBe(95)
  })

  test('a past period is forecast again as its frames came, and held against what they brought', async () => {
    await deps.db.deleteFrom('flood_score').execute()
    const told: Hindcast[] = []
    const input = { catchmentId: 'petit', startMs: at(0), endMs: at(9) }
    const signal = new AbortController()
    const again = (of: AbortSignal) =>
      hindcast(
        { db: deps.db, config: deps.config, site: deps.site, store },
        { ...input, everyMin: 7, members: 4, longestMin: 15 },
        (one) => told.push(one),
        of,
      )
    expect(await again(signal.signal)).toBe(9)
    expect(told.length).toBeGreaterThan(1)
    for (const { leadMin, rainMm, sums } of told) {
      expect(leadMin).toBe(15)
      expect(rainMm.came).toBeGreaterThan(5)
      expect(rainMm.p10 <= rainMm.p50 && rainMm.p50 <= rainMm.p90).toBe(true)
      expect(rainMm.p50 / rainMm.came).toBeGreaterThan(0.5)
      expect(rainMm.p50 / rainMm.came).toBeLessThan(2)
      expect(sums[0]).toBe(95)
    }
    expect(await deps.db.selectFrom('flood_score').selectAll().execute()).toHaveLength(told.length)
    signal.abort()
    await expect(again(signal.signal)).rejects.toThrow()
  })

  test('a silent radar is told as missing rain when it comes back', async () => {
    await frame(20, 90)
    await cycle()
    const found = await newest()
    expect(found.issued).toBe(iso(at(20)))
    expect(found.missingShare).toBeGreaterThan(0.5)
    // One image tells no motion: what it shows is taken to stay, and told as unknown.
    expect(found.unknownShare[0]).toBe(1)
    expect(found.rainMmH[5].value).toBeGreaterThan(10)
    expect(found.rainUntil).toBe(found.issued)
  })

  test('past cycles have addresses; dates of accounts hold for all of it', async () => {
    const { cycles: kept } = aheadCyclesSchema.parse((await call('user', '/api/ahead/petit/cycles')).json())
    expect(kept.map(({ issued }) => issued)).toEqual([20, 8, 4, 3, 0].map((k) => iso(at(k))))
    const past = await call('user', `/api/ahead/petit/cycle?issued=${iso(at(4) + 60_000)}`)
    expect(past.json()).toMatchObject({ issued: iso(at(4)) })
    expect((await call('user', `/api/ahead/petit/cycle?issued=${iso(at(-3))}`)).statusCode).toBe(404)
    expect((await call('bound', '/api/ahead/petit/cycles')).json()).toEqual({ cycles: [] })
    for (const path of [
      'cycle',
      'network',
      'chances?above=50',
      'fan?kind=cell&name=20',
      `scores?s=${iso(at(0))}&e=${iso(at(9))}`,
    ])
      expect((await call('bound', `/api/ahead/petit/${path}`)).statusCode, path).toBe(403)
    expect((await app.inject('/api/ahead')).statusCode).toBe(401)
  })

  test('a cycle that was told in the form of another version is not shown, and said to be gone', async () => {
    const put = (version: number) =>
      sql`update flood_cycle set about = jsonb_set(about, '{version}', to_jsonb(${version}::int))
        where issued = ${new Date(at(4))}`.execute(deps.db)
    const read = async () => (await call('user', `/api/ahead/petit/cycle?issued=${iso(at(4))}`)).statusCode
    await put(0)
    expect(await read()).toBe(404)
    await put(1)
    expect(await read()).toBe(200)
  })

  test('a step that fails ends its cycle with a reason, and the next one begins anew', async () => {
    await frame(21, 90)
    await scheduler.round(await live(), false)
    await scheduler.round(await live(), false)
    await deps.db
      .updateTable('job')
      .set({ status: 'error', error: 'Le disque est plein.' })
      .where('status', '=', 'pending')
      .execute()
    await scheduler.round(await live(), false)
    expect(await cycles().newest('petit')).toMatchObject({ status: 'failed', reason: 'Le disque est plein.' })
    const told = async () =>
      aheadOverviewSchema.parse((await call('user', '/api/ahead')).json()).catchments[0]
    expect(await told()).toMatchObject({
      newest: { issued: iso(at(20)) },
      failed: { issued: iso(at(21)), reason: 'Le disque est plein.' },
    })
    await frame(22, 90)
    await cycle()
    const after = await cycles().newest('petit')
    expect(after).toMatchObject({ status: 'done' })
    expect((await told()).failed).toBeNull()
    expect(after!.epoch.getTime()).toBe(at(22) - 3 * 3_600_000)
  })

  test('a new land use of the catchment begins a new state, and what is under way ends on the old one', async () => {
    const old = await live()
    await frame(23, 90)
    await scheduler.round(old, false)
    await scheduler.round(old, false)
    await importTown(3)
    const changed = await live()
    expect(changed.hash).not.toBe(old.hash)
    await cycle()
    expect(await cycles().newest('petit')).toMatchObject({
      ...{ issued: new Date(at(23)), status: 'done', catchment_hash: old.hash },
    })
    await frame(24, 90)
    await cycle()
    const after = (await cycles().newest('petit'))!
    expect(after).toMatchObject({ issued: new Date(at(24)), status: 'done', catchment_hash: changed.hash })
    expect(after.epoch.getTime()).toBe(at(24) - 3 * 3_600_000)
  })

  test('a clock that is set back or ahead leaves forecasts in the order of their frames', async () => {
    await frame(25, 90)
    nowMs -= 2 * 3_600_000
    await cycle()
    expect(await cycles().newest('petit')).toMatchObject({ issued: new Date(at(25)), status: 'done' })
    await frame(26, 90)
    for (let k = 0; k < 3; k++) {
      await scheduler.round(await live(), false)
      await work()
    }
    nowMs += 2 * 3_600_000
    await cycle()
    // What took two hours by that clock is given up, told, and the next one goes on, from the state that was made.
    const given = (await cycles().newest('petit'))!
    expect(given).toMatchObject({ issued: new Date(at(26)), status: 'failed' })
    await frame(27, 90)
    await cycle()
    const next = (await cycles().newest('petit'))!
    expect(next).toMatchObject({ issued: new Date(at(27)), status: 'done', epoch: given.epoch })
    const { input } = (await findJob(deps.db, next.state_job!))!
    expect(input).toMatchObject({ from: { job: given.state_job, issued: iso(at(26)) } })
  })

  test('members come in parts that workers share evenly', () => {
    const sizes = (count: number) => batchesOf(count).map(([first, end]) => end - first)
    expect(sizes(21)).toEqual([6, 5, 4, 3, 2, 1])
    expect(batchesOf(6)).toEqual([
      [0, 3],
      [3, 5],
      [5, 6],
    ])
    for (let count = 0; count < 60; count++)
      expect(sizes(count).reduce((sum, size) => sum + size, 0)).toBe(count)
  })

  test('the demonstration begins when its machine rests, when somebody looks, at the latest after a quarter of an hour, and goes on at once', async () => {
    let [seconds, load] = [100, 5]
    const machine = { uptimeS: () => seconds, load: () => load, cores: () => 2 }
    // A program at which nobody has looked yet.
    const db = deps.db.withoutPlugins()
    const waits = (id: string) => new Begins(db, machine).waits(id)
    expect(await waits('petit')).toBe(false)
    expect(await waits('autre')).toBe(true)
    load = 1
    expect(await waits('autre')).toBe(true)
    seconds = 240
    expect(await waits('autre')).toBe(false)
    load = 5
    expect(await waits('autre')).toBe(true)
    seconds = 900
    expect(await waits('autre')).toBe(false)
    ;[seconds, load] = [20, 5]
    expect(await waits('autre')).toBe(true)
    askToBegin(db)
    expect(await waits('autre')).toBe(false)
  })

  test('what the demonstration switched on goes when that is turned off; what a manager did stays', async () => {
    await switchOnDemonstration({ ...deps, config: testConfig({ DEMO_FLOODS: '0' }) })
    expect((await live()).id).toBe('petit')
    await deps.db.updateTable('flood_live').set({ by_demo: true }).execute()
    await switchOnDemonstration({ ...deps, config: testConfig({ DEMO_FLOODS: '0' }) })
    expect(await live()).toBeUndefined()
    expect(await deps.db.selectFrom('nowcast_window').selectAll().execute()).toEqual([])
  })

  test('switched off, what is under way ends and its jobs stay undone', async () => {
    const turn = (enabled: boolean) => call('boss', '/api/ahead/petit', 'PUT', { enabled })
    await turn(true)
    await cycle()
    await deps.db
      .updateTable('flood_cycle')
      .set({ issued: new Date(at(26) + 1) })
      .where('issued', '=', new Date(at(27)))
      .execute()
    await scheduler.round(await live(), false)
    await scheduler.round(await live(), false)
    await scheduler.endStopped()
    expect(await cycles().newest('petit')).toMatchObject({ issued: new Date(at(27)), status: 'state' })
    await turn(false)
    await scheduler.endStopped()
    const ended = (await cycles().newest('petit'))!
    expect(ended).toMatchObject({ status: 'failed', reason: 'La prévision a été arrêtée.' })
    expect(await work()).toBe(0)
    await deps.db.deleteFrom('flood_cycle').where('id', '=', ended.id).execute()
    await deps.db
      .updateTable('flood_cycle')
      .set({ issued: new Date(at(27)) })
      .where('issued', '=', new Date(at(26) + 1))
      .execute()
  })

  test('members go once they are put together, states after an hour, results after two days', async () => {
    await pruneCycles(deps.db, store.files, nowMs)
    const kept = await deps.db.selectFrom('flood_cycle').selectAll().orderBy('issued').execute()
    expect(kept.every(({ member_jobs }) => member_jobs.length === 0)).toBe(true)
    expect(kept.find(({ issued }) => issued.getTime() === at(8))!.state_job).not.toBeNull()
    const members = await deps.db.selectFrom('job').select('input').where('status', '=', 'done').execute()
    expect(members.some(({ input }) => (input as CycleInput).step === 'members')).toBe(false)
    await pruneCycles(deps.db, store.files, at(27) + KEPT_MS + 1)
    const left = await deps.db.selectFrom('flood_cycle').select(['issued', 'state_job']).execute()
    expect(left).toEqual([{ issued: new Date(at(27)), state_job: expect.any(String) }])
    expect((await deps.db.selectFrom('flood_score').selectAll().execute()).length).toBeGreaterThan(0)
  })

  test('a walk through what is stored reads states and results of cycles too', async () => {
    const { state_job } = (await cycles().newest('petit'))!
    // The frames of this test have no originals, which the walk tells of, too.
    const damagedStates = async () => {
      const { damaged } = await verifyAll({
        ...{ deps, store, repair: false, bytesPerSecond: Number.POSITIVE_INFINITY },
        signal: new AbortController().signal,
      })
      return damaged.filter((what) => what.includes(state_job!))
    }
    expect(await damagedStates()).toEqual([])
    const file = join((await store.files.folder(jobOutput(state_job!)))!, STATE_FILE)
    const bytes = await readFile(file)
    bytes[bytes.length >> 1] ^= 1
    await writeFile(file, bytes)
    expect(await damagedStates()).toHaveLength(1)
    // The next step does not go on from it.
    await expect(fileOf({ store }, state_job!, STATE_FILE)).rejects.toThrow(StoreCorruptError)
  })

  test('a dry town that the radar does not see is not told to stay dry', async () => {
    await call('boss', '/api/ahead/petit', 'PUT', { enabled: true })
    // Half a day later: nothing is seen, then a dry strip far from the town, then all.
    for (const [k, rows] of [
      [400, 0],
      [401, 1],
    ]) {
      await frame(k, 0, rows)
      await cycle()
      const found = await newest()
      expect(found).toMatchObject({ issued: iso(at(k)), dry: false, members: 0, alike: false, watch: [] })
      const inHour = found.times.filter((time) => Date.parse(time) <= at(k) + 3_600_000)
      expect(found.unknownShare.slice(0, inHour.length)).toEqual(inHour.map(() => 1))
      expect(found.rainMmH.every(({ value }) => value === 0)).toBe(true)
    }
    await frame(402, 0)
    await cycle()
    expect(await newest()).toMatchObject({ issued: iso(at(402)), dry: true })
  })

  test('a forecast since which the radar was silent is not held against a state without its rain', async () => {
    const scores = async () =>
      (await deps.db.selectFrom('flood_score').select('time').execute()).map(({ time }) => time.getTime())
    for (const k of [403, 412, 421]) {
      await frame(k, 90)
      await cycle()
    }
    expect((await newest()).missingShare).toBeGreaterThan(0.5)
    for (let k = 422; k < 430; k++) await frame(k, 90)
    await frame(430, 90)
    await cycle()
    expect(await newest()).toMatchObject({ issued: iso(at(430)), missingShare: 0 })
    // Half an hour after the one before in each case, once with the images between.
    expect((await scores()).filter((time) => time >= at(403))).toEqual([at(430)])
  })

  test('a wet town under a dry sky has no members, as they would be alike; one without a forecast of them is told so', async () => {
    await frame(431, 0)
    await cycle()
    expect(await newest()).toMatchObject({ issued: iso(at(431)), dry: false, members: 0, alike: true })
    // Nothing was seen: nobody knows what comes.
    await frame(432, 0, 0)
    await cycle()
    expect(await newest()).toMatchObject({ issued: iso(at(432)), dry: false, members: 0, alike: false })
  })
})
