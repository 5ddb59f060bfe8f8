import { readNumber } from './delimited.ts'

/** A date in figures alone (AAAAMMJJ and on to seconds, as Météo-France gives them) as ISO writes it; null for anything else. */
function spelled(text: string): string | null {
  const parts = /^((?:19|20)\d{2})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(\d{2})?)?)?$/.exec(text)
  if (!parts) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = parts
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`
}

/** Minutes since 1970 of a date as written, by its own clock; null when it is none. */
export function dateOf(text: string, clockText = ''): number | null {
  const whole = clockText === '' ? (spelled(text) ?? text) : `${text} ${clockText}`
  const iso =
    /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{1,2})[:h](\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(
      whole,
    )
  const french = iso
    ? null
    : /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[T ](\d{1,2})[:h](\d{2})(?::(\d{2}))?)?$/.exec(whole)
  const parts = iso ?? french
  if (!parts) return null
  const [year, month, day] = iso
    ? [parts[1], parts[2], parts[3]].map(Number)
    : [parts[3], parts[2], parts[1]].map(Number)
  const [hour, minute, second] = [parts[4], parts[5], parts[6]].map((part) => Number(part ?? 0))
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(ms)
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day || hour > 24 || minute > 59) return null
  const zone = iso?.[7] === undefined ? null : /^([+-])(\d{2}):?(\d{2})$/.exec(iso[7])
  const offset = zone ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) : 0
  return ms / 60_000 - offset
}

/** Minutes of a clock time or of a number. */
export function timeNumber(text: string, numberMin: number): number {
  const clock = /^(\d{1,3})[:h](\d{2})(?::(\d{2}))?$/.exec(text)
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]) + Number(clock[3] ?? 0) / 60
  // Figures that look like a date and are none count no minutes.
  return spelled(text) === null ? readNumber(text) * numberMin : Number.NaN
}
