import { type AlertMeasure, type AlertPlace, type Gauge, RadxError } from '@radx/contracts'
import { cellOf } from '@radx/rainfall'
import type { MontanaLaw } from '@radx/rainfall/storms/montana'
import type { Kysely } from 'kysely'
import type { Catchments } from '../../config/catchments.ts'
import type { Config } from '../../config/config.ts'
import type { LoadedSite } from '../../config/site.ts'
import type { Database } from '../../db/schema.ts'
import { ownGauges, readReadings, siteGauges } from '../../gauges/api.ts'
import { widestFirst } from '../../nowcast/api.ts'
import { productOf } from '../../radar/api.ts'
import { CatchmentLibrary } from '../../simulation/api.ts'
import type { Span } from '../../store/frame-index.ts'
import type { Store } from '../../store/open-store.ts'
import { MontanaTables } from '../../storms/api.ts'
import type { Sample } from '../machine.ts'
import { ChanceSeries } from './chances.ts'
import { elapsedSamples } from './elapsed.ts'
import { FloodSeries } from './floods.ts'
import { lookBackMs, RainSeries, rainSamples } from './rain.ts'
import { stuckSamples } from './stuck.ts'

export interface SeriesContext {
  db: Kysely<Database>
  store: Store
  site: LoadedSite['site']
  catchments: Catchments
  config: Config
  /** Keeps the packages of towns from one look to the next. */
  library?: CatchmentLibrary
  /** Where time stands, for what falls silent; the end of the period otherwise. */
  nowMs?: number
}

/** What a series is made for. */
export interface Looked {
  username: string
  measure: AlertMeasure
  threshold: number
}

/** What a rule names is not there, or not any more. */
export class MeasureGone extends RadxError {
  constructor(messageFr: string) {
    super('alerts.gone', 400, messageFr, { details: { field: 'measure' } })
  }
}

/**
 * Values of what rules look at, in [startMs, endMs): the same for a rule that is on and for one that is tried on the
 * archive. What several rules need is read once.
 */
export class Series {
  private readonly context: SeriesContext
  private readonly span: Span
  private readonly rain: RainSeries
  private readonly chances: ChanceSeries
  private readonly floods: FloodSeries
  private readonly laws = new Map<string, Promise<MontanaLaw[]>>()
  private readonly instants = new Map<string, Promise<number[]>>()

  constructor(context: SeriesContext, span: Span, rules: readonly Looked[]) {
    this.context = context
    this.span = span
    const rain = rules.flatMap(({ measure }) =>
      'place' in measure ? [{ ...measure, backMs: lookBackMs(measure) }] : [],
    )
    this.rain = new RainSeries(context, span, rain)
    const measures = rules.map(({ measure }) => measure)
    this.chances = new ChanceSeries(context, span, measures)
    const library = context.library ?? new CatchmentLibrary(context.db, context.config)
    this.floods = new FloodSeries({ ...context, library }, span, measures)
  }

  /** In the order of time. @throws RadxError when what the rule names is not there */
  async of(rule: Looked, progress: (share: number) => void = () => undefined): Promise<Sample[]> {
    const { measure } = rule
    switch (measure.kind) {
      case 'rain-rate':
      case 'rain-total':
      case 'rain-return':
        return this.rainOf(measure, rule)
      case 'rain-chance':
        return this.chances.samples(measure, progress)
      case 'flood-cell':
      case 'flood-node':
      case 'flood-link':
        return this.floods.samples(measure)
      case 'radar-down':
        return elapsedSamples(
          await this.once(`frames ${measure.product}`, () => this.frames(measure.product)),
          this.span,
          rule.threshold,
          this.context.nowMs,
        )
      case 'no-cycle':
        return elapsedSamples(
          await this.once(`cycles ${measure.catchmentId}`, () => this.floods.finished(measure.catchmentId)),
          this.span,
          rule.threshold,
          this.context.nowMs,
        )
      case 'gauge-stuck':
        return this.stuck(measure, rule.username)
    }
  }

  /** Instants that many rules look at, read once: all of one look see the same. */
  private once(key: string, read: () => Promise<number[]>): Promise<number[]> {
    const found = this.instants.get(key) ?? read()
    this.instants.set(key, found)
    return found
  }

  private async rainOf(
    measure: Extract<AlertMeasure, { place: AlertPlace }>,
    { username }: Looked,
  ): Promise<Sample[]> {
    const laws = measure.kind === 'rain-return' ? await this.lawsOf(username, measure.table) : []
    const found = await this.rain.of({ ...measure, backMs: lookBackMs(measure) })
    const samples = rainSamples(measure, found, laws)
    return samples.filter(({ timeMs }) => timeMs >= this.span.startMs)
  }

  /** A table of return periods, read once. */
  private lawsOf(username: string, table: string | null): Promise<MontanaLaw[]> {
    const key = `${username} ${table ?? ''}`
    const found = this.laws.get(key)
    if (found) return found
    const laws = new MontanaTables(this.context).find(username, table ?? undefined).then(({ laws }) => laws)
    this.laws.set(key, laws)
    return laws
  }

  /** Instants of images, the last one before the period first. */
  private async frames(name: string): Promise<number[]> {
    const { db, store } = this.context
    const product = productOf(store, { p: name })
    const { startMs, endMs } = this.span
    const of = db.selectFrom('radar_frame').select('time').where('product_id', '=', product.id)
    const [before, within] = await Promise.all([
      of.where('time', '<', new Date(startMs)).orderBy('time', 'desc').limit(1).execute(),
      of.where('time', '>=', new Date(startMs)).where('time', '<', new Date(endMs)).orderBy('time').execute(),
    ])
    return [...before, ...within].map(({ time }) => time.getTime())
  }

  private async stuck(
    measure: Extract<AlertMeasure, { kind: 'gauge-stuck' }>,
    username: string,
  ): Promise<Sample[]> {
    const { db, store, site } = this.context
    const gauge = await gaugeNamed(db, site, username, measure.gauge)
    const product = widestFirst(store).find((one) => cellOf(one, gauge.position))
    if (!product) throw new MeasureGone('Ce pluviomètre est hors des produits radar.')
    const backMs = lookBackMs(measure)
    const span = { startMs: this.span.startMs - backMs, endMs: this.span.endMs }
    const [readings, { rates }] = await Promise.all([
      readReadings(db, [gauge.id], span).then((found) => found.get(gauge.id)!),
      this.rain.of({ product: product.shortName, place: { kind: 'point', ...gauge.position }, backMs }),
    ])
    const bridgedMs = product.frameSeconds * 2_500
    return stuckSamples(gauge, readings, rates, measure.minutes, bridgedMs, this.span.startMs)
  }
}

/** A gauge of the site or of an account. @throws MeasureGone */
export async function gaugeNamed(
  db: Kysely<Database>,
  site: LoadedSite['site'],
  username: string,
  id: string,
): Promise<Gauge> {
  const gauges = [...siteGauges(site), ...(await ownGauges(db, username))]
  const found = gauges.find((gauge) => gauge.id === id)
  if (!found) throw new MeasureGone('Ce pluviomètre n’existe pas ou plus.')
  return found
}
