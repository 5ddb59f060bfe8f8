/** Month grid, weeks starting on Monday (spec 1 §2 "Month calendar"). Civil days only, no time zone. */
import type { DaySummary } from '@radx/contracts'
import { CALENDAR_FIRST_YEAR } from '@radx/contracts/constants'

export interface CalendarDay {
  /** `YYYY-MM-DD` */
  day: string
  number: number
  inMonth: boolean
}

const iso = (date: Date): string => date.toISOString().slice(0, 10)

/** Whole weeks that cover a month `YYYY-MM`: rows of seven days, Monday first. */
export function monthWeeks(month: string): CalendarDay[][] {
  const first = new Date(`${month}-01T00:00:00Z`)
  const lead = (first.getUTCDay() + 6) % 7
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const rows = Math.ceil((lead + days) / 7)
  return Array.from({ length: rows }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const date = new Date(first.getTime() + (week * 7 + weekday - lead) * 86_400_000)
      return { day: iso(date), number: date.getUTCDate(), inMonth: iso(date).startsWith(month) }
    }),
  )
}

/** The month `delta` months away. */
export function shiftMonth(month: string, delta: number): string {
  const [year, m] = month.split('-').map(Number)
  return iso(new Date(Date.UTC(year, m - 1 + delta, 1))).slice(0, 7)
}

/**
 * The day that a key leads to from a day: arrows by a day or a week, Home and End within the week, PageUp and PageDown
 * by a month, with Shift by a year; null for any other key, and where the calendar ends.
 */
export function dayByKey(day: string, key: string, shift: boolean, today: string): string | null {
  const date = new Date(`${day}T00:00:00Z`)
  const weekday = (date.getUTCDay() + 6) % 7
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -weekday, End: 6 - weekday }[
    key
  ]
  const months = { PageUp: shift ? -12 : -1, PageDown: shift ? 12 : 1 }[key]
  const to =
    days !== undefined
      ? iso(new Date(date.getTime() + days * 86_400_000))
      : months !== undefined
        ? dayInMonth(shiftMonth(day.slice(0, 7), months), date.getUTCDate())
        : null
  return to !== null && clampMonth(to.slice(0, 7), today) === to.slice(0, 7) ? to : null
}

/** The day of that number, or the month's last. */
function dayInMonth(month: string, number: number): string {
  const [year, m] = month.split('-').map(Number)
  return iso(new Date(Date.UTC(year, m - 1, Math.min(number, new Date(Date.UTC(year, m, 0)).getUTCDate()))))
}

/** 2019 to the current year, newest first. */
export function calendarYears(today: string): number[] {
  const year = Number(today.slice(0, 4))
  return Array.from({ length: year - CALENDAR_FIRST_YEAR + 1 }, (_, i) => year - i)
}

/** Keeps a month inside the calendar: January 2019 to the month of today. */
export function clampMonth(month: string, today: string): string {
  const first = `${CALENDAR_FIRST_YEAR}-01`
  const last = today.slice(0, 7)
  return month < first ? first : month > last ? last : month
}

/** Of months in order, the last before a month and the first after it that the calendar shows. */
export function nearestMonths(
  months: readonly string[],
  month: string,
  today: string,
): { before: string | undefined; after: string | undefined } {
  const shown = months.filter((other) => clampMonth(other, today) === other)
  return {
    before: shown.findLast((other) => other < month),
    after: shown.find((other) => other > month),
  }
}

/**
 * The number that tints a day: the largest frame mean over wet cells (mm/h) of the chosen sub-catchment,
 * else of the chosen catchment, else of the whole zone; null where that area has no value.
 */
export function dayIntensity(
  summary: DaySummary,
  catchment: string | null,
  subcatchment: string | null,
): DaySummary['meanmax'] | null {
  if (catchment === null) return summary.meanmax
  const area = summary.catchments[catchment]
  if (area === undefined) return null
  return subcatchment === null ? area.meanmax : (area.subcatchments[subcatchment]?.meanmax ?? null)
}
