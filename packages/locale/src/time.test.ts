import { describe, expect, test } from 'vitest'
import {
  civilDay,
  civilDayRange,
  civilInstant,
  civilMonth,
  civilMonthRange,
  civilParts,
  daysOfMonth,
  isoSeconds,
  zoneOffsetMs,
} from './time.ts'

const PARIS = 'Europe/Paris'
const HOUR_MS = 3_600_000
const at = (iso: string) => Date.parse(iso)
const iso = (ms: number) => new Date(ms).toISOString()

describe('civil time', () => {
  test.each([
    ['2018-01-15T22:59:59Z', PARIS, { year: 2018, month: 1, day: 15, hour: 23, minute: 59, second: 59 }],
    // Midnight is 0 h of the new day, not 24 h of the old one.
    ['2018-01-15T23:00:00Z', PARIS, { year: 2018, month: 1, day: 16, hour: 0, minute: 0, second: 0 }],
    [
      '2018-12-31T20:05:09Z',
      'Asia/Kolkata',
      { year: 2019, month: 1, day: 1, hour: 1, minute: 35, second: 9 },
    ],
  ])('%s in %s', (instant, zone, parts) => {
    expect(civilParts(at(instant), zone)).toEqual(parts)
  })

  test('is what the library says, to the second, around changes at odd minutes too', () => {
    const asked = (ms: number, timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(ms)
    const pad = (n: number) => String(n).padStart(2, '0')
    // Newfoundland changed at a minute past midnight.
    for (const [zone, change] of [
      [PARIS, '2018-03-25T01:00:00Z'],
      [PARIS, '2018-10-28T01:00:00Z'],
      ['America/St_Johns', '2009-03-08T03:31:00Z'],
      ['Asia/Kathmandu', '1985-12-31T18:30:00Z'],
      ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
    ])
      for (const seconds of [-86_400, -1800, -61, -1, 0, 1, 59, 61, 899, 901, 86_400]) {
        const ms = at(change) + seconds * 1000
        const { year, month, day, hour, minute, second } = civilParts(ms, zone)
        expect(`${pad(day)}/${pad(month)}/${year}, ${pad(hour)}:${pad(minute)}:${pad(second)}`).toBe(
          asked(ms, zone),
        )
      }
  })

  test('days and months are those of the zone', () => {
    expect(civilDay(at('2018-01-31T23:30:00Z'), PARIS)).toBe('2018-02-01')
    expect(civilMonth(at('2018-01-31T23:30:00Z'), PARIS)).toBe('2018-02')
    expect(civilMonth(at('2018-01-31T22:30:00Z'), PARIS)).toBe('2018-01')
    expect(civilDay(at('0999-06-01T12:00:00Z'), 'UTC')).toBe('0999-06-01')
    expect(() => civilDay(0, 'Europe/Melun')).toThrow(RangeError)
    expect(() => civilDay(Number.NaN, PARIS)).toThrow(RangeError)
  })

  test('how far a zone is ahead, milliseconds of the instant notwithstanding', () => {
    expect(zoneOffsetMs(at('2024-01-01T00:00:00.789Z'), PARIS)).toBe(HOUR_MS)
    expect(zoneOffsetMs(at('2024-07-01T00:00:00.789Z'), PARIS)).toBe(2 * HOUR_MS)
    expect(zoneOffsetMs(at('2024-07-01T00:00:00Z'), 'America/St_Johns')).toBe(-2.5 * HOUR_MS)
  })

  test.each([
    ['in winter', PARIS, [2024, 1, 15, 13, 14, 15], '2024-01-15T12:14:15.000Z'],
    ['in summer', PARIS, [2024, 7, 15], '2024-07-14T22:00:00.000Z'],
    [
      'on the last hour before clocks go forward',
      PARIS,
      [2024, 3, 31, 1, 59, 59],
      '2024-03-31T00:59:59.000Z',
    ],
    ['in the hour that is skipped', PARIS, [2024, 3, 31, 2, 30], '2024-03-31T01:30:00.000Z'],
    ['after clocks went forward', PARIS, [2024, 3, 31, 3], '2024-03-31T01:00:00.000Z'],
    ['in the hour that comes twice', PARIS, [2024, 10, 27, 2, 30], '2024-10-27T00:30:00.000Z'],
    ['after clocks went back', PARIS, [2024, 10, 27, 3], '2024-10-27T02:00:00.000Z'],
    ['west of Greenwich', 'America/New_York', [2024, 3, 10, 1, 30], '2024-03-10T06:30:00.000Z'],
    ['over the end of a year', PARIS, [2024, 13, 1], '2024-12-31T23:00:00.000Z'],
  ] as const)('an instant %s', (_when, zone, [year, month, day, ...clock], instant) => {
    expect(iso(civilInstant(zone, year, month, day, ...clock))).toBe(instant)
  })

  test.each([
    ['2024-01-15', 24],
    ['2024-03-31', 23],
    ['2024-10-27', 25],
    ['2024-02-29', 24],
    ['2024-12-31', 24],
  ])('the day %s has %i hours, from midnight to midnight', (day, hours) => {
    const { startMs, endMs } = civilDayRange(day, PARIS)
    expect((endMs - startMs) / HOUR_MS).toBe(hours)
    expect(civilDay(startMs, PARIS)).toBe(day)
    expect(civilDay(startMs - 1, PARIS)).not.toBe(day)
    expect(civilDay(endMs - 1, PARIS)).toBe(day)
    expect(civilDay(endMs, PARIS)).not.toBe(day)
  })

  test('every instant lies in the range of its own day', () => {
    for (let t = Date.UTC(2021, 9, 30); t < Date.UTC(2021, 10, 2); t += 1_700_000) {
      const { startMs, endMs } = civilDayRange(civilDay(t, PARIS), PARIS)
      expect(startMs <= t && t < endMs).toBe(true)
    }
  })

  test.each([
    '',
    '2024-1-15',
    '2024-01-32',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-01-15T00:00',
    ' 2024-01-15',
    'x2024-01-15',
    '12024-01-15',
  ])('%j is no day', (day) => {
    expect(() => civilDayRange(day, PARIS)).toThrow(new RangeError(`not a civil day: ${day}`))
  })

  test.each([
    ['2024-03', '2024-02-29T23:00:00.000Z', '2024-03-31T22:00:00.000Z'],
    ['2024-10', '2024-09-30T22:00:00.000Z', '2024-10-31T23:00:00.000Z'],
    ['2024-12', '2024-11-30T23:00:00.000Z', '2024-12-31T23:00:00.000Z'],
    ['2023-01', '2022-12-31T23:00:00.000Z', '2023-01-31T23:00:00.000Z'],
  ])('the month %s', (month, start, end) => {
    const range = civilMonthRange(month, PARIS)
    expect([iso(range.startMs), iso(range.endMs)]).toEqual([start, end])
  })

  test.each(['', '2024-00', '2024-13', '2024-1', '2024-011', 'x2024-01', '2024-20'])(
    '%j is no month',
    (month) => {
      expect(() => civilMonthRange(month, PARIS)).toThrow(new RangeError(`not a civil month: ${month}`))
    },
  )

  test('days of a month, leap years included', () => {
    expect(daysOfMonth('2024-02')).toHaveLength(29)
    expect(daysOfMonth('2023-02').at(-1)).toBe('2023-02-28')
    expect(daysOfMonth('2023-12').at(0)).toBe('2023-12-01')
    expect(daysOfMonth('2023-12').at(-1)).toBe('2023-12-31')
  })

  test('an instant is written to the second', () => {
    expect(isoSeconds(at('2018-01-15T23:00:00.999Z'))).toBe('2018-01-15T23:00:00Z')
  })
})
