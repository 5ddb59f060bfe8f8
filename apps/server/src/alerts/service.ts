import type {
  Alert,
  AlertLog,
  AlertMeasure,
  AlertRule,
  AlertRuleBody,
  Alerts,
  AlertsCurrent,
} from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import { placeNameFr } from '../ahead/api.ts'
import type { Database } from '../db/schema.ts'
import { Gauges } from '../gauges/api.ts'
import type { Deps } from '../http/app.ts'
import { holdCatchment, readerOf } from '../http/catchment-rights.ts'
import { allowGauge } from '../http/gauge-rights.ts'
import { holdQuota, oneAtATime } from '../http/quota.ts'
import { isOutsideDates, type Session } from '../http/sessions.ts'
import { CatchmentLibrary } from '../simulation/api.ts'
import { storeOf } from '../store/open-store.ts'
import { AlertNotFound, AlertOver, RuleChanged, RuleNotFound } from './errors.ts'
import { log } from './log.ts'
import { startState } from './machine.ts'
import type { Persons } from './notices/person.ts'
import { endOfRule, tell } from './raise.ts'
import { MeasureGone, Series } from './series/series.ts'
import type { AlertRow, LogWhat, RuleRow } from './tables.ts'

/** A new rule looks at what came shortly before it, so that rain that falls is told at once. */
const BEFORE_MS = 15 * 60_000
const LOG_PAGE = 100

/** Rules and alerts of one account; nobody sees those of another. */
export class AlertService {
  private readonly deps: Deps
  private readonly library: CatchmentLibrary

  private readonly persons: Persons

  constructor(deps: Deps, persons: Persons) {
    this.deps = deps
    this.persons = persons
    this.library = new CatchmentLibrary(deps.db, deps.config)
  }

  async all(session: Session): Promise<Alerts> {
    const { db, site, config, clock } = this.deps
    const rules = await db
      .selectFrom('alert_rule')
      .selectAll()
      .where('username', '=', session.name)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return {
      now: new Date(clock.now()).toISOString(),
      timeZone: site.timeZone,
      most: config.quotas.alerts,
      rules: rules.map((rule) => toRule(rule, session)),
      current: await this.going(session),
    }
  }

  async current(session: Session): Promise<AlertsCurrent> {
    const { rules } = await this.deps.db
      .selectFrom('alert_rule')
      .select((e) => e.fn.countAll<number>().as('rules'))
      .where('username', '=', session.name)
      .executeTakeFirstOrThrow()
    return { rules: Number(rules), current: await this.going(session) }
  }

  private async going(session: Session): Promise<Alert[]> {
    const rows = await this.alerts(session)
      .where('a.ended_at', 'is', null)
      .orderBy('a.raised_at', 'desc')
      .execute()
    return rows.flatMap((row) => (isHidden(session, row) ? [] : [toAlert(row)]))
  }

  private alerts({ name }: Session) {
    return this.deps.db
      .selectFrom('alert as a')
      .innerJoin('alert_rule as r', 'r.id', 'a.rule_id')
      .selectAll('a')
      .select(['r.name as rule', 'r.measure'])
      .where('a.username', '=', name)
  }

  /** Newest first. @param before the last entry of the page before */
  async log(session: Session, before: number | undefined): Promise<AlertLog> {
    let query = this.deps.db
      .selectFrom('alert_log as l')
      .innerJoin('alert as a', 'a.id', 'l.alert_id')
      .innerJoin('alert_rule as r', 'r.id', 'a.rule_id')
      .select(['l.id', 'l.alert_id', 'l.at', 'l.what', 'l.detail', 'r.name as rule', 'r.measure'])
      .select(['a.cause', 'a.severity', 'a.value', 'a.reason', 'a.crossing'])
      .where('l.username', '=', session.name)
    if (before !== undefined) query = query.where('l.id', '<', before)
    const rows = await query
      .orderBy('l.id', 'desc')
      .limit(LOG_PAGE + 1)
      .execute()
    const page = rows.slice(0, LOG_PAGE)
    return {
      entries: page
        .filter((row) => !isHidden(session, row))
        .map(({ alert_id, at, measure, crossing: _, ...row }) => ({
          ...row,
          alertId: alert_id,
          at: at.toISOString(),
          kind: measure.kind,
        })),
      next: rows.length > LOG_PAGE ? page[LOG_PAGE - 1].id : null,
    }
  }

