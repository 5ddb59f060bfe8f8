import { backwardPath } from '../advection/displacement.ts'
import { sampleAlong } from '../advection/sample.ts'
import { expectation } from '../spectrum/autoregression.ts'
import { radialFactor } from '../spectrum/levels.ts'
import { matchAreas } from './areas.ts'
import { localTail, matchLocalTail } from './local-tail.ts'
import { distributionOf, matchDistribution } from './match.ts'
import { measureScales, type Scales } from './scales.ts'
import type { NowcastStart } from './start.ts'
import { sharesLeft, trendOf } from './trend.ts'

/** One field a lead, mm/h, NaN where nothing upstream was seen. */
export type Fields = Float32Array[]

/** The last field moved on, nothing else (Lagrangian persistence; Germann and Zawadzki 2002). */
export function forecastLk({ frames, motion }: NowcastStart, leadsMin: readonly number[]): Fields {
  const last = frames[frames.length - 1].rateMmH
  const path = backwardPath(motion)
  return leadsMin.map((lead) => sampleAlong(last, path.to(lead)))
}

/** What S-PROG does beyond decaying scales and keeping the distribution of the last field. */
export interface SprogOptions {
  wasm?: Uint8Array
  /**
   * Keeps heavy rain by place, and lets areas grow and shrink as in the last half hour as far as that was seen clearly; by
   * default S-PROG is as published.
   */
  trend?: boolean
}

/**
 * S-PROG (Seed 2003, in the form of Pulkkinen et al. 2019): each scale decays as fast as it was seen to; the distribution
 * of the last field is kept, or goes on as it was seen to; then all is moved on.
 * @param leadsMin minutes, rising
 */
export function forecastSprog(
  start: NowcastStart,
  leadsMin: readonly number[],
  { wasm, trend: goesOn = false }: SprogOptions = {},
): Fields {
  const scales = measureScales(start, wasm)
  const { shape } = start
  const last = start.frames[start.frames.length - 1].rateMmH
  const known = Uint8Array.from(last, (rate) => (rate >= 0 ? 1 : 0))
  const distribution = distributionOf(last)
  const tail = goesOn ? localTail(last, shape) : null
  const trend = goesOn ? trendOf(start) : null
  const path = backwardPath(start.motion)
  return leadsMin.map((lead, k) => {
    const decayed = decayedPair(scales, start, leadsMin, k)
    const shares = trend ? sharesLeft(trend, lead) : undefined
    const rates = matchDistribution(decayed, known, distribution, shares && { shares, shape })
    if (tail) matchLocalTail(rates, shape, tail, shares)
    if (shares) matchAreas(rates, known, distribution, shares)
    for (let i = 0; i < rates.length; i++) if (!known[i]) rates[i] = Number.NaN
    return sampleAlong(rates, path.to(lead))
  })
}

/** Expected field at lead `k`, dBR above dry, where it was; two leads come of one transform. */
function decayedPair(
  scales: Scales,
  { shape }: NowcastStart,
  leadsMin: readonly number[],
  k: number,
): Float32Array {
  const { fft } = scales
  // An even lead transforms itself and the next; the next reads what the transform left.
  if (k % 2 === 0) {
    const [a, b] = [radialDecay(scales, leadsMin[k]), radialDecay(scales, leadsMin[k + 1] ?? leadsMin[k])]
    const { now, before } = scales
    const { radius } = scales.levels
    for (let i = 0; i < radius.length; i++) {
      const r = radius[i]
      const pastRe = before ? before.re[i] : 0
      const pastIm = before ? before.im[i] : 0
      const [firstRe, firstIm] = [
        a.now[r] * now.re[i] + a.before[r] * pastRe,
        a.now[r] * now.im[i] + a.before[r] * pastIm,
      ]
      const [nextRe, nextIm] = [
        b.now[r] * now.re[i] + b.before[r] * pastRe,
        b.now[r] * now.im[i] + b.before[r] * pastIm,
      ]
      fft.re[i] = firstRe - nextIm
      fft.im[i] = firstIm + nextRe
    }
    fft.inverse()
  }
  return cropped(k % 2 === 0 ? fft.re : fft.im, fft.ncols, shape)
}

/** The part of a padded field that is the grid. */
export function cropped(
  values: Float32Array,
  stride: number,
  { nrows, ncols }: { nrows: number; ncols: number },
): Float32Array {
  const out = new Float32Array(nrows * ncols)
  for (let row = 0; row < nrows; row++)
    out.set(values.subarray(row * stride, row * stride + ncols), row * ncols)
  return out
}

/** Factors of the last two spectra at a lead, by radius; between two steps of the autoregression linear. */
export function radialDecay(
  { levels, model, ratio, stepMin }: Scales,
  leadMin: number,
): { now: Float32Array; before: Float32Array } {
  const steps = leadMin / stepMin
  const whole = Math.floor(steps + 1e-6)
  const part = Math.max(0, steps - whole)
  const factors = model.map((level, k) => {
    const { now, before } = expectation(level, whole + 1)
    const at = (values: Float64Array) => values[whole] + part * (values[whole + 1] - values[whole])
    return { now: at(now), before: at(before) * ratio[k] }
  })
  return {
    now: radialFactor(
      levels,
      factors.map((f) => f.now),
      1,
    ),
    before: radialFactor(
      levels,
      factors.map((f) => f.before),
      0,
    ),
  }
}
