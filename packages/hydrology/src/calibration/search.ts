import { HydrologyError } from '../errors.ts'
import { CmaEs } from './cma.ts'
import { SeededDraws } from './random.ts'

/** Where a parameter is looked for. `log`: a tenth and ten times lie equally far; needs `min` above 0. */
export interface SearchBound {
  min: number
  max: number
  scale: 'linear' | 'log'
}

export interface SearchTask {
  bounds: readonly SearchBound[]
  /** Tried first: what one has now. Pulled into the bounds. */
  start: readonly number[]
  /** How many points may be tried in all. */
  budget: number
  seed: number
}

/** Share of the trials that look everywhere before the search follows the best of them. */
const SPREAD_SHARE = 0.2
const LEAST_SPREAD = 8
/** Spread of the first generation around the best of them. */
const SIGMA = 0.2

/**
 * A bounded search for the highest score: the start, a Latin hypercube (McKay et al. 1979), then CMA-ES from the best point. Asked
 * and told in lots whose size hangs on nothing but the task, so that who computes a lot, and on how many threads, changes
 * nothing, and a search told again what it was told goes on as if it had never ended.
 */
export class Search {
  readonly task: SearchTask
  private readonly draws: SeededDraws
  private readonly spread: number
  private cma: CmaEs | null = null
  private asked: number[][] = []
  private tried = 0
  private best: { at: number[]; value: number } = { at: [], value: Number.NEGATIVE_INFINITY }

  /** @throws HydrologyError `calibration.bounds` */
  constructor(task: SearchTask) {
    task.bounds.forEach(({ min, max, scale }, k) => {
      if (!(min < max) || (scale === 'log' && !(min > 0)))
        throw new HydrologyError(
          'calibration.bounds',
          `Bornes du paramètre ${k + 1} : il faut min < max, et min > 0 pour une échelle logarithmique.`,
        )
    })
    if (task.bounds.length === 0 || task.start.length !== task.bounds.length)
      throw new HydrologyError(
        'calibration.bounds',
        'Il faut une valeur de départ par paramètre, au moins un.',
      )
    this.task = task
    this.draws = new SeededDraws(task.seed)
    this.spread = Math.max(LEAST_SPREAD, Math.round(SPREAD_SHARE * task.budget))
  }

  /** The points to try next, by parameter; none when the budget is used up. */
  ask(): number[][] {
    const left = this.task.budget - this.tried
    this.asked = left <= 0 ? [] : this.next().slice(0, left)
    return this.asked.map((at) => this.valuesOf(at))
  }

  /** Scores of the points of the last `ask`, in their order; NaN for one that failed. */
  tell(scores: readonly number[]): void {
    const values = scores.map((score) => (Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score))
    values.forEach((value, k) => {
      if (value > this.best.value) this.best = { at: this.asked[k], value }
    })
    this.tried += values.length
    if (this.cma && values.length === this.cma.lambda) this.cma.tell(values)
  }

  private next(): number[][] {
    if (this.tried === 0) return [this.task.start.map((value, k) => shareOf(this.task.bounds[k], value))]
    if (this.tried === 1) return this.hypercube()
    this.cma ??= new CmaEs(
      this.best.at.length > 0 ? this.best.at : this.task.bounds.map(() => 0.5),
      SIGMA,
      this.draws,
    )
    return this.cma.ask()
  }

  private hypercube(): number[][] {
    const { spread, draws } = this
    const columns = this.task.bounds.map(() => draws.order(spread).map((k) => (k + draws.uniform()) / spread))
    return Array.from({ length: spread }, (_, k) => columns.map((column) => column[k]))
  }

  private valuesOf(at: readonly number[]): number[] {
    return at.map((share, k) => {
      const { min, max, scale } = this.task.bounds[k]
      const value = scale === 'log' ? min * (max / min) ** share : min + share * (max - min)
      return Math.min(max, Math.max(min, value))
    })
  }
}

/** Where a value lies between its bounds, 0 to 1. */
export function shareOf({ min, max, scale }: SearchBound, value: number): number {
  const held = Math.min(max, Math.max(min, value))
  return scale === 'log' ? Math.log(held / min) / Math.log(max / min) : (held - min) / (max - min)
}
