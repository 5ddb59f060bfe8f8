import type { SewerInflow, SewerPattern } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { junction, network, outfall, steady } from '../testing/build.ts'
import { createInflows, seriesHeld, seriesValue } from './inflows.ts'

const series = { name: 'S', timesS: [100, 200, 200, 400], values: [1, 3, 5, 0] }

describe('a series', () => {
  test('is linear between its times and 0 outside; at a jump the later value holds', () => {
    const at = (timeS: number) => seriesValue(series, timeS)
    expect([99, 100, 150, 199, 200, 300, 400, 401].map(at)).toEqual([0, 1, 2, 2.98, 5, 2.5, 0, 0])
    expect(seriesValue({ ...series, values: [1, 3, 5, 7] }, 400)).toBe(7)
  })
  test('may be held at its ends', () => {
    expect([0, 100, 150, 400, 500].map((t) => seriesHeld({ ...series, values: [1, 3, 5, 7] }, t))).toEqual([
      1, 1, 2, 7, 7,
    ])
  })
  test('may have one point, or none', () => {
    const one = { name: 'S', timesS: [10], values: [4] }
    expect([9, 10, 11].map((t) => seriesValue(one, t))).toEqual([0, 4, 0])
    expect([9, 10, 11].map((t) => seriesHeld(one, t))).toEqual([4, 4, 4])
    const none = { name: 'S', timesS: [], values: [] }
    expect(seriesValue(none, 0)).toBe(0)
    expect(seriesHeld(none, 0)).toBe(0)
  })
})

function given(inflows: SewerInflow[], startEpochS = 0) {
  const found = createInflows(
    network([junction('A', 1), junction('B', 1, { inflows }), outfall('O', 0)], [], { startEpochS }),
  )
  return {
    any: found.any,
    between(fromS: number, toS: number) {
      const volumes = new Float64Array(3)
      found.addTo(volumes, fromS, toS)
      expect([volumes[0], volumes[2]]).toEqual([0, 0])
      return volumes[1]
    },
  }
}
const fed = (more: Partial<SewerInflow> = {}): SewerInflow => ({
  series,
  scale: 1,
  baselineM3S: 0,
  patterns: [],
  ...more,
})

describe('volumes of a step', () => {
  test('are the exact integral of the series, whatever the step', () => {
    const { between } = given([fed()])
    // 100 to 200 s: 200 m3; 200 to 400 s: 500 m3.
    expect(between(0, 1000)).toBeCloseTo(700, 9)
    expect(between(100, 200)).toBeCloseTo(200, 9)
    expect(between(200, 400)).toBeCloseTo(500, 9)
    expect(between(150, 200)).toBeCloseTo(125, 9)
    expect(between(300, 400)).toBeCloseTo(125, 9)
    expect(between(0, 100)).toBe(0)
    expect(between(400, 500)).toBe(0)
    let sum = 0
    for (let t = 90; t < 420; t += 7) sum += between(t, t + 7)
    expect(sum).toBeCloseTo(700, 9)
  })

  test('add to what is there, by scale, for every inflow of every node', () => {
    const found = createInflows(
      network(
        [
          junction('A', 1, { inflows: [fed({ scale: 2 })] }),
          junction('B', 1, { inflows: [fed({ scale: -0.5 }), steady(0.1)] }),
          outfall('O', 0, { inflows: [steady(0.2)] }),
        ],
        [],
      ),
    )
    const volumes = Float64Array.of(1, 2, 3)
    found.addTo(volumes, 100, 200)
    expect(Array.from(volumes, (v) => Number(v.toFixed(9)))).toEqual([1 + 400, 2 - 100 + 10, 3 + 20])
  })

  test('there are any only where something flows', () => {
    expect(given([]).any).toBe(false)
    expect(given([fed({ scale: 0 })]).any).toBe(false)
    expect(given([steady(0)]).any).toBe(false)
    expect(given([fed()]).any).toBe(true)
    expect(given([steady(-0.1)]).any).toBe(true)
    expect(given([fed({ series: { name: 'S', timesS: [], values: [] } })]).between(0, 100)).toBe(0)
    expect(given([steady(-0.1)]).between(0, 100)).toBeCloseTo(-10, 12)
  })
})

