import { civilDay, civilDayRange } from '@radx/locale/time'

/** The civil day of an instant, for a field of type date; empty for none. */
export const dayOf = (instant: string | null, timeZone: string): string =>
  instant === null ? '' : civilDay(Date.parse(instant), timeZone)

/**
 * The beginning of a day in the site's zone; null for an empty field.
 * @param before the instant that the field showed the day of: where the day stayed, so does its hour
 */
export function instantOf(day: string, before: string | null, timeZone: string): string | null {
  if (day === '') return null
  if (before !== null && dayOf(before, timeZone) === day) return before
  return new Date(civilDayRange(day, timeZone).startMs).toISOString()
}
