import { describe, expect, test } from 'vitest'
import {
  calendarYears,
  clampMonth,
  dayByKey,
  dayIntensity,
  monthWeeks,
  nearestMonths,
  shiftMonth,
} from './calendar.ts'

describe('month calendar', () => {
  test('[ANA-10] weeks start on Monday and cover the month', () => {
    const weeks = monthWeeks('2026-11')
    expect(weeks).toHaveLength(6)
    expect(weeks[0].map((d) => d.day)[0]).toBe('2026-10-26')
    for (const week of weeks) expect(new Date(`${week[0].day}T00:00:00Z`).getUTCDay()).toBe(1)
    expect(weeks.flat().filter((d) => d.inMonth)).toHaveLength(30)
    expect(monthWeeks('2021-02')).toHaveLength(4)
    expect(
      monthWeeks('2024-02')
        .flat()
        .filter((d) => d.inMonth),
    ).toHaveLength(29)
  })

  test('[ANA-53] years run from 2019 to the current one', () => {
    expect(calendarYears('2021-03-02')).toEqual([2021, 2020, 2019])
    expect(clampMonth('2018-12', '2021-03-02')).toBe('2019-01')
    expect(clampMonth('2021-04', '2021-03-02')).toBe('2021-03')
    expect(shiftMonth('2021-01', -1)).toBe('2020-12')
  })

  test('keys lead from day to day, week to week and month to month, and stop where the calendar ends', () => {
    const today = '2026-11-22'
    const by = (day: string, key: string, shift = false) => dayByKey(day, key, shift, today)
    expect(by('2024-02-28', 'ArrowRight')).toBe('2024-02-29')
    expect(by('2024-03-01', 'ArrowLeft')).toBe('2024-02-29')
    expect(by('2024-03-03', 'ArrowUp')).toBe('2024-02-25')
    expect(by('2024-12-31', 'ArrowDown')).toBe('2025-01-07')
    expect([by('2026-11-18', 'Home'), by('2026-11-18', 'End')]).toEqual(['2026-11-16', '2026-11-22'])
    expect(by('2026-10-31', 'PageUp')).toBe('2026-09-30')
    expect(by('2024-02-29', 'PageUp', true)).toBe('2023-02-28')
    expect(by('2019-01-01', 'ArrowLeft')).toBeNull()
    expect(by('2026-11-30', 'ArrowRight')).toBeNull()
    expect(by('2026-11-18', 'PageDown')).toBeNull()
    expect(by('2026-11-18', 'a')).toBeNull()
  })

  test('the nearest months with data, of those that the calendar shows', () => {
    const months = ['2018-01', '2019-03', '2021-07', '2021-09', '2027-01']
    const nearest = (month: string) => nearestMonths(months, month, '2026-11-22')
    expect(nearest('2021-08')).toEqual({ before: '2021-07', after: '2021-09' })
    expect(nearest('2021-07')).toEqual({ before: '2019-03', after: '2021-09' })
    expect(nearest('2019-03')).toEqual({ before: undefined, after: '2021-07' })
    expect(nearest('2026-11')).toEqual({ before: '2021-09', after: undefined })
    expect(nearestMonths(['2018-01'], '2026-11', '2026-11-22')).toEqual({})
  })

  test('[ANA-31] a day is tinted by the chosen area', () => {
    const m = (value: number) => ({ value, desc: '12:00' })
    const summary = {
      day: '2026-06-04',
      meanmax: m(3),
      catchments: {
        melun: { meanmax: m(2), subcatchments: { nord: { meanmax: m(1) }, sud: { meanmax: null } } },
      },
    }
    expect(dayIntensity(summary, null, null)).toEqual(m(3))
    expect(dayIntensity(summary, 'melun', null)).toEqual(m(2))
    expect(dayIntensity(summary, 'melun', 'nord')).toEqual(m(1))
    expect(dayIntensity(summary, 'melun', 'sud')).toBeNull()
    expect(dayIntensity(summary, 'bievre', null)).toBeNull()
  })
})
