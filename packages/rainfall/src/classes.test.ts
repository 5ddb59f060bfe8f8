import { expect, test } from 'vitest'
import { cumulClass, dropLevel, intensityClass, intensityClassTable } from './classes.ts'
import { encodeRate, RATE_NO_DATA } from './rates.ts'

test('[MAP-20] intensity classes are half-open, the last takes its low end', () => {
  const rates = [0, 0.39, 0.4, 0.99, 1, 3, 10, 20, 30, 50, 99.99, 100, 600]
  expect(rates.map(intensityClass)).toEqual([0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8])
  expect(intensityClass(Number.NaN)).toBe(15)
})

test('[MAP-20] the table by code agrees with the classes of the rates', () => {
  const table = intensityClassTable()
  for (const rate of [0, 0.39, 0.4, 0.99, 1, 2.99, 3, 10, 20, 30, 50, 99.99, 100, 600])
    expect(table[encodeRate(rate)]).toBe(intensityClass(rate))
  expect(table[RATE_NO_DATA]).toBe(15)
})

test('[CONST-01] drop levels count the bounds that the intensity is above', () => {
  const rates = [0, 0.4, 0.41, 1, 1.01, 3, 3.01, 10, 10.01, 20, 20.01, 30, 30.01, 200]
  expect(rates.map(dropLevel)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
  expect(dropLevel(null)).toBe(0)
})

test('[MAP-21] accumulation classes end at 100 mm and more', () => {
  expect([0, 0.99, 1, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 99.9, 100, 500].map(cumulClass)).toEqual([
    0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 12,
  ])
  expect(cumulClass(Number.NaN)).toBe(-1)
})
