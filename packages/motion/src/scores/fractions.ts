import type { Shape } from '../field.ts'

/** Sums of the fractions skill score, 1 - difference / squares (Roberts and Lean 2008, equation 6). */
export interface FractionSums {
  /** Sum of (share forecast - share seen)^2. */
  difference: number
  /** Sum of both shares squared. */
  squares: number
}

/** @returns NaN where neither had anything */
export const fss = ({ difference, squares }: FractionSums) =>
  squares > 0 ? 1 - difference / squares : Number.NaN

/**
 * Adds two yes-no fields: shares in squares round each cell; what lies outside counts as no.
 * @param sums one for each of `widths`, sides of squares in cells, odd
 */
export function addFractions(
  sums: readonly FractionSums[],
  forecast: Uint8Array,
  seen: Uint8Array,
  shape: Shape,
  widths: readonly number[],
): void {
  if (widths.length === 0) return
  const [a, b] = [integral(forecast, shape), integral(seen, shape)]
  widths.forEach((width, w) => {
    addWidth(sums[w], a, b, shape, width)
  })
}

function addWidth(
  sums: FractionSums,
  a: Int32Array,
  b: Int32Array,
  { nrows, ncols }: Shape,
  width: number,
): void {
  const half = width >> 1
  const line = ncols + 1
  const area = width * width
  for (let row = 0; row < nrows; row++) {
    const top = Math.max(0, row - half) * line
    const bottom = Math.min(nrows, row + half + 1) * line
    for (let col = 0; col < ncols; col++) {
      const left = Math.max(0, col - half)
      const right = Math.min(ncols, col + half + 1)
      const f = (a[bottom + right] - a[bottom + left] - a[top + right] + a[top + left]) / area
      const o = (b[bottom + right] - b[bottom + left] - b[top + right] + b[top + left]) / area
      sums.difference += (f - o) ** 2
      sums.squares += f * f + o * o
    }
  }
}

/** Sums over all cells above and to the left. */
function integral(marks: Uint8Array, { nrows, ncols }: Shape): Int32Array {
  const line = ncols + 1
  const out = new Int32Array(line * (nrows + 1))
  for (let row = 0; row < nrows; row++) {
    let sum = 0
    for (let col = 0; col < ncols; col++) {
      sum += marks[row * ncols + col]
      out[(row + 1) * line + col + 1] = out[row * line + col + 1] + sum
    }
  }
  return out
}
