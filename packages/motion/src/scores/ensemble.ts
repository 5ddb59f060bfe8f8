import { WET_MM_H } from '../field.ts'
import type { Window } from './deterministic.ts'

/** Sums over cells and issues, from which the scores of an ensemble come. */
export interface EnsembleScores {
  members: number
  thresholds: readonly number[]
  n: number
  /** Mean |member - seen| and mean |member - member|, summed over cells. */
  toSeen: number
  apart: number
  absoluteOfMean: number
  squareOfMean: number
  variance: number
  /** Sum of squared errors of the probability, a threshold each. */
  brier: number[]
  /** `[threshold][members that exceed]`: cells, and those of them in which it was exceeded. */
  reliability: { cells: number[]; exceeded: number[] }[]
  /** Cells by how many members lie below what was seen; equal ones are shared out evenly. */
  ranks: number[]
  /**
   * The same over cells in which rain was seen or some member has it; below 0.1 mm/h is dry, so that the rims that
   * moving a field draws round its rain do not count.
   */
  wetRanks: number[]
}

export function emptyEnsembleScores(members: number, thresholds: readonly number[]): EnsembleScores {
  const bins = () => new Array<number>(members + 1).fill(0)
  return {
    members,
    thresholds,
    n: 0,
    toSeen: 0,
    apart: 0,
    absoluteOfMean: 0,
    squareOfMean: 0,
    variance: 0,
    brier: thresholds.map(() => 0),
    reliability: thresholds.map(() => ({ cells: bins(), exceeded: bins() })),
    ranks: bins(),
    wetRanks: bins(),
  }
}

/** Adds an ensemble forecast; cells count where every member, what was seen and `scored` say so. */
export function addEnsemble(
  scores: EnsembleScores,
  members: readonly Float32Array[],
  seen: Float32Array,
  scored: Uint8Array,
  ncols: number,
  window: Window,
): void {
  const count = members.length
  const sorted = new Float64Array(count)
  for (let row = window.row; row < window.row + window.nrows; row++)
    for (let i = row * ncols + window.col; i < row * ncols + window.col + window.ncols; i++) {
      if (!scored[i] || !(seen[i] >= 0)) continue
      let whole = true
      for (let m = 0; whole && m < count; m++) {
        sorted[m] = members[m][i]
        whole = sorted[m] >= 0
      }
      if (whole) addCell(scores, sorted.sort(), seen[i])
    }
}

function addCell(scores: EnsembleScores, sorted: Float64Array, seen: number): void {
  const count = sorted.length
  let [sum, squares, toSeen, apart, below, equal] = [0, 0, 0, 0, 0, 0]
  for (let m = 0; m < count; m++) {
    const value = sorted[m]
    sum += value
    squares += value * value
    toSeen += Math.abs(value - seen)
    // Sum over pairs of |a - b|, from sorted values.
    apart += (2 * m - count + 1) * value
    if (value < seen) below++
    else if (value === seen) equal++
  }
  const mean = sum / count
  scores.n++
  scores.toSeen += toSeen / count
  scores.apart += (2 * apart) / (count * count)
  scores.absoluteOfMean += Math.abs(mean - seen)
  scores.squareOfMean += (mean - seen) ** 2
  scores.variance += count > 1 ? Math.max(0, (squares - count * mean * mean) / (count - 1)) : 0
  scores.thresholds.forEach((threshold, t) => {
    const at = Math.fround(threshold)
    let over = 0
    for (let m = 0; m < count; m++) if (sorted[m] >= at) over++
    const event = seen >= at ? 1 : 0
    scores.brier[t] += (over / count - event) ** 2
    scores.reliability[t].cells[over]++
    scores.reliability[t].exceeded[over] += event
  })
  for (let k = below; k <= below + equal; k++) scores.ranks[k] += 1 / (equal + 1)
  addWetRank(scores.wetRanks, sorted, seen, below, equal)
}

/** @param below members below what was seen, of which those that are dry share its rank where it is dry too */
function addWetRank(ranks: number[], sorted: Float64Array, seen: number, below: number, equal: number): void {
  let dry = 0
  while (dry < sorted.length && sorted[dry] < WET_MM_H) dry++
  if (seen >= WET_MM_H) for (let k = below; k <= below + equal; k++) ranks[k] += 1 / (equal + 1)
  else if (dry < sorted.length) for (let k = 0; k <= dry; k++) ranks[k] += 1 / (dry + 1)
}

/**
 * What pooled sums say. CRPS by members (Hersbach 2000; Gneiting and Raftery 2007, equation 21), `crpsFair` as if members
 * were without number (Ferro 2014). Rates in mm/h.
 */
export function summarizeEnsemble(scores: EnsembleScores) {
  const { n, members: m } = scores
  return {
    n,
    crps: (scores.toSeen - scores.apart / 2) / n,
    crpsFair: m > 1 ? (scores.toSeen - (scores.apart * m) / (m - 1) / 2) / n : Number.NaN,
    maeOfMean: scores.absoluteOfMean / n,
    rmseOfMean: Math.sqrt(scores.squareOfMean / n),
    /** Root of the mean variance: equals the error of the mean, times sqrt(m / (m + 1)), where the ensemble is right. */
    spread: Math.sqrt(scores.variance / n),
    brier: scores.brier.map((sum) => sum / n),
  }
}

/** How far a rank histogram is from flat: mean |share x bins - 1|; 0 is flat. */
export function unevenness(ranks: readonly number[]): number {
  const total = ranks.reduce((a, b) => a + b, 0)
  return ranks.reduce((sum, value) => sum + Math.abs((value / total) * ranks.length - 1), 0) / ranks.length
}
