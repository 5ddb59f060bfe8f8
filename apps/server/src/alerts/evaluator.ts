import { RadxError, ROLE_MANAGER } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Deps } from '../http/app.ts'
import { seenBy } from '../http/catchment-rights.ts'
import { isOutsideDates, type Session } from '../http/sessions.ts'
import { CatchmentLibrary } from '../simulation/api.ts'
import type { Store } from '../store/open-store.ts'
import { type AlertState, type Change, type Sample, startState, step, tick } from './machine.ts'
import { type Course, keepChanges, keepPeaks, limitsOf } from './raise.ts'
import { lookBackMs } from './series/rain.ts'
import { Series } from './series/series.ts'
import type { RuleRow } from './tables.ts'

/** A rule that nobody looked at for longer begins again here: what was over then is no news. */
const LOOK_BACK_MS = 24 * 3_600_000
/** Rules that have seen nothing for longer are looked at apart: what they need of the past is nobody else's to read. */
const BEHIND_MS = 20 * 60_000
/** Time itself is looked at so often: instruments that fall silent send nothing. */
const TICK_MS = 5_000
/** After a start what came meanwhile is taken in first, before its absence is told. */
const GRACE_MS = 3 * 60_000
/** Rules in one transaction. */
const CHUNK = 50
/** A state later than this beyond now is of a clock that was set back. */
const AHEAD_MS = 60_000

type Loaded = RuleRow & {
  dates: Session['restriction']
  /** Whether its account sees the town that it looks at. */
  sees: boolean
}

const seesTown = seenBy(
  { name: sql`a.name`, isManager: sql`${ROLE_MANAGER} = any(a.roles)` },
  sql`r.measure ->> 'catchmentId'`,
)

/** Looks at every rule when something came that one may look at. */
export class Evaluator {
  private readonly deps: Pick<Deps, 'db' | 'site' | 'catchments' | 'config' | 'clock' | 'log'>
  private readonly store: Store
  private readonly library: CatchmentLibrary
  private readonly graceMs: number
  private readonly startedMs: number
  /** By rule and version, the moment of the last look. */
  private looked = new Map<string, number>()
  private heads = ''
  private tickedMs = Number.NEGATIVE_INFINITY

  constructor(
    deps: Pick<Deps, 'db' | 'site' | 'catchments' | 'config' | 'clock' | 'log'>,
    store: Store,
    graceMs = GRACE_MS,
  ) {
    this.deps = deps
    this.store = store
    this.library = new CatchmentLibrary(deps.db, deps.config)
    this.graceMs = graceMs
    this.startedMs = deps.clock.now()
  }

  /** @returns whether anything was looked at */
  async round(): Promise<boolean> {
    const { db, clock } = this.deps
    const now = clock.now()
    const { key, newestMs } = await headsOf(db)
    // The clock may go either way.
    if (key === this.heads && Math.abs(now - this.tickedMs) < TICK_MS) return false
    const rules = await this.load()
    const untilMs = Math.max(now, newestMs ?? 0)
    // Readings of gauges may come hours late, and a rule on them waits for them.
    const [late, prompt] = [true, false].map((isLate) =>
      rules.filter(({ measure }) => (measure.kind === 'gauge-stuck') === isLate),
    )
    // Images of an outage come one by one when it is over: each is looked at, however old it is.
    const [behind, upToDate] = [true, false].map((isBehind) =>
      prompt.filter((rule) => this.fromOf(rule, untilMs) < untilMs - BEHIND_MS === isBehind),
    )
    const isNew = key !== this.heads
    for (const some of [upToDate, behind, late])
      if (some.length > 0) await this.look(some, now, untilMs, isNew)
    this.heads = key
    this.tickedMs = now
    this.looked = new Map(
      rules.map((rule) => [keyOf(rule), isNew ? untilMs : (this.looked.get(keyOf(rule)) ?? untilMs)]),
    )
    return rules.length > 0
  }

