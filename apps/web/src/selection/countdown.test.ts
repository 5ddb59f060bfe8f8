import { expect, test } from 'vitest'
import { countdownText } from './countdown.ts'

test('[ANA-46] [ANA-47] counts down from 0.42 s a slide as HH:mm:ss', () => {
  expect(countdownText(420, 0)).toBe('00:02:56')
  expect(countdownText(420, 1)).toBe('00:02:55')
  expect(countdownText(10_000, 0)).toBe('01:10:00')
})

test('[ANA-48] [ANA-49] stops at zero and hides there', () => {
  expect(countdownText(420, 176.4)).toBeNull()
  expect(countdownText(420, 10_000)).toBeNull()
  expect(countdownText(0, 0)).toBeNull()
  expect(countdownText(2, 0)).toBeNull()
})
