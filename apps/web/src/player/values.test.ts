import { expect, test } from 'vitest'
import { oneDecimal, parseOpacity } from './values.ts'

test('[LIVE-40] slider values have one decimal', () => {
  expect([33.333, 66.66, 12.05, 100].map(oneDecimal)).toEqual([33.3, 66.7, 12.1, 100])
})

test('[LIVE-08] opacity goes from 0 to 100 and is 100 by default', () => {
  expect(['0', '42.25', '100'].map(parseOpacity)).toEqual([0, 42.3, 100])
  for (const text of [null, '', ' ', 'abc', '-1', '100.1', 'NaN']) expect(parseOpacity(text)).toBe(100)
})
