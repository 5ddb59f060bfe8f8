import { expect, test } from 'vitest'
import { parseProperty, propertyIssue, propertyOf } from './property.ts'

test('small properties read as powers of ten, and as typed numbers they come back', () => {
  expect([0, 0.2, 0.015, 3e-6, 7.25e-6, 9.999e-7].map(propertyOf)).toEqual([
    '0',
    '0,2',
    '0,015',
    { factor: '3', exponent: -6 },
    { factor: '7,25', exponent: -6 },
    { factor: '1', exponent: -6 },
  ])
  expect(['3e-6', '0,2', '', '-1', 'x'].map(parseProperty)).toEqual([3e-6, 0.2, null, null, null])
})

test('soil values that cannot be are told with their limits', () => {
  expect(propertyIssue('soilmd', 1)).toBeNull()
  expect(propertyIssue('soilmd', 1.2)).toBe('de 0 à 1')
  expect(propertyIssue('kh', 3)).toBe('de 0 à 0,01')
  expect(propertyIssue('nmanningov', null)).toBe('de 0,005 à 2')
  // Water on ground without friction would never stop.
  expect(propertyIssue('nmanningov', 0)).toBe('de 0,005 à 2')
  expect(propertyIssue('nmanningov', 0.005)).toBeNull()
})
