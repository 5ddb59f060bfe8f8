import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Nowcast,
  type NowcastFan,
  nowcastFanSchema,
  nowcastMotionSchema,
  nowcastPlaceSchema,
  nowcastSchema,
  nowcastScoresSchema,
} from '@radx/contracts'
import { showers } from '@radx/motion/testing/weather'
import { ClassBundleDecoder, cellOf, encodeRates, intensityClass, unpackClassBlock } from '@radx/rainfall'
import type { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import type { JobKind } from '../jobs/kind.ts'
import { createQueues, JobQueue, startBoss } from '../jobs/queue.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { commitFrames } from '../store/commit-frames.ts'
import type { PackName } from '../store/frame-store.ts'
import type { FsFrameStore } from '../store/fs-frame-store.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { Verifier } from '../store/verify.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { KeptForecasts } from './kept/kept-forecasts.ts'
import { pruneForecasts, sweepForecasts } from './kept/prune.ts'
import { verifyForecasts } from './kept/verify.ts'
import { ForecastCycle } from './live/keeper.ts'
import { kmPerCell } from './made/issue.ts'
import { momentJob } from './replay-job.ts'
import { registerNowcast } from './routes.ts'
import { ScoreStore } from './scores/score-store.ts'
import { chanceOf } from './scores/sums.ts'

const steps = 48
const START = Date.parse('2026-06-15T08:00:00Z')
const minutes = Array.from({ length: 80 }, (_, k) => k * 3.5)
const NEWEST = START + minutes[79] * 60_000
/** Tokens and the dates of their accounts. */
const sessions: Record<string, Session['restriction']> = {
  free: null,
  other: null,
  greedy: null,
  bound: { start: new Date(NEWEST - 60_000), end: new Date(NEWEST + 60_000) },
}
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

describe('calls about the forecast', () => {
  let database: TestDatabase
  let app: App
  let dataDir: string
  let deps: Deps
  let store: Store
  let cycle: ForecastCycle
  let product: StoredProduct
  let boss: PgBoss
  // Rain that moves 0.2 cells a minute to the east.
  const frames = showers({ nrows: steps, ncols: steps }, [0.2, 0.05], [...minutes, minutes[79] + 30], 12)

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-nowcast-'))
    deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir }),
      database: handleOf(database),
      site: smallSite(),
      catchments: smallCatchments(),
      clock: { now: () => NEWEST + 60_000 },
      sessions: {
        resolve: async (token) =>
          token in sessions ? { userId: token, name: token, roles: [], restriction: sessions[token] } : null,
      },
    })
    store = await storeOf(deps)
    cycle = new ForecastCycle(deps, store)
    product = store.catalog.products.get('sri')!
    const weights = zoneWeights(product, store.catalog.zones)
    await commitFrames(
      store.context,
      minutes.map((minute, k) => ({
        frame: prepareFrame(encodeRates(frames[k].rateMmH), weights, {
          product: 'sri',
          timeMs: START + minute * 60_000,
          version: '5.43.11',
          name: 'SRI',
          sensor: { name: 'X', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
        }),
        source: sourceFile(String(minute)),
      })),
    )
    boss = await startBoss(deps.database, deps.log)
    const kinds = [momentJob] as unknown as JobKind[]
    await createQueues(boss, kinds)
    // Nobody works: orders stay as they came.
    const queue = new JobQueue(deps.db, boss, kinds, () => new Date())
    deps.jobs = { queue: () => queue, starting: () => false }
    app = await createApp(deps, { features: [registerNowcast], webDir: dataDir })
  })
  afterAll(async () => {
    await cycle?.close()
    await app?.close()
    await boss?.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('the forecast starts from the newest frame of the widest product, and says how far it was good', async () => {
    const answer = await app.inject('/api/nowcast')
    expect(answer.statusCode, answer.body).toBe(200)
    const about: Nowcast = nowcastSchema.parse(answer.json())
    expect(about).toMatchObject({ product: 'sri', issued: iso(NEWEST), reason: null })
    expect(about.times[5]).toBe(iso(NEWEST + 30 * 60_000))
    // This rain only moves.
    expect(about.horizonMin).toBeGreaterThanOrEqual(30)
    expect(about.skill[0].csi).toBeGreaterThan(0.8)
  })

  test('its pictures show the rain where it will be, and are missing where nothing upstream was seen', async () => {
    const { rawPayload } = await app.inject('/api/nowcast/frames')
    const decoder = new ClassBundleDecoder()
    const shown = [...decoder.push(new Uint8Array(rawPayload))]
    expect(decoder.header?.times[0]).toBe(iso(NEWEST))
    const at30 = unpackClassBlock(shown[6].block, steps)
    const truth = frames[80].rateMmH
    let [right, wet, missing] = [0, 0, 0]
    for (let i = 0; i < at30.length; i++) {
      if (at30[i] === 15) missing++
      else if (at30[i] > 0 || intensityClass(truth[i]) > 0) {
        wet++
        if (at30[i] > 0 && intensityClass(truth[i]) > 0) right++
      }
    }
    expect(right / wet).toBeGreaterThan(0.75)
    expect(missing).toBeGreaterThanOrEqual(5 * steps)
    for (let row = 0; row < steps; row++) expect(at30[row * steps]).toBe(15)
  })

  test('a place is told when rain comes or ends', async () => {
    const answer = await app.inject('/api/nowcast/place?lat=48.5&lng=2.5')
    const place = nowcastPlaceSchema.parse(answer.json())
    expect(place.classes[0].leadMin).toBe(0)
    const first = place.classes.find((lead) => (lead.class ?? 0) > 0)
    expect(place.rainInMin).toBe(first?.leadMin ?? null)
    const outside = nowcastPlaceSchema.parse((await app.inject('/api/nowcast/place?lat=45&lng=2.5')).json())
    expect(outside.classes.every((lead) => lead.class === null)).toBe(true)
    expect(outside.rainInMin).toBeNull()
  })

  test('a forecast of the last three hours is everyone’s; an older one is not', async () => {
    const live = await app.inject(`/api/nowcast?issued=${iso(NEWEST - 3_600_000)}`)
    expect(live.json().issued).toBe(
      iso(START + minutes.findLast((minute) => START + minute * 60_000 <= NEWEST - 3_600_000)! * 60_000),
    )
    expect((await app.inject(`/api/nowcast?issued=${iso(START + 600_000)}`)).statusCode).toBe(401)
    // A moment of the last three hours whose newest frame lies before them.
    const edge = `/api/nowcast?issued=${iso(NEWEST - 3 * 3_600_000 + 1_000)}`
    expect((await app.inject(edge)).statusCode).toBe(401)
    expect((await app.inject({ url: edge, ...as('free') })).statusCode).toBe(200)
  })

  describe('one moment ordered by a reader', () => {
    const at = NEWEST - 4 * 3_600_000
    const order = (token: string | null, payload: object) =>
      app.inject({
        method: 'POST',
        url: '/api/job/nowcast/moment',
        payload,
        ...(token === null ? {} : as(token)),
      })

    test('it becomes a job of its own; a second one waits for the first, and others do not', async () => {
      expect((await order(null, { issued: iso(at) })).statusCode).toBe(401)
      const job = await order('free', { issued: iso(at), members: false })
      expect(job.statusCode, job.body).toBe(200)
      // The newest frame at or before the moment.
      const frame = Math.max(...minutes.map((minute) => START + minute * 60_000).filter((ms) => ms <= at))
      expect(job.json()).toMatchObject({
        kind: 'nowcast-moment',
        status: 'pending',
        input: { product: 'sri', members: false },
      })
      expect(Date.parse(job.json().input.issued)).toBe(frame)
      expect((await order('free', { issued: iso(at) })).json().code).toBe('job.tooMany')
      expect((await order('other', { issued: iso(at) })).statusCode).toBe(200)
      const cancelled = await deps.jobs.queue().cancel(job.json().id, { name: 'free', isManager: false })
      expect(cancelled.status).toBe('error')
      expect((await order('free', { issued: iso(START - 3_600_000) })).statusCode).toBe(404)
    })

    test('neither call nor order shows a frame before the account’s dates, though it is the newest before the moment', async () => {
      // Dates begin between two frames.
      const from = START + minutes[10] * 60_000 + 60_000
      sessions.late = { start: new Date(from), end: null }
      expect((await order('late', { issued: iso(from) })).json().code).toBe('auth.period')
      const asked = await app.inject({ url: `/api/nowcast?issued=${iso(from)}`, ...as('late') })
      expect(asked.json().code).toBe('auth.period')
      const next = iso(START + minutes[11] * 60_000)
      expect((await app.inject({ url: `/api/nowcast?issued=${next}`, ...as('late') })).statusCode).toBe(200)
      expect((await order('late', { issued: next })).statusCode).toBe(200)
    })

    test('an account that orders moment after moment is told to wait', async () => {
      const tries = Array.from({ length: 25 }, () => order('greedy', { issued: iso(at) }))
      const codes = (await Promise.all(tries)).map((answer) => answer.json().code)
      expect(codes).toContain('request.tooMany')
    })

    test('it is made and kept without touching scores; cancelled between its parts, it keeps what was made', async () => {
      const timeMs = START + minutes[70] * 60_000
      const stop = new AbortController()
      expect(await cycle.remake(product, timeMs, false, stop.signal)).toBe(true)
      const kept = new KeptForecasts(deps.db, store.frames)
      expect(await kept.find(product, timeMs)).toMatchObject({ reason: null, members: 0 })
      expect(await new ScoreStore(deps.db).between(product, { startMs: 0, endMs: NEWEST + 1 })).toEqual([])
      stop.abort()
      await expect(cycle.remake(product, timeMs, true, stop.signal)).rejects.toThrow()
      expect(await kept.find(product, timeMs)).toMatchObject({ members: 0 })
      expect(await cycle.remake(product, timeMs, true, new AbortController().signal)).toBe(true)
      const row = (await kept.find(product, timeMs))!
      expect(row.members).toBe(20)
      // What is there is not made again.
      expect(await cycle.remake(product, timeMs, true, stop.signal)).toBe(true)
      expect(await cycle.remake(product, timeMs + 1, true, stop.signal)).toBe(false)
      await kept.forget(product, row)
    })
  })

  describe('kept as its frame came', () => {
    const before: Record<string, Buffer> = {}
    let pixel: NowcastFan
    let fan: NowcastFan
    const query = `issued=${iso(NEWEST)}`
    const chances = `/api/nowcast/chances?above=0.4&${query}`
    const point = 'lat=48.5&lng=2.5'
    beforeAll(async () => {
      before.frames = (await app.inject(`/api/nowcast/frames?${query}`)).rawPayload
      before.chances = (await app.inject({ url: chances, ...as('free') })).rawPayload
      pixel = (await app.inject({ url: `/api/nowcast/pixel?${query}&${point}`, ...as('free') })).json()
      fan = (await app.inject({ url: `/api/nowcast/fan?c=melun&${query}`, ...as('free') })).json()
      expect((await app.inject(chances)).json().code).toBe('nowcast.noMembers')
      for (const [k, minute] of minutes.entries())
        if (k >= 60) await cycle.follow(product, START + minute * 60_000, k % 5 === 0 || k === 79)
    })

    test('it is the forecast that anyone gets who has the moment forecast again, members included', async () => {
      expect((await app.inject('/api/nowcast')).json()).toMatchObject({ origin: 'stored', members: 20 })
      expect((await app.inject(`/api/nowcast/frames?${query}`)).rawPayload.equals(before.frames)).toBe(true)
      const open = await app.inject(chances)
      expect(open.headers['cache-control']).toMatch(/public/)
      expect(open.rawPayload.equals(before.chances)).toBe(true)
      const again = await app.inject({ url: `/api/nowcast/pixel?${query}&${point}`, ...as('free') })
      expect(again.json().values).toEqual(pixel.values)
      expect((await app.inject(`/api/nowcast/fan?c=melun&${query}`)).json().values).toEqual(fan.values)
    })

    test('probabilities fall with the threshold, and are missing where half of the members saw nothing', async () => {
      const [low, high] = await Promise.all(
        [0.4, 3].map(async (above) => {
          const { rawPayload } = await app.inject(`/api/nowcast/chances?above=${above}`)
          const decoder = new ClassBundleDecoder()
          const blocks = [...decoder.push(new Uint8Array(rawPayload))].map(({ block }) =>
            unpackClassBlock(block, steps),
          )
          expect(decoder.header).toMatchObject({
            chance: { aboveMmH: above, members: 20 },
            forecast: { issued: iso(NEWEST) },
          })
          return blocks
        }),
      )
      let some = 0
      low.forEach((block, lead) => {
        block.forEach((tenth, i) => {
          expect(high[lead][i] === 15).toBe(tenth === 15)
          if (tenth === 15) return
          if (tenth > 0 && tenth < 10) some++
          if (tenth > 10 || high[lead][i] > tenth) throw new Error(`${tenth} ${high[lead][i]}`)
        })
      })
      expect(some).toBeGreaterThan(100)
      const last = low[low.length - 1]
      for (let row = 0; row < steps; row++) expect(last[row * steps]).toBe(15)
    })

    test('a fan opens round what is forecast; exact values are for accounts, within their dates', async () => {
      const fan = nowcastFanSchema.parse((await app.inject('/api/nowcast/fan?c=melun')).json())
      expect(fan.values[0]).toMatchObject({ leadMin: 0, p10: null })
      for (const { p10, p50, p90 } of fan.values.slice(1))
        if (p10 !== null) expect(p10 <= p50! && p50! <= p90!).toBe(true)
      expect(fan.values.slice(1, 6).some(({ p10, p90 }) => p10 !== null && p90! > p10)).toBe(true)
      const pixel = `/api/nowcast/pixel?${point}`
      expect((await app.inject(pixel)).statusCode).toBe(401)
      expect((await app.inject({ url: pixel, ...as('bound') })).json().code).toBe('auth.period')
      const inside = await app.inject({ url: pixel, ...as('free') })
      expect(inside.headers['cache-control']).toMatch(/private/)
      const values = nowcastFanSchema.parse(inside.json()).values
      const { row, col } = cellOf(product, { lat: 48.5, lng: 2.5 })!
      expect(values[0].mmH).toBeCloseTo(frames[79].rateMmH[row * steps + col], 2)
      const outside = await app.inject({ url: '/api/nowcast/pixel?lat=45&lng=2.5', ...as('free') })
      for (const value of nowcastFanSchema.parse(outside.json()).values)
        expect(value).toMatchObject({ mmH: null, p10: null, p50: null, p90: null })
      expect((await app.inject('/api/nowcast/chances?above=2')).statusCode).toBe(400)
    })

    test('arrows point where the rain goes', async () => {
      const { arrows } = nowcastMotionSchema.parse((await app.inject('/api/nowcast/motion')).json())
      expect(arrows.length).toBeGreaterThan(5)
      const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]
      const kmHour = 60 * kmPerCell(product)
      expect(median(arrows.map(({ eastKmH }) => eastKmH))).toBeCloseTo(0.2 * kmHour, -1)
      expect(median(arrows.map(({ northKmH }) => northKmH))).toBeCloseTo(-0.05 * kmHour, -1)
    })

    test('each frame scores the forecasts made for it', async () => {
      const scores = await new ScoreStore(deps.db).between(product, { startMs: NEWEST, endMs: NEWEST + 1 })
      expect(scores.map(({ lead_min }) => lead_min)).toEqual([
        5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65,
      ])
      expect(scores.filter(({ chances: counted }) => counted !== null).length).toBeGreaterThan(1)
      for (const { forecast, persistence, chances: counted } of scores) {
        // The same cells; rain that only moves is met far better when it is moved.
        expect(persistence[0]).toBe(forecast[0])
        expect(forecast[1]).toBeLessThan(0.6 * persistence[1])
        if (counted) expect(chanceOf(counted, 0).cells).toBeGreaterThan(0)
      }
    })

    test('scores of a period say by lead what forecasts were worth, against persistence, also as CSV', async () => {
      const period = `s=${iso(NEWEST - 3_600_000)}&e=${iso(NEWEST + 1000)}`
      const scores = nowcastScoresSchema.parse(
        (await app.inject({ url: `/api/nowcast/scores?${period}`, ...as('free') })).json(),
      )
      expect(scores).toMatchObject({ product: 'sri', frames: 18, thresholdsMmH: [0.1, 0.4, 1, 3, 10] })
      for (const { forecast, persistence } of scores.leads)
        expect(forecast.csi[2]!).toBeGreaterThan(persistence.csi[2]!)
      expect(scores.leads.find(({ leadMin }) => leadMin === 30)!.brier[0]).toBeLessThan(0.1)
      expect(scores.horizonMin).toBeGreaterThanOrEqual(30)
      const [light] = scores.reliability
      expect(light.thresholdMmH).toBe(0.4)
      expect(light.bins[10].seen).toBeGreaterThan(0.9)
      expect(light.bins[0].seen).toBeLessThan(0.1)
      const csv = await app.inject({ url: `/api/nowcast/scores.csv?${period}`, ...as('free') })
      const lines = csv.body
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('#'))
      expect(lines).toHaveLength(1 + 2 * 5 * scores.leads.length)
      expect(lines[1]).toMatch(/^5;prevision;0,1;/)
      expect((await app.inject(`/api/nowcast/scores?${period}`)).statusCode).toBe(401)
    })

    test('a horizon does not end where scores only begin: leads that were not scored yet are tried on the archive', async () => {
      const atMs = NEWEST - 10 * 60_000
      const tables = new ScoreStore(deps.db)
      const before = await tables.between(product, { startMs: 0, endMs: NEWEST + 1 })
      const only5 = before.filter(({ lead_min, time }) => lead_min === 5 && time.getTime() < atMs)
      await deps.db.deleteFrom('nowcast_score').execute()
      await deps.db
        .insertInto('nowcast_score')
        .values(only5.map((row) => ({ ...row, product_id: product.id })))
        .execute()
      try {
        const issued = iso(atMs)
        const answer = await app.inject({ url: `/api/nowcast?issued=${issued}`, ...as('free') })
        const about = nowcastSchema.parse(answer.json())
        expect(about.skill[0].leadMin).toBe(5)
        expect(about.skill.length).toBeGreaterThan(5)
        expect(about.horizonMin).toBeGreaterThanOrEqual(30)
      } finally {
        await deps.db.deleteFrom('nowcast_score').execute()
        await deps.db
          .insertInto('nowcast_score')
          .values(before.map((row) => ({ ...row, product_id: product.id })))
          .execute()
      }
    })

    test('bytes that were damaged are found, and nobody is given them', async () => {
      const kept = new KeptForecasts(deps.db, store.frames)
      const row = (await kept.find(product, NEWEST))!
      const second = (NEWEST - Date.parse(`${iso(NEWEST).slice(0, 10)}T00:00:00Z`)) / 1000
      const path = join(dataDir, 'store', 'sri', '2026', `2026-06-15.g${second}.forecast`)
      const bytes = await readFile(path)
      bytes[bytes.length - 20] ^= 1
      await writeFile(path, bytes)
      const fresh = await createApp(deps, { features: [registerNowcast], webDir: dataDir })
      const again = await fresh.inject(`/api/nowcast/frames?${query}`)
      await fresh.close()
      expect(again.rawPayload.equals(before.frames)).toBe(true)
      const walk = async (repair: boolean) => {
        const verifier = new Verifier({
          repair,
          signal: new AbortController().signal,
          bytesPerSecond: Number.POSITIVE_INFINITY,
        })
        await verifyForecasts(deps.db, store, verifier, deps.clock)
        return verifier.report
      }
      expect((await kept.check(product, row)).sound).toBe(false)
      expect((await walk(false)).damaged).toEqual([expect.stringMatching(/^prévision sri du 2026-06-15/)])
      expect(await walk(true)).toMatchObject({ repaired: 1, damagedCount: 0 })
      expect(await kept.find(product, NEWEST)).toBeNull()
      expect(await walk(false)).toMatchObject({ damagedCount: 0, checked: 23 })
    })

    test('files that a crash left without a row go, by themselves and in a repair; those on their way stay', async () => {
      const name = (generation: number): PackName => ({
        product: 'sri',
        day: '2026-06-14',
        kind: 'forecast',
        generation,
      })
      const path = (file: PackName) => (store.frames as FsFrameStore).path(file)
      const put = async (file: PackName, hoursAgo: number) => {
        await store.frames.put(file, [new Uint8Array(10)])
        const then = deps.clock.now() / 1000 - hoursAgo * 3_600
        await utimes(path(file), then, then)
      }
      const here = async () => {
        const all: string[] = []
        for await (const { name: found } of store.frames.issued('sri'))
          all.push(`${found.day} ${found.generation}`)
        return all.filter((key) => key.startsWith('2026-06-14'))
      }
      const rows = await deps.db.selectFrom('nowcast').select('issued').where('reason', 'is', null).execute()
      await put(name(100), 3)
      await put(name(200), 0.5)
      // Stopped while it was written.
      await put(name(300), 3)
      await rename(path(name(300)), `${path(name(300))}.part`)
      expect(await here()).toHaveLength(3)
      expect(await sweepForecasts(deps, store)).toBe(2)
      expect(await here()).toEqual(['2026-06-14 200'])
      await put(name(200), 3)
      const verifier = new Verifier({
        repair: true,
        signal: new AbortController().signal,
        bytesPerSecond: Number.POSITIVE_INFINITY,
      })
      await verifyForecasts(deps.db, store, verifier, deps.clock)
      expect(verifier.report).toMatchObject({ repaired: 1, damagedCount: 0 })
      expect(await here()).toEqual([])
      // What rows know of is there, however old.
      const old = { ...deps, clock: { now: () => Date.now() + 86_400_000 } }
      expect(await sweepForecasts(old, store)).toBe(0)
      expect(rows.length).toBeGreaterThan(10)
      for (const { issued } of rows) {
        const row = (await new KeptForecasts(deps.db, store.frames).find(product, issued.getTime()))!
        expect((await new KeptForecasts(deps.db, store.frames).check(product, row)).sound).toBe(true)
      }
    })

    test('the forecast of the newest frame is waited for while somebody makes forecasts, and not made twice', async () => {
      const kept = new KeptForecasts(deps.db, store.frames)
      const forget = () => deps.db.deleteFrom('nowcast').where('issued', '=', new Date(NEWEST)).execute()
      await forget()
      // A call is sent once somebody waits for it.
      const asked = app.inject(`/api/nowcast?issued=${iso(NEWEST)}`).then((answer) => answer)
      await sleep(300)
      // It can be told from one that is made for the call.
      await kept.savePictures(product, NEWEST, { reason: 'dry', leadsMin: [], zoneMean: [], parts: [] })
      expect((await asked).json()).toMatchObject({ issued: iso(NEWEST), reason: 'dry' })

      await forget()
      const long = new Date(Date.now() - 3_600_000)
      await deps.db.updateTable('nowcast').set({ made_at: long }).execute()
      const alone = await app.inject(`/api/nowcast?issued=${iso(NEWEST)}`)
      expect(alone.json()).toMatchObject({ issued: iso(NEWEST), reason: null })
    })

    test('forecasts go after their days, and what they were worth stays', async () => {
      const row = await deps.db
        .selectFrom('nowcast')
        .select('issued')
        .where('members', '>', 0)
        .executeTakeFirstOrThrow()
      // Made again without its members, whose file is still there.
      await cycle.follow(product, row.issued.getTime(), false)
      const later = { ...deps, clock: { now: () => Math.max(Date.now(), NEWEST) + 14 * 86_400_000 } }
      expect(await pruneForecasts(later, store, false)).toBe(19)
      expect(await readdir(join(dataDir, 'store', 'sri', '2026'))).not.toContainEqual(
        expect.stringMatching(/forecast|members/),
      )
      const { length } = await new ScoreStore(deps.db).between(product, { startMs: START, endMs: NEWEST + 1 })
      expect(length).toBeGreaterThan(100)
    })
  })
})
