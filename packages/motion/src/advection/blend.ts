import type { Shape } from '../field.ts'

/** Share of the water of averages that means of roots may lack; what is left is raised by its inverse. */
const MOST_LOST = 1 - 1 / 1.1
/** Cells of a side of the blocks in which the water is held. */
const BLOCK = 64

/**
 * `share` of b, the rest of a, into a; b is used up. The mean of the square roots, squared: where the two disagree rain
 * came or went between them, and less of it was there than their average says, where they agree a little more (seen on
 * withheld frames, docs/validation.md). Block by block, and even between blocks, all is raised to hold the water of the
 * averages; where that would take more than a tenth, averages are mixed in. Where one of them is missing, the other.
 * @param a mm/h, `[row * ncols + col]`, NaN missing
 */
export function blend(a: Float32Array, b: Float32Array, share: number, shape: Shape): Float32Array {
  const rows = blocksAlong(shape.nrows)
  const cols = blocksAlong(shape.ncols)
  const { average, less } = meansOf(a, b, share, shape, cols.count)
  let [held, left] = [0, 0]
  const [averageLine, lessLine] = [new Float64Array(cols.count), new Float64Array(cols.count)]
  for (let row = 0, i = 0; row < shape.nrows; row++) {
    const { first, second, part } = rows.at(row)
    for (let k = 0; k < cols.count; k++) {
      const [p, q] = [first * cols.count + k, second * cols.count + k]
      averageLine[k] = average[p] + part * (average[q] - average[p])
      lessLine[k] = less[p] + part * (less[q] - less[p])
    }
    for (let col = 0; col < shape.ncols; col++, i++) {
      // Dry in both, or known in one alone.
      if (!(b[i] >= 0) || a[i] === 0) continue
      const { first: p, second: q, part: along } = cols.at(col)
      const water = averageLine[p] + along * (averageLine[q] - averageLine[p])
      const lost = lessLine[p] + along * (lessLine[q] - lessLine[p])
      if (!(lost > 0)) continue
      const roots = Math.min(1, (MOST_LOST * water) / lost)
      held += a[i]
      a[i] = (a[i] + roots * (b[i] - a[i])) * (water / (water - roots * lost))
      left += a[i]
    }
  }
  // What is even between blocks holds the water of the whole but nearly.
  if (left > 0) for (let i = 0; i < a.length; i++) if (b[i] >= 0) a[i] *= held / left
  return a
}

/** By block. */
interface Sums {
  average: Float64Array
  /** Of averages minus means of roots. */
  less: Float64Array
}

/** Averages into a, squared means of roots into b (NaN where only one was known), and their sums by block. */
function meansOf(
  a: Float32Array,
  b: Float32Array,
  share: number,
  { nrows, ncols }: Shape,
  blockCols: number,
): Sums {
  const average = new Float64Array(Math.ceil(nrows / BLOCK) * blockCols)
  const less = new Float64Array(average.length)
  for (let row = 0, i = 0; row < nrows; row++) {
    const line = Math.floor(row / BLOCK) * blockCols
    for (let col = 0; col < ncols; col++, i++) {
      if (a[i] === 0 && b[i] === 0) continue
      if (!(a[i] >= 0) || !(b[i] >= 0)) {
        if (!(a[i] >= 0)) a[i] = b[i]
        b[i] = Number.NaN
        continue
      }
      const mean = a[i] + share * (b[i] - a[i])
      const ofRoots = Math.sqrt(a[i]) + share * (Math.sqrt(b[i]) - Math.sqrt(a[i]))
      a[i] = mean
      b[i] = ofRoots * ofRoots
      const k = line + Math.floor(col / BLOCK)
      average[k] += mean
      less[k] += mean - b[i]
    }
  }
  return { average, less }
}

/** For each place along a side the two blocks between whose middles it lies. */
function blocksAlong(length: number) {
  const count = Math.ceil(length / BLOCK)
  const places = Array.from({ length }, (_, k) => {
    const at = Math.min(Math.max((k + 0.5) / BLOCK - 0.5, 0), count - 1)
    const first = Math.floor(at)
    return { first, second: Math.min(first + 1, count - 1), part: at - first }
  })
  return { count, at: (k: number) => places[k] }
}
