import { expect, test } from 'vitest'
import { ColumnSums, columnSeconds } from './columns.ts'
import type { Profile } from './profiles.ts'

const START = Date.parse('2026-05-04T08:00:00Z')
const HOUR = 3_600_000
const profile = (second: number, lwc: number[], rr?: number[], heightsM = [35, 70, 105]): Profile => ({
  timeMs: START + second * 1000,
  heightsM,
  values: { LWC: Float32Array.from(lwc), ...(rr ? { RR: Float32Array.from(rr) } : {}) },
})

test('columns are whole profiles long, and never more than a wide graph shows', () => {
  const of = (hours: number) => columnSeconds({ startMs: START, endMs: START + hours * HOUR })
  expect([1, 1.4, 3, 24, 168].map(of)).toEqual([10, 20, 30, 180, 1260])
})

test('a column is the mean of its profiles; seconds without any have none', () => {
  const sums = new ColumnSums({ startMs: START, endMs: START + 3 * HOUR })
  sums.add(profile(0, [1, Number.NaN, 0], [0, 0, 4]))
  sums.add(profile(10, [2, 0.5, Number.NaN], [0, 0, Number.NaN]))
  sums.add(profile(95, [Number.NaN, 0, Number.NaN]))
  expect(sums.columns()).toEqual([
    { datetime: '2026-05-04T08:00:00.000Z', lwc: [1.5, 0.25, 0], rateMmH: 2 },
    { datetime: '2026-05-04T08:01:30.000Z', lwc: [0], rateMmH: null },
  ])
  expect([sums.heightsM, sums.rateHeightM]).toEqual([[35, 70, 105], 105])
})

test('profiles with other gates give what they have at the heights of the first', () => {
  const sums = new ColumnSums({ startMs: START, endMs: START + HOUR })
  sums.add(profile(0, [1, 1, 1]))
  sums.add(profile(20, [4, 8], [6, 9], [50, 100]))
  expect(sums.columns()[1]).toEqual({ datetime: '2026-05-04T08:00:20.000Z', lwc: [4, 4, 8], rateMmH: 9 })
})
