import { expect, test } from 'vitest'
import { restrictionNotice, selectableRange } from './restriction.ts'

const PARIS = 'Europe/Paris'
const notice = (start: string | null, end: string | null) => restrictionNotice({ start, end }, PARIS)

test('[AUTH-25] start and end on different days', () => {
  expect(notice('2026-03-11T23:00:00Z', '2026-03-14T23:00:00Z')).toBe(
    'Vous avez accès aux données du 12/03/2026 au 14/03/2026',
  )
})

test('[AUTH-24] start and end on the same day', () => {
  expect(notice('2026-03-11T23:00:00Z', '2026-03-12T23:00:00Z')).toBe(
    'Vous avez accès aux données du 12/03/2026',
  )
})

test('[AUTH-26] start only', () => {
  expect(notice('2026-03-11T23:00:00Z', null)).toBe('Vous avez accès aux données à partir du 12/03/2026')
})

test('[AUTH-23] end only', () => {
  expect(notice(null, '2026-03-12T12:00:00Z')).toBe(
    "Votre compte utilisateur ne vous permet pas d'accéder aux données depuis le 12/03/2026",
  )
})

test('[AUTH-27] the start moves by +10 minutes and the end by -10 minutes, here over midnight', () => {
  // 23:55 in Paris is tomorrow once 10 minutes are added; 00:05 is yesterday once they are taken off.
  expect(notice('2026-03-11T22:55:00Z', null)).toMatch(/12\/03\/2026$/)
  expect(notice('2026-03-11T22:45:00Z', null)).toMatch(/11\/03\/2026$/)
  expect(notice(null, '2026-03-12T23:05:00Z')).toMatch(/12\/03\/2026$/)
  expect(notice(null, '2026-03-12T23:15:00Z')).toMatch(/13\/03\/2026$/)
  expect(selectableRange({ start: '2026-03-12T00:00:00Z', end: '2026-03-13T00:00:00Z' })).toEqual({
    startMs: Date.parse('2026-03-12T00:10:00Z'),
    endMs: Date.parse('2026-03-12T23:50:00Z'),
  })
})

test('an account without dates has no notice and may choose any hour', () => {
  expect(notice(null, null)).toBeNull()
  expect(restrictionNotice(null, PARIS)).toBeNull()
  expect(selectableRange({ start: null, end: null })).toEqual({
    startMs: Number.NEGATIVE_INFINITY,
    endMs: Number.POSITIVE_INFINITY,
  })
})
