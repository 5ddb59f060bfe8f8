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
