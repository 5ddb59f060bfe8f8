import type { Quiet } from '@radx/contracts'
import { civilInstant, civilParts } from '@radx/locale/time'

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/**
 * When a notice that came now may go out.
 * @param quiet hours of the site's clocks; `from` after `to` goes over midnight
 * @returns the end of the quiet hours, or null outside them
 */
export function heldUntil(quiet: Quiet | null, nowMs: number, timeZone: string): number | null {
  if (quiet === null) return null
  const { year, month, day, hour, minute } = civilParts(nowMs, timeZone)
  const now = hour * 60 + minute
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)]
  const isWithin = from < to ? now >= from && now < to : now >= from || now < to
  if (!isWithin) return null
  const days = from > to && now >= from ? 1 : 0
  return civilInstant(timeZone, year, month, day + days, Math.floor(to / 60), to % 60)
}