  /** @throws QuotaReached, or what the measure names that is not there or not allowed */
  async create(session: Session, asked: AlertRuleBody): Promise<AlertRule> {
    await this.check(session, asked)
    const body = await this.placed(asked)
    await this.persons.holdNotify(session, body.notify)
    const { db, config, clock } = this.deps
    const row = await db.transaction().execute(async (trx) => {
      await oneAtATime(trx, 'alert', session.name)
      const { count } = await trx
        .selectFrom('alert_rule')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('username', '=', session.name)
        .executeTakeFirstOrThrow()
      holdQuota(
        'règle',
        { count: Number(count), bytes: 0 },
        { count: config.quotas.alerts, bytes: Number.POSITIVE_INFINITY },
      )
      return trx
        .insertInto('alert_rule')
        .values({
          username: session.name,
          ...columnsOf(body),
          state: freshState(body.measure, clock.now()),
          value: null,
          value_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    return toRule(row, session)
  }

  /** What decides makes a rule begin anew. @throws RuleNotFound, RuleChanged */
  async update(session: Session, id: string, asked: AlertRuleBody): Promise<AlertRule> {
    await this.check(session, asked)
    const body = await this.placed(asked)
    await this.persons.holdNotify(session, body.notify)
    const { db, clock } = this.deps
    const row = await db.transaction().execute(async (trx) => {
      const before = await this.ruleOf(trx, session, id)
      if (body.version !== undefined && body.version !== before.version) throw new RuleChanged()
      const after = columnsOf(body)
      const restarts = decides(before) !== decides({ ...after, measure: body.measure })
      if (restarts) await endOfRule(trx, id, clock.now())
      const updated = await trx
        .updateTable('alert_rule')
        .set({ ...after, version: sql<number>`version + 1` })
        .$if(restarts, (q) =>
          q.set({ state: freshState(body.measure, clock.now()), value: null, value_at: null }),
        )
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await tell(trx, session.name)
      return updated
    })
    return toRule(row, session)
  }

  /** @throws RuleNotFound */
  async remove(session: Session, id: string): Promise<void> {
    await this.deps.db.transaction().execute(async (trx) => {
      await this.ruleOf(trx, session, id)
      await trx.deleteFrom('alert_rule').where('id', '=', id).execute()
      await tell(trx, session.name)
    })
  }

  private async ruleOf(trx: Kysely<Database>, { name }: Session, id: string): Promise<RuleRow> {
    const row = await trx
      .selectFrom('alert_rule')
      .selectAll()
      .where('id', '=', id)
      .where('username', '=', name)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new RuleNotFound()
    return row
  }

  /** @throws AlertNotFound, AlertOver */
  acknowledge(session: Session, id: string): Promise<Alert> {
    const at = new Date(this.deps.clock.now())
    return this.change(session, id, 'acknowledged', { acknowledged_at: at, snoozed_until: null })
  }

  snooze(session: Session, id: string, minutes: number): Promise<Alert> {
    const until = new Date(this.deps.clock.now() + minutes * 60_000)
    return this.change(session, id, 'snoozed', { snoozed_until: until }, `${minutes}\u00a0min`)
  }

  /** The next crossing raises another one; the value has to fall below the threshold first. */
  end(session: Session, id: string): Promise<Alert> {
    const at = new Date(this.deps.clock.now())
    return this.change(session, id, 'ended', { ended_at: at, ended_by: 'person', snoozed_until: null })
  }

  private async change(
    session: Session,
    id: string,
    what: LogWhat,
    values: Partial<AlertRow>,
    detail = '',
  ): Promise<Alert> {
    const { db, clock } = this.deps
    await db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('alert')
        .selectAll()
        .where('id', '=', id)
        .where('username', '=', session.name)
        .forUpdate()
        .executeTakeFirst()
      if (!row || isHidden(session, row)) throw new AlertNotFound()
      if (row.ended_at !== null) throw new AlertOver()
      // A second click changes nothing.
      if (what === 'acknowledged' && row.acknowledged_at !== null) return
      await trx.updateTable('alert').set(values).where('id', '=', id).execute()
      await log(trx, { alert: id, username: session.name }, clock.now(), what, detail)
      await tell(trx, session.name)
    })
    return toAlert(await this.alerts(session).where('a.id', '=', id).executeTakeFirstOrThrow())
  }

  /** Holds what a rule looks at against what there is and what the account may look at. @throws RadxError */
  async check(
    session: Session,
    { measure, threshold }: Pick<AlertRuleBody, 'measure' | 'threshold'>,
  ): Promise<void> {
    const { db, catchments, clock } = this.deps
    const point = pointOf(measure)
    if (point) await allowGauge(db, session, point, catchments)
    if (measure.kind === 'gauge-stuck') {
      const visible = await new Gauges(this.deps).visible(session)
      if (!visible.some(({ id }) => id === measure.gauge))
        throw new MeasureGone('Ce pluviomètre n’existe pas ou plus.')
    }
    if ('catchmentId' in measure) {
      await holdCatchment(db, readerOf(session), measure.catchmentId)
      await this.checkTown(measure)
    }
    // Reading a moment finds out whether product, zone, point and table are there.
    const now = clock.now()
    const rule = { username: session.name, measure, threshold }
    const context = { ...this.deps, store: await storeOf(this.deps) }
    await new Series(context, { startMs: now, endMs: now + 1 }, [rule]).of(rule)
  }

  /** The body with the name of its place: a number of a cell tells nobody where that is. */
  private async placed(body: AlertRuleBody): Promise<AlertRuleBody> {
    const { measure } = body
    if (measure.kind !== 'flood-cell') return body
    const town = await this.library.get(measure.catchmentId)
    return { ...body, measure: { ...measure, where: placeNameFr(town, measure.cell) } }
  }

  private async checkTown(measure: Extract<AlertMeasure, { catchmentId: string }>): Promise<void> {
    const { network, elevation } = await this.library.get(measure.catchmentId)
    if (measure.kind === 'flood-cell') {
      const height = elevation.data[measure.cell]
      if (height === undefined || Number.isNaN(height))
        throw new MeasureGone('Cette maille est hors du modèle.')
    }
    if (measure.kind !== 'flood-node' && measure.kind !== 'flood-link') return
    const list: readonly { name: string }[] = measure.kind === 'flood-node' ? network.nodes : network.links
    if (!list.some(({ name }) => name === measure.name))
      throw new MeasureGone(`Le réseau n’a pas d’élément «\u00a0${measure.name}\u00a0».`)
  }
}

/** The point that a measure looks at; null for those of zones, towns and instruments. */
export function pointOf(measure: AlertMeasure): { lat: number; lng: number } | null {
  if (measure.kind === 'rain-chance') return measure
  return 'place' in measure && measure.place.kind === 'point' ? measure.place : null
}

/** What fell silent and came back before a rule was made is no news. */
const freshState = ({ kind }: AlertMeasure, nowMs: number) =>
  JSON.stringify({
    ...startState(nowMs),
    seenMs: kind === 'radar-down' || kind === 'no-cycle' ? nowMs : nowMs - BEFORE_MS,
  })

const columnsOf = ({
  name,
  measure,
  threshold,
  clear,
  minMinutes,
  severity,
  escalateMin,
  enabled,
  notify,
  quiet,
}: AlertRuleBody) => ({
  ...{ name, threshold, clear, severity, enabled },
  measure: JSON.stringify(measure),
  min_minutes: minMinutes,
  escalate_min: escalateMin,
  notify: JSON.stringify(notify),
  quiet: quiet === null ? null : JSON.stringify(quiet),
})

/** Fields in one order, whichever the database gives. */
const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object'
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([k, v]) => [k, sorted(v)]),
      )
    : value

