import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AdjustMethod, type AdjustOptions, adjust } from './adjust.ts'
import type { AdjustInput } from './field.ts'

const SIDE = 12
const METHODS: AdjustMethod[] = ['mfb', 'additive', 'multiplicative', 'mixed', 'ked']
const OPTIONS: Omit<AdjustOptions, 'method'> = { nearestCells: 1, limits: [0.01, 100] }

const rain = (min: number, max: number) =>
  fc.array(fc.double({ min, max, noNaN: true }), { minLength: SIDE ** 2, maxLength: SIDE ** 2 })
const cells = fc.uniqueArray(fc.integer({ min: 0, max: SIDE ** 2 - 1 }), { minLength: 6, maxLength: 20 })

/** Gauges at the centres of cells. */
function input(radar: readonly number[], at: readonly number[], observed: readonly number[]): AdjustInput {
  return {
    grid: { nrows: SIDE, ncols: SIDE, x0: 0, dx: 1, y0: 0, dy: 1 },
    radar: Float64Array.from(radar),
    gauges: {
      x: Float64Array.from(at, (cell) => cell % SIDE),
      y: Float64Array.from(at, (cell) => Math.floor(cell / SIDE)),
    },
    observed: Float64Array.from(observed),
  }
}

const near = (value: number, expected: number) =>
  expect(Math.abs(value - expected)).toBeLessThan(1e-6 * (1 + Math.abs(expected)))

describe('what gauges know is found again, on any field', () => {
  test.each(['mfb', 'multiplicative'] as const)('%s: one factor everywhere', (method) => {
    fc.assert(
      fc.property(
        rain(0.1, 60),
        cells,
        fc.double({ min: 0.05, max: 20, noNaN: true }),
        (radar, at, factor) => {
          const given = input(
            radar,
            at,
            at.map((cell) => factor * radar[cell]),
          )
          const { field, leftOut, pairs, unchanged } = adjust(given, { ...OPTIONS, method })
          expect(unchanged).toBeNull()
          for (const [i, v] of radar.entries()) near(field[i], factor * v)
          for (const [i, { observed }] of pairs.entries()) near(leftOut[i], observed)
        },
      ),
      { numRuns: 80 },
    )
  })

  test('additive: one offset everywhere, nothing below zero', () => {
    fc.assert(
      fc.property(rain(0, 60), cells, fc.double({ min: -20, max: 20, noNaN: true }), (radar, at, offset) => {
        // A gauge cannot say less than nothing: only those that say the whole offset know it.
        fc.pre(at.every((cell) => radar[cell] + offset >= 0))
        const given = input(
          radar,
          at,
          at.map((cell) => radar[cell] + offset),
        )
        const { field } = adjust(given, { ...OPTIONS, method: 'additive' })
        for (const [i, v] of radar.entries()) near(field[i], Math.max(0, v + offset))
      }),
      { numRuns: 80 },
    )
  })

  test('ked: a line between radar and gauges, nothing below zero', () => {
    fc.assert(
      fc.property(
        rain(0, 60),
        cells,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        (radar, at, slope, offset) => {
          const radars = at.map((cell) => radar[cell])
          fc.pre(Math.max(...radars) - Math.min(...radars) > 5)
          const given = input(
            radar,
            at,
            at.map((cell) => slope * radar[cell] + offset),
          )
          const { field } = adjust(given, { ...OPTIONS, method: 'ked' })
          for (const [i, v] of radar.entries()) near(field[i], slope * v + offset)
        },
      ),
      { numRuns: 80 },
    )
  })

  test.each(METHODS)('%s: adjusting what is adjusted changes nothing at the gauges’ sum', (method) => {
    fc.assert(
      fc.property(rain(0.1, 60), cells, rain(0.1, 60), (radar, at, truth) => {
        const observed = at.map((cell) => truth[cell])
        const once = adjust(input(radar, at, observed), { ...OPTIONS, method })
        const again = adjust(input([...once.field], at, observed), { ...OPTIONS, method })
        if (method === 'mfb' && again.factor !== null) near(again.factor, 1)
        if (method === 'additive') for (const [i, v] of once.field.entries()) near(again.field[i], v)
      }),
      { numRuns: 40 },
    )
  })
})

test.each(METHODS)('%s: a gauge left out is estimated as if it had never been there', (method) => {
  fc.assert(
    // Below ten places the variogram does not depend on what gauges say, so that kriging can be done again without one.
    fc.property(
      rain(0, 60),
      cells.map((of) => of.slice(0, 9)),
      rain(0, 60),
      (radar, at, truth) => {
        const observed = at.map((cell) => truth[cell])
        const { leftOut, pairs } = adjust(input(radar, at, observed), { ...OPTIONS, method })
        for (const [i, { gauge }] of pairs.entries()) {
          const others = at.filter((_, k) => k !== gauge)
          const radars = others.map((cell) => radar[cell])
          // A drift that hardly differs leaves any system ill-conditioned.
          if (method === 'ked' && Math.max(...radars) - Math.min(...radars) < 5) continue
          const without = adjust(
            input(
              radar,
              others,
              others.map((cell) => truth[cell]),
            ),
            { ...OPTIONS, method, minGauges: 1 },
          )
          const said = without.unchanged === null ? without.field[at[gauge]] : Number.NaN
          if (Number.isNaN(said)) expect(leftOut[i]).toBeNaN()
          else near(leftOut[i], said)
        }
      },
    ),
    { numRuns: 60 },
  )
})

