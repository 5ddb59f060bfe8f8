import { RESTRICTION_OFFSET_MINUTES } from '@radx/contracts/constants'
import { formatDateFr } from '@radx/locale/format-fr'
import { civilDay } from '@radx/locale/time'
import { fr } from './typography.ts'

interface Restriction {
  start: string | null
  end: string | null
}

const OFFSET_MS = RESTRICTION_OFFSET_MINUTES * 60_000

/** Period in which a user may choose hours: the account's dates, narrowed by the offset at both ends. */
export function selectableRange({ start, end }: Restriction): { startMs: number; endMs: number } {
  return {
    startMs: start === null ? Number.NEGATIVE_INFINITY : Date.parse(start) + OFFSET_MS,
    endMs: end === null ? Number.POSITIVE_INFINITY : Date.parse(end) - OFFSET_MS,
  }
}

/** First and last civil day of that period; null is open. */
export interface AllowedDays {
  from: string | null
  to: string | null
}

export function allowedDays(restriction: Restriction | null, timeZone: string): AllowedDays {
  if (restriction === null) return { from: null, to: null }
  const { startMs, endMs } = selectableRange(restriction)
  const day = (ms: number) => (Number.isFinite(ms) ? civilDay(ms, timeZone) : null)
  return { from: day(startMs), to: day(endMs) }
}

/** Whether none of a civil day is open to the account. */
export const isOutside = (day: string, { from, to }: AllowedDays): boolean =>
  (from !== null && day < from) || (to !== null && day > to)

/** Instead of "no data": the account cannot tell whether there is any. */
export const DAY_OUTSIDE = fr(
  'Ce jour est hors des dates de votre compte : ses mesures ne sont pas montrées.',
)

/**
 * Notice of an account's dates in the four wordings of the specification; null without a restriction.
 * @param timeZone zone in which the days are shown
 */
export function restrictionNotice(restriction: Restriction | null, timeZone: string): string | null {
  if (restriction === null) return null
  const { startMs, endMs } = selectableRange(restriction)
  const day = (ms: number) => formatDateFr(ms, timeZone)
  const [from, to] = [Number.isFinite(startMs), Number.isFinite(endMs)]
  if (from && to)
    return day(startMs) === day(endMs)
      ? `Vous avez accès aux données du ${day(startMs)}`
      : `Vous avez accès aux données du ${day(startMs)} au ${day(endMs)}`
  if (from) return `Vous avez accès aux données à partir du ${day(startMs)}`
  if (to) return `Votre compte utilisateur ne vous permet pas d'accéder aux données depuis le ${day(endMs)}`
  return null
}
