import { expect, test } from 'vitest'
import { punctuated } from './punctuation-fr.ts'

test('only the spaces of punctuation change: names and numbers stay as they are', () => {
  expect(punctuated("l'eau : « B 12 » ; 10 000 gouttes ?")).toBe(
    "l'eau\u00a0: «\u00a0B 12\u00a0»\u202f; 10 000 gouttes\u202f?",
  )
})
