import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planElimination } from './elimination.ts'

/** Gauss with pivots, to check against. */
function dense(a: number[][], b: number[]): number[] {
  const n = b.length
  const m = a.map((row, i) => [...row, b[i]])
  for (let k = 0; k < n; k++) {
    let best = k
    for (let i = k; i < n; i++) if (Math.abs(m[i][k]) > Math.abs(m[best][k])) best = i
    ;[m[k], m[best]] = [m[best], m[k]]
    for (let i = k + 1; i < n; i++) {
      const f = m[i][k] / m[k][k]
      for (let j = k; j <= n; j++) m[i][j] -= f * m[k][j]
    }
  }
  const x = new Array<number>(n).fill(0)
  for (let k = n - 1; k >= 0; k--) {
    x[k] = m[k][n]
    for (let j = k + 1; j < n; j++) x[k] -= m[k][j] * x[j]
    x[k] /= m[k][k]
  }
  return x
}

test('the sparse solution is the dense one, on trees, loops and parallel links', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 14 }),
      fc.array(fc.tuple(fc.nat(13), fc.nat(13), fc.double({ min: 0.01, max: 5, noNaN: true })), {
        maxLength: 30,
      }),
      (n, raw) => {
        const edges = raw.map(([a, b, w]) => [a % n, b % n, w]).filter(([a, b]) => a !== b)
        const plan = planElimination(
          n,
          Int32Array.from(edges, (e) => e[0]),
          Int32Array.from(edges, (e) => e[1]),
        )
        const matrix = Array.from({ length: n }, (_, i) =>
          Array.from({ length: n }, (_, j) => (i === j ? 1 + i / n : 0)),
        )
        const right = Array.from({ length: n }, (_, i) => Math.sin(i + 1))
        for (let k = 0; k < n; k++) plan.diagonal[plan.position[k]] = matrix[k][k]
        edges.forEach(([a, b, w], e) => {
          // Columns dominate, rows need not: what capped flows make.
          matrix[a][a] += w
          matrix[b][a] -= w
          matrix[b][b] += w / 2
          matrix[a][b] -= w / 2
          const [pa, pb] = [plan.position[a], plan.position[b]]
          plan.diagonal[pa] += w
          plan.diagonal[pb] += w / 2
          if (pa < pb) {
            plan.upper[plan.edgePair[e]] -= w / 2
            plan.lower[plan.edgePair[e]] -= w
          } else {
            plan.upper[plan.edgePair[e]] -= w
            plan.lower[plan.edgePair[e]] -= w / 2
          }
        })
        for (let k = 0; k < n; k++) plan.vector[plan.position[k]] = right[k]
        plan.solve(Int32Array.from(plan.order.keys()), plan.order.length)
        const expected = dense(matrix, right)
        for (let k = 0; k < n; k++) expect(plan.vector[plan.position[k]]).toBeCloseTo(expected[k], 8)
      },
    ),
    { numRuns: 200 },
  )
})

test('a tree of 5,000 nodes fills nothing in', () => {
  const n = 5000
  const edges = Array.from({ length: n - 1 }, (_, i) => [i + 1, Math.floor(i / 2)])
  const plan = planElimination(
    n,
    Int32Array.from(edges, (e) => e[0]),
    Int32Array.from(edges, (e) => e[1]),
  )
  expect(plan.pairs).toBe(n - 1)
})

/** A matrix over the edges, with ones on them and some more on its diagonal; its product with 1, 2, 3 and so on. */
function filled(size: number, edges: [number, number][]) {
  const plan = planElimination(
    size,
    Int32Array.from(edges, ([a]) => a),
    Int32Array.from(edges, ([, b]) => b),
  )
  const { position, edgePair, diagonal, upper, lower, vector } = plan
  for (let k = 0; k < size; k++) {
    diagonal[position[k]] = 10 + k
    vector[position[k]] = (10 + k) * (k + 1)
  }
  edges.forEach(([a, b], e) => {
    if (a === b) return
    upper[edgePair[e]] += 1
    lower[edgePair[e]] += 1
    vector[position[a]] += b + 1
    vector[position[b]] += a + 1
  })
  return { plan, solution: () => Array.from(position, (at) => vector[at]) }
}
const complete = (from: number, size: number) =>
  Array.from({ length: size }, (_, i) => i).flatMap((i) =>
    Array.from({ length: i }, (_, j): [number, number] => [from + i, from + j]),
  )

test('where all are joined to all, every pivot changes all that come after it', () => {
  const { plan, solution } = filled(6, complete(0, 6))
  expect(plan.pairs).toBe(15)
  // Pivot k has 5 - k pairs, and changes each two of them.
  expect(Array.from(plan.updateStart)).toEqual([0, 10, 16, 19, 20, 20])
  plan.solve(Int32Array.from(plan.order.keys()), 6)
  solution().forEach((value, k) => {
    expect(value).toBeCloseTo(k + 1, 12)
  })
})

test('a ring is filled in by one pair for each node but the last three', () => {
  const ring = Array.from({ length: 7 }, (_, i): [number, number] => [i, (i + 1) % 7])
  const { plan, solution } = filled(7, ring)
  expect(plan.pairs).toBe(7 + 4)
  plan.solve(Int32Array.from(plan.order.keys()), 7)
  solution().forEach((value, k) => {
    expect(value).toBeCloseTo(k + 1, 12)
  })
})

test('an edge from a node to itself has no pair, and changes nothing', () => {
  const { plan, solution } = filled(2, [
    [0, 0],
    [0, 1],
    [1, 1],
  ])
  expect(Array.from(plan.edgePair)).toEqual([-1, 0, -1])
  expect(plan.pairs).toBe(1)
  plan.solve(Int32Array.from(plan.order.keys()), 2)
  expect(solution()[0]).toBeCloseTo(1, 12)
  expect(solution()[1]).toBeCloseTo(2, 12)
})

test('some pivots are solved for without the others, however long the list is', () => {
  // Two triangles that nothing joins.
  const { plan, solution } = filled(6, [...complete(0, 3), ...complete(3, 3)])
  const before = solution()
  const first = [0, 1, 2].map((k) => plan.position[k]).sort((a, b) => a - b)
  const others = [3, 4, 5].map((k) => plan.position[k]).sort((a, b) => a - b)
  plan.solve(Int32Array.from([...first, ...others]), 3)
  const after = solution()
  for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(k + 1, 12)
  expect(after.slice(3)).toEqual(before.slice(3))
})
