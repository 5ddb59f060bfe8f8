import { symmetricEigen } from './eigen.ts'
import type { SeededDraws } from './random.ts'

/**
 * CMA-ES after Hansen (2016, "The CMA Evolution Strategy: A Tutorial", fig. 6 and table 1), maximising. Works in the unit
 * cube: what is drawn outside is mirrored into it, so that bounds hold and the search knows nothing of them.
 */
export class CmaEs {
  /** Points of a generation. */
  readonly lambda: number
  private readonly n: number
  private readonly draws: SeededDraws
  private readonly weights: number[]
  private readonly mueff: number
  private readonly rates: { cc: number; cs: number; c1: number; cmu: number; damps: number; chiN: number }
  private mean: number[]
  private sigma: number
  private covariance: number[][]
  private pc: number[]
  private ps: number[]
  private generation = 0
  /** Steps from the mean of the points asked for, in units of sigma. */
  private steps: number[][] = []

  /** @param start in the unit cube  @param sigma spread of the first generation, as a share of the cube's side */
  constructor(start: readonly number[], sigma: number, draws: SeededDraws) {
    const n = start.length
    this.n = n
    this.draws = draws
    this.mean = [...start]
    this.sigma = sigma
    this.lambda = 4 + Math.floor(3 * Math.log(n))
    const mu = Math.floor(this.lambda / 2)
    const raw = Array.from({ length: mu }, (_, i) => Math.log((this.lambda + 1) / 2) - Math.log(i + 1))
    const total = raw.reduce((sum, w) => sum + w, 0)
    this.weights = raw.map((w) => w / total)
    const mueff = 1 / this.weights.reduce((sum, w) => sum + w * w, 0)
    this.mueff = mueff
    const cs = (mueff + 2) / (n + mueff + 5)
    const c1 = 2 / ((n + 1.3) ** 2 + mueff)
    this.rates = {
      cc: (4 + mueff / n) / (n + 4 + (2 * mueff) / n),
      cs,
      c1,
      cmu: Math.min(1 - c1, (2 * (mueff - 2 + 1 / mueff)) / ((n + 2) ** 2 + mueff)),
      damps: 1 + 2 * Math.max(0, Math.sqrt((mueff - 1) / (n + 1)) - 1) + cs,
      chiN: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
    }
    this.covariance = start.map((_, i) => start.map((_, j) => (i === j ? 1 : 0)))
    this.pc = start.map(() => 0)
    this.ps = start.map(() => 0)
  }

  /** The points of the next generation, in the unit cube. */
  ask(): number[][] {
    const { values, vectors } = symmetricEigen(this.covariance)
    const spread = values.map((value) => Math.sqrt(Math.max(value, 1e-20)))
    this.steps = Array.from({ length: this.lambda }, () => {
      const z = spread.map((s) => s * this.draws.normal())
      return vectors.map((row) => row.reduce((sum, v, k) => sum + v * z[k], 0))
    })
    return this.steps.map((step) => step.map((y, i) => mirrored(this.mean[i] + this.sigma * y)))
  }

  /** What the points of the last `ask` are worth, in their order; what failed is -Infinity. */
  tell(values: readonly number[]): void {
    const { n, weights, mueff, rates } = this
    const { cc, cs, c1, cmu, damps, chiN } = rates
    const ranked = values.map((value, k) => ({ value, k })).sort((a, b) => b.value - a.value || a.k - b.k)
    const chosen = weights.map((_, i) => this.steps[ranked[i].k])
    const move = this.mean.map((_, i) => weights.reduce((sum, w, j) => sum + w * chosen[j][i], 0))
    this.mean = this.mean.map((m, i) => m + this.sigma * move[i])
    const { values: eigen, vectors } = symmetricEigen(this.covariance)
    // C^(-1/2) times the move.
    const turned = eigen.map(
      (value, k) =>
        move.reduce((sum, y, i) => sum + vectors[i][k] * y, 0) / Math.sqrt(Math.max(value, 1e-20)),
    )
    const whitened = move.map((_, i) => turned.reduce((sum, t, k) => sum + vectors[i][k] * t, 0))
    this.ps = this.ps.map((p, i) => (1 - cs) * p + Math.sqrt(cs * (2 - cs) * mueff) * whitened[i])
    const length = Math.hypot(...this.ps)
    this.generation++
    const holds = length / Math.sqrt(1 - (1 - cs) ** (2 * this.generation)) / chiN < 1.4 + 2 / (n + 1) ? 1 : 0
    this.pc = this.pc.map((p, i) => (1 - cc) * p + holds * Math.sqrt(cc * (2 - cc) * mueff) * move[i])
    const lost = (1 - holds) * cc * (2 - cc)
    this.covariance = this.covariance.map((row, i) =>
      row.map(
        (c, j) =>
          (1 - c1 - cmu + c1 * lost) * c +
          c1 * this.pc[i] * this.pc[j] +
          cmu * weights.reduce((sum, w, k) => sum + w * chosen[k][i] * chosen[k][j], 0),
      ),
    )
    // Wider than the cube makes mirrors of mirrors.
    this.sigma = Math.min(0.5, this.sigma * Math.exp((cs / damps) * (length / chiN - 1)))
  }
}

/** Folded into 0 to 1. */
function mirrored(x: number): number {
  const folded = Math.abs(x) % 2
  return folded > 1 ? 2 - folded : folded
}
