import { backwardPath } from '../advection/displacement.ts'
import { ACROSS, ALONG, motionErrorKmH, perturbed } from '../advection/perturbed.ts'
import { passingMean, sampleAlong } from '../advection/sample.ts'
import { knownCells, WET_MM_H } from '../field.ts'
import { createRandom, laplace } from '../random.ts'
import { type Distribution, distributionOf, matchDistribution } from './match.ts'
import { createNoise, type Noise } from './noise.ts'
import { measureScales, type Scales } from './scales.ts'
import { crop, radialDecay } from './sprog.ts'
import type { NowcastStart } from './start.ts'
import { sharesLeft, type Trend, trendOf } from './trend.ts'

export interface StepsOptions {
  leadsMin: readonly number[]
  members: number
  /** The first that is made, an even number; those before are another's. @default 0 */
  from?: number
  /** Whole number; the same gives the same members, and more members leave the first ones as they are. */
  seed: number
  kmPerCell: number
  wasm?: Uint8Array
}

/**
 * Mean rain of a member at some cells (`row * ncols + col`) while it passes, mm/h, NaN missing: from some minutes before its lead
 * to some after it.
 */
export type Passing = (cells: ArrayLike<number>, aroundMin: readonly [number, number]) => Float32Array

/** Takes a member at a lead, mm/h, NaN missing; the array is its own. `passing` is good until it returns. */
export type TakeMember = (member: number, lead: number, rateMmH: Float32Array, passing: Passing) => void

/** How fast rain may spread beyond where it was, km/min, and the cells over which it fades there. */
const GROWTH_KM_MIN = 1
const RIM_CELLS = 10
/**
 * How old the noise is at the issue, minutes: the last frame errs too, and motion is not all that changes in the first
 * minutes. Found on issues before 17:00 of the RMI event (docs/validation.md).
 */
const NOISE_AGE_MIN = 15

/**
 * Ensemble of STEPS (Bowler et al. 2006, as in Pulkkinen et al. 2019): each scale decays as it was seen to and noise with
 * the field's own spectrum takes its place; motion errs by member; the area of rain goes on as in the last half hour.
 * Autoregression and noise stay in the spectrum; two members come of one transform.
 * @param take Members come two by two, each pair through all leads.
 */
export function forecastSteps(start: NowcastStart, options: StepsOptions, take: TakeMember): void {
  const { leadsMin, members, seed, wasm } = options
  const scales = measureScales(start, wasm)
  const last = start.frames[start.frames.length - 1].rateMmH
  const common: Common = {
    scales,
    start,
    options,
    known: knownCells(last),
    distribution: distributionOf(last),
    fromRain: distanceFromRain(last, start.shape),
    decays: leadsMin.map((lead) => radialDecay(scales, lead)),
    trend: trendOf(start),
  }
  for (let pair = (options.from ?? 0) / 2; 2 * pair < members; pair++)
    runPair(common, createNoise(scales, start, seed, pair), pair, take)
}

interface Common {
  scales: Scales
  start: NowcastStart
  options: StepsOptions
  known: Uint8Array
  distribution: Distribution
  fromRain: Float32Array
  decays: ReturnType<typeof radialDecay>[]
  trend: Trend | null
}

