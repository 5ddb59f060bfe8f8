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
  const g = new Float64Array(gauge.length)
  const r = new Float64Array(gauge.length)
  const allRatios = new Float64Array(gauge.length)
  let [n, sg, sr, wet] = [0, 0, 0, 0]
  for (let i = 0; i < gauge.length; i++) {
    if (Number.isNaN(gauge[i]) || Number.isNaN(radar[i])) continue
    g[n] = gauge[i]
    r[n++] = radar[i]
    sg += gauge[i]
    sr += radar[i]
    if (gauge[i] > 0 && radar[i] > 0) allRatios[wet++] = gauge[i] / radar[i]
  }
  const ratios = allRatios.subarray(0, wet).sort()
  const [mg, mr] = [sg / n, sr / n]
  let [error, off, vg, vr, both, decibels] = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < n; i++) {
    error += (g[i] - r[i]) ** 2
    off += Math.abs(g[i] - r[i])
    vg += (g[i] - mg) ** 2
    vr += (r[i] - mr) ** 2
    both += (g[i] - mg) * (r[i] - mr)
  }
  for (const ratio of ratios) decibels += 10 * Math.log10(ratio)
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
    mae: finite(off / n),
    correlation: n < 2 ? null : finite(both / Math.sqrt(vg * vr)),
    nash: n < 2 ? null : finite(1 - error / vg),
    logBiasDb: finite(decibels / ratios.length),
  }
}

/** Quantile of sorted values, linear between ranks; NaN of none. */
function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return Number.NaN
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.ceil(at)
  return sorted[low] + (at - low) * (sorted[high] - sorted[low])
}
