import { backwardPath } from '../advection/displacement.ts'
import { sampleAlong } from '../advection/sample.ts'
import { knownCells } from '../field.ts'
import { expectation } from '../spectrum/autoregression.ts'
import { radialFactor } from '../spectrum/levels.ts'
import { matchAreas } from './areas.ts'
import { decibelsOf, ratesOf } from './decibels.ts'
import { localTail, matchLocalTail } from './local-tail.ts'
import { distributionOf, matchDecibels, matchDistribution } from './match.ts'
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
  const known = knownCells(last)
  const distribution = distributionOf(last)
  const tail = goesOn ? localTail(last.map(decibelsOf), shape) : null
  const trend = goesOn ? trendOf(start) : null
  const path = backwardPath(start.motion)
  // The same room for every lead: only what is moved on in the end is kept.
  const [decayed, levels, rates] = [0, 1, 2].map(() => new Float32Array(last.length))
  return leadsMin.map((lead, k) => {
    decayedPair(scales, start, leadsMin, k, decayed)
    const shares = trend ? sharesLeft(trend, lead) : undefined
    if (tail) {
      matchDecibels(decayed, known, distribution, shares && { shares, shape }, levels)
      matchLocalTail(levels, shape, tail, shares)
      if (shares) matchAreas(levels, known, distribution, shares)
      ratesOf(levels, rates)
    } else matchDistribution(decayed, known, distribution, undefined, rates)
    return sampleAlong(rates, path.to(lead))
  })
}

/** Expected field at lead `k`, dBR above dry, where it was, into `out`; two leads come of one transform. */
function decayedPair(
  scales: Scales,
  { shape }: NowcastStart,
  leadsMin: readonly number[],
  k: number,
  out: Float32Array,
): void {
  const { fft } = scales
  // An even lead transforms itself and the next; the next reads what the transform left.
  if (k % 2 === 0) {
    const [a, b] = [radialDecay(scales, leadsMin[k]), radialDecay(scales, leadsMin[k + 1] ?? leadsMin[k])]
    const { now, before } = scales
    const { radius } = scales.levels
    const { re, im } = fft
    for (let i = 0; i < radius.length; i++) {
      const r = radius[i]
      const pastRe = before ? before.re[i] : 0
      const pastIm = before ? before.im[i] : 0
      re[i] = a.now[r] * now.re[i] + a.before[r] * pastRe - b.now[r] * now.im[i] - b.before[r] * pastIm
      im[i] = a.now[r] * now.im[i] + a.before[r] * pastIm + b.now[r] * now.re[i] + b.before[r] * pastRe
    }
    fft.inverse()
  }
  crop(k % 2 === 0 ? fft.re : fft.im, fft.ncols, shape, out)
}

/** The part of a padded field that is the grid, into `out`. */
export function crop(
  values: Float32Array,
  stride: number,
  { nrows, ncols }: { nrows: number; ncols: number },
  out: Float32Array,
): void {
  for (let row = 0; row < nrows; row++)
    out.set(values.subarray(row * stride, row * stride + ncols), row * ncols)
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
