import { HydrologyError } from '../errors.ts'

/** How a simulated series stands to a measured one. Shares are of the measured value: 0.1 is 10 % too much. */
export interface Scores {
  /** Moments with a measured and a simulated value; the others count nowhere. */
  pairs: number
  /** Moments without a measured value, or that the simulation does not reach. */
  missing: number
  /** Nash and Sutcliffe (1970): 1 is perfect, 0 no better than the measured mean; null where nothing varies. */
  nse: number | null
  /** Kling and Gupta (Gupta et al. 2009, eq. 9): 1 is perfect; null where one of the series does not vary. */
  kge: number | null
  /** Its parts: correlation, ratio of the spreads, ratio of the means; null with it. */
  kgeParts: { r: number; alpha: number; beta: number } | null
  peakMeasured: number
  peakSimulated: number
  /** Null where the measured peak is 0. */
  peakError: number | null
  /** Simulated peak after the measured one, s. */
  peakDelayS: number
  /** Of the integral over time without gaps (a volume where flows are compared); null where the measured one is 0. */
  volumeError: number | null
}

/** Fewer pairs tell nothing. */
export const LEAST_PAIRS = 5
/** Values further apart than so many usual steps have a gap between them. */
const GAP_STEPS = 2.5

/**
 * Scores of a simulated series at the moments of a measured one. Where either is NaN, the moment counts nowhere.
 *
 * @param timesS ascending, s
 * @returns null with fewer than `LEAST_PAIRS` moments at which both have a value
 * @throws HydrologyError `calibration.lengths` where the arrays do not lie side by side
 */
export function scoresOf(
  timesS: ArrayLike<number>,
  measured: ArrayLike<number>,
  simulated: ArrayLike<number>,
): Scores | null {
  if (measured.length !== timesS.length || simulated.length !== timesS.length)
    throw new HydrologyError('calibration.lengths', 'Séries comparées de longueurs différentes.')
  const kept = Array.from(timesS, (_, k) => k).filter(
    (k) => Number.isFinite(measured[k]) && Number.isFinite(simulated[k]),
  )
  const n = kept.length
  if (n < LEAST_PAIRS) return null
  const [o, s] = [moments(kept, measured), moments(kept, simulated)]
  let [errors, products] = [0, 0]
  let [peakO, peakS] = [kept[0], kept[0]]
  for (const k of kept) {
    errors += (simulated[k] - measured[k]) ** 2
    products += (simulated[k] - s.mean) * (measured[k] - o.mean)
    if (measured[k] > measured[peakO]) peakO = k
    if (simulated[k] > simulated[peakS]) peakS = k
  }
  const nse = o.squares > 0 ? 1 - errors / o.squares : null
  const varies = o.squares > 0 && s.squares > 0 && o.mean !== 0
  const kgeParts = varies
    ? {
        r: products / Math.sqrt(o.squares * s.squares),
        alpha: Math.sqrt(s.squares / o.squares),
        beta: s.mean / o.mean,
      }
    : null
  const [volumeO, volumeS] = integrals(kept, timesS, [measured, simulated])
  return {
    pairs: n,
    missing: timesS.length - n,
    nse,
    kge: kgeParts && 1 - Math.hypot(kgeParts.r - 1, kgeParts.alpha - 1, kgeParts.beta - 1),
    kgeParts,
    peakMeasured: measured[peakO],
    peakSimulated: simulated[peakS],
    peakError: measured[peakO] === 0 ? null : simulated[peakS] / measured[peakO] - 1,
    peakDelayS: timesS[peakS] - timesS[peakO],
    volumeError: volumeO === 0 ? null : volumeS / volumeO - 1,
  }
}

function moments(kept: readonly number[], values: ArrayLike<number>): { mean: number; squares: number } {
  let mean = 0
  for (const k of kept) mean += values[k] / kept.length
  let squares = 0
  for (const k of kept) squares += (values[k] - mean) ** 2
  return { mean, squares }
}

/** By the trapezoidal rule, over the stretches between neighbours that no gap parts. */
function integrals(
  kept: readonly number[],
  timesS: ArrayLike<number>,
  series: readonly ArrayLike<number>[],
): number[] {
  const steps = kept.slice(1).map((k, i) => timesS[k] - timesS[kept[i]])
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]
  return series.map((values) =>
    steps.reduce((sum, step, i) => {
      if (step > GAP_STEPS * usual) return sum
      return sum + (step * (values[kept[i]] + values[kept[i + 1]])) / 2
    }, 0),
  )
}

/**
 * Values of a series at other moments, linear between its own.
 *
 * @param fromS ascending moments of the series, s
 * @returns NaN before the first and after the last of them, and beside a NaN
 */
export function valuesAt(
  fromS: ArrayLike<number>,
  values: ArrayLike<number>,
  timesS: ArrayLike<number>,
): Float64Array {
  let at = 0
  return Float64Array.from(timesS, (time) => {
    if (!(time >= fromS[0] && time <= fromS[fromS.length - 1])) return Number.NaN
    if (fromS[at] > time) at = 0
    while (at < fromS.length - 2 && fromS[at + 1] < time) at++
    if (fromS.length === 1) return values[0]
    const share = (time - fromS[at]) / (fromS[at + 1] - fromS[at])
    if (share === 0) return values[at]
    return share === 1 ? values[at + 1] : values[at] + share * (values[at + 1] - values[at])
  })
}
