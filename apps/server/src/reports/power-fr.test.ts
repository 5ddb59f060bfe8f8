import { expect, test } from 'vitest'
import { powerFr } from './power-fr.ts'

test.each([
  [4.312e-11, '4,31·10⁻¹¹'],
  [-2e-7, '−2·10⁻⁷'],
  [9.999e-10, '1·10⁻⁹'],
  [1234, '1,23·10³'],
  [0, '0'],
])('%s is a power of ten as the page writes it', (value, text) => {
  expect(powerFr(value)).toBe(text)
})
