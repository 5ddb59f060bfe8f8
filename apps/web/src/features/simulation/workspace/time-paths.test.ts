import { expect, test } from 'vitest'
import { barsPath, curvePath } from './time-paths.ts'

test('rain hangs from above over its own time, nothing where it was dry', () => {
  expect(barsPath([0, 300, 600, 900], [0, 10, 0, 5], 900, 90, 50)).toBe('M0 0V40H30V0ZM60 0V20H90V0Z')
  expect(barsPath([0, 300], [0, 0], 300, 90, 50)).toBe('')
})

test('outflow stands on the ground, each mean in the middle of its time', () => {
  expect(curvePath([0, 300, 600], [0, 2, 1], 600, 100, 50)).toBe('M0 50L0 50L25 10L75 30L100 50Z')
  expect(curvePath([0, 300], [0, 0], 300, 100, 50)).toBe('')
})
