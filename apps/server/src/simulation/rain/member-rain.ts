import { DOWNSCALE_STEPS, type Ensemble, RadxError } from '@radx/contracts'
import { MAX_RATE_MM_H, type RadarRain, type RadarRainFrame, radarRain } from '@radx/hydrology/rain/rain'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { downscale } from '@radx/scaling/downscale'

const RATIO = 2 ** DOWNSCALE_STEPS.space
const PARTS = 2 ** DOWNSCALE_STEPS.time
/** A radar cell of which this share has model cells lies inside the model. */
const INSIDE = 0.9

/** Measured rain over a model: the radar cells of a window, and where each model cell lies in it. */
export interface CoarseOverModel {
  nrows: number
  ncols: number
  /** Rates `[row * ncols + col]` in mm/h, row 0 north; NaN: no data. */
  frames: readonly RadarRainFrame[]
  /** Row and column of each model cell in cells of the window, with their fractions; NaN outside the radar. */
  rows: Float64Array
  cols: Float64Array
  /** Model cells that a radar cell has room for. */
  modelCells: number
  durationS: number
  intervalS: number
}

/** @throws RadxError where nothing fell, or nothing is known: there is nothing to take apart */
export function checkWet({ frames }: CoarseOverModel): void {
  const some = (such: (rate: number) => boolean) =>
    frames.some(({ ratesMmH }) => Array.from(ratesMmH).some(such))
  if (!some((rate) => rate >= 0))
    throw new RadxError(
      'scaling.unknown',
      422,
      'Les images de cette période n’ont aucune donnée sur le bassin : il n’y a rien à désagréger. Choisissez une autre période.',
    )
  if (!some((rate) => rate > 0))
    throw new RadxError(
      'scaling.dry',
      422,
      'Il n’a pas plu sur le bassin pendant cette période : il n’y a rien à désagréger. Choisissez une période de pluie.',
    )
}

/** Member `k` of an ensemble has this seed. */
export const seedOf = ({ seed }: Ensemble, k: number): number => seed + k

/**
 * One member on the model's cells: each radar cell and picture taken apart by a cascade. What falls on the model cells
 * of a radar cell that lies inside the model is what was measured there, also where its 31 m do not fall on the
 * model's cells.
 * @throws RadxError `scaling.peak` for a rate that no rain has
 */
export function memberRain(coarse: CoarseOverModel, { alpha, c1 }: Ensemble, seed: number): RadarRain {
  const { nrows, ncols, frames } = coarse
  const { space: spaceSteps, time: timeSteps } = DOWNSCALE_STEPS
  const rateMmH = frames.map(({ ratesMmH }) => Float32Array.from(ratesMmH))
  const fine = downscale({ nrows, ncols, rateMmH }, { alpha, c1, spaceSteps, timeSteps, seed })
  const cellOfModel = fineCells(coarse)
  const weights = new Float64Array(nrows * ncols * RATIO * RATIO)
  for (const cell of cellOfModel) if (cell >= 0) weights[cell]++
  const inside = cellsInside(coarse, weights)
  frames.forEach((_, t) => {
    const parts = fine.slice(t * PARTS, (t + 1) * PARTS)
    for (const cell of inside) keepSum(rateMmH[t][cell], parts, fineOf(coarse, cell), weights)
  })
  checkPeak(fine)
  const pieces = fine.map((ratesMmH, k): RadarRainFrame => {
    const { fromS, toS } = frames[Math.floor(k / PARTS)]
    const at = (part: number) => fromS + (part / PARTS) * (toS - fromS)
    return { fromS: at(k % PARTS), toS: at((k % PARTS) + 1), ratesMmH }
  })
  return radarRain(pieces, cellOfModel, { durationS: coarse.durationS, intervalS: coarse.intervalS })
}

/** The fine cell of each model cell, -1 outside. */
function fineCells({ ncols, rows, cols }: CoarseOverModel): Int32Array {
  return Int32Array.from(rows, (row, i) =>
    Number.isNaN(row) ? -1 : Math.floor(row * RATIO) * ncols * RATIO + Math.floor(cols[i] * RATIO),
  )
}

/** Fine cells of a coarse one. */
function fineOf({ ncols }: CoarseOverModel, cell: number): number[] {
  const start = Math.floor(cell / ncols) * RATIO * ncols * RATIO + (cell % ncols) * RATIO
  return Array.from(
    { length: RATIO * RATIO },
    (_, k) => start + Math.floor(k / RATIO) * ncols * RATIO + (k % RATIO),
  )
}

/** Coarse cells that lie inside the model. */
function cellsInside(coarse: CoarseOverModel, weights: Float64Array): number[] {
  return Array.from({ length: coarse.nrows * coarse.ncols }, (_, cell) => cell).filter(
    (cell) => fineOf(coarse, cell).reduce((sum, k) => sum + weights[k], 0) >= INSIDE * coarse.modelCells,
  )
}

/** Scales the fine cells so that their mean over the model's cells is the coarse rate. */
function keepSum(
  rate: number,
  parts: readonly Float32Array[],
  cells: readonly number[],
  weights: Float64Array,
): void {
  if (!(rate > 0)) return
  let [sum, total] = [0, 0]
  for (const values of parts)
    for (const cell of cells) {
      sum += weights[cell] * values[cell]
      total += weights[cell]
    }
  if (!(sum > 0)) return
  const factor = (rate * total) / sum
  for (const values of parts) for (const cell of cells) values[cell] *= factor
}

function checkPeak(fine: readonly Float32Array[]): void {
  const most = fine.reduce((top, values) => values.reduce((a, b) => Math.max(a, b), top), 0)
  if (most > MAX_RATE_MM_H)
    throw new RadxError(
      'scaling.peak',
      422,
      `La désagrégation donne ${formatQuantityFr(most, 'mm/h', 0)} sur une maille, plus qu’aucune pluie mesurée : C1 est trop grand pour cette pluie.`,
    )
}
