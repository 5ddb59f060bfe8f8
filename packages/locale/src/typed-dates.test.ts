import fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedDay, typedMoment, writtenFr } from './typed-dates.ts'

test('a day is read however it is typed in French, and as other programs copy it', () => {
  for (const text of ['03/02/2026', '3/2/2026', ' 3.2.2026 ', '03-02-2026', '3 2 2026', '2026-02-03'])
    expect(typedDay(text)).toBe('2026-02-03')
})

test('what is no day of a calendar is none', () => {
  for (const text of [
    '',
    '31/02/2026',
    '29/02/2025',
    '0/1/2026',
    '1/13/2026',
    '02/03/26',
    '01/01/0099',
    '3/2/2026 14:30',
    '20260203',
    'demain',
  ])
    expect(typedDay(text)).toBeNull()
  expect(typedDay('29/02/2024')).toBe('2024-02-29')
})

test('a moment is a day and a time of the clock', () => {
  for (const text of [
    '03/02/2026 - 14:30',
    '3/2/2026 14:30',
    '3/2/2026 14h30',
    '3/2/2026 à 14 h 30',
    '2026-02-03T14:30',
    '03/02/2026 - 14:30:59',
  ])
    expect(typedMoment(text)).toBe('2026-02-03T14:30')
  for (const text of ['03/02/2026', '03/02/2026 - 24:00', '03/02/2026 - 12:60', '03/02/2026 - 12', '14:30'])
    expect(typedMoment(text)).toBeNull()
})

test('what is written is read again as the same', () => {
  const date = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(date, (at) => {
      const moment = at.toISOString().slice(0, 16)
      expect(typedMoment(writtenFr(moment))).toBe(moment)
      expect(typedDay(writtenFr(moment.slice(0, 10)))).toBe(moment.slice(0, 10))
    }),
  )
  expect(writtenFr('')).toBe('')
})
