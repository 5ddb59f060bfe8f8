import { type AlertMeasure, type AlertPlace, RadxError } from '@radx/contracts'
import { cellOf, decodeRate } from '@radx/rainfall'
import { DURATIONS_MIN } from '@radx/rainfall/storms/depth-duration'
import { type MontanaLaw, returnPeriod } from '@radx/rainfall/storms/montana'
import { type Kysely, sql } from 'kysely'
import type { Catchments } from '../../config/catchments.ts'
import type { Database } from '../../db/schema.ts'
import { productOf, zoneOf } from '../../radar/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { Span } from '../../store/frame-index.ts'
import type { Store } from '../../store/open-store.ts'
import type { Sample } from '../machine.ts'
import { rollingTotals } from './rolling.ts'

export interface Rates {
  timesMs: number[]
  /** mm/h; null or NaN without a value. */
  mmH: ArrayLike<number | null>
}

/** A frame's rain holds until the next one, if that comes within so many times the usual distance. */
const BRIDGED_FRAMES = 2.5
/** A total of which more than this is missing is known as a lower bound only. */
const MOST_MISSING = 0.1
/** Only the rain of a day tells how rare it is. */
const LONGEST_MIN = 1_440

type RainMeasure = Extract<AlertMeasure, { kind: 'rain-rate' | 'rain-total' | 'rain-return' }>

/** Time before a period whose rain a rule needs, ms. */
export function lookBackMs(measure: AlertMeasure): number {
  if (measure.kind === 'rain-total' || measure.kind === 'gauge-stuck') return (measure.minutes + 20) * 60_000
  return measure.kind === 'rain-return' ? (LONGEST_MIN + 20) * 60_000 : 0
}

interface Asked {
  product: string
  place: AlertPlace
  backMs: number
}

/** Rain of places over one period, each read once, points of a product together. */
export class RainSeries {
  private readonly db: Kysely<Database>
  private readonly store: Store
  private readonly catchments: Catchments
  private readonly span: Span
  private readonly read = new Map<string, Promise<Map<string, Rates>>>()
  private readonly points = new Map<string, Map<string, { row: number; col: number }>>()

  constructor(
    { db, store, catchments }: { db: Kysely<Database>; store: Store; catchments: Catchments },
    span: Span,
    asked: readonly Asked[],
  ) {
    this.db = db
    this.store = store
    this.catchments = catchments
    this.span = span
    for (const one of asked) this.note(one)
  }

  private note({ product, place, backMs }: Asked): void {
    if (place.kind !== 'point') return
    const found = this.store.catalog.products.get(product)
    const cell = found && cellOf(found, place)
    if (!cell) return
    const key = `${product} ${backMs}`
    const cells = this.points.get(key) ?? new Map()
    this.points.set(key, cells.set(`${cell.row} ${cell.col}`, cell))
  }

  /** @throws RadxError when product, zone or point is not there */
  async of({ product: name, place, backMs }: Asked): Promise<{ product: StoredProduct; rates: Rates }> {
    const product = productOf(this.store, { p: name })
    const span = { startMs: this.span.startMs - backMs, endMs: this.span.endMs }
    if (place.kind === 'zone') {
      const zone = zoneOf(this.catchments, { c: place.catchment, sc: place.subcatchment ?? undefined })
      const key = `${name} ${backMs} ${zone!.key}`
      const rates = await this.once(
        key,
        async () => new Map([['', await this.zone(product, zone!.key, span)]]),
      )
      return { product, rates: rates.get('')! }
    }
    const cell = cellOf(product, place)
    if (!cell) throw outside()
    const key = `${name} ${backMs}`
    const all = await this.once(key, () => this.cells(product, this.points.get(key), span))
    const rates = all.get(`${cell.row} ${cell.col}`)
    if (rates) return { product, rates }
    const { timesMs, codes } = await this.store.pixels.readCells(product, [cell], span)
    return { product, rates: { timesMs, mmH: Array.from(codes[0], decodeRate) } }
  }

