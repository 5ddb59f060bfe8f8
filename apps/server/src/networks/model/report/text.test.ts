import { expect, test } from 'vitest'
import { elapsed, fixed, general } from './text.ts'

test('figures stand as C prints them', () => {
  expect([0, 1.924, 0.00267, 23.94, 0.0000123, 1234, 0.5].map((value) => general(value, 12).trim())).toEqual([
    '0',
    '1.92',
    '0.00267',
    '23.9',
    '1.23e-05',
    '1.23e+03',
    '0.5',
  ])
  expect(fixed(2.5, 9, 2)).toBe('     2.50')
  expect(elapsed(90_061)).toBe('   1  01:01')
})