function runPair(common: Common, noise: Noise, pair: number, take: TakeMember): void {
  const { scales, start, options, decays } = common
  const { fft, now, before, levels, stepMin } = scales
  const count = Math.min(2, options.members - 2 * pair)
  const paths = [0, 1].map((k) => memberPath(start, options, 2 * pair + k))
  for (let k = Math.max(1, Math.round(NOISE_AGE_MIN / stepMin)); k > 0; k--) noise.advance()
  let done = 0
  const [field, rates] = [0, 1].map(() => new Float32Array(common.known.length))
  options.leadsMin.forEach((lead, l) => {
    const steps = Math.max(1, Math.round(lead / stepMin))
    for (; done < steps; done++) noise.advance()
    const { radius } = levels
    const decay = decays[l]
    for (let i = 0; i < radius.length; i++) {
      const a = decay.now[radius[i]]
      const b = before ? decay.before[radius[i]] : 0
      // The same expected field for both members: real part (x, 0) and imaginary part (0, x).
      const re = a * now.re[i] + (before ? b * before.re[i] : 0)
      const im = a * now.im[i] + (before ? b * before.im[i] : 0)
      fft.re[i] = re - im + noise.re[i]
      fft.im[i] = im + re + noise.im[i]
    }
    fft.inverse()
    const shares = common.trend ? sharesLeft(common.trend, lead) : undefined
    const left = shares && { shares, shape: start.shape }
    for (let k = 0; k < count; k++) {
      crop(k === 0 ? fft.re : fft.im, fft.ncols, start.shape, field)
      keepNearRain(field, common, lead)
      matchDistribution(field, common.known, common.distribution, left, rates)
      const { path, speedAt } = paths[k]
      const way = path.to(lead)
      take(2 * pair + k, l, sampleAlong(rates, way), (cells, aroundMin) =>
        passingMean(rates, way, speedAt(lead), cells, aroundMin),
      )
    }
  })
}

/** The way of a member's rain: its errors along and across grow with the lead. */
function memberPath({ motion }: NowcastStart, { seed, kmPerCell }: StepsOptions, member: number) {
  const random = createRandom(seed, 2, member)
  const [along, across] = [laplace(random), laplace(random)]
  const cellsMin = 1 / 60 / kmPerCell
  const speedAt = (minutes: number) =>
    perturbed(
      motion,
      along * motionErrorKmH(ALONG, minutes) * cellsMin,
      across * motionErrorKmH(ACROSS, minutes) * cellsMin,
    )
  return { path: backwardPath(motion, speedAt), speedAt }
}

/** Fades what lies farther from the last rain than it can have grown. */
function keepNearRain(field: Float32Array, { fromRain, options }: Common, lead: number): void {
  const reach = (GROWTH_KM_MIN * lead) / options.kmPerCell
  let least = Number.POSITIVE_INFINITY
  for (const value of field) if (value < least) least = value
  for (let i = 0; i < field.length; i++) {
    const beyond = fromRain[i] - reach
    if (beyond <= 0) continue
    const weight = Math.max(0, 1 - beyond / RIM_CELLS)
    field[i] = least + weight * (field[i] - least)
  }
}

/** Cells to the nearest wet cell: 1 to a neighbour, 1.4 to a diagonal one (two sweeps, Borgefors 1986). */
export function distanceFromRain(
  rateMmH: Float32Array,
  { nrows, ncols }: { nrows: number; ncols: number },
): Float32Array {
  const out = Float32Array.from(rateMmH, (rate) => (rate >= WET_MM_H ? 0 : 1e9))
  const sweep = (rows: number[], cols: number[], dr: number, dc: number) => {
    for (const row of rows)
      for (const col of cols) {
        const i = row * ncols + col
        const up = row + dr >= 0 && row + dr < nrows
        const side = col + dc >= 0 && col + dc < ncols
        if (side) out[i] = Math.min(out[i], out[i + dc] + 1)
        if (!up) continue
        out[i] = Math.min(out[i], out[i + dr * ncols] + 1)
        if (side) out[i] = Math.min(out[i], out[i + dr * ncols + dc] + Math.SQRT2)
        if (col - dc >= 0 && col - dc < ncols)
          out[i] = Math.min(out[i], out[i + dr * ncols - dc] + Math.SQRT2)
      }
  }
  const rows = Array.from({ length: nrows }, (_, k) => k)
  const cols = Array.from({ length: ncols }, (_, k) => k)
  sweep(rows, cols, -1, -1)
  sweep(rows.reverse(), cols.reverse(), 1, 1)
  return out
}
