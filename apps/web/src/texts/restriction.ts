import { RESTRICTION_OFFSET_MINUTES } from '@radx/contracts/constants'
import { formatDateFr } from '@radx/locale/format-fr'

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