  /** Rules that are on, of accounts that may sign in. */
  private async load(): Promise<Loaded[]> {
    const rows = await this.deps.db
      .selectFrom('alert_rule as r')
      .innerJoin('account as a', 'a.name', 'r.username')
      .selectAll('r')
      .select(['a.restriction_start', 'a.restriction_end'])
      .select(seesTown.as('sees'))
      .where('r.enabled', '=', true)
      .where('a.disabled_at', 'is', null)
      .orderBy('r.id')
      .execute()
    return rows.map(({ restriction_start: start, restriction_end: end, ...rule }) => ({
      ...rule,
      dates: start === null && end === null ? null : { start, end },
    }))
  }

  /** @param isNew false where nothing came since the last look: then only what falls silent is looked at */
  private async look(all: Loaded[], now: number, untilMs: number, isNew: boolean): Promise<void> {
    const rules = all.filter(
      (rule) => isNew || !this.looked.has(keyOf(rule)) || isOfTime(rule) || this.isBlind(rule, now),
    )
    if (rules.length === 0) return
    const from = Math.min(...rules.map((rule) => this.fromOf(rule, untilMs)))
    const span = { startMs: Math.max(from, untilMs - LOOK_BACK_MS), endMs: untilMs + 1 }
    const series = new Series(
      { ...this.deps, store: this.store, library: this.library, nowMs: now },
      span,
      rules,
    )
    for (let k = 0; k < rules.length; k += CHUNK) {
      const some = rules.slice(k, k + CHUNK)
      const samples = new Map<string, Sample[]>()
      for (const rule of some) samples.set(rule.id, await this.samples(series, rule))
      const moving = some.filter(
        (rule) =>
          this.isBlind(rule, now) || samples.get(rule.id)!.some(({ timeMs }) => timeMs > rule.state.seenMs),
      )
      if (moving.length === 0) continue
      await this.deps.db.transaction().execute((trx) => this.advance(trx, moving, samples, now, untilMs))
    }
  }

  /** Whether time alone tells something of it, or its state is of a clock that was set back. */
  private isBlind(rule: Loaded, now: number): boolean {
    const { seenMs, knownMs } = rule.state
    if (Math.max(seenMs, knownMs) > now + AHEAD_MS) return true
    return this.mayTick(rule.state, now) && tick(rule.state, now, limitsOf(rule))[1].length > 0
  }

  private mayTick({ knownMs }: AlertState, now: number): boolean {
    return now - this.startedMs >= this.graceMs || knownMs > this.startedMs
  }

  private fromOf({ state }: Loaded, untilMs: number): number {
    return Math.min(state.seenMs, untilMs) + 1
  }

  /** A rule whose thing is gone sees nothing, and so tells. */
  private async samples(series: Series, rule: Loaded): Promise<Sample[]> {
    if (!rule.sees) return []
    try {
      const samples = await series.of(rule)
      const backMs = lookBackMs(rule.measure)
      if (rule.dates === null) return samples
      return samples.filter(
        ({ timeMs }) => !isOutsideDates(rule.dates, new Date(timeMs - backMs), new Date(timeMs)),
      )
    } catch (error) {
      if (!(error instanceof RadxError)) throw error
      this.deps.log.debug({ rule: rule.id, error: error.message }, 'règle d’alerte sans données')
      return []
    }
  }