describe('gauges that tell little or nothing', () => {
  const radar = Array.from({ length: SIDE ** 2 }, (_, i) => 1 + (i % 7))
  const places = [5, 17, 40, 66, 101, 130]
  const run = (given: AdjustInput, method: AdjustMethod, options: Partial<AdjustOptions> = {}) =>
    adjust(given, { ...OPTIONS, ...options, method })

  test.each(METHODS)('%s: no gauge, one gauge, gauges without a value, gauges far outside', (method) => {
    const kinds: AdjustInput[] = [
      input(radar, [], []),
      input(radar, [5], [3]),
      input(
        radar,
        places,
        places.map(() => Number.NaN),
      ),
      {
        ...input(
          radar,
          places,
          places.map(() => 3),
        ),
        gauges: { x: new Float64Array(6).fill(500), y: new Float64Array(6) },
      },
    ]
    for (const given of kinds) {
      const { field, unchanged } = run(given, method)
      expect(unchanged).toBe('tooFewGauges')
      expect([...field]).toEqual(radar)
    }
  })

  test.each(['mfb', 'additive', 'multiplicative', 'mixed'] as const)(
    '%s: one gauge is enough where that is asked for, and tells its factor or offset everywhere',
    (method) => {
      const { field, unchanged, leftOut } = run(input(radar, [5], [3 * radar[5]]), method, { minGauges: 1 })
      expect(unchanged).toBeNull()
      near(field[5], 3 * radar[5])
      expect(leftOut[0]).toBeNaN()
    },
  )

  test('gauges that are all dry tell no factor, and take the rain away where errors are added', () => {
    const dry = input(
      radar,
      places,
      places.map(() => 0),
    )
    expect(run(dry, 'mfb').unchanged).toBe('noRatio')
    const { field, unchanged } = run(dry, 'additive')
    expect(unchanged).toBeNull()
    for (const cell of places) expect(field[cell]).toBe(0)
  })

  test('a radar that is dry at every gauge has no ratio, and gets what gauges say where errors are added', () => {
    const none = input(
      radar.map(() => 0),
      places,
      places.map(() => 2),
    )
    for (const method of ['mfb', 'multiplicative'] as const) {
      const { unchanged, field } = run(none, method)
      expect(unchanged).toBe('noRatio')
      expect(field.every((v) => v === 0)).toBe(true)
    }
    for (const method of ['additive', 'mixed', 'ked'] as const)
      for (const v of run(none, method).field) near(v, 2)
  })

  test.each(METHODS)('%s: gauges at one place, and two in one cell, count without harm', (method) => {
    const together = input(
      radar,
      [...places, 5, 5],
      [...places.map((cell) => 2 * radar[cell]), 2 * radar[5], 2 * radar[5]],
    )
    const { field, unchanged } = run(together, method)
    expect(unchanged).toBeNull()
    expect(field.every((v) => Number.isFinite(v) && v >= 0)).toBe(true)
    near(field[5], 2 * radar[5])
    const apart = structuredClone(together)
    apart.gauges.x[6] += 0.2
    apart.gauges.y[7] -= 0.3
    expect(run(apart, method).field.every((v) => Number.isFinite(v) && v >= 0)).toBe(true)
    const one = input(
      radar,
      [5, 5, 5, 5, 5],
      [2, 2, 2, 2, 2].map((factor) => factor * radar[5]),
    )
    const said = run(one, method)
    if (method === 'ked') expect(said.unchanged).toBe('tooFewGauges')
    else near(said.field[5], 2 * radar[5])
  })

  test.each(METHODS)('%s: cells without radar stay so and take no part', (method) => {
    fc.assert(
      fc.property(
        rain(0.1, 40),
        cells,
        fc.array(fc.boolean(), { minLength: SIDE ** 2, maxLength: SIDE ** 2 }),
        (values, at, gaps) => {
          const holes = values.map((v, i) => (gaps[i] ? Number.NaN : v))
          const { field, pairs } = run(
            input(
              holes,
              at,
              at.map((cell) => 2 * values[cell]),
            ),
            method,
          )
          holes.forEach((v, i) => {
            if (Number.isNaN(v)) expect(field[i]).toBeNaN()
            else expect(field[i]).toBeGreaterThanOrEqual(0)
          })
          expect(pairs.map(({ gauge }) => at[gauge])).toEqual(at.filter((cell) => !gaps[cell]))
        },
      ),
      { numRuns: 60 },
    )
  })
})