describe('patterns', () => {
  const pattern = (type: SewerPattern['type'], factors: number[]): SewerPattern => ({
    name: type,
    type,
    factors,
  })
  const counted = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
  const hourly = pattern('hourly', counted(24))
  const weekend = pattern(
    'weekend',
    counted(24).map((hour) => 100 * hour),
  )
  const daily = pattern('daily', counted(7))
  const monthly = pattern('monthly', counted(12))
  /** Factor in the minute that begins at a UTC moment. */
  const factor = (patterns: SewerPattern[], moment: string) =>
    given([{ series: null, scale: 1, baselineM3S: 1, patterns }], Date.parse(`${moment}Z`) / 1000).between(
      0,
      60,
    ) / 60

  test.each([
    ['hourly', [hourly], '2021-03-03T00:00', 1],
    ['hourly', [hourly], '2021-03-03T13:59', 14],
    ['hourly', [hourly], '2021-03-03T23:59', 24],
    // A week begins on Sunday; 7 March 2021 was one.
    ['daily', [daily], '2021-03-07T12:00', 1],
    ['daily', [daily], '2021-03-03T12:00', 4],
    ['daily', [daily], '2021-03-06T23:59', 7],
    ['monthly', [monthly], '2021-01-31T23:59', 1],
    ['monthly', [monthly], '2021-12-01T00:00', 12],
    ['weekend, on a Saturday', [weekend], '2021-03-06T05:00', 600],
    ['weekend, on a Sunday', [weekend], '2021-03-07T05:00', 600],
    ['weekend, on a Friday', [weekend], '2021-03-05T05:00', 1],
    ['weekend, on a Monday', [weekend], '2021-03-08T05:00', 1],
    ['in 1969, a Wednesday', [hourly, daily], '1969-12-31T23:00', 24 * 4],
    ['all together', [hourly, daily, monthly], '2021-03-03T01:00', 2 * 4 * 3],
    ['weekend stands in for hourly', [hourly, weekend, daily], '2021-03-06T01:00', 200 * 7],
    ['weekend stands in on Sunday too', [hourly, weekend], '2021-03-07T01:00', 200],
    ['hourly on a weekday', [hourly, weekend], '2021-03-05T01:00', 2],
    ['hourly alone on Saturday', [hourly], '2021-03-06T01:00', 2],
    ['hourly alone on Sunday', [hourly], '2021-03-07T01:00', 2],
    ['a list that ends early', [pattern('hourly', [5])], '2021-03-03T01:00', 1],
    ['a list that ends early', [pattern('daily', [5])], '2021-03-03T01:00', 1],
    ['a list that ends early', [pattern('monthly', [5])], '2021-03-03T01:00', 1],
    ['a list that ends early', [pattern('weekend', [5])], '2021-03-06T01:00', 1],
    ['a week before 1970, Saturday', [weekend], '1969-12-20T05:00', 600],
    ['a week before 1970, Monday', [weekend], '1969-12-22T05:00', 1],
  ])('%s', (_, patterns, moment, expected) => {
    expect(factor(patterns, moment)).toBeCloseTo(expected, 9)
  })

  test('the factor is that of the middle of the step', () => {
    const start = Date.parse('2021-03-03T00:00Z') / 1000
    const { between } = given([{ series: null, scale: 1, baselineM3S: 2, patterns: [hourly] }], start)
    expect(between(3500, 3680)).toBeCloseTo(2 * 180 * 1, 9)
    expect(between(3540, 3670)).toBeCloseTo(2 * 130 * 2, 9)
  })
})
