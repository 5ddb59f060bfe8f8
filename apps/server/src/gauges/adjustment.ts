import type { Gauge, GaugeAdjustment, GaugeMethod } from '@radx/contracts'
import { GAUGE_METHODS } from '@radx/contracts/gauges'
import { isoSeconds } from '@radx/locale/time'
import { type Adjusted, type AdjustOptions, adjust } from '@radx/rainfall/gauges/adjust'
import { BIN_MS, wholeBins } from '@radx/rainfall/gauges/bins'
import type { PlaneGrid } from '@radx/rainfall/gauges/field'
import { hourlyFactors, placesTold, rollingFactor } from '@radx/rainfall/gauges/rolling-bias'
import { gaugeScores } from '@radx/rainfall/gauges/scores'
import { sql } from 'kysely'
import { productOf } from '../http/rain-requests.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { AnswerContext } from '../threads/answers.ts'
import { type GaugeOverPeriod, gaugesOverPeriod } from './compared.ts'
import { KeptDepths } from './kept-depths.ts'
import { METHOD_FR, MODE_FR } from './methods-fr.ts'
import { ratioOf, scaleByCell, scaleByFactor } from './scaled-codes.ts'
import { filledDepth, leftOutByRolling } from './window-depths.ts'

export interface AdjustmentInput {
  product: string
  span: Span
  method: GaugeMethod
  mode: 'live' | 'hindsight'
  gauges: Gauge[]
  /** Period that factors are made from in hindsight; frames may be asked for in parts of it. */
  period: Span
  /** What gauges say outside takes no part: the account's dates. */
  allowed: Span
}

export type AdjustmentContext = Pick<AnswerContext, 'db' | 'store' | 'site'>

const HOUR_MS = 3_600_000

/** A thread that makes answers keeps its own. */
const depths = new KeptDepths()

/** The adjusted product of a period: what changes each frame, and what is said of it. */
export interface Adjustment {
  product: StoredProduct
  about: GaugeAdjustment
  /** Ratio of each cell, of local methods; null where frames have one factor. */
  ratio: Float64Array | null
}

/** Where gauges and radar are compared: before the end of the period (live), or over all of it. */
function windowOf({ span, period, mode, allowed }: AdjustmentInput, hours: number): Span {
  if (mode === 'hindsight') return wholeBins(period)
  return clipped({ startMs: span.endMs - hours * HOUR_MS, endMs: span.endMs }, allowed)
}

/** The whole steps of five minutes of a span that the account may see. */
function clipped({ startMs, endMs }: Span, allowed: Span): Span {
  return {
    startMs: Math.ceil(Math.max(startMs, allowed.startMs) / BIN_MS) * BIN_MS,
    endMs: Math.ceil(Math.min(endMs, allowed.endMs) / BIN_MS) * BIN_MS,
  }
}

const floorHour = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS

/** @param errors also makes every method, for the error of each with a gauge left out */
export async function prepare(
  context: AdjustmentContext,
  input: AdjustmentInput,
  errors: boolean,
): Promise<Adjustment> {
  const { limits, windowHours, minGauges } = context.site.adjustment
  const product = productOf(context.store, { p: input.product })
  const window = windowOf(input, windowHours)
  const beyond = windowHours * HOUR_MS
  const wide = clipped(
    {
      // Whole hours of the clock, so that a frame's factor is the same whatever it is asked for with.
      startMs: floorHour(Math.min(window.startMs, input.span.startMs) - beyond),
      endMs: Math.max(window.endMs, input.span.endMs) + (input.mode === 'live' ? 0 : beyond),
    },
    input.allowed,
  )
  const { places } = await gaugesOverPeriod(context, product, {
    gauges: input.gauges,
    span: wide,
    raw: false,
    // What is adjusted are frames: factors are made from these.
    method: 'raw',
  })
  const used = places.filter(({ beside }) => beside !== null)
  const needsField = errors || input.method !== 'mfb'
  const field = needsField ? await depths.of(context.store, product, window) : null
  const inputs = field && adjustInput(product, field, used, window, wide)
  const made = new Map<GaugeMethod, Adjusted>()
  for (const method of errors ? GAUGE_METHODS : [input.method])
    if (inputs) made.set(method, adjust(inputs, optionsOf(method, limits, minGauges)))
  const own = made.get(input.method)
  const besides = used.map(({ beside }) => beside!)
  const rule = {
    limits,
    windowSteps: (windowHours * HOUR_MS) / BIN_MS,
    minGauges,
    mode: input.mode,
  }
  const sum = made.get('mfb')
  // Frames get the factor of their hours, not that of the sums: its error is told.
  if (errors && sum?.unchanged === null)
    sum.leftOut = leftOutByRolling(besides, sum.pairs, stepsOf(window, wide), rule)
  const hours = hourlyFactors(besides, minGauges)
  const ratio =
    input.method === 'mfb' || !own || own.unchanged || !field ? null : ratioOf(own.field, field, limits)
  const unchanged =
    input.method === 'mfb' ? (hours.every(Number.isNaN) ? 'tooFewGauges' : null) : (own?.unchanged ?? null)
  const frames = await framesOf(context, product, input.span)
  const whole = ratio && field ? meanRatio(ratio, field) : 1
  const stepOf = (timeMs: number) => (timeMs - wide.startMs) / BIN_MS
  const factorAt = (timeMs: number) =>
    input.method === 'mfb' ? rollingFactor(besides, hours, stepOf(timeMs), rule) : whole
  const steps = frames.filter(({ bias }) => bias === null).map(({ timeMs }) => stepOf(timeMs))
  const already = frames.filter(({ bias }) => bias !== null).length
  return {
    product,
    ratio,
    about: {
      product: product.shortName,
      name: `${product.shortName} ajusté (${METHOD_FR[input.method]}, ${MODE_FR[input.mode]})`,
      method: input.method,
      mode: input.mode,
      start: isoSeconds(input.span.startMs),
      end: isoSeconds(input.span.endMs),
      window: { start: isoSeconds(window.startMs), end: isoSeconds(window.endMs) },
      unchanged,
      gauges: input.method === 'mfb' ? placesTold(besides, hours, steps, rule) : (own?.used ?? 0),
      frames: frames.map(({ timeMs, bias }) => ({
        time: isoSeconds(timeMs),
        factor: bias === null ? factorAt(timeMs) : 1,
        already: bias,
      })),
      errors: errorsOf(made),
      notesFr: [
        ...(unchanged ? ['Trop peu de pluviomètres sous la pluie : le produit est l’original.'] : []),
        ...(!unchanged && ratio && !field?.some((mm) => mm > 0)
          ? ['Le radar n’a vu aucune pluie sur la période : rien à ajuster, le produit est l’original.']
          : []),
        ...(already > 0
          ? [
              `${already} image${already > 1 ? 's' : ''} déjà ajustée${already > 1 ? 's' : ''} à la source (how/bias) : laissée${already > 1 ? 's' : ''} en l’état.`,
            ]
          : []),
      ],
    },
  }
}

