/** Frames of one event on one grid. */
export interface EventFrames {
  nrows: number
  ncols: number
  /** mm/h, `[time][row * ncols + col]`, row 0 north; NaN = missing, 0 = no rain. */
  rateMmH: readonly Float32Array[]
}

/** A square of cells. */
export interface AnalysisWindow {
  row: number
  col: number
  side: number
}

/** Frames are even where none is further from the next than this many usual steps. */
const EVEN_STEPS = 1.5

const SMALLEST_SIDE = 16
/** A window may miss this share of its cells. */
const MISSING_SHARE = 0.05

/**
 * The largest square of a power of 2 that is known but for `missingShare` (5 %), and of those the one with the most rain; it is looked
 * for at every eighth of its side, and is not larger than `mostSide`. null where none of 16 cells or more is known and wet.
 */
export function chooseWindow(
  frames: EventFrames,
  mostSide: number = Number.POSITIVE_INFINITY,
  missingShare: number = MISSING_SHARE,
): AnalysisWindow | null {
  const { nrows, ncols, rateMmH } = frames
  const rain = integral(frames, (v) => Math.max(0, v || 0))
  const known = integral(frames, (v) => (v >= 0 ? 1 : 0))
  for (
    let side = 2 ** Math.floor(Math.log2(Math.min(nrows, ncols, mostSide)));
    side >= SMALLEST_SIDE;
    side /= 2
  ) {
    let best: AnalysisWindow | null = null
    let most = 0
    for (const row of starts(nrows, side)) {
      for (const col of starts(ncols, side)) {
        const window = { row, col, side }
        if (sumOf(known, ncols, window) < (1 - missingShare) * side * side * rateMmH.length) continue
        const total = sumOf(rain, ncols, window)
        if (total > most) [best, most] = [window, total]
      }
    }
    if (best) return best
  }
  return null
}

/** The cells of a window, one array a frame, `[row * side + col]`. */
export function cutWindow(
  { ncols, rateMmH }: EventFrames,
  { row, col, side }: AnalysisWindow,
): Float64Array[] {
  return rateMmH.map((rates) => {
    const out = new Float64Array(side * side)
    for (let r = 0; r < side; r++) {
      const from = (row + r) * ncols + col
      for (let c = 0; c < side; c++) out[r * side + c] = rates[from + c]
    }
    return out
  })
}

function starts(count: number, side: number): number[] {
  const last = count - side
  const step = Math.max(1, side / 8)
  const found = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step)
  return found.at(-1) === last ? found : [...found, last]
}

/** Sums over all frames and over rows and columns before each corner, `[(nrows + 1) * (ncols + 1)]`. */
function integral({ nrows, ncols, rateMmH }: EventFrames, of: (value: number) => number): Float64Array {
  const out = new Float64Array((nrows + 1) * (ncols + 1))
  for (const rates of rateMmH)
    for (let row = 0; row < nrows; row++)
      for (let col = 0; col < ncols; col++)
        out[(row + 1) * (ncols + 1) + col + 1] += of(rates[row * ncols + col])
  for (let row = 1; row <= nrows; row++) {
    for (let col = 1; col <= ncols; col++) {
      const at = row * (ncols + 1) + col
      out[at] += out[at - 1] + out[at - ncols - 1] - out[at - ncols - 2]
    }
  }
  return out
}

function sumOf(sums: Float64Array, ncols: number, { row, col, side }: AnalysisWindow): number {
  const corner = (r: number, c: number): number => sums[r * (ncols + 1) + c]
  return corner(row + side, col + side) - corner(row, col + side) - corner(row + side, col) + corner(row, col)
}

/** The longest run of frames without a gap, `[from, to[`; times rising, in ms. */
export function longestEven(timesMs: readonly number[], usualSeconds: number): [number, number] {
  let best: [number, number] = [0, Math.min(1, timesMs.length)]
  let from = 0
  for (let k = 1; k <= timesMs.length; k++) {
    if (k < timesMs.length && timesMs[k] - timesMs[k - 1] <= EVEN_STEPS * usualSeconds * 1000) continue
    if (k - from > best[1] - best[0]) best = [from, k]
    from = k
  }
  return best
}

/** The distance of most neighbours, s; NaN of fewer than two times. */
export function usualStep(timesMs: readonly number[]): number {
  const steps = timesMs.slice(1).map((ms, k) => (ms - timesMs[k]) / 1000)
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? Number.NaN
}
