/** Dates as a person types them in French. Days are `YYYY-MM-DD`, moments `YYYY-MM-DDTHH:MM`, both on civil clocks. */

const DAY = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})/
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})/
const TIME = /^[\sTà,-]*(\d{1,2})\s?[:h]\s?(\d{2})(?::\d{2}(?:\.\d+)?)?$/

/**
 * The day that a text says: `3/2/2026`, `03.02.2026`, or `2026-02-03` as other programs copy it.
 * @returns null where it says none, or one that no calendar has
 */
export function typedDay(text: string): string | null {
  const found = dayAtStart(text.trim())
  return found?.rest === '' ? found.day : null
}

/**
 * The day and minute that a text says: `03/02/2026 - 14:30`, `3/2/2026 14h30`, `2026-02-03T14:30`. Seconds are dropped.
 * @returns null where it says none
 */
export function typedMoment(text: string): string | null {
  const found = dayAtStart(text.trim())
  const time = found && TIME.exec(found.rest)
  if (!time || Number(time[1]) > 23 || Number(time[2]) > 59) return null
  return `${found.day}T${time[1].padStart(2, '0')}:${time[2]}`
}

/** DD/MM/YYYY of a day, DD/MM/YYYY - HH:MM of a moment; empty for an empty one. */
export function writtenFr(value: string): string {
  const [day, time] = value.split('T')
  const written = day.split('-').reverse().join('/')
  return time === undefined ? written : `${written} - ${time}`
}

function dayAtStart(text: string): { day: string; rest: string } | null {
  const french = DAY.exec(text)
  const found = french ?? ISO_DAY.exec(text)
  if (!found) return null
  const [year, month, date] = french ? [found[3], found[2], found[1]] : found.slice(1)
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const ms = Date.parse(`${day}T00:00Z`)
  // Some engines take the 31st of a shorter month for a day of the next one.
  if (year < '1000' || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) return null
  return { day, rest: text.slice(found[0].length) }
}
