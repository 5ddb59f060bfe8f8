/** Vectors at scattered points: x, y in cells, u (east) and v (south) in cells a unit of time. */
export interface Vectors {
  x: Float64Array
  y: Float64Array
  u: Float64Array
  v: Float64Array
}

const NEIGHBOURS = 30
const FARTHEST = 3
const BOX = 20

export function pickVectors({ x, y, u, v }: Vectors, keep: (i: number) => boolean): Vectors {
  const index = Array.from(x.keys()).filter(keep)
  const pick = (values: Float64Array) => Float64Array.from(index, (i) => values[i])
  return { x: pick(x), y: pick(y), u: pick(u), v: pick(v) }
}

/** Indices of the `count` points nearest to a place, in no order; fewer where there are fewer. */
export function nearest(x: Float64Array, y: Float64Array, px: number, py: number, count: number, but = -1) {
  const index = new Int32Array(Math.min(count, but >= 0 ? x.length - 1 : x.length))
  const squares = new Float64Array(index.length).fill(Number.POSITIVE_INFINITY)
  let filled = 0
  let worst = 0
  for (let i = 0; i < x.length && index.length > 0; i++) {
    if (i === but) continue
    const d = (x[i] - px) ** 2 + (y[i] - py) ** 2
    if (filled < index.length) {
      index[filled] = i
      squares[filled++] = d
      if (filled < index.length) continue
    } else if (d < squares[worst]) {
      index[worst] = i
      squares[worst] = d
    } else continue
    worst = 0
    for (let k = 1; k < filled; k++) if (squares[k] > squares[worst]) worst = k
  }
  return { index, squares }
}

/**
 * Vectors that agree with those round them: squared Mahalanobis distance to the 30 nearest others at most 9
 * (as pysteps does, Pulkkinen et al. 2019).
 */
export function withoutOutliers(vectors: Vectors): Vectors {
  const { x, y, u, v } = vectors
  if (x.length < 4) return vectors
  return pickVectors(vectors, (i) => {
    const { index } = nearest(x, y, x[i], y[i], NEIGHBOURS, i)
    let [mu, mv] = [0, 0]
    for (const k of index) {
      mu += u[k] / index.length
      mv += v[k] / index.length
    }
    let [uu, uv, vv] = [0, 0, 0]
    for (const k of index) {
      uu += (u[k] - mu) ** 2
      uv += (u[k] - mu) * (v[k] - mv)
      vv += (v[k] - mv) ** 2
    }
    const det = (uu * vv - uv * uv) / (index.length - 1)
    // All neighbours alike, or on a line: nothing to measure by.
    if (!(det > 1e-12 * Math.max(uu, vv) ** 2)) return true
    const [du, dv] = [u[i] - mu, v[i] - mv]
    return (vv * du * du - 2 * uv * du * dv + uu * dv * dv) / det <= FARTHEST ** 2
  })
}

/** One vector for each box of 20 x 20 cells: the medians of those in it. */
export function declustered({ x, y, u, v }: Vectors): Vectors {
  const boxes = new Map<string, number[]>()
  for (let i = 0; i < x.length; i++) {
    const key = `${Math.floor(x[i] / BOX)},${Math.floor(y[i] / BOX)}`
    const box = boxes.get(key)
    if (box) box.push(i)
    else boxes.set(key, [i])
  }
  const groups = [...boxes.values()]
  const medians = (values: Float64Array) =>
    Float64Array.from(groups, (group) => median(group.map((i) => values[i])))
  return { x: medians(x), y: medians(y), u: medians(u), v: medians(v) }
}

export function median(values: number[]): number {
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
