import { describe, expect, test } from 'vitest'
import { formatClock, formatDuration } from './duration.ts'
import {
  countFr,
  formatDateFr,
  formatDateTimeFr,
  formatHourMinuteFr,
  formatNumberFr,
  formatQuantityFr,
} from './format-fr.ts'

const PARIS = 'Europe/Paris'

test('[CONST-02] durations: ms under 1 s, s under 60 s, then HH:mm:ss', () => {
  expect([0, 999.9, 1000, 1250, 59_999, 60_000, 3_725_000, 90_000_000].map(formatDuration)).toEqual([
    '0 ms',
    '999 ms',
    '1 s',
    '1,2 s',
    '59,9 s',
    '00:01:00',
    '01:02:05',
    '25:00:00',
  ])
})

test('[ANA-47] [ANA-48] the countdown reads HH:mm:ss and never goes below 0', () => {
  expect([176.4, 0.9, 0, -3].map(formatClock)).toEqual(['00:02:56', '00:00:00', '00:00:00', '00:00:00'])
})

describe('French formats', () => {
  test('[LIVE-04] dates read DD/MM/YYYY - HH:mm:ss in the zone asked for', () => {
    expect(formatDateTimeFr('2018-01-15T23:00:00Z', PARIS)).toBe('16/01/2018 - 00:00:00')
    expect(formatDateTimeFr(Date.UTC(2021, 6, 4, 15, 50, 7), PARIS)).toBe('04/07/2021 - 17:50:07')
    expect(formatDateTimeFr(new Date('2021-07-04T15:50:07Z'), 'UTC')).toBe('04/07/2021 - 15:50:07')
    expect(formatHourMinuteFr('2018-01-15T23:00:00Z', PARIS)).toBe('00:00')
    expect(formatDateFr('0999-06-01T12:00:00Z', 'UTC')).toBe('01/06/0999')
    for (const wrong of ['yesterday', Number.NaN, Number.POSITIVE_INFINITY, new Date('x')])
      expect(() => formatDateTimeFr(wrong, PARIS)).toThrow(
        /^not an instant: (yesterday|NaN|Infinity|Invalid Date)$/,
      )
  })

  test('numbers have a decimal comma and narrow no-break spaces', () => {
    expect(formatNumberFr(1234567.891, 2)).toBe('1\u202f234\u202f567,89')
    expect(formatNumberFr(-2.5, 1)).toBe('\u22122,5')
    expect(formatNumberFr(-0.01, 1)).toBe('0,0')
    expect(formatNumberFr(2, 2, true)).toBe('2')
    expect(formatNumberFr(null)).toBe('–')
    expect(formatNumberFr(Number.NaN, 1)).toBe('–')
    expect(formatQuantityFr(12.34, 'mm/h', 1)).toBe('12,3\u202fmm/h')
    expect(formatQuantityFr(undefined, 'mm')).toBe('–')
    expect(formatNumberFr(2, 2)).toBe('2,00')
    expect(formatQuantityFr(2, 'mm', 2)).toBe('2,00\u202fmm')
    expect(formatQuantityFr(2, 'mm', 2, true)).toBe('2\u202fmm')
  })

  test('counts: the plural begins at two', () => {
    expect([0, 1, 2, 1234].map((n) => countFr(n, 'image'))).toEqual([
      '0 image',
      '1 image',
      '2 images',
      '1\u202f234 images',
    ])
    expect(countFr(2, 'bloc relu', 'blocs relus')).toBe('2 blocs relus')
  })
})
