import { DEPTH_BAR_MAX } from '@radx/contracts/flood-constants'
import { BAND_COLORS, bandOf } from './bands.ts'
import type { DepthField } from './field.ts'

/** Bars of the wet cells, the highest first, so that hiding the low ones is drawing fewer. */
export interface Bars {
  count: number
  /** Column-major 4 x 4 a bar: cells are one wide, x to the east, z to the south, the basin's middle at 0. */
  matrices: Float32Array
  /** Red, green, blue a bar, 0 to 1, as they are on the screen. */
  colors: Float32Array
}

const rgb = (color: string): number[] =>
  [1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16) / 255)

export function barsOf({ cm, wet, maxCm, nrows, ncols }: DepthField): Bars {
  const matrices = new Float32Array(16 * wet.length)
  const colors = new Float32Array(3 * wet.length)
  const ofBand = BAND_COLORS.map(rgb)
  wet.forEach((cell, k) => {
    const m = 16 * k
    matrices[m] = 1
    matrices[m + 5] = (DEPTH_BAR_MAX * cm[cell]) / maxCm
    matrices[m + 10] = 1
    matrices[m + 12] = (cell % ncols) + 0.5 - ncols / 2
    matrices[m + 14] = Math.floor(cell / ncols) + 0.5 - nrows / 2
    matrices[m + 15] = 1
    colors.set(ofBand[bandOf(cm[cell])], 3 * k)
  })
  return { count: wet.length, matrices, colors }
}

/**
 * Makes a picture of the land the ground of the bars: quiet enough for them to stand out, and nothing outside the
 * basin, whatever the picture has there.
 * @param light 0 to 1, of the page
 */
export function toGround(pixels: Uint8ClampedArray, cm: ArrayLike<number>, light: number): void {
  for (let k = 0; k < cm.length; k++) {
    const grey = (pixels[4 * k] + pixels[4 * k + 1] + pixels[4 * k + 2]) / 3
    for (let c = 4 * k; c < 4 * k + 3; c++) pixels[c] = light * (0.55 * pixels[c] + 0.45 * grey)
    if (Number.isNaN(cm[k])) pixels[4 * k + 3] = 0
  }
}

/** Bars that may be drawn while the view moves: fewer when the last picture came late, more when it came soon. */
export function movingBudget(budget: number, lastMs: number, total: number): number {
  if (lastMs > 70) return Math.max(2_000, Math.floor(budget * 0.5))
  if (lastMs < 25) return Math.max(budget, Math.min(total, budget * 2))
  return budget
}
