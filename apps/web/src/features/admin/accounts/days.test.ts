import { expect, test } from 'vitest'
import { dayOf, instantOf } from './days.ts'

const PARIS = 'Europe/Paris'

test('a day begins at its midnight in the zone of the site, in summer and in winter', () => {
  expect(instantOf('2026-06-05', null, PARIS)).toBe('2026-06-04T22:00:00.000Z')
  expect(instantOf('2026-01-05', null, PARIS)).toBe('2026-01-04T23:00:00.000Z')
  expect(instantOf('', '2026-01-01T00:00:00.000Z', PARIS)).toBeNull()
  expect(dayOf('2026-06-04T22:00:00.000Z', PARIS)).toBe('2026-06-05')
})

test('an hour that the command line set stays where the day is not touched', () => {
  const before = '2026-03-01T06:30:00.000Z'
  expect(instantOf(dayOf(before, PARIS), before, PARIS)).toBe(before)
  expect(instantOf('2026-03-02', before, PARIS)).toBe('2026-03-01T23:00:00.000Z')
})
