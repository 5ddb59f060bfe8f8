import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROLE_MANAGER } from '@radx/contracts'
import { type Anchor, Demo } from '@radx/demo'
import { demoCatchment } from '@radx/demo/catchment/package'
import { radarFile } from '@radx/demo/radar-files'
import type { Pool } from 'pg'
import { loadSite } from '../apps/server/src/config/site.ts'
import { openDatabase } from '../apps/server/src/db/database.ts'
import { createLogger } from '../apps/server/src/log.ts'
import { type CallFigures, visit } from '../tests/load/visitors.ts'
import type { BenchResult } from '../tools/bench.ts'
import { type BenchServer, startBenchServer } from './radx-server.ts'

const MINUTE_MS = 60_000
const PRODUCT = 'dpsri'
const CATCHMENT = 'melun'
/** Frames of so long are there when the first cycle begins, ms. */
const BEFORE_MS = 50 * MINUTE_MS
/** From the weather before to the next one, ms: nothing of it is followed into that. */
const APART_MS = 100 * MINUTE_MS
/** A cycle that does not end is given up, ms. */
const PATIENCE_MS = 12 * MINUTE_MS
/** Pipes with a rule each, in the hope that one runs full first in the next forecast. */
const WATCHED = 40
const VISITORS = { live: 60, archive: 6, arriveMs: 5_000, livePauseMs: 8_000, archivePauseMs: 8_000 }
/** Cycles of each weather; `RADX_BENCH_CYCLES=4,4,3` makes fewer. */
const [DRY, LIGHT, STORM] = (process.env.RADX_BENCH_CYCLES ?? '10,8,8').split(',').map(Number)

interface Weather {
  name: string
  aim: string
  cycles: number
  /** Of the demonstration's weather, what is anchored so that it is over the town at a moment. */
  anchor(atMs: number, town: NonNullable<Anchor['storm']>): Anchor
  /** What is taken of its rain. */
  factor: number
}

/** Dry first: a town that was wet is looked after for hours. */
const WEATHERS: readonly Weather[] = [
  {
    ...{ name: 'dry town', aim: '≤ 2 s', cycles: DRY, factor: 0 },
    anchor: (atMs) => ({ atMs, storm: null }),
  },
  {
    ...{ name: 'light rain', aim: '≤ 30 s', cycles: LIGHT, factor: 1 },
    // The first front's line passes the radar twelve minutes before the anchor.
    anchor: (atMs) => ({ atMs: atMs + 50 * MINUTE_MS, storm: null }),
  },
  {
    ...{ name: 'storm', aim: '≤ 120 s', cycles: STORM, factor: 1 },
    // The storm is over its place six and a half hours before the anchor: here a quarter of an hour after the first cycle.
    anchor: (atMs, storm) => ({ atMs: atMs + 405 * MINUTE_MS, storm }),
  },
]

/** What a cycle took, s. */
interface Seen {
  /** From the frame's commit and from its forecast of rain to the end. */
  fromFrame: number
  fromForecast: number
  forecast: number
  stages: Record<string, number>
  processor: number
  members: number
  rainMm: number
  /** From the frame's commit to the alert of a rule on its rain, and from the cycle's end to that of one on a pipe that is news. */
  alerts: { rain: number | null; flood: number | null }
  /** What ended it without an answer. */
  failed: string | null
}

/**
 * Flood cycles of the whole product on the demonstration's town, one after the other in dry weather, light rain and a storm,
 * while visitors look at the site. The program's clock is moved on to each next frame, so that nothing waits for it.
 */
