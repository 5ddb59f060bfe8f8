import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AdjustMethod, adjust, biasFactor } from './adjust.ts'
import type { AdjustInput } from './field.ts'

const METHODS: AdjustMethod[] = ['mfb', 'additive', 'multiplicative', 'mixed', 'ked']

function input(rows: number[][], gauges: [x: number, y: number, observed: number][]): AdjustInput {
  return {
    grid: { nrows: rows.length, ncols: rows[0].length, x0: 0, dx: 1, y0: 0, dy: 1 },
    radar: Float64Array.from(rows.flat()),
    gauges: { x: Float64Array.from(gauges, ([x]) => x), y: Float64Array.from(gauges, ([, y]) => y) },
    observed: Float64Array.from(gauges, ([, , observed]) => observed),
  }
}

describe('four gauges on sixteen cells, as wradlib adjusts them', () => {
  const given = input(
    [
      [1, 2, 1, 0],
      [1, 2, 1, 2],
      [1, 0, 0, 3],
      [4, 0, 4, 0],
    ],
    [
      [1, 1, 2],
      [2, 1, 3],
      [1, 3.5, 0],
      [3.5, 3, 4],
    ],
  )
  test.each<[AdjustMethod, number[]]>([
    [
      'additive',
      [
        1.62818784, 2.75926679, 2.09428144, 1.1466651, 1.51948941, 2.5, 2.5, 3.27498305, 1.11382822,
        0.33900645, 0.89999998, 4.52409637, 3.08139533, 0, 3.99180328, 2.16913891,
      ],
    ],
    [
      'multiplicative',
      [
        1.44937706, 3.04539442, 1.74463618, 0, 1.37804615, 2.66666675, 2, 3.74106812, 1.17057478, 0, 0,
        6.14457822, 2.43439031, 0, 4.60765028, 0,
      ],
    ],
  ])('%s', (method, expected) => {
    const { field } = adjust(given, { method, nearestCells: 2, minGauges: 3, limits: [0, 10] })
    for (const [i, value] of expected.entries()) expect(Math.abs(field[i] - value)).toBeLessThan(1e-6)
  })
})

const arbitrary = fc
  .tuple(
    fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 80, noNaN: true })), {
      minLength: 100,
      maxLength: 100,
    }),
    fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 9, noNaN: true }),
        fc.double({ min: 0, max: 9, noNaN: true }),
        fc.double({ min: 0, max: 80, noNaN: true }),
      ),
      {
        minLength: 0,
        maxLength: 14,
      },
    ),
  )
  .map(([values, gauges]) =>
    input(
      Array.from({ length: 10 }, (_, row) => values.slice(row * 10, row * 10 + 10)),
      gauges,
    ),
  )

describe('any field and gauges', () => {
  test.each(METHODS)(
    '%s: nothing negative, nothing made of missing cells, too few gauges change nothing',
    (method) => {
      fc.assert(
        fc.property(arbitrary, (given) => {
          given.radar[7] = Number.NaN
          const { field, pairs, leftOut, unchanged } = adjust(given, { method })
          expect(leftOut.length).toBe(pairs.length)
          expect(field[7]).toBeNaN()
          field.forEach((v, i) => {
            if (i !== 7) expect(v).toBeGreaterThanOrEqual(0)
          })
          if (pairs.length < 5) expect(unchanged).toBe('tooFewGauges')
          if (unchanged !== null) expect(field).toEqual(given.radar)
        }),
        { numRuns: 60 },
      )
    },
  )

  test.each(METHODS)('%s: gauges that say what the radar says leave it as it is', (method) => {
    fc.assert(
      fc.property(arbitrary, ({ grid, radar, gauges }) => {
        const wet = radar.map((v) => v + 0.5)
        const x = gauges.x.map(Math.round)
        const y = gauges.y.map(Math.round)
        const observed = x.map((col, i) => wet[y[i] * 10 + col])
        const { field } = adjust(
          { grid, radar: wet, gauges: { x, y }, observed },
          { method, nearestCells: 1 },
        )
        field.forEach((v, i) => {
          expect(Math.abs(v - wet[i])).toBeLessThan(1e-6 * (1 + wet[i]))
        })
      }),
      { numRuns: 40 },
    )
  })

  test.each(METHODS)('%s: a radar that reads half everywhere is doubled', (method) => {
    const rows = Array.from({ length: 10 }, (_, r) =>
      Array.from({ length: 10 }, (_, c) => 2 + Math.sin(r) + Math.cos(c)),
    )
    const gauges = [
      [1, 1],
      [8, 2],
      [3, 7],
      [6, 5],
      [4, 3],
      [8, 8],
    ].map(([x, y]): [number, number, number] => [x, y, 2 * rows[y][x]])
    const { field, leftOut, pairs } = adjust(input(rows, gauges), { method, nearestCells: 1 })
    for (const [x, y, truth] of gauges) expect(field[10 * y + x]).toBeCloseTo(truth, 6)
    // Errors that are added know the half at the gauges alone, and bring all between closer.
    if (method === 'additive' || method === 'mixed') {
      const missing = (values: ArrayLike<number>) =>
        rows.flat().reduce((sum, v, i) => sum + Math.abs(2 * v - values[i]), 0)
      expect(missing(field)).toBeLessThan(0.4 * missing(rows.flat()))
      return
    }
    rows.flat().forEach((v, i) => {
      expect(field[i] / v).toBeCloseTo(2, 6)
    })
    pairs.forEach(({ observed }, i) => {
      expect(leftOut[i]).toBeCloseTo(observed, 6)
    })
  })
})

test('kriging left out by the inverse equals kriging without the gauge', () => {
  const rows = Array.from({ length: 12 }, (_, r) =>
    Array.from({ length: 12 }, (_, c) => 3 + Math.sin(r * 0.7) + Math.cos(c * 1.3)),
  )
  const places = [
    [1, 1],
    [9, 2],
    [3, 7],
    [6, 5],
    [4, 10],
    [10, 10],
    [2, 4],
  ]
  const gauges = places.map(([x, y], i): [number, number, number] => [x, y, rows[y][x] * (1 + 0.1 * i)])
  const all = adjust(input(rows, gauges), { method: 'ked', nearestCells: 1 })
  for (const [i, [x, y]] of places.entries()) {
    const without = adjust(
      input(
        rows,
        gauges.filter((_, k) => k !== i),
      ),
      { method: 'ked', nearestCells: 1 },
    )
    expect(without.unchanged).toBeNull()
    // The variogram differs a little with the gauges that it is fitted to.
    expect(Math.abs(without.field[y * 12 + x] - all.leftOut[i])).toBeLessThan(0.05)
  }
})

test('a factor is held inside its limits, and needs rain at the radar', () => {
  const pair = { gauge: 0, x: 0, y: 0 }
  expect(biasFactor([{ ...pair, observed: 50, radar: 1 }], {})).toBe(10)
  expect(biasFactor([{ ...pair, observed: 0.4, radar: 1 }], {})).toBe(0.4)
  for (const bias of ['sum', 'median', 'mean', 'regression'] as const)
    expect(biasFactor([{ ...pair, observed: 3, radar: 0 }], { bias })).toBeNull()
})
