/** How an estimate compares with gauges. All null below two pairs that are known. */
export interface GaugeScores {
  pairs: number
  gaugeMean: number | null
  radarMean: number | null
  /** Sum of gauges over sum of radar. */
  ratioOfSums: number | null
  /** Of the pairs in which both are above 0. */
  medianRatio: number | null
  ratio5: number | null
  ratio95: number | null
  /** Estimate less gauge over gauge, of the sums, %. */
  biasPct: number | null
  rmse: number | null
  mae: number | null
  correlation: number | null
  /** Nash and Sutcliffe (1970). */
  nash: number | null
  /** Mean of 10 log10(gauge / radar) where both are above 0, dB. */
  logBiasDb: number | null
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Scores of `radar` against `gauge`, pair by pair; a pair with a NaN takes no part. */
export function gaugeScores(gauge: ArrayLike<number>, radar: ArrayLike<number>): GaugeScores {
  const g: number[] = []
  const r: number[] = []
  for (let i = 0; i < gauge.length; i++)
    if (!Number.isNaN(gauge[i]) && !Number.isNaN(radar[i])) {
      g.push(gauge[i])
      r.push(radar[i])
    }
  const n = g.length
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
  const [sg, sr] = [sum(g), sum(r)]
  const [mg, mr] = [sg / n, sr / n]
  const error = sum(g.map((v, i) => (v - r[i]) ** 2))
  const [vg, vr] = [sum(g.map((v) => (v - mg) ** 2)), sum(r.map((v) => (v - mr) ** 2))]
  const ratios = g.flatMap((v, i) => (v > 0 && r[i] > 0 ? [v / r[i]] : [])).sort((a, b) => a - b)
  return {
    pairs: n,
    gaugeMean: finite(mg),
    radarMean: finite(mr),
    ratioOfSums: finite(sg / sr),
    medianRatio: finite(quantile(ratios, 0.5)),
    ratio5: finite(quantile(ratios, 0.05)),
    ratio95: finite(quantile(ratios, 0.95)),
    biasPct: finite((100 * (sr - sg)) / sg),
    rmse: finite(Math.sqrt(error / n)),
    mae: finite(sum(g.map((v, i) => Math.abs(v - r[i]))) / n),
    correlation: n < 2 ? null : finite(sum(g.map((v, i) => (v - mg) * (r[i] - mr))) / Math.sqrt(vg * vr)),
    nash: n < 2 ? null : finite(1 - error / vg),
    logBiasDb: finite(sum(ratios.map((ratio) => 10 * Math.log10(ratio))) / ratios.length),
  }
}

/** Quantile of sorted values, linear between ranks; NaN of none. */
function quantile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return Number.NaN
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.ceil(at)
  return sorted[low] + (at - low) * (sorted[high] - sorted[low])
}
