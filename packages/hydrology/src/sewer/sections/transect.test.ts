import { expect, test } from 'vitest'
import { transectAt, transectDepth } from './transect.ts'

// Banks 10 m wide and 1 m above a channel of 4 m with upright walls.
const profile = {
  name: 'T',
  stationsM: [0, 0, 10, 10, 14, 14, 24, 24],
  elevationsM: [7, 6, 6, 5, 5, 6, 6, 7],
  leftBankM: 10,
  rightBankM: 14,
  nLeft: 0.05,
  nRight: 0.08,
  nChannel: 0.03,
  lengthFactor: 1,
}
const conveyance = (area: number, perimeter: number, n: number) => (area * (area / perimeter) ** (2 / 3)) / n
const radius = (k: number, area: number) => ((k * 0.03) / area) ** 1.5

test('in the channel alone', () => {
  const { area, width, radius: r } = transectAt(profile, 0.5)
  expect([area, width]).toEqual([2, 4])
  expect(r).toBeCloseTo(2 / 5, 12)
  expect(transectDepth(profile)).toBe(2)
  expect(transectAt(profile, 0)).toEqual({ area: 0, width: 0, radius: 0 })
})

test('conveyances of banks and channel add up', () => {
  const { area, width, radius: r } = transectAt(profile, 1.5)
  expect([area, width]).toEqual([6 + 10, 24])
  // The outer walls stand on the banks.
  const k = conveyance(5, 10.5, 0.05) + conveyance(6, 6, 0.03) + conveyance(5, 10.5, 0.08)
  expect(r).toBeCloseTo(radius(k, 16), 12)
})

test('without an n of their own banks have the channel’s, the right one the left one’s before', () => {
  const of = (nLeft: number, nRight: number) => transectAt({ ...profile, nLeft, nRight }, 1.5).radius
  expect(of(0, 0)).toBe(of(0.03, 0.03))
  expect(of(0.05, 0)).toBe(of(0.05, 0.05))
  expect(of(0, 0.08)).toBe(of(0.03, 0.08))
})

test('on a slope: a triangle of water, its wet share of the slant', () => {
  const slope = { ...profile, stationsM: [0, 4, 4], elevationsM: [8, 5, 8], leftBankM: 0, rightBankM: 4 }
  const { area, width, radius: r } = transectAt(slope, 1.5)
  expect([area, width]).toEqual([1.5, 2])
  expect(r).toBeCloseTo(1.5 / (2.5 + 1.5), 12)
  // Full and above: the whole trapezium.
  expect(transectAt(slope, 4).area).toBeCloseTo(4 * (4 - 1.5), 12)
})
