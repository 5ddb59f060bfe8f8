/**
 * Direct solution of the nodes' linear system. The pattern never changes, so order and fill are worked out
 * once; a step then runs down flat index lists. Minimum-degree order leaves no fill on a tree.
 *
 * Unsymmetric values on a symmetric pattern, no pivoting: the matrices are M-matrices with dominant columns.
 */
export interface Elimination {
  /** `order[k]`: unknown eliminated as number k. The values below are in this order. */
  order: Int32Array
  /** Pair that holds the entries (a, b) and (b, a) of the matrix, for each edge given to `planElimination`. */
  edgePair: Int32Array
  pairs: number
  /** Diagonal [k] by position, entries above [pair] (row = earlier position) and below. Filled by the caller. */
  diagonal: Float64Array
  upper: Float64Array
  lower: Float64Array
  /** Right-hand side in, solution out, by position. */
  vector: Float64Array
  /** Position of the earlier member of an edge, to know which entry is `upper`. */
  position: Int32Array
  /** Pairs of pivot k are `start[k]` to `start[k + 1]`; the later member of each, by position. */
  start: Int32Array
  partner: Int32Array
  /** Pairs that pivot k changes, in the order of its own pairs (i, j > i), from `updateStart[k]`. */
  update: Int32Array
  updateStart: Int32Array
  /** Solves for some pivots, rising; entries that join them to others must be 0. */
  solve(pivots: Int32Array, count: number): void
}

/**
 * @param size number of unknowns
 * @param edgeA, edgeB ends of each edge (unknowns)
 */
export function planElimination(size: number, edgeA: Int32Array, edgeB: Int32Array): Elimination {
  const { order, later } = minimumDegree(size, neighboursOf(size, edgeA, edgeB))
  const position = new Int32Array(size)
  for (let k = 0; k < size; k++) position[order[k]] = k
  const pattern = filledPattern(position, later)
  const { start, partner, pairOf } = pattern
  const elimination = {
    order: Int32Array.from(order),
    edgePair: edgeA.map((first, e) => {
      if (first === edgeB[e]) return -1
      const a = position[first]
      const b = position[edgeB[e]]
      return pairOf[Math.min(a, b)].get(Math.max(a, b)) as number
    }),
    pairs: partner.length,
    diagonal: new Float64Array(size),
    upper: new Float64Array(partner.length),
    lower: new Float64Array(partner.length),
    vector: new Float64Array(size),
    ...{ position, start, partner },
    ...updatesOf(pattern),
  }
  const inverses = new Float64Array(size)
  return { ...elimination, solve: (pivots, count) => solve(elimination, inverses, pivots, count) }
}

function neighboursOf(size: number, edgeA: Int32Array, edgeB: Int32Array): Set<number>[] {
  const neighbours = Array.from({ length: size }, () => new Set<number>())
  for (let e = 0; e < edgeA.length; e++) {
    if (edgeA[e] === edgeB[e]) continue
    neighbours[edgeA[e]].add(edgeB[e])
    neighbours[edgeB[e]].add(edgeA[e])
  }
  return neighbours
}

interface Pattern {
  start: Int32Array
  partner: Int32Array
  /** Pair by its members, the earlier first. */
  pairOf: Map<number, number>[]
}

/** Pairs (k, m > k) of the filled pattern, grouped by k. */
function filledPattern(position: Int32Array, later: number[][]): Pattern {
  const size = position.length
  const start = new Int32Array(size + 1)
  const partner: number[] = []
  const pairOf = Array.from({ length: size }, () => new Map<number, number>())
  for (let k = 0; k < size; k++) {
    start[k] = partner.length
    for (const m of later[k].map((node) => position[node]).sort((a, b) => a - b)) {
      pairOf[k].set(m, partner.length)
      partner.push(m)
    }
  }
  start[size] = partner.length
  return { start, partner: Int32Array.from(partner), pairOf }
}

/** Updates of pair (a, b) by pivot k, in the order in which they are run. */
function updatesOf({ start, partner, pairOf }: Pattern) {
  const updates: number[] = []
  const updateStart = new Int32Array(pairOf.length)
  for (let k = 0; k < pairOf.length; k++) {
    updateStart[k] = updates.length
    for (let i = start[k]; i < start[k + 1]; i++)
      for (let j = i + 1; j < start[k + 1]; j++) updates.push(pairOf[partner[i]].get(partner[j]) as number)
  }
  return { update: Int32Array.from(updates), updateStart }
}

function solve(
  { diagonal, upper, lower, vector, start, partner, update, updateStart }: Omit<Elimination, 'solve'>,
  inverses: Float64Array,
  pivots: Int32Array,
  count: number,
): void {
  for (let p = 0; p < count; p++) {
    const k = pivots[p]
    let at = updateStart[k]
    const inverse = 1 / diagonal[k]
    inverses[k] = inverse
    const right = vector[k]
    const end = start[k + 1]
    for (let i = start[k]; i < end; i++) {
      const factor = lower[i] * inverse
      const m = partner[i]
      diagonal[m] -= factor * upper[i]
      vector[m] -= factor * right
      for (let j = i + 1; j < end; j++) {
        const pair = update[at++]
        upper[pair] -= factor * upper[j]
        lower[pair] -= lower[j] * inverse * upper[i]
      }
    }
  }
  for (let p = count - 1; p >= 0; p--) {
    const k = pivots[p]
    let sum = vector[k]
    const end = start[k + 1]
    for (let i = start[k]; i < end; i++) sum -= upper[i] * vector[partner[i]]
    vector[k] = sum * inverses[k]
  }
}

/** Minimum-degree order; `later[k]` are the neighbours of pivot k that come after it, fill included. */
function minimumDegree(size: number, neighbours: Set<number>[]) {
  const buckets: Set<number>[] = []
  const bucket = (degree: number) => {
    while (buckets.length <= degree) buckets.push(new Set())
    return buckets[degree]
  }
  for (let i = 0; i < size; i++) bucket(neighbours[i].size).add(i)
  const order: number[] = []
  const later: number[][] = []
  let lowest = 0
  while (order.length < size) {
    while (buckets[lowest].size === 0) lowest++
    const [pivot] = buckets[lowest]
    buckets[lowest].delete(pivot)
    const around = [...neighbours[pivot]]
    for (const a of around) {
      bucket(neighbours[a].size).delete(a)
      neighbours[a].delete(pivot)
    }
    for (let i = 0; i < around.length; i++) {
      for (let j = i + 1; j < around.length; j++) {
        neighbours[around[i]].add(around[j])
        neighbours[around[j]].add(around[i])
      }
    }
    for (const a of around) {
      bucket(neighbours[a].size).add(a)
      lowest = Math.min(lowest, neighbours[a].size)
    }
    order.push(pivot)
    later.push(around)
  }
  return { order, later }
}
