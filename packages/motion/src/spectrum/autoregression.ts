/** x(t) = first x(t-1) + second x(t-2) + noise e(t), e of variance 1, x of variance 1. */
export interface Ar2 {
  first: number
  second: number
  noise: number
}

/** Correlations beyond these make no sense of rain. */
const MOST = 0.99999

/**
 * Yule-Walker coefficients of an AR(2) with correlations `g1`, `g2` at lags 1 and 2; `g2` is raised where the process
 * would not be stationary, or would swing (as pysteps does, Pulkkinen et al. 2019).
 */
export function ar2(lag1: number, lag2: number): Ar2 {
  const g1 = Math.min(Math.max(lag1, 0), MOST)
  if (g1 < 1e-6) return { first: 0, second: 0, noise: 1 }
  let g2 = Math.min(Math.max(lag2, -MOST), MOST)
  g2 = Math.max(g2, 2 * g1 * g2 - 1)
  g2 = Math.max(g2, (3 * g1 * g1 - 2 + 2 * (1 - g1 * g1) ** 1.5) / (g1 * g1))
  const first = (g1 * (1 - g2)) / (1 - g1 * g1)
  const second = (g2 - g1 * g1) / (1 - g1 * g1)
  return { first, second, noise: Math.sqrt(Math.max(0, 1 - g1 * first - g2 * second)) }
}

/**
 * Correlation at twice the lag `step`, from those measured at `step` and at `later`: both lie on exp(-(t/T)^b), with b
 * between 0.4 and 2. Where frames come evenly it is what was measured.
 */
export function rescaledLag2(g1: number, g2: number, step: number, later: number): number {
  if (Math.abs(later - 2 * step) < 0.01 * step) return g2
  if (!(g1 > 0.01 && g1 < MOST)) return g1 * g1
  const decay = -Math.log(g1)
  const b = g2 > 0 ? Math.log(-Math.log(Math.min(g2, MOST)) / decay) / Math.log(later / step) : 1
  return Math.exp(-decay * 2 ** Math.min(2, Math.max(0.4, b)))
}

/** Factors of x(0) and x(-1) in the expected x(t), t = 0 to `steps`. */
export function expectation(
  { first, second }: Ar2,
  steps: number,
): { now: Float64Array; before: Float64Array } {
  const now = new Float64Array(steps + 1)
  const before = new Float64Array(steps + 1)
  now[0] = 1
  if (steps >= 1) {
    now[1] = first
    before[1] = second
  }
  for (let t = 2; t <= steps; t++) {
    now[t] = first * now[t - 1] + second * now[t - 2]
    before[t] = first * before[t - 1] + second * before[t - 2]
  }
  return { now, before }
}
