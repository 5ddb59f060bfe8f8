import type { MultifractalParameters } from './cascade.ts'
import { lineThrough, logSlope, Pyramid, type Samples, type ScaleMoments, scaleMoments } from './moments.ts'

/** Resolutions that a fit takes, both included: 1 is the whole side, the side is the finest cell. */
export interface ScaleRange {
  low: number
  high: number
}

/** Trace moments: what K(q) looks like near the mean. */
export interface TraceMoments extends MultifractalParameters {
  /** K(q) of the moments asked for, and how straight each line is. */
  k: { q: number; k: number; r2: number }[]
  /** How straight the line of q = 1.5 is. */
  r2: number
}

/** Double trace moments. */
export interface DoubleTraceMoments extends MultifractalParameters {
  q: number
  k: { eta: number; k: number; r2: number }[]
  /** How straight ln K(q, eta) is against ln eta, over the fitted powers. */
  r2: number
}

const H = 0.05
/** Moments of the trace moment analysis: the first three give C1 and alpha, the others draw K(q). */
export const TRACE_QS: readonly number[] = [1 - H, 1, 1 + H, 0.1, 0.25, 0.5, 0.75, 1.25, 1.5, 1.75, 2, 2.5, 3]
/** Seventeen powers from 0.1 to 4, evenly spread in their logarithm. */
export const ETAS: readonly number[] = Array.from({ length: 17 }, (_, i) => 0.1 * 40 ** (i / 16))
/** Below this a slope is rounding. */
const FLAT = 1e-9
const ETA_FIT = { low: 0.5, high: 1.5 }
const DTM_Q = 1.5

/**
 * Trace moment analysis (Schertzer and Lovejoy 1987): `<eps_lambda^q> ~ lambda^K(q)`, C1 = K'(1),
 * alpha = K''(1) / C1, both by central differences of 0.05.
 * @returns null where nothing can be fitted: dry samples, fewer than two scales, or no variability
 */
export function traceMoments(samples: Samples, range: ScaleRange): TraceMoments | null {
  const scales = scaleMoments(samples, TRACE_QS)
  return scales && traceMomentsOf(scales, range)
}

/** The same from moments at `TRACE_QS` that are known already. */
export function traceMomentsOf(
  { lambda, moments }: ScaleMoments,
  { low, high }: ScaleRange,
): TraceMoments | null {
  const slopes = TRACE_QS.map((_, j) =>
    logSlope(
      lambda,
      moments.map((row) => row[j]),
      low,
      high,
    ),
  )
  if (slopes.some((slope) => slope === null)) return null
  const [below, at, above] = slopes.map((slope) => slope!.slope)
  const c1 = (above - below) / (2 * H)
  const alpha = (above - 2 * at + below) / H ** 2 / c1
  if (!(c1 > FLAT)) return null
  const k = TRACE_QS.map((q, j) => ({ q, k: slopes[j]!.slope, r2: slopes[j]!.r2 })).sort((a, b) => a.q - b.q)
  return { alpha, c1, k, r2: k.find(({ q }) => q === 1.5)!.r2 }
}

/** Moments of order 1.5 of the samples to each power of `ETAS`: what double trace moments are fitted to. */
export function poweredMoments(samples: Samples): (ScaleMoments | null)[] {
  const pyramid = new Pyramid(samples)
  return ETAS.map((eta) => pyramid.moments(eta, [DTM_Q]))
}

/**
 * Double trace moment analysis (Lavallée et al. 1993) at q = 1.5: the samples to the power eta, normalised,
 * have `K(q, eta) = eta^alpha K(q)`; alpha and C1 by a line through ln K against ln eta, eta from 0.5 to 1.5.
 * @returns null as `traceMoments`
 */
export function doubleTraceMoments(samples: Samples, range: ScaleRange): DoubleTraceMoments | null {
  return doubleTraceMomentsOf(poweredMoments(samples), range)
}

/** The same from `poweredMoments` that are known already. */
export function doubleTraceMomentsOf(
  powered: (ScaleMoments | null)[],
  { low, high }: ScaleRange,
): DoubleTraceMoments | null {
  const k: DoubleTraceMoments['k'] = []
  for (const [i, scales] of powered.entries()) {
    const slope =
      scales &&
      logSlope(
        scales.lambda,
        scales.moments.map(([m]) => m),
        low,
        high,
      )
    if (!slope) return null
    k.push({ eta: ETAS[i], k: slope.slope, r2: slope.r2 })
  }
  const fitted = k.filter(({ eta, k: at }) => at > FLAT && eta >= ETA_FIT.low && eta <= ETA_FIT.high)
  if (fitted.length < 2) return null
  const {
    slope: alpha,
    intercept,
    r2,
  } = lineThrough(fitted.map(({ eta, k: at }) => [Math.log(eta), Math.log(at)]))
  const shape = Math.abs(alpha - 1) < 1e-9 ? DTM_Q * Math.log(DTM_Q) : (DTM_Q ** alpha - DTM_Q) / (alpha - 1)
  return { alpha, c1: Math.exp(intercept) / shape, q: DTM_Q, k, r2 }
}

/** `K(q) = c1 / (alpha - 1) (q^alpha - q)`, c1 q ln q for alpha 1. */
export function momentScaling(q: number, { alpha, c1 }: MultifractalParameters): number {
  return Math.abs(alpha - 1) < 1e-9 ? c1 * q * Math.log(q) : (c1 / (alpha - 1)) * (q ** alpha - q)
}
