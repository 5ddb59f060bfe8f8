import { expect, test } from 'vitest'
import { fr } from './typography.ts'

test('French prose gets its apostrophes and the spaces that must not break', () => {
  expect(fr("l'eau : « mètre » ; 100 km, 10 000 gouttes ?")).toBe(
    'l’eau\u00a0: «\u00a0mètre\u00a0»\u202f; 100\u00a0km, 10\u202f000\u00a0gouttes\u202f?',
  )
})
