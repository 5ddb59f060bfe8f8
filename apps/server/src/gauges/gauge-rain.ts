import type { Gauge } from '@radx/contracts'
import { BIN_MS, risesOf, usualInterval, wholeBins } from '@radx/rainfall/gauges/bins'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { Store } from '../store/open-store.ts'
import { gaugesOverPeriod } from './compared.ts'
import { readReadings } from './readings.ts'

/** What a gauge measured, minute by minute from the start of a span. */
export interface GaugeMinutes {
  /** mm/h; NaN where nothing is known. */
  rateMmH: Float64Array
  /** Usual time between readings, ms; null without any. */
  intervalMs: number | null
}

const MINUTE_MS = 60_000
/** A minute counts where this share of it is known. */
const KNOWN_SHARE = 0.8

/**
 * Rain at a gauge at its own steps, each spread over the minutes that it covers, without what checks and managers leave
 * out (see `gaugesOverPeriod`).
 * @param product whose radar the checks look at
 * @param span of whole minutes
 */
export async function gaugeMinutes(
  context: { db: Kysely<Database>; store: Store },
  product: StoredProduct,
  gauge: Gauge,
  span: Span,
): Promise<GaugeMinutes> {
  const { timesMs, mm } = (await readReadings(context.db, [gauge.id], span)).get(gauge.id)!
  const within = timesMs.some((ms) => ms > span.startMs && ms <= span.endMs)
  const intervalMs = within ? usualInterval(timesMs) : null
  const rateMmH = spread(timesMs, gauge.measure === 'total' ? risesOf(timesMs, mm) : mm, span, intervalMs)
  if (intervalMs === null) return { rateMmH, intervalMs }
  const bins = wholeBins(span)
  const { places } = await gaugesOverPeriod(context, product, {
    gauges: [gauge],
    span: bins,
    raw: false,
    method: 'moved',
  })
  // Outside the product nothing was checked.
  const beside = places[0].beside?.gauge ?? null
  if (beside === null) return { rateMmH, intervalMs }
  const known = spread(timesMs, mm, bins, intervalMs)
  for (let m = 0; m < rateMmH.length; m++) {
    const bin = Math.floor((span.startMs + m * MINUTE_MS - bins.startMs) / BIN_MS)
    const first = (bin * BIN_MS) / MINUTE_MS
    const whole = known.subarray(first, first + BIN_MS / MINUTE_MS).every((rate) => !Number.isNaN(rate))
    if (whole && Number.isNaN(beside[bin])) rateMmH[m] = Number.NaN
  }
  return { rateMmH, intervalMs }
}

function spread(
  timesMs: Float64Array,
  mm: Float64Array,
  { startMs, endMs }: Span,
  intervalMs: number | null,
): Float64Array {
  const sum = new Float64Array(Math.round((endMs - startMs) / MINUTE_MS))
  const known = new Float64Array(sum.length)
  const reach = intervalMs ?? BIN_MS
  for (let i = 0; i < timesMs.length; i++) {
    if (Number.isNaN(mm[i])) continue
    const from = Math.max(i > 0 ? timesMs[i - 1] : Number.NEGATIVE_INFINITY, timesMs[i] - reach)
    const perMs = mm[i] / (timesMs[i] - from)
    let at = Math.max(from, startMs)
    const last = Math.min(timesMs[i], endMs)
    while (at < last) {
      const m = Math.floor((at - startMs) / MINUTE_MS)
      const to = Math.min(last, startMs + (m + 1) * MINUTE_MS)
      sum[m] += perMs * (to - at)
      known[m] += to - at
      at = to
    }
  }
  return sum.map((depthMm, m) => (known[m] >= KNOWN_SHARE * MINUTE_MS - 1 ? depthMm * 60 : Number.NaN))
}
