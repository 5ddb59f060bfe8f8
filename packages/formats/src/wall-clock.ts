const formatters = new Map<string, Intl.DateTimeFormat>()

/** Offset of a zone from UTC at an instant, ms. */
function offsetMs(utcMs: number, timeZone: string): number {
  let format = formatters.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(timeZone, format)
  }
  const part = Object.fromEntries(format.formatToParts(utcMs).map((p) => [p.type, Number(p.value)]))
  const shown = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second)
  return shown - Math.floor(utcMs / 1000) * 1000
}

/**
 * Instants (ms, UTC) of wall-clock time stamps (ms as if the clock were UTC) in an IANA zone. The hour that a
 * clock shows twice in autumn is taken as the first, unless the record before it is at that instant or later; a time
 * that a clock skips in spring is taken with the offset before the change.
 * @throws RangeError for a zone that does not exist
 */
export function toUtcMs(localMs: Float64Array, timeZone: string): Float64Array {
  const result = new Float64Array(localMs.length)
  const day = 86_400_000
  let previous = Number.NEGATIVE_INFINITY
  let range = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, offset: 0 }
  for (let i = 0; i < localMs.length; i++) {
    const local = localMs[i]
    if (local < range.from || local > range.to) {
      const before = offsetMs(local - day, timeZone)
      const after = offsetMs(local + day, timeZone)
      if (before === after) range = { from: local - day / 2, to: local + day / 2, offset: before }
      else {
        range = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, offset: 0 }
        const fits = [before, after].map((o) => local - o).filter((t) => offsetMs(t, timeZone) === local - t)
        const candidates = fits.length > 0 ? fits : [local - before]
        result[i] = candidates.find((t) => t > previous) ?? candidates[candidates.length - 1]
        previous = result[i]
        continue
      }
    }
    result[i] = local - range.offset
    previous = result[i]
  }
  return result
}