  private async advance(
    trx: Kysely<Database>,
    rules: readonly Loaded[],
    samples: ReadonlyMap<string, Sample[]>,
    now: number,
    untilMs: number,
  ): Promise<void> {
    const versions = new Map(rules.map(({ id, version }) => [id, version]))
    const held = await trx
      .selectFrom('alert_rule')
      .selectAll()
      .where('id', 'in', [...versions.keys()])
      .where('enabled', '=', true)
      .orderBy('id')
      .forUpdate()
      .execute()
    const { site, catchments } = this.deps
    const wording = { timeZone: site.timeZone, catchments }
    const courses: Course[] = []
    const peaks: { id: string; peak: number; last: number }[] = []
    const moved: { id: string; state: AlertState; value: number | null; at: number | null }[] = []
    for (const rule of held) {
      // Changed since its samples were read: the next round has the new ones.
      if (rule.version !== versions.get(rule.id)) continue
      const { state, changes, fresh } = this.course(rule, samples.get(rule.id)!, now, untilMs)
      courses.push({ rule, changes })
      const known = fresh.flatMap(({ value, atLeast, timeMs }) =>
        value === null && atLeast === undefined ? [] : [{ value: value ?? atLeast!, timeMs }],
      )
      const last = known.at(-1)
      if (last && state.phase === 'raised')
        peaks.push({ id: rule.id, peak: Math.max(...known.map(({ value }) => value)), last: last.value })
      if (JSON.stringify(state) === JSON.stringify(rule.state) && !last) continue
      const isLastUnknown =
        fresh.length > 0 && fresh.at(-1) !== undefined && fresh.at(-1)!.timeMs !== last?.timeMs
      moved.push({
        id: rule.id,
        state,
        value: isLastUnknown ? null : (last?.value ?? rule.value),
        at: isLastUnknown ? fresh.at(-1)!.timeMs : (last?.timeMs ?? rule.value_at?.getTime() ?? null),
      })
    }
    await keepChanges(trx, courses, now, wording)
    await keepPeaks(trx, peaks)
    await keepStates(trx, moved)
  }

  private course(rule: RuleRow, samples: readonly Sample[], now: number, untilMs: number) {
    const limits = limitsOf(rule)
    let state = rule.state as AlertState
    if (state.seenMs > untilMs + AHEAD_MS || state.knownMs > untilMs + AHEAD_MS)
      state = { ...state, ...startState(untilMs), phase: state.phase, sinceMs: state.sinceMs }
    const fresh = samples.filter(({ timeMs }) => timeMs > state.seenMs)
    const changes: Change[] = []
    for (const sample of fresh) {
      const [next, found] = step(state, sample, limits)
      state = next
      changes.push(...found)
    }
    if (!this.mayTick(state, now) && !rule.state.isBlind) return { state, changes, fresh }
    const [next, found] = tick(state, now, limits)
    // Images of an outage that come one by one, late: what is known is as old as before, and nobody is told of each again.
    const isStillBlind = rule.state.isBlind && next.isBlind
    const told = isStillBlind ? changes.filter(({ what }) => what !== 'seeing' && what !== 'blind') : changes
    return { state: next, changes: isStillBlind ? told : [...told, ...found], fresh }
  }
}

const keyOf = ({ id, version }: RuleRow) => `${id} ${version}`
/** Instruments that fall silent send nothing, and readings of gauges come by themselves. */
const isOfTime = ({ measure: { kind } }: RuleRow) =>
  kind === 'radar-down' || kind === 'no-cycle' || kind === 'gauge-stuck'

/** The newest of what rules look at: another look is due when it changes. */
async function headsOf(db: Kysely<Database>): Promise<{ key: string; newestMs: number | null }> {
  const { rows } = await sql<{ key: string; newest: Date | null }>`
    select concat_ws(' ',
        (select max(version * 1.0) + count(*) from alert_rule),
        (select string_agg(p.id || ':' || (select max(time) from radar_frame f where f.product_id = p.id), ',')
          from radar_product p),
        (select max(issued) from nowcast where members > 0 or reason is not null),
        (select max(finished_at) from flood_cycle where status = 'done')) as key,
      (select max(time) from radar_product p, lateral
        (select max(time) as time from radar_frame f where f.product_id = p.id) newest) as newest`.execute(db)
  return { key: rows[0].key, newestMs: rows[0].newest?.getTime() ?? null }
}

async function keepStates(
  trx: Kysely<Database>,
  moved: readonly { id: string; state: AlertState; value: number | null; at: number | null }[],
): Promise<void> {
  if (moved.length === 0) return
  const rows = JSON.stringify(
    moved.map(({ at, ...row }) => ({ ...row, at: at === null ? null : new Date(at).toISOString() })),
  )
  await sql`
    update alert_rule r set state = n.state, value = n.value, value_at = n.at
    from jsonb_to_recordset(${rows}::jsonb) as n(id uuid, state jsonb, value float8, at timestamptz)
    where r.id = n.id`.execute(trx)
}