const decides = ({
  measure,
  threshold,
  clear,
  min_minutes,
  enabled,
}: Pick<RuleRow, 'threshold' | 'clear' | 'min_minutes' | 'enabled'> & { measure: AlertMeasure }) =>
  // What a place is called decides nothing.
  JSON.stringify([
    sorted({ ...measure, where: undefined } as AlertMeasure),
    threshold,
    clear,
    min_minutes,
    enabled,
  ])

/** Alerts tell of data, which the account's dates may leave out. */
const isHidden = ({ restriction }: Session, { crossing }: { crossing: Date }) =>
  isOutsideDates(restriction, crossing, crossing)

function toRule(row: RuleRow, { restriction }: Session): AlertRule {
  const { state, value_at } = row
  const isShown = value_at === null || !isOutsideDates(restriction, value_at, value_at)
  return {
    id: row.id,
    name: row.name,
    measure: row.measure,
    threshold: row.threshold,
    clear: row.clear,
    minMinutes: row.min_minutes,
    severity: row.severity,
    escalateMin: row.escalate_min,
    enabled: row.enabled,
    notify: row.notify,
    quiet: row.quiet,
    version: row.version,
    phase: row.enabled ? (state.isBlind ? 'blind' : state.phase) : 'off',
    value: isShown ? row.value : null,
    valueAt: isShown ? (value_at?.toISOString() ?? null) : null,
    seen: new Date(state.seenMs).toISOString(),
  }
}

function toAlert(row: AlertRow & { rule: string; measure: AlertMeasure }): Alert {
  const iso = (date: Date | null) => date?.toISOString() ?? null
  const { id, rule, cause, severity, threshold, value, peak, last, reason } = row
  return {
    ...{ id, rule, cause, severity, threshold, value, peak, last, reason },
    ruleId: row.rule_id,
    kind: row.measure.kind,
    crossing: row.crossing.toISOString(),
    raised: row.raised_at.toISOString(),
    acknowledged: iso(row.acknowledged_at),
    snoozedUntil: iso(row.snoozed_until),
    escalated: iso(row.escalated_at),
    ended: iso(row.ended_at),
    endedBy: row.ended_by,
  }
}
