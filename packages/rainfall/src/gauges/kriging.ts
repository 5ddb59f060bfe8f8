import { type AdjustInput, medianOf, type Pair } from './field.ts'

/** Exponential variogram: `nugget + sill (1 - exp(-3 h / range))` for h > 0. */
export interface Variogram {
  nugget: number
  sill: number
  range: number
}

/** A field kriged with the radar as external drift, and what it was made of. */
export interface Drift {
  field: Float64Array
  variogram: Variogram
  /** Gauge = intercept + slope x radar + residual. */
  intercept: number
  slope: number
  /** Observed values and the diagonal and product of the inverse system, for leaving gauges out. */
  observed: Float64Array
  dual: Float64Array
  inverseDiagonal: Float64Array
}

const FEWEST = 4
/** Residuals are worked out on a lattice of so many places and read off between: they are smooth, the radar is not. */
const MOST_EVALUATIONS = 2e7

/**
 * Kriging with external drift (Wackernagel 2003, ch. 37) in its dual form: `z(x) = a + b radar(x) + sum w_i C(x - x_i)`,
 * solved once for all cells. Nothing below 0.
 * @returns null for fewer than four gauges at different places or a system that cannot be solved
 */
export function externalDrift(pairs: readonly Pair[], input: AdjustInput): Drift | null {
  const distinct = mergePlaces(pairs)
  if (distinct.length < FEWEST) return null
  const variogram = fitVariogram(distinct, input)
  const flat = distinct.every(({ radar }) => radar === distinct[0].radar)
  const n = distinct.length
  const size = n + (flat ? 1 : 2)
  const system = new Float64Array(size * size)
  const right = new Float64Array(size)
  distinct.forEach((a, i) => {
    distinct.forEach((b, j) => {
      system[i * size + j] = correlation(variogram, Math.hypot(a.x - b.x, a.y - b.y))
    })
    system[i * size + n] = system[n * size + i] = 1
    if (!flat) system[i * size + n + 1] = system[(n + 1) * size + i] = a.radar
    right[i] = a.observed
  })
  const inverse = invert(system, size)
  if (inverse === null) return null
  const dual = new Float64Array(size)
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) dual[i] += inverse[i * size + j] * right[j]
  const [intercept, slope] = [dual[n], flat ? 0 : dual[n + 1]]
  const residual = residuals(distinct, dual, variogram, input)
  const field = input.radar.map((v, i) =>
    Number.isNaN(v) ? v : Math.max(0, intercept + slope * v + residual[i]),
  )
  const at = new Map(distinct.flatMap(({ members }, i) => members.map((pair) => [pair, i] as const)))
  return {
    field,
    variogram,
    intercept,
    slope,
    observed: Float64Array.from(pairs, (pair) => distinct[at.get(pair)!].observed),
    dual: Float64Array.from(pairs, (pair) => dual[at.get(pair)!]),
    inverseDiagonal: Float64Array.from(pairs, (pair) => inverse[at.get(pair)! * (size + 1)]),
  }
}

/** Estimates at the gauges from all others, by the inverse of the full system (Dubrule 1983). */
export function leaveOneOut({ observed, dual, inverseDiagonal }: Drift): Float64Array {
  return observed.map((value, i) => value - dual[i] / inverseDiagonal[i])
}

interface Place {
  x: number
  y: number
  observed: number
  radar: number
  members: Pair[]
}

/** Gauges of one place become one: two equal rows have no inverse. */
function mergePlaces(pairs: readonly Pair[]): Place[] {
  const places = new Map<string, Pair[]>()
  for (const pair of pairs) {
    const key = `${pair.x} ${pair.y}`
    places.set(key, [...(places.get(key) ?? []), pair])
  }
  return [...places.values()].map((members) => ({
    x: members[0].x,
    y: members[0].y,
    radar: members[0].radar,
    observed: members.reduce((sum, { observed }) => sum + observed, 0) / members.length,
    members,
  }))
}

/** Covariance as a share of the whole: weights do not depend on how much the residuals vary. */
function correlation({ nugget, sill, range }: Variogram, h: number): number {
  return h === 0 ? 1 : (sill / (nugget + sill)) * Math.exp((-3 * h) / range)
}

const BINS = 12