export async function run(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'radx-bench-ahead-'))
  const clock = join(folder, 'ahead')
  writeFileSync(clock, '0')
  const server = await startBenchServer(
    {
      NODE_OPTIONS: `--import=${new URL('./later.js', import.meta.url).href}`,
      RADX_BENCH_AHEAD: clock,
      QUOTA_ALERTS: '1000',
    },
    ['--role', ROLE_MANAGER],
  )
  const log = createLogger('silent')
  const database = await openDatabase({ databaseUrl: null, dataDir: server.dataDir }, { log })
  try {
    const catchment = join(folder, 'catchment')
    mkdirSync(catchment)
    for (const [name, text] of demoCatchment()) writeFileSync(join(catchment, name), text)
    await server.radx('catchment', 'import', catchment)
    await server.call(`/api/ahead/${CATCHMENT}`, {
      method: 'PUT',
      ...{ headers: { 'content-type': 'application/json' }, body: JSON.stringify({ enabled: true }) },
    })
    return await weathers(new Bench(server, database.pool, clock))
  } finally {
    await database.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function weathers(bench: Bench): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  for (const [k, weather] of WEATHERS.entries()) {
    const demo = await bench.begin(weather, k * APART_MS)
    const visits = bench.visits()
    const seen: Seen[] = []
    for (let n = 0; n < weather.cycles; n++) {
      const one = await bench.cycle(demo, weather)
      if (process.env.RADX_BENCH_TOLD) console.log(weather.name, JSON.stringify(one))
      seen.push(one)
    }
    const figures = await visits.end()
    results.push(...resultsOf(weather, seen), visitorsOf(weather, figures))
  }
  return results
}

class Bench {
  private readonly server: BenchServer
  private readonly pool: Pool
  private readonly clock: string
  private lastMs = 0
  /** Pipes that the last cycle had no danger for: what the next one says of them is news. */
  private calm: string[] = []
  private aheadMs = 0

  constructor(server: BenchServer, pool: Pool, clock: string) {
    this.server = server
    this.pool = pool
    this.clock = clock
  }

  /** Brings the frames before the first cycle, and waits for the one that follows them. */
  async begin({ anchor, factor }: Weather, aheadMs: number): Promise<Demo> {
    const { site, catchments } = await loadSite(resolve(import.meta.dirname, '../site'))
    const { ul, lr } = catchments.get(site.defaultCatchment!)!.bounds
    const nowMs = Date.now() + aheadMs
    const demo = new Demo(site, {
      anchor: anchor(nowMs, { lat: (ul.lat + lr.lat) / 2, lng: (ul.lng + lr.lng) / 2 }),
    })
    const instants = demo.radarInstants(PRODUCT, nowMs - BEFORE_MS, nowMs)
    this.setClock(nowMs)
    for (const instant of instants.slice(0, -1)) this.write(demo, instant, factor)
    await this.untilStored(instants[instants.length - 2])
    this.lastMs = instants[instants.length - 2]
    await this.cycle(demo, { factor })
    return demo
  }

  /** The next frame, and its cycle. */
  async cycle(demo: Demo, { factor }: Pick<Weather, 'factor'>): Promise<Seen> {
    const [instant] = demo.radarInstants(PRODUCT, this.lastMs + 1, this.lastMs + 60 * MINUTE_MS)
    const rules = factor === 0 ? null : await this.rules()
    this.lastMs = instant
    this.setClock(instant + 4_000)
    const processor = this.processor()
    this.write(demo, instant, factor)
    await this.untilStored(instant)
    const storedAt = performance.now()
    const storedMs = Date.now() + this.aheadMs
    let forecastAt = storedAt
    let [stage, since] = ['begin', storedAt]
    const stages: Record<string, number> = {}
    while (performance.now() - storedAt < PATIENCE_MS) {
      const { rows } = await this.pool.query(
        `select c.status, c.reason, c.members, c.dry, c.finished_at, n.made
         from (select bool_or(members > 0 or reason is not null) as made from nowcast where issued = $1) n
         left join flood_cycle c on c.issued = $1`,
        [new Date(instant)],
      )
      const now = performance.now()
      const [row] = rows
      if (row?.made && forecastAt === storedAt) forecastAt = now
      const status = row?.status ?? (row?.made ? 'found' : 'begin')
      if (status !== stage) {
        stages[stage] = round((now - since) / 1000)
        ;[stage, since] = [status, now]
      }
      if (status === 'done' || status === 'failed') {
        const used = round(this.processor() - processor)
        const alerts = {
          rain: rules && (await this.alert(rules.rain, storedMs)),
          flood: rules && status === 'done' ? await this.news(rules.floods, instant, row.finished_at) : null,
        }
        return {
          fromFrame: round((now - storedAt) / 1000),
          fromForecast: round((now - forecastAt) / 1000),
          forecast: round((forecastAt - storedAt) / 1000),
          stages,
          processor: used,
          alerts,
          members: row.members,
          rainMm: row.dry || status === 'failed' ? 0 : await this.rainMm(instant),
          failed: status === 'failed' ? row.reason : null,
        }
      }
      await sleep(25)
    }
    throw new Error(`no cycle for ${new Date(instant).toISOString()}: ${stage}`)
  }

