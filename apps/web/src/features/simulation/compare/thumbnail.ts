import type { GridPicture } from '../../../town/paint-ground.ts'

/** Cells across a small map beyond which they are put together. */
const MOST_ACROSS = 320

interface Grid {
  nrows: number
  ncols: number
}

/** A grid with fewer cells: of those put together the value that is farthest from 0 stands for all; NaN where all are. */
export function reduced(values: Float32Array, { nrows, ncols }: Grid): Grid & { values: Float32Array } {
  const side = Math.ceil(Math.max(nrows, ncols) / MOST_ACROSS)
  if (side <= 1) return { nrows, ncols, values }
  const small = { nrows: Math.ceil(nrows / side), ncols: Math.ceil(ncols / side) }
  const out = new Float32Array(small.nrows * small.ncols).fill(Number.NaN)
  for (let row = 0, k = 0; row < nrows; row++) {
    const line = Math.floor(row / side) * small.ncols
    for (let col = 0; col < ncols; col++, k++) {
      const at = line + Math.floor(col / side)
      if (!(Math.abs(out[at]) >= Math.abs(values[k])) && !Number.isNaN(values[k])) out[at] = values[k]
    }
  }
  return { ...small, values: out }
}

/** `a - b`; NaN where one of them is. */
export const difference = (a: Float32Array, b: Float32Array): Float32Array =>
  a.map((value, k) => value - b[k])

/** Value that a share of the wet cells stays below, so that one deep pit does not pale the rest; 0 where nothing is wet. */
export function usualMost(fields: readonly Float32Array[], share = 0.98): number {
  const sizes = fields.flatMap((field) =>
    Array.from(
      field.filter((value) => Math.abs(value) > 0),
      Math.abs,
    ),
  )
  sizes.sort((a, b) => a - b)
  return sizes.length === 0 ? 0 : sizes[Math.min(sizes.length - 1, Math.floor(share * sizes.length))]
}

/** The next of 1, 2 and 5 times a power of ten. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 5, 10].find((step) => step * power >= value * (1 - 1e-9)) ?? 10)
}

/** A picture over a ground of one colour, which fills what is known and has no colour of its own; the picture is changed. */
export function onGround(
  picture: GridPicture,
  values: Float32Array,
  ground: readonly [number, number, number],
): GridPicture {
  const { data } = picture
  for (let k = 0; k < values.length; k++) {
    const alpha = data[4 * k + 3] / 255
    if (alpha === 1 || Number.isNaN(values[k])) continue
    for (let c = 0; c < 3; c++) data[4 * k + c] = alpha * data[4 * k + c] + (1 - alpha) * ground[c]
    data[4 * k + 3] = 255
  }
  return picture
}