/** Least squares over ranges and nugget shares of the variogram of residuals about the line through the pairs. */
function fitVariogram(places: readonly Place[], { grid }: AdjustInput): Variogram {
  const residual = residualsOfLine(places)
  const span = Math.hypot(grid.nrows * grid.dy, grid.ncols * grid.dx)
  const variance = residual.reduce((sum, v) => sum + v * v, 0) / residual.length || 1
  const fallback = { nugget: 0.05 * variance, sill: 0.95 * variance, range: span / 4 }
  if (places.length < 10) return fallback
  const distances: number[] = []
  const halves: number[] = []
  for (let i = 0; i < places.length; i++)
    for (let j = i + 1; j < places.length; j++) {
      distances.push(Math.hypot(places[i].x - places[j].x, places[i].y - places[j].y))
      halves.push((residual[i] - residual[j]) ** 2 / 2)
    }
  const width = Math.min(span / 2, 2 * medianOf(distances)) / BINS
  const bins = Array.from({ length: BINS }, () => ({ sum: 0, count: 0, h: 0 }))
  distances.forEach((h, i) => {
    const bin = bins[Math.floor(h / width)]
    if (!bin) return
    bin.sum += halves[i]
    bin.h += h
    bin.count++
  })
  const filled = bins
    .filter(({ count }) => count > 0)
    .map(({ sum, count, h }) => ({ h: h / count, gamma: sum / count, count }))
  if (filled.length < 3) return fallback
  let best = fallback
  let least = Number.POSITIVE_INFINITY
  for (let r = 1; r <= 20; r++) {
    for (const share of [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7]) {
      const range = (r / 10) * width * BINS
      const shape = filled.map(({ h }) => share + (1 - share) * (1 - Math.exp((-3 * h) / range)))
      const weight = filled.reduce((sum, { count }, i) => sum + count * shape[i] ** 2, 0)
      const total = filled.reduce((sum, { count, gamma }, i) => sum + count * shape[i] * gamma, 0) / weight
      const error = filled.reduce(
        (sum, { count, gamma }, i) => sum + count * (gamma - total * shape[i]) ** 2,
        0,
      )
      if (error < least && total > 0) {
        least = error
        best = { nugget: share * total, sill: (1 - share) * total, range }
      }
    }
  }
  return best
}

function residualsOfLine(places: readonly Place[]): number[] {
  const n = places.length
  const mr = places.reduce((sum, { radar }) => sum + radar, 0) / n
  const mo = places.reduce((sum, { observed }) => sum + observed, 0) / n
  let [rr, ro] = [0, 0]
  for (const { radar, observed } of places) {
    rr += (radar - mr) ** 2
    ro += (radar - mr) * (observed - mo)
  }
  const slope = rr > 0 ? ro / rr : 0
  return places.map(({ radar, observed }) => observed - mo - slope * (radar - mr))
}

/** What the gauges add to the line, at every cell: on a lattice, and bilinear between its places. */
function residuals(
  places: readonly Place[],
  dual: Float64Array,
  { nugget, sill, range }: Variogram,
  { grid: { nrows, ncols, x0, dx, y0, dy } }: AdjustInput,
): Float64Array {
  const step = Math.max(1, Math.ceil(Math.sqrt((nrows * ncols * places.length) / MOST_EVALUATIONS)))
  const [rows, cols] = [Math.ceil((nrows - 1) / step) + 1, Math.ceil((ncols - 1) / step) + 1]
  const lattice = new Float64Array(rows * cols)
  // The nugget belongs to the gauge itself, not to the cell that it stands in.
  const spatial = sill / (nugget + sill)
  const rate = -3 / range
  const weights = Float64Array.from(places, (_, i) => dual[i] * spatial)
  const px = Float64Array.from(places, (place) => place.x)
  const py = Float64Array.from(places, (place) => place.y)
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++) {
      const [x, y] = [x0 + col * step * dx, y0 + row * step * dy]
      let sum = 0
      for (let i = 0; i < places.length; i++) {
        const ex = px[i] - x
        const ey = py[i] - y
        sum += weights[i] * Math.exp(rate * Math.sqrt(ex * ex + ey * ey))
      }
      lattice[row * cols + col] = sum
    }
  if (step === 1) return lattice
  const out = new Float64Array(nrows * ncols)
  for (let row = 0; row < nrows; row++) {
    const r = Math.min(rows - 2, Math.floor(row / step))
    const fr = row / step - r
    for (let col = 0; col < ncols; col++) {
      const c = Math.min(cols - 2, Math.floor(col / step))
      const fc = col / step - c
      const at = r * cols + c
      out[row * ncols + col] =
        (1 - fr) * ((1 - fc) * lattice[at] + fc * lattice[at + 1]) +
        fr * ((1 - fc) * lattice[at + cols] + fc * lattice[at + cols + 1])
    }
  }
  return out
}

/** Inverse by Gauss and Jordan in place with row pivots; null for a matrix that has none. */
function invert(matrix: Float64Array, size: number): Float64Array | null {
  const a = Float64Array.from(matrix)
  const scale = a.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
  const rows = Array.from({ length: size }, (_, i) => a.subarray(i * size, (i + 1) * size))
  const pivots = new Int32Array(size)
  for (let k = 0; k < size; k++) {
    let pivot = k
    for (let i = k + 1; i < size; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i
    if (!(Math.abs(rows[pivot][k]) > 1e-13 * scale)) return null
    pivots[k] = pivot
    if (pivot !== k) {
      const kept = rows[k].slice()
      rows[k].set(rows[pivot])
      rows[pivot].set(kept)
    }
    const own = rows[k]
    const by = 1 / own[k]
    own[k] = 1
    for (let j = 0; j < size; j++) own[j] *= by
    for (let i = 0; i < size; i++) {
      const other = rows[i]
      const factor = other[k]
      if (i === k || factor === 0) continue
      other[k] = 0
      for (let j = 0; j < size; j++) other[j] -= factor * own[j]
    }
  }
  // Rows that changed places are columns of the inverse.
  for (let k = size - 1; k >= 0; k--)
    if (pivots[k] !== k)
      for (const row of rows) {
        const kept = row[k]
        row[k] = row[pivots[k]]
        row[pivots[k]] = kept
      }
  return a
}
