import { AHEAD_OUTSIDE } from '@radx/contracts/ahead'
import { PROBABILITY_COLORS } from '../../map/probability.ts'

type Scheme = keyof typeof PROBABILITY_COLORS

/** Colour of a probability, %; null for none. */
export const colorOf = (percent: number, scheme: Scheme): string | null =>
  percent <= 0 || percent === AHEAD_OUTSIDE
    ? null
    : PROBABILITY_COLORS[scheme][Math.min(9, Math.max(0, Math.ceil(percent / 10) - 1))]

/** A pixel a cell; what is not in danger stays clear. @param percent of one moment, row 0 north */
export function chancePicture(percent: Uint8Array, nrows: number, ncols: number, scheme: Scheme) {
  const data = new Uint8ClampedArray(4 * nrows * ncols)
  const colors = PROBABILITY_COLORS[scheme].map((color) =>
    [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)),
  )
  for (let cell = 0; cell < percent.length; cell++) {
    const p = percent[cell]
    if (p === 0 || p === AHEAD_OUTSIDE) continue
    const [r, g, b] = colors[Math.min(9, Math.max(0, Math.ceil(p / 10) - 1))]
    data.set([r, g, b, 255], 4 * cell)
  }
  return { width: ncols, height: nrows, data }
}
