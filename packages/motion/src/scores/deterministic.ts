import type { Shape } from '../field.ts'
import type { Contingency } from './contingency.ts'
import { addFractions, type FractionSums } from './fractions.ts'

/** Part of a grid: first row and column, numbers of rows and columns. */
export interface Window extends Shape {
  row: number
  col: number
}

/** Sums over cells and issues, from which the scores of a forecast come. */
export interface PooledScores {
  thresholds: readonly number[]
  /** Sides of the squares of the fractions skill score, cells; odd. */
  widths: readonly number[]
  /** Cells scored, and cells of the window. */
  n: number
  cells: number
  absolute: number
  square: number
  sumF: number
  sumO: number
  sumFF: number
  sumOO: number
  sumFO: number
  /** A threshold each. */
  tables: Contingency[]
  /** `[threshold][width]`. */
  fractions: FractionSums[][]
}

/** Sides of squares, in cells (reference-nowcast rules). */
export const FRACTION_WIDTHS = [1, 5, 21, 41] as const

export function emptyScores(
  thresholds: readonly number[],
  widths: readonly number[] = FRACTION_WIDTHS,
): PooledScores {
  return {
    thresholds,
    widths,
    n: 0,
    cells: 0,
    absolute: 0,
    square: 0,
    sumF: 0,
    sumO: 0,
    sumFF: 0,
    sumOO: 0,
    sumFO: 0,
    tables: thresholds.map(() => ({ hits: 0, misses: 0, falseAlarms: 0 })),
    fractions: thresholds.map(() => widths.map(() => ({ difference: 0, squares: 0 }))),
  }
}

/**
 * Adds one forecast. Cells count where the forecast, what was seen and `scored` say so; others are left out, and count as
 * dry in the squares of the fractions skill score.
 * @param scored 1 where a cell may count; by it methods are compared on the same cells
 */
export function addForecast(
  scores: PooledScores,
  forecast: Float32Array,
  seen: Float32Array,
  scored: Uint8Array,
  ncols: number,
  window: Window,
): void {
  const size = window.nrows * window.ncols
  const use = new Uint8Array(size)
  const f = new Float32Array(size)
  const o = new Float32Array(size)
  for (let row = 0, k = 0; row < window.nrows; row++) {
    let i = (window.row + row) * ncols + window.col
    for (let col = 0; col < window.ncols; col++, i++, k++) {
      if (!scored[i] || !(forecast[i] >= 0) || !(seen[i] >= 0)) continue
      use[k] = 1
      f[k] = forecast[i]
      o[k] = seen[i]
    }
  }
  addMoments(scores, f, o, use)
  scores.thresholds.forEach((threshold, t) => {
    const wetF = new Uint8Array(size)
    const wetO = new Uint8Array(size)
    const table = scores.tables[t]
    // Data in 32 bits hold 0.1 as a little more: thresholds are taken in the same precision.
    const at = Math.fround(threshold)
    for (let k = 0; k < size; k++) {
      if (!use[k]) continue
      wetF[k] = f[k] >= at ? 1 : 0
      wetO[k] = o[k] >= at ? 1 : 0
      if (wetF[k] && wetO[k]) table.hits++
      else if (wetO[k]) table.misses++
      else if (wetF[k]) table.falseAlarms++
    }
    addFractions(scores.fractions[t], wetF, wetO, window, scores.widths)
  })
}

function addMoments(scores: PooledScores, f: Float32Array, o: Float32Array, use: Uint8Array): void {
  scores.cells += use.length
  for (let k = 0; k < use.length; k++) {
    if (!use[k]) continue
    const [a, b] = [f[k], o[k]]
    scores.n++
    scores.absolute += Math.abs(a - b)
    scores.square += (a - b) ** 2
    scores.sumF += a
    scores.sumO += b
    scores.sumFF += a * a
    scores.sumOO += b * b
    scores.sumFO += a * b
  }
}

/** What pooled sums say. Rates in mm/h; NaN where nothing was scored. */
export function summarize(scores: PooledScores) {
  const { n, sumF, sumO, sumFF, sumOO, sumFO } = scores
  const covariance = sumFO / n - (sumF / n) * (sumO / n)
  const variances = (sumFF / n - (sumF / n) ** 2) * (sumOO / n - (sumO / n) ** 2)
  return {
    n,
    scoredShare: n / scores.cells,
    mae: scores.absolute / n,
    rmse: Math.sqrt(scores.square / n),
    bias: (sumF - sumO) / n,
    correlation: variances > 0 ? covariance / Math.sqrt(variances) : Number.NaN,
  }
}
