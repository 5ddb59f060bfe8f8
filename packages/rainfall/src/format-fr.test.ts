import { describe, expect, test } from 'vitest'
import { formatClock, formatDuration } from './duration.ts'
import { formatDateTimeFr, formatHourMinuteFr, formatNumberFr, formatQuantityFr } from './format-fr.ts'
import { civilDay, civilDayRange, civilInstant, civilMonthRange, daysOfMonth, isoSeconds } from './time.ts'

const PARIS = 'Europe/Paris'
const hours = (range: { startMs: number; endMs: number }) => (range.endMs - range.startMs) / 3_600_000

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
    expect(() => formatDateTimeFr('yesterday', PARIS)).toThrow(RangeError)
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
  })
})

describe('civil days of Europe/Paris', () => {
  test('days have 23, 24 or 25 hours', () => {
    expect(hours(civilDayRange('2021-03-28', PARIS))).toBe(23)
    expect(hours(civilDayRange('2021-07-04', PARIS))).toBe(24)
    expect(hours(civilDayRange('2021-10-31', PARIS))).toBe(25)
    expect(isoSeconds(civilDayRange('2018-01-16', PARIS).startMs)).toBe('2018-01-15T23:00:00Z')
  })

  test('every instant lies in the range of its own day', () => {
    for (let t = Date.UTC(2021, 9, 30); t < Date.UTC(2021, 10, 2); t += 1_700_000) {
      const { startMs, endMs } = civilDayRange(civilDay(t, PARIS), PARIS)
      expect(startMs <= t && t < endMs).toBe(true)
    }
  })

  test('months join at midnight', () => {
    expect(civilMonthRange('2020-12', PARIS).endMs).toBe(civilMonthRange('2021-01', PARIS).startMs)
    expect(hours(civilMonthRange('2021-03', PARIS))).toBe(31 * 24 - 1)
    expect(daysOfMonth('2020-02')).toHaveLength(29)
    expect(daysOfMonth('2021-12').at(-1)).toBe('2021-12-31')
  })

  test('an hour that the zone skips or repeats still gives one instant', () => {
    expect(isoSeconds(civilInstant(PARIS, 2021, 3, 28, 2, 30))).toBe('2021-03-28T01:30:00Z')
    expect(isoSeconds(civilInstant(PARIS, 2021, 10, 31, 2, 30))).toBe('2021-10-31T00:30:00Z')
  })

  test('what is no day or month is refused', () => {
    for (const day of ['2021-02-30', '2021-13-01', '2021-1-1', '', '2021-03-28T00'])
      expect(() => civilDayRange(day, PARIS)).toThrow(RangeError)
    expect(() => civilMonthRange('2021-13', PARIS)).toThrow(RangeError)
  })
})
