import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdjustInput, Pair } from './field.ts'
import { externalDrift, leaveOneOut, type Variogram } from './kriging.ts'

// The dual form of the code beside the textbook's: weights of each cell by a system of its own (Wackernagel 2003,
// equations 37.6 to 37.8), solved by elimination.

const SIDE = 9

/** x of A x = b, by elimination with row pivots. */
function solve(matrix: number[][], right: number[]): number[] {
  const a = matrix.map((row, i) => [...row, right[i]])
  const n = a.length
  for (let k = 0; k < n; k++) {
    const pivot = a
      .slice(k)
      .reduce((best, row, i) => (Math.abs(row[k]) > Math.abs(a[best][k]) ? k + i : best), k)
    const swapped = a[k]
    a[k] = a[pivot]
    a[pivot] = swapped
    for (let i = k + 1; i < n; i++) {
      const factor = a[i][k] / a[k][k]
      for (let j = k; j <= n; j++) a[i][j] -= factor * a[k][j]
    }
  }
  const x = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    let sum = a[i][n]
    for (let j = i + 1; j < n; j++) sum -= a[i][j] * x[j]
    x[i] = sum / a[i][i]
  }
  return x
}

/** The estimate at one place: weights that sum to 1 and reproduce the radar there. */
function estimate(pairs: readonly Pair[], at: Pair, { nugget, sill, range }: Variogram): number {
  const spatial = (a: Pair, b: Pair) =>
    (sill / (nugget + sill)) * Math.exp((-3 * Math.hypot(a.x - b.x, a.y - b.y)) / range)
  const system = [
    ...pairs.map((a) => [...pairs.map((b) => (a === b ? 1 : spatial(a, b))), 1, a.radar]),
    [...pairs.map(() => 1), 0, 0],
    [...pairs.map(({ radar }) => radar), 0, 0],
  ]
  const weights = solve(system, [...pairs.map((a) => spatial(a, at)), 1, at.radar])
  return pairs.reduce((sum, { observed }, i) => sum + weights[i] * observed, 0)
}

const given = fc
  .tuple(
    fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { minLength: SIDE ** 2, maxLength: SIDE ** 2 }),
    fc.uniqueArray(fc.integer({ min: 0, max: SIDE ** 2 - 1 }), { minLength: 5, maxLength: 16 }),
    fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { minLength: 16, maxLength: 16 }),
  )
  .map(([values, cells, observed]) => {
    const radar = Float64Array.from(values)
    const pairs = cells.map(
      (cell, gauge): Pair => ({
        gauge,
        x: cell % SIDE,
        y: Math.floor(cell / SIDE),
        observed: observed[gauge],
        radar: radar[cell],
      }),
    )
    const input: AdjustInput = {
      grid: { nrows: SIDE, ncols: SIDE, x0: 0, dx: 1, y0: 0, dy: 1 },
      radar,
      gauges: { x: Float64Array.from(pairs, ({ x }) => x), y: Float64Array.from(pairs, ({ y }) => y) },
      observed: Float64Array.from(pairs, (pair) => pair.observed),
    }
    return { pairs, input }
  })
  // A drift that hardly differs between gauges leaves any system ill-conditioned.
  .filter(({ pairs }) => {
    const radars = pairs.map(({ radar }) => radar)
    return Math.max(...radars) - Math.min(...radars) > 3
  })

const tolerance = ({ pairs, input }: { pairs: Pair[]; input: AdjustInput }) =>
  1e-7 * (1 + Math.max(...input.radar) + Math.max(...pairs.map(({ observed }) => observed)))

describe('kriging with external drift against a system a cell', () => {
  test('every cell of the field', () => {
    fc.assert(
      fc.property(given, ({ pairs, input }) => {
        const drift = externalDrift(pairs, input)!
        input.radar.forEach((radar, i) => {
          const at = { gauge: -1, x: i % SIDE, y: Math.floor(i / SIDE), observed: Number.NaN, radar }
          const direct = Math.max(0, estimate(pairs, at, drift.variogram))
          expect(Math.abs(drift.field[i] - direct)).toBeLessThan(tolerance({ pairs, input }))
        })
      }),
      { numRuns: 40 },
    )
  })

  test('every gauge left out', () => {
    fc.assert(
      fc.property(given, ({ pairs, input }) => {
        const drift = externalDrift(pairs, input)!
        const left = leaveOneOut(drift)
        pairs.forEach((pair, i) => {
          const others = pairs.filter((other) => other !== pair)
          const radars = others.map(({ radar }) => radar)
          if (Math.max(...radars) - Math.min(...radars) < 3) return
          const direct = estimate(others, pair, drift.variogram)
          expect(Math.abs(left[i] - direct)).toBeLessThan(tolerance({ pairs, input }))
        })
      }),
      { numRuns: 40 },
    )
  })
})