  /** Visitors from now on. */
  visits() {
    const { url, session } = this.server
    const stayMs = 3_600_000
    const stop = new AbortController()
    const newest = () => new Date(this.lastMs).toISOString()
    const [start, end] = [new Date(this.lastMs - BEFORE_MS).toISOString(), newest()]
    const plan = { ...VISITORS, url, token: session.token, assets: [], stayMs, start, end, newest }
    const visiting = visit(plan, stop.signal)
    return {
      end: async (): Promise<CallFigures[]> => {
        stop.abort()
        return (await visiting).figures
      },
    }
  }

  private setClock(nowMs: number): void {
    this.aheadMs = Math.round(nowMs - Date.now())
    writeFileSync(`${this.clock}.part`, String(this.aheadMs))
    renameSync(`${this.clock}.part`, this.clock)
  }

  private write(demo: Demo, instant: number, factor: number): void {
    const inbox = join(this.server.dataDir, 'inbox')
    const product = demo.site.products.find(({ shortName }) => shortName === PRODUCT)!
    const field = demo.rateField(PRODUCT, instant).map((rate) => rate * factor)
    const { name, bytes } = radarFile(demo.site, product, instant, field)
    writeFileSync(join(inbox, `.${name}.part`), bytes)
    renameSync(join(inbox, `.${name}.part`), join(inbox, name))
  }

  private async untilStored(instant: number): Promise<void> {
    const at = new Date(instant)
    for (const end = performance.now() + MINUTE_MS; performance.now() < end; await sleep(25)) {
      const { rowCount } = await this.pool.query('select 1 from radar_frame where time = $1', [at])
      if (rowCount) return
    }
    throw new Error(`the frame of ${at.toISOString()} was not stored`)
  }

  /** A rule on the next frame's rain, and some on pipes that may run full. */
  private async rules(): Promise<{ rain: string; floods: Map<string, string> }> {
    const add = async (measure: object): Promise<string> => {
      const body = {
        ...{ name: 'Banc', measure, threshold: 0.01, clear: 0.01, minMinutes: 0, severity: 'info' },
        ...{ escalateMin: null, enabled: true },
      }
      const { id } = await this.server.call<{ id: string }>('/api/alerts/rules', {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      })
      return id
    }
    const place = { kind: 'zone', catchment: CATCHMENT, subcatchment: null }
    const rain = await add({ kind: 'rain-rate', product: PRODUCT, place })
    const floods = new Map<string, string>()
    for (const name of this.calm)
      floods.set(name, await add({ kind: 'flood-link', catchmentId: CATCHMENT, name, withinMin: 60 }))
    return { rain, floods }
  }

  /** How long after a moment of the program's clock a rule's alert was raised, s; null when none was, or one before. */
  private async alert(rule: string, sinceMs: number): Promise<number | null> {
    for (const end = performance.now() + 12_000; performance.now() < end; await sleep(25)) {
      const { rows } = await this.pool.query('select raised_at from alert where rule_id = $1', [rule])
      if (rows.length === 0) continue
      const seconds = round((rows[0].raised_at.getTime() - sinceMs) / 1000)
      return seconds < 0 ? null : seconds
    }
    return null
  }

