/** What a law fitted to annual maxima says of a return period, mm. */
export interface Quantile {
  periodYears: number
  depthMm: number
  /** Confidence bounds of `CONFIDENCE`, mm. */
  lowMm: number
  highMm: number
}

/** Complete years that each law asks for. */
export const GUMBEL_MIN_YEARS = 10
export const GEV_MIN_YEARS = 20
/** Two-sided level of the bounds. */
export const CONFIDENCE = 0.9
const NORMAL_95 = 1.6448536269514722
const EULER = 0.5772156649015329

export type AnnualLaw =
  /** `muMm` place, `betaMm` scale. */
  | { kind: 'gumbel'; muMm: number; betaMm: number }
  /** Hosking's sign: `shape` below 0 is the heavy tail. */
  | { kind: 'gev'; muMm: number; scaleMm: number; shape: number }

/** Depth in mm that a law gives for a return period in years (above 1). */
export function annualQuantile(law: AnnualLaw, periodYears: number): number {
  const y = -Math.log(-Math.log(1 - 1 / periodYears))
  if (law.kind === 'gumbel') return law.muMm + law.betaMm * y
  const { muMm, scaleMm, shape } = law
  return Math.abs(shape) < 1e-9 ? muMm + scaleMm * y : muMm + (scaleMm * (1 - Math.exp(-shape * y))) / shape
}

/** Gumbel's law by moments (1958): beta = s sqrt(6) / pi, mu = mean - 0.5772 beta. @throws RangeError below 2 values */
export function fitGumbel(maximaMm: readonly number[]): AnnualLaw & { kind: 'gumbel' } {
  const { mean, deviation } = moments(maximaMm)
  const betaMm = (deviation * Math.sqrt(6)) / Math.PI
  return { kind: 'gumbel', muMm: mean - EULER * betaMm, betaMm }
}

/**
 * Gumbel quantiles with bounds after Kite (1977), for moments: variance of a quantile
 * s^2 / n (1 + 1.1396 K + 1.1 K^2), K its frequency factor.
 */
export function gumbelQuantiles(maximaMm: readonly number[], periodsYears: readonly number[]): Quantile[] {
  const law = fitGumbel(maximaMm)
  const { mean, deviation } = moments(maximaMm)
  return periodsYears.map((periodYears) => {
    const depthMm = annualQuantile(law, periodYears)
    const factor = deviation === 0 ? 0 : (depthMm - mean) / deviation
    const error = deviation * Math.sqrt((1 + 1.1396 * factor + 1.1 * factor ** 2) / maximaMm.length)
    return { periodYears, depthMm, lowMm: depthMm - NORMAL_95 * error, highMm: depthMm + NORMAL_95 * error }
  })
}

/**
 * Generalised extreme values by L-moments (Hosking, Wallis and Wood, 1985): c = 2 / (3 + t3) - ln 2 / ln 3,
 * k = 7.8590 c + 2.9554 c^2. All maxima equal give a law without spread.
 * @throws RangeError below 3 values
 */
export function fitGev(maximaMm: readonly number[]): AnnualLaw & { kind: 'gev' } {
  const n = maximaMm.length
  if (n < 3) throw new RangeError('three annual maxima at least')
  const sorted = [...maximaMm].sort((x, y) => x - y)
  const [b0, b1, b2] = [0, 1, 2].map(
    (order) =>
      sorted.reduce((sum, value, j) => {
        const weight = order === 0 ? 1 : order === 1 ? j / (n - 1) : (j * (j - 1)) / ((n - 1) * (n - 2))
        return sum + weight * value
      }, 0) / n,
  )
  const l2 = 2 * b1 - b0
  if (!(l2 > 0)) return { kind: 'gev', muMm: b0, scaleMm: 0, shape: 0 }
  const t3 = (6 * b2 - 6 * b1 + b0) / l2
  const c = 2 / (3 + t3) - Math.LN2 / Math.log(3)
  const shape = 7.859 * c + 2.9554 * c * c
  if (Math.abs(shape) < 1e-6) {
    const scaleMm = l2 / Math.LN2
    return { kind: 'gev', muMm: b0 - EULER * scaleMm, scaleMm, shape: 0 }
  }
  const g = gamma(1 + shape)
  const scaleMm = (l2 * shape) / ((1 - 2 ** -shape) * g)
  return { kind: 'gev', muMm: b0 - (scaleMm * (1 - g)) / shape, scaleMm, shape }
}

/** Resamples for the bounds; their noise then is some percent of the bounds' width. */
const RESAMPLES = 500

/**
 * GEV quantiles. Bounds by parametric resampling (Efron): as many samples of the fitted law, fitted again; the same
 * maxima always give the same bounds.
 */
export function gevQuantiles(maximaMm: readonly number[], periodsYears: readonly number[]): Quantile[] {
  const law = fitGev(maximaMm)
  const next = sequence(maximaMm)
  const again = Array.from({ length: RESAMPLES }, () =>
    fitGev(maximaMm.map(() => annualQuantile(law, 1 / (1 - next())))),
  )
  const place = (share: number) => Math.round(share * (RESAMPLES - 1))
  return periodsYears.map((periodYears) => {
    const values = again.map((other) => annualQuantile(other, periodYears)).sort((x, y) => x - y)
    return {
      periodYears,
      depthMm: annualQuantile(law, periodYears),
      lowMm: values[place((1 - CONFIDENCE) / 2)],
      highMm: values[place((1 + CONFIDENCE) / 2)],
    }
  })
}

function moments(values: readonly number[]): { mean: number; deviation: number } {
  const n = values.length
  if (n < 2) throw new RangeError('two annual maxima at least')
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(square / (n - 1)) }
}

/** Gamma of a positive number, to 1e-13 (Lanczos 1964, g = 7). */
function gamma(x: number): number {
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x))
  const [first, ...rest] = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  const t = x + 6.5
  const sum = rest.reduce((total, c, k) => total + c / (x + k), first)
  return Math.sqrt(2 * Math.PI) * t ** (x - 0.5) * Math.exp(-t) * sum
}

/** Numbers between 0 and 1, both excluded, that the given values alone decide (mulberry32). */
function sequence(seed: readonly number[]): () => number {
  let state = seed.reduce((hash, value) => Math.imul(hash ^ Math.round(value * 1000), 0x01000193), 0x811c9dc5)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32
  }
}
