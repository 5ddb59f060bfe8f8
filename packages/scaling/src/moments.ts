/** Samples of one kind: series (dimension 1) or squares (dimension 2), whose side is a power of 2. */
export interface Samples {
  dimension: 1 | 2
  side: number
  /** Each `[i]` or `[row * side + col]`, not negative; NaN = missing, 0 = no rain. */
  fields: readonly Float64Array[]
}

/** Moments over scales: `moments[scale][q]` at the resolutions `lambda` (side over box side), coarse first. */
export interface ScaleMoments {
  lambda: number[]
  moments: number[][]
}

/** A line fitted through ln moment against ln lambda. */
export interface Slope {
  slope: number
  intercept: number
  /** Share of the variance that the line explains; 1 where there is none. */
  r2: number
}

/** A box counts where at least this share of its finest cells is known. */
const KNOWN_SHARE = 0.5

/**
 * Moments of the samples averaged over boxes of 1, 2, 4... cells, after division by the mean of all known cells.
 * Missing cells take no part: a box is the mean of what is known in it, and is left out below half.
 * @returns null where the samples have no rain or nothing known
 */
export function scaleMoments(samples: Samples, qs: readonly number[]): ScaleMoments | null {
  return new Pyramid(samples).moments(1, qs)
}

/** Samples whose moments are taken again and again, of one function of their cells after the other. */
export class Pyramid {
  private readonly samples: Samples
  /** Logarithms of the cells with rain, -Infinity elsewhere: powers of a cell are exponentials of multiples. */
  private readonly logs: Float64Array[]
  /** Known cells of each box, `[sample][level][box]`, finest first; null for a sample without a missing cell. */
  private readonly known: (Float64Array[] | null)[]

  constructor(samples: Samples) {
    this.samples = samples
    const { dimension, side } = samples
    this.logs = samples.fields.map((values) =>
      values.map((v) => (v > 0 ? Math.log(v) : Number.NEGATIVE_INFINITY)),
    )
    this.known = samples.fields.map((values) => {
      if (values.every((v) => v >= 0)) return null
      const levels: Float64Array[] = [values.map((v) => (v >= 0 ? 1 : 0))]
      for (let n = side; n > 1; n /= 2) levels.push(halve(levels.at(-1)!, n, dimension))
      return levels
    })
  }

  /** As `scaleMoments`, of each cell to the power `eta`. */
  moments(eta: number, qs: readonly number[]): ScaleMoments | null {
    const { dimension, side, fields } = this.samples
    const powers =
      eta === 1
        ? fields.map((values) => values.map((v) => Math.max(0, v || 0)))
        : this.logs.map((logs) => logs.map((v) => Math.exp(eta * v)))
    const mean = this.meanOf(powers)
    if (!(mean > 0)) return null
    const levels = Math.log2(side) + 1
    const totals = Array.from({ length: levels }, () => qs.map(() => 0))
    const counts = new Array<number>(levels).fill(0)
    powers.forEach((values, f) => {
      let sums: Float64Array = values.map((v) => v / mean)
      for (let level = 0; level < levels; level++) {
        if (level > 0) sums = halve(sums, side / 2 ** (level - 1), dimension)
        counts[level] += addMoments(totals[level], sums, this.known[f]?.[level], 2 ** (dimension * level), qs)
      }
    })
    return {
      lambda: counts.map((_, i) => 2 ** i),
      moments: totals.map((row, level) => row.map((total) => total / counts[level])).reverse(),
    }
  }

  private meanOf(powers: readonly Float64Array[]): number {
    let sum = 0
    let known = 0
    powers.forEach((values, f) => {
      for (const v of values) sum += v
      const levels = this.known[f]
      known += levels ? levels[levels.length - 1][0] : values.length
    })
    return sum / known
  }
}

/** Adds each box's value to the power q; how many boxes counted. */
function addMoments(
  totals: number[],
  sums: Float64Array,
  known: Float64Array | undefined,
  cells: number,
  qs: readonly number[],
): number {
  let count = 0
  for (let i = 0; i < sums.length; i++) {
    const have = known ? known[i] : cells
    if (have < KNOWN_SHARE * cells) continue
    count++
    if (sums[i] === 0) continue
    // One logarithm for all powers: exp costs a third of a general power.
    const log = Math.log(sums[i] / have)
    for (let k = 0; k < qs.length; k++) totals[k] += Math.exp(qs[k] * log)
  }
  return count
}

/** Sums over pairs or 2 x 2 boxes. */
function halve(values: Float64Array, side: number, dimension: 1 | 2): Float64Array {
  const half = side / 2
  if (dimension === 1) return Float64Array.from({ length: half }, (_, i) => values[2 * i] + values[2 * i + 1])
  const out = new Float64Array(half * half)
  for (let row = 0; row < half; row++) {
    for (let col = 0; col < half; col++) {
      const at = 2 * row * side + 2 * col
      out[row * half + col] = values[at] + values[at + 1] + values[at + side] + values[at + side + 1]
    }
  }
  return out
}

/** Slope of ln y against ln x by least squares, over points whose x lies in `[low, high]`; null below two points. */
export function logSlope(
  x: readonly number[],
  y: readonly number[],
  low: number,
  high: number,
): Slope | null {
  const points = x.flatMap((at, i) =>
    at >= low && at <= high && y[i] > 0 ? [[Math.log(at), Math.log(y[i])]] : [],
  )
  return points.length < 2 ? null : lineThrough(points)
}

/** Least squares through `[x, y]` pairs. */
export function lineThrough(points: readonly number[][]): Slope {
  const n = points.length
  const mx = points.reduce((sum, [x]) => sum + x, 0) / n
  const my = points.reduce((sum, [, y]) => sum + y, 0) / n
  let [sxx, sxy, syy] = [0, 0, 0]
  for (const [x, y] of points) {
    sxx += (x - mx) ** 2
    sxy += (x - mx) * (y - my)
    syy += (y - my) ** 2
  }
  const slope = sxy / sxx
  const left = Math.max(0, syy - slope * sxy)
  return { slope, intercept: my - slope * mx, r2: syy / n > 1e-20 ? 1 - left / syy : 1 }
}
