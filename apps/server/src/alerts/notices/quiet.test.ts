import { expect, test } from 'vitest'
import { heldUntil } from './quiet.ts'

const held = (from: string, to: string, now: string) => {
  const until = heldUntil({ from, to }, Date.parse(now), 'Europe/Paris')
  return until === null ? null : new Date(until).toISOString()
}

test('within quiet hours a notice waits for their end, over midnight and over a month too', () => {
  expect(held('12:00', '14:00', '2026-06-15T10:30:00Z')).toBe('2026-06-15T12:00:00.000Z')
  expect(held('12:00', '14:00', '2026-06-15T12:00:00Z')).toBeNull()
  expect(held('22:00', '06:30', '2026-06-30T20:00:00Z')).toBe('2026-07-01T04:30:00.000Z')
  expect(held('22:00', '06:30', '2026-07-01T04:29:59Z')).toBe('2026-07-01T04:30:00.000Z')
  expect(held('22:00', '06:30', '2026-07-01T04:30:00Z')).toBeNull()
  expect(heldUntil(null, 0, 'Europe/Paris')).toBeNull()
})

test('a night in which clocks change ends at the hour that people see', () => {
  expect(held('22:00', '06:00', '2026-03-28T22:00:00Z')).toBe('2026-03-29T04:00:00.000Z')
  expect(held('22:00', '06:00', '2026-10-24T21:00:00Z')).toBe('2026-10-25T05:00:00.000Z')
})