const optionsOf = (method: GaugeMethod, limits: [number, number], minGauges: number): AdjustOptions => ({
  method,
  limits,
  minGauges,
})

/** Frames of a span with what their files say of an adjustment. */
async function framesOf({ db }: AdjustmentContext, product: StoredProduct, { startMs, endMs }: Span) {
  const { rows } = await sql<{ timeMs: number; bias: number | null }>`
    select (extract(epoch from time) * 1000)::bigint as "timeMs", bias from radar_frame
    where product_id = ${product.id} and time >= ${new Date(startMs)} and time < ${new Date(endMs)}
    order by time`.execute(db)
  return rows
}

const KM_PER_DEGREE = 111.195

/** The plane of a product: km from its north-west corner, a degree of longitude as long as in its middle. */
function planeOf({ bounds: { ul, lr }, steps }: StoredProduct) {
  const kx = KM_PER_DEGREE * Math.cos((((ul.lat + lr.lat) / 2) * Math.PI) / 180)
  const [dx, dy] = [((lr.lng - ul.lng) / steps) * kx, -((ul.lat - lr.lat) / steps) * KM_PER_DEGREE]
  const grid: PlaneGrid = { nrows: steps, ncols: steps, x0: dx / 2, dx, y0: dy / 2, dy }
  return {
    grid,
    at: ({ lat, lng }: { lat: number; lng: number }) => ({
      x: (lng - ul.lng) * kx,
      y: -(ul.lat - lat) * KM_PER_DEGREE,
    }),
  }
}

/** Steps of a window within a wider span. */
const stepsOf = (window: Span, wide: Span): [number, number] => [
  Math.round((window.startMs - wide.startMs) / BIN_MS),
  Math.round((window.endMs - wide.startMs) / BIN_MS),
]

function adjustInput(
  product: StoredProduct,
  radar: Float64Array,
  used: readonly GaugeOverPeriod[],
  window: Span,
  wide: Span,
) {
  const { grid, at } = planeOf(product)
  const places = used.map(({ gauge }) => at(gauge.position))
  const [from, to] = stepsOf(window, wide)
  return {
    grid,
    radar,
    gauges: {
      x: Float64Array.from(places, ({ x }) => x),
      y: Float64Array.from(places, ({ y }) => y),
    },
    observed: Float64Array.from(used, ({ beside }) => filledDepth(beside!, from, to)),
  }
}

function meanRatio(ratio: Float64Array, radar: Float64Array): number {
  let [after, before] = [0, 0]
  for (let i = 0; i < ratio.length; i++)
    if (radar[i] > 0) {
      after += ratio[i] * radar[i]
      before += radar[i]
    }
  return before > 0 ? after / before : 1
}

function errorsOf(made: ReadonlyMap<GaugeMethod, Adjusted>): GaugeAdjustment['errors'] {
  const [first] = made.values()
  if (!first || first.pairs.length === 0) return []
  const observed = first.pairs.map((pair) => pair.observed)
  const row = (method: GaugeAdjustment['errors'][number]['method'], values: ArrayLike<number>) => {
    const { pairs, biasPct, rmse, correlation } = gaugeScores(observed, values)
    return { method, pairs, biasPct, rmse, correlation }
  }
  return [
    row(
      'raw',
      first.pairs.map(({ radar }) => radar),
    ),
    ...[...made]
      .filter(([, { unchanged }]) => unchanged === null)
      .map(([method, { leftOut }]) => row(method, leftOut)),
  ]
}

/** Rate codes of each frame after adjustment, in the order of `about.frames`. */
export async function* adjustedCodes(
  { store }: AdjustmentContext,
  { product, about, ratio }: Adjustment,
  span: Span,
): AsyncGenerator<Uint16Array> {
  const places = await store.index.places(product, span)
  const byTime = new Map(about.frames.map((frame) => [frame.time, frame]))
  const out = new Uint16Array(product.steps ** 2)
  let k = 0
  for await (const codes of store.index.codes(product, places)) {
    const frame = byTime.get(isoSeconds(places[k++].timeMs))
    if (codes === null) out.fill(0)
    else if (!frame || frame.already !== null) out.set(codes)
    else if (ratio === null) scaleByFactor(codes, frame.factor, out)
    else scaleByCell(codes, ratio, out)
    yield out
  }
}
