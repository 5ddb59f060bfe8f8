import { formatHourMinuteFr } from '@radx/locale/format-fr'
import { civilDay, civilInstant } from '@radx/locale/time'

/** As the field of a moment takes it, on the site's clocks. */
export const localText = (ms: number, timeZone: string) =>
  `${civilDay(ms, timeZone)}T${formatHourMinuteFr(ms, timeZone).replace(/[^\d]/, ':')}`

/** The instant of such a text; null for none. */
export function instantOf(text: string | null, timeZone: string): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(text ?? '')
  if (!parts) return null
  const [year, month, day, hour, minute] = parts.slice(1).map(Number)
  return civilInstant(timeZone, year, month, day, hour, minute)
}
