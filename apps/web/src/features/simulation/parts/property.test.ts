import { expect, test } from 'vitest'
import { formatProperty, parseProperty } from './property.ts'

test('small properties read as powers of ten, and as typed numbers they come back', () => {
  expect([0, 0.2, 0.015, 3e-6, 7.25e-6].map(formatProperty)).toEqual([
    '0',
    '0,2',
    '0,015',
    '3·10⁻⁶',
    '7,25·10⁻⁶',
  ])
  expect(['3e-6', '0,2', '', '-1', 'x'].map(parseProperty)).toEqual([3e-6, 0.2, null, null, null])
})
