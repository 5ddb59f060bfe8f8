import type { InstantRange } from '@radx/contracts/instants'

/** Civil time of a zone; instants are milliseconds since 1970-01-01T00:00Z. */

export interface CivilParts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(timeZone, format)
  }
  return format
}

/**
 * Length of the stretches whose offset is kept: asking the library takes microseconds, and archives have many frames.
 */
const STRETCH_MS = 15 * 60_000
/** Stretches kept a zone: six weeks. */
const MOST_STRETCHES = 4_096
const offsets = new Map<string, Map<number, number | null>>()

/** Civil date and time of an instant in an IANA zone. @throws RangeError for an unknown zone or instant */
export function civilParts(instantMs: number, timeZone: string): CivilParts {
  const offset = keptOffset(instantMs, timeZone)
  if (offset === null) return askedParts(instantMs, timeZone)
  const wall = new Date(instantMs + offset)
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  }
}

/** Offset of the instant's stretch when it is the same at its two ends, ms; else null. */
function keptOffset(instantMs: number, timeZone: string): number | null {
  const stretch = Math.floor(instantMs / STRETCH_MS)
  let kept = offsets.get(timeZone)
  const known = kept?.get(stretch)
  if (known !== undefined) return known
  const first = askedOffset(stretch * STRETCH_MS, timeZone)
  const last = askedOffset((stretch + 1) * STRETCH_MS - 1000, timeZone)
  if (kept === undefined || kept.size >= MOST_STRETCHES) {
    kept = new Map()
    offsets.set(timeZone, kept)
  }
  const offset = first === last ? first : null
  kept.set(stretch, offset)
  return offset
}

function askedParts(instantMs: number, timeZone: string): CivilParts {
  const found: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(instantMs))
    if (type !== 'literal') found[type] = Number(value)
  return found as unknown as CivilParts
}

const askedOffset = (instantMs: number, timeZone: string): number =>
  aheadMs(askedParts(instantMs, timeZone), instantMs)

/** Milliseconds by which civil parts are ahead of UTC at their instant. */
const aheadMs = (p: CivilParts, instantMs: number): number =>
  Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute, p.second) - Math.floor(instantMs / 1000) * 1000

const pad = (n: number) => String(n).padStart(2, '0')

/** Civil day `YYYY-MM-DD` of an instant. */
export function civilDay(instantMs: number, timeZone: string): string {
  const p = civilParts(instantMs, timeZone)
  return `${String(p.year).padStart(4, '0')}-${pad(p.month)}-${pad(p.day)}`
}

/** Civil month `YYYY-MM` of an instant. */
export function civilMonth(instantMs: number, timeZone: string): string {
  return civilDay(instantMs, timeZone).slice(0, 7)
}

/** Milliseconds by which the zone's civil time is ahead of UTC at an instant. */
export function zoneOffsetMs(instantMs: number, timeZone: string): number {
  return aheadMs(civilParts(instantMs, timeZone), instantMs)
}

/**
 * Instant of a civil date and time. An hour that the zone skips gives the instant after the change; one
 * that comes twice gives the first.
 */
export function civilInstant(
  timeZone: string,
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
): number {
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const before = wall - zoneOffsetMs(wall - 86_400_000, timeZone)
  const after = wall - zoneOffsetMs(wall + 86_400_000, timeZone)
  const fits = [before, after].filter((t) => t + zoneOffsetMs(t, timeZone) === wall)
  return fits.length > 0 ? Math.min(...fits) : Math.max(before, after)
}

/** A civil day `YYYY-MM-DD` of the zone: 23, 24 or 25 hours. @throws RangeError for anything else */
export function civilDayRange(day: string, timeZone: string): InstantRange {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  const [year, month, date] = (match?.slice(1) ?? []).map(Number)
  const check = new Date(Date.UTC(year, month - 1, date))
  if (match === null || check.getUTCMonth() !== month - 1 || check.getUTCDate() !== date)
    throw new RangeError(`not a civil day: ${day}`)
  return {
    startMs: civilInstant(timeZone, year, month, date),
    endMs: civilInstant(timeZone, year, month, date + 1),
  }
}

/** A civil month `YYYY-MM` of the zone. @throws RangeError for anything else */
export function civilMonthRange(month: string, timeZone: string): InstantRange {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month)
  if (match === null) throw new RangeError(`not a civil month: ${month}`)
  const year = Number(match[1])
  const index = Number(match[2])
  return {
    startMs: civilInstant(timeZone, year, index, 1),
    endMs: civilInstant(timeZone, year, index + 1, 1),
  }
}

/** Civil days `YYYY-MM-DD` of a month, in order. */
export function daysOfMonth(month: string): string[] {
  const [year, index] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, index, 0)).getUTCDate()
  return Array.from({ length: count }, (_, i) => `${month}-${pad(i + 1)}`)
}

/** ISO 8601 with Z and whole seconds, e.g. `2018-01-15T23:00:00Z`. */
export function isoSeconds(instantMs: number): string {
  return `${new Date(instantMs).toISOString().slice(0, 19)}Z`
}