  /** How long after the end of a cycle the alert of a pipe was raised that was calm before, s; null where there is none. */
  private async news(
    floods: ReadonlyMap<string, string>,
    instant: number,
    finishedAt: Date,
  ): Promise<number | null> {
    const asked = `issued=${new Date(instant).toISOString()}`
    type Links = { links: { name: string; percent?: number[] }[] }
    const { links: all } = await this.server.call<Links>(`/api/ahead/${CATCHMENT}/network?${asked}`)
    const { links } = await this.server.call<Links>(`/api/ahead/${CATCHMENT}/cycle?${asked}`)
    const inDanger = new Set(links.map(({ name }) => name))
    const calm = all.map(({ name }) => name).filter((name) => !inDanger.has(name))
    this.calm = calm.filter((_, k) => k % Math.ceil(calm.length / WATCHED) === 0)
    const fills = links.find(
      ({ name, percent }) => floods.has(name) && percent?.slice(0, 12).some((chance) => chance > 0),
    )
    return fills ? this.alert(floods.get(fills.name)!, finishedAt.getTime()) : null
  }

  /** Mean rain over the town of the hour that was forecast, mm. */
  private async rainMm(instant: number): Promise<number> {
    const issued = new Date(instant).toISOString()
    const { rainMmH } = await this.server.call<{ rainMmH: { value: number }[] }>(
      `/api/ahead/${CATCHMENT}/cycle?issued=${issued}`,
    )
    return round(rainMmH.reduce((sum, { value }) => sum + value / 12, 0))
  }

  /** Processor time of the program with its threads, s; its database is not in it. */
  private processor(): number {
    const fields = readFileSync(`/proc/${this.server.pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
}

const round = (value: number): number => Math.round(value * 100) / 100
const at = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]

function resultsOf({ name, aim }: Weather, seen: Seen[]): BenchResult[] {
  const ended = seen.filter(({ failed }) => failed === null)
  const of = (key: 'fromFrame' | 'fromForecast' | 'forecast' | 'processor' | 'rainMm') =>
    ended.map((one) => one[key])
  const members = ended.map((one) => one.members)
  const note = `median ${at(of('fromFrame'), 0.5)} s; ${ended.length} of ${seen.length} ended, ${Math.min(...members)} to ${Math.max(...members)} members; ${Math.min(...of('rainMm'))} to ${Math.max(...of('rainMm'))} mm of rain ahead`
  return [
    { name: `${name}: frame to answer, p95`, value: at(of('fromFrame'), 0.95), unit: 's', note, aim },
    {
      ...{ name: `${name}: forecast of rain to answer, p95`, value: at(of('fromForecast'), 0.95), unit: 's' },
      note: `median ${at(of('fromForecast'), 0.5)} s; forecast of rain ${at(of('forecast'), 0.5)} s`,
    },
    { name: `${name}: processor of the program`, value: at(of('processor'), 0.5), unit: 's', note: 'median' },
    ...(['rain', 'flood'] as const).flatMap((of) => {
      const after = ended.flatMap(({ alerts }) => alerts[of] ?? [])
      if (after.length === 0) return []
      const what = of === 'rain' ? "frame's commit to alert" : "cycle's end to alert"
      return [{ name: `${name}: ${what}, largest`, value: Math.max(...after), unit: 's', aim: '≤ 10 s' }]
    }),
  ]
}

function visitorsOf({ name }: Weather, figures: CallFigures[]): BenchResult {
  const calls = figures.reduce((sum, { count }) => sum + count, 0)
  const errors = figures.reduce((sum, one) => sum + one.errors, 0)
  const slowest = figures.toSorted((a, b) => b.p95 - a.p95)[0]
  return {
    ...{ name: `${name}: visitors' slowest call, p95`, value: slowest?.p95 ?? 0, unit: 'ms' },
    note: `${slowest?.call}; ${calls} calls, ${errors} failed`,
  }
}