  private once(key: string, read: () => Promise<Map<string, Rates>>): Promise<Map<string, Rates>> {
    const found = this.read.get(key)
    if (found) return found
    const reading = read()
    this.read.set(key, reading)
    return reading
  }

  private async zone(product: StoredProduct, zoneKey: string, { startMs, endMs }: Span): Promise<Rates> {
    const ordinal = this.store.catalog.ordinalOf(zoneKey)
    if (ordinal === undefined) return { timesMs: [], mmH: [] }
    const { rows } = await sql<{ ms: number; mean: number | null }>`
      select (extract(epoch from time) * 1000)::bigint as ms, zone_mean[${sql.lit(ordinal)}] as mean
      from radar_frame where product_id = ${product.id} and time >= ${new Date(startMs)}
        and time < ${new Date(endMs)} order by time`.execute(this.db)
    return { timesMs: rows.map(({ ms }) => ms), mmH: rows.map(({ mean }) => mean) }
  }

  private async cells(
    product: StoredProduct,
    cells: Map<string, { row: number; col: number }> | undefined,
    span: Span,
  ): Promise<Map<string, Rates>> {
    if (!cells) return new Map()
    const { timesMs, codes } = await this.store.pixels.readCells(product, [...cells.values()], span)
    return new Map(
      [...cells.keys()].map((key, k) => [key, { timesMs, mmH: Array.from(codes[k], decodeRate) }]),
    )
  }
}

export const outside = () =>
  new RadxError('alerts.outside', 400, 'Ce point est hors du produit radar.', {
    details: { field: 'measure' },
  })

/** Values of a rule on rain, one a frame. @param laws of the table of return periods */
export function rainSamples(
  measure: RainMeasure,
  { product, rates }: { product: StoredProduct; rates: Rates },
  laws: readonly MontanaLaw[],
): Sample[] {
  const { timesMs, mmH } = rates
  const bridgedMs = product.frameSeconds * 1000 * BRIDGED_FRAMES
  if (measure.kind === 'rain-rate') return timesMs.map((timeMs, i) => ({ timeMs, value: known(mmH[i]) }))
  const totals = (minutes: number) => rollingTotals(timesMs, mmH, minutes, bridgedMs)
  if (measure.kind === 'rain-total')
    return totals(measure.minutes).map(({ mm, missing }, i) => ({
      timeMs: timesMs[i],
      ...(missing <= MOST_MISSING ? { value: rounded(mm) } : { value: null, atLeast: rounded(mm) }),
    }))
  const samples: Sample[] = timesMs.map((timeMs) => ({ timeMs, value: 0 }))
  for (const minutes of DURATIONS_MIN) {
    if (minutes > LONGEST_MIN || !laws.some(({ fromMin, toMin }) => fromMin <= minutes && minutes <= toMin))
      continue
    for (const [i, { mm, missing }] of totals(minutes).entries())
      addYears(samples[i], yearsOf(laws, minutes, mm), missing)
  }
  return samples
}

/** The rarest of the durations; short ones may be known where long ones are not. */
function addYears(sample: Sample, years: number, missing: number): void {
  const most = Math.max(years, sample.value ?? sample.atLeast ?? 0)
  if (sample.value === null) sample.atLeast = most
  else if (missing <= MOST_MISSING) sample.value = most
  else {
    sample.value = null
    sample.atLeast = most
  }
}

function yearsOf(laws: readonly MontanaLaw[], minutes: number, mm: number): number {
  const found = returnPeriod(laws, minutes, mm)
  return found.kind === 'between' || found.kind === 'above' ? found.years : 0
}

const known = (value: number | null) => (value === null || Number.isNaN(value) ? null : rounded(value))
/** Means are sums: what should be 30 is 29.999999999999996, which is not below a threshold of 30. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6
