import { type AdjustInput, medianOf, nearestCellsOf, type Pair, type PairOptions, pairsOf } from './field.ts'
import { type InverseDistance, inverseDistance, inverseDistanceGrid, type PointValues } from './idw.ts'
import { externalDrift, leaveOneOut } from './kriging.ts'

/** How one factor is had from all pairs. */
export type BiasRule = 'sum' | 'median' | 'mean' | 'regression'
export type AdjustMethod = 'mfb' | 'additive' | 'multiplicative' | 'mixed' | 'ked'

export interface AdjustOptions extends PairOptions, InverseDistance {
  method: AdjustMethod
  /** @default 'sum' */
  bias?: BiasRule
  /** Factors are held inside, `[least, most]`. @default [0.1, 10] */
  limits?: readonly [number, number]
}

export interface Adjusted {
  /** `[row * ncols + col]`, never negative; NaN = missing, as in the radar field. */
  field: Float64Array
  pairs: Pair[]
  /** How many of them the adjustment was made of: a ratio needs radar rain to divide by. */
  used: number
  /** Estimate at each pair's gauge from all others, same order; NaN where they were too few. */
  leftOut: Float64Array
  /** The one factor of a mean field bias; null for other methods. */
  factor: number | null
  /** Why the field is the radar's own; null when it was adjusted. */
  unchanged: 'tooFewGauges' | 'noRatio' | null
}

export const FACTOR_LIMITS: readonly [number, number] = [0.1, 10]

/**
 * A radar field adjusted to gauges: one factor (mean field bias), or errors at the gauges spread by inverse distance
 * as additive, multiplicative or mixed errors (Goudenhoofdt and Delobbe 2009; mixed after Pfaff 2010), or kriging
 * with the radar as external drift. With too few pairs the field is returned as it came, and says so.
 */
export function adjust(input: AdjustInput, options: AdjustOptions): Adjusted {
  const pairs = pairsOf(input, options)
  const { minGauges = 5 } = options
  const nothing = (unchanged: Adjusted['unchanged']): Adjusted => ({
    field: Float64Array.from(input.radar),
    pairs,
    used: 0,
    leftOut: new Float64Array(pairs.length).fill(Number.NaN),
    factor: null,
    unchanged,
  })
  if (pairs.length < minGauges || pairs.length === 0) return nothing('tooFewGauges')
  if (options.method === 'mfb') {
    const factor = biasFactor(pairs, options)
    if (factor === null) return nothing('noRatio')
    return {
      field: input.radar.map((v) => v * factor),
      pairs,
      used: options.bias === 'median' || options.bias === 'mean' ? ratiosOf(pairs).length : pairs.length,
      leftOut: leaveOutBias(pairs, input, options),
      factor,
      unchanged: null,
    }
  }
  if (options.method === 'ked') {
    const drift = externalDrift(pairs, input)
    if (drift === null) return nothing('tooFewGauges')
    const left = leaveOneOut(drift).map((v) => Math.max(0, v))
    return { field: drift.field, pairs, used: pairs.length, leftOut: left, factor: null, unchanged: null }
  }
  const spread = local(input, pairs, options)
  return spread === null ? nothing('noRatio') : { ...spread, pairs, factor: null, unchanged: null }
}

/**
 * One factor gauge over radar within its limits; null where no pair has a ratio, gauges are dry or the regression does
 * not hold.
 */
export function biasFactor(
  pairs: readonly Pair[],
  { bias = 'sum', limits = FACTOR_LIMITS }: Pick<AdjustOptions, 'bias' | 'limits'>,
): number | null {
  const factor = { sum: ratioOfSums, median: medianRatio, mean: meanRatio, regression: slopeRatio }[bias](
    pairs,
  )
  // All dry at the gauges tells no factor either.
  return factor > 0 && Number.isFinite(factor) ? Math.min(limits[1], Math.max(limits[0], factor)) : null
}

const ratiosOf = (pairs: readonly Pair[]): number[] =>
  pairs.filter(({ radar }) => radar > 0).map(({ observed, radar }) => observed / radar)

function ratioOfSums(pairs: readonly Pair[]): number {
  let [gauges, radars] = [0, 0]
  for (const { observed, radar } of pairs) {
    gauges += observed
    radars += radar
  }
  return radars > 0 ? gauges / radars : Number.NaN
}

const medianRatio = (pairs: readonly Pair[]): number => medianOf(ratiosOf(pairs))

