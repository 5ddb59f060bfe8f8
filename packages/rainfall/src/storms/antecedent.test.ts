import { expect, test } from 'vitest'
import { deficitBefore, soilStateAfter } from './antecedent.ts'

test.each([
  [0, 1, 'dry'],
  [12.6, 12, 'dry'],
  [12.7, 2, 'mean'],
  [27.9, 3, 'mean'],
  [28, 11, 'wet'],
  [28, 7, 'dry'],
  [40, 4, 'mean'],
  [53.4, 10, 'wet'],
])('%d mm in five days of month %d leave %s soil', (mm, month, state) => {
  expect(soilStateAfter(mm, month)).toBe(state)
})

test('the deficit is the table’s for mean soil, less when wet, more when dry, never above what soil holds', () => {
  expect(deficitBefore(0.2, 'mean')).toBe(0.2)
  expect(deficitBefore(0.2, 'wet')).toBeCloseTo(0.0854, 10)
  expect(deficitBefore(0.2, 'dry')).toBeCloseTo(0.28, 10)
  expect(deficitBefore(0.3, 'dry')).toBe(0.4)
  expect(deficitBefore(0.45, 'dry')).toBe(0.45)
  expect(deficitBefore(0, 'dry')).toBe(0)
})
