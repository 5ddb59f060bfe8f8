import { expect, test } from 'vitest'
import { ageText } from './age.ts'

test.each([
  [-90, 'à l’instant'],
  [59, 'à l’instant'],
  [60, 'il y a 1\u202fmin'],
  [59 * 60 + 59, 'il y a 59\u202fmin'],
  [3_600, 'il y a 1\u202fh'],
  [86_399, 'il y a 23\u202fh'],
  [86_400, 'il y a 1\u202fj'],
  [59 * 86_400, 'il y a 59\u202fj'],
  [61 * 86_400, 'il y a 2\u202fmois'],
  [700 * 86_400, 'il y a 22\u202fmois'],
  [1_968 * 86_400, 'il y a 5\u202fans'],
])('what was %d s ago', (seconds, words) => {
  const now = Date.UTC(2026, 0, 1)
  expect(ageText(new Date(now - seconds * 1_000).toISOString(), now)).toBe(words)
})