function meanRatio(pairs: readonly Pair[]): number {
  const ratios = ratiosOf(pairs)
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
}

/** Inverse slope of radar against gauge through the origin, where the two are correlated by 0.5 or better. */
function slopeRatio(pairs: readonly Pair[]): number {
  const n = pairs.length
  const mg = pairs.reduce((sum, { observed }) => sum + observed, 0) / n
  const mr = pairs.reduce((sum, { radar }) => sum + radar, 0) / n
  let [gg, gr, rr, square, product] = [0, 0, 0, 0, 0]
  for (const { observed, radar } of pairs) {
    gg += (observed - mg) ** 2
    gr += (observed - mg) * (radar - mr)
    rr += (radar - mr) ** 2
    square += observed ** 2
    product += observed * radar
  }
  const holds = gr / gg > 0.1 && gr / Math.sqrt(gg * rr) > 0.5
  return holds ? square / product : Number.NaN
}

/** Radar of the one cell at a pair's gauge: what is adjusted when that gauge is left out. */
function radarAt({ x, y }: Pair, { grid, radar }: AdjustInput): number {
  const [cell] = nearestCellsOf(grid, x, y, 1)
  return cell === undefined ? Number.NaN : radar[cell]
}

function leaveOutBias(pairs: readonly Pair[], input: AdjustInput, options: AdjustOptions): Float64Array {
  return Float64Array.from(pairs, (pair) => {
    const factor = biasFactor(
      pairs.filter((other) => other !== pair),
      options,
    )
    return factor === null ? Number.NaN : factor * radarAt(pair, input)
  })
}

/** Errors at the pairs that a local method spreads, and what they make of a radar value. */
interface ErrorModel {
  errorsOf(pair: Pair): number[]
  apply(radar: number, errors: readonly number[]): number
}

const MODELS: Record<
  'additive' | 'multiplicative' | 'mixed',
  (limits: readonly [number, number]) => ErrorModel
> = {
  additive: () => ({
    errorsOf: ({ observed, radar }) => [observed - radar],
    apply: (radar, [error]) => Math.max(0, radar + error),
  }),
  multiplicative: ([least, most]) => ({
    errorsOf: ({ observed, radar }) => [Math.min(most, Math.max(least, observed / radar))],
    apply: (radar, [error]) => radar * error,
  }),
  // gauge = radar (1 + delta) + epsilon with delta^2 + epsilon^2 least at each gauge.
  mixed: () => ({
    errorsOf: ({ observed, radar }) => {
      const epsilon = (observed - radar) / (radar ** 2 + 1)
      return [epsilon, radar > 0 ? (observed - epsilon) / radar - 1 : 0]
    },
    apply: (radar, [epsilon, delta]) => Math.max(0, (1 + delta) * radar + epsilon),
  }),
}

/** null where no pair has an error that can be spread. */
function local(
  input: AdjustInput,
  pairs: readonly Pair[],
  options: AdjustOptions,
): Pick<Adjusted, 'field' | 'used' | 'leftOut'> | null {
  const { errorsOf, apply } = MODELS[options.method as keyof typeof MODELS](options.limits ?? FACTOR_LIMITS)
  // A ratio needs radar rain to divide by.
  const usable = options.method === 'multiplicative' ? pairs.filter(({ radar }) => radar > 0) : pairs
  const errors = usable.map(errorsOf)
  const points = (skip: Pair | null, k: number): PointValues => {
    const kept = usable.map((pair, i) => ({ pair, i })).filter(({ pair }) => pair !== skip)
    return {
      x: kept.map(({ pair }) => pair.x),
      y: kept.map(({ pair }) => pair.y),
      values: kept.map(({ i }) => errors[i][k]),
    }
  }
  if (usable.length === 0) return null
  const count = errors[0].length
  const fields = Array.from({ length: count }, (_, k) =>
    inverseDistanceGrid(points(null, k), input.grid, options),
  )
  const field = input.radar.map((v, i) =>
    Number.isNaN(v)
      ? v
      : apply(
          v,
          fields.map((values) => values[i]),
        ),
  )
  const leftOut = Float64Array.from(pairs, (pair) => {
    if (usable.length - (usable.includes(pair) ? 1 : 0) < 1) return Number.NaN
    const at = Array.from({ length: count }, (_, k) =>
      inverseDistance(points(pair, k), pair.x, pair.y, options),
    )
    return apply(radarAt(pair, input), at)
  })
  return { field, used: usable.length, leftOut }
}
