import { LANGUAGE, LOCALE } from './language.ts'
import { civilParts } from './time.ts'

/** What the interface and the exports write for a missing value. */
export const MISSING_FR = '–'

const pad = (n: number) => String(n).padStart(2, '0')
type Instant = number | string | Date

function toMs(instant: Instant): number {
  const ms = new Date(instant).getTime()
  if (!Number.isFinite(ms)) throw new RangeError(`not an instant: ${String(instant)}`)
  return ms
}

/** DD/MM/YYYY in a time zone. */
export function formatDateFr(instant: Instant, timeZone: string): string {
  const p = civilParts(toMs(instant), timeZone)
  return `${pad(p.day)}/${pad(p.month)}/${String(p.year).padStart(4, '0')}`
}

/** HH:mm:ss in a time zone. */
export function formatTimeFr(instant: Instant, timeZone: string): string {
  const p = civilParts(toMs(instant), timeZone)
  return `${pad(p.hour)}:${pad(p.minute)}:${pad(p.second)}`
}

/** HH:mm in a time zone. */
export function formatHourMinuteFr(instant: Instant, timeZone: string): string {
  return formatTimeFr(instant, timeZone).slice(0, 5)
}

/** DD/MM/YYYY - HH:mm:ss in a time zone. */
export function formatDateTimeFr(instant: Instant, timeZone: string): string {
  return `${formatDateFr(instant, timeZone)} - ${formatTimeFr(instant, timeZone)}`
}

const GROUP = LANGUAGE === 'fr' ? '\u202f' : ','
const numbers = new Map<string, Intl.NumberFormat>()

/**
 * A number as the language writes it, in French with a decimal comma and a narrow no-break space between thousands;
 * the minus sign is the proper one.
 * @param decimals how many, or at most how many when `trim` is set
 */
export function formatNumberFr(value: number | null | undefined, decimals = 0, trim = false): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING_FR
  const key = `${decimals}/${trim}`
  let format = numbers.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, {
      minimumFractionDigits: trim ? 0 : decimals,
      maximumFractionDigits: decimals,
      signDisplay: 'negative',
    })
    numbers.set(key, format)
  }
  return format
    .formatToParts(value)
    .map((part) => (part.type === 'group' ? GROUP : part.type === 'minusSign' ? '\u2212' : part.value))
    .join('')
}

/** A number and its unit, a narrow no-break space between (before % too); a missing value has no unit. */
export function formatQuantityFr(
  value: number | null | undefined,
  unit: string,
  decimals = 0,
  trim = false,
): string {
  const text = formatNumberFr(value, decimals, trim)
  return text === MISSING_FR ? text : `${text}\u202f${unit}`
}

/** A count and its noun, which French leaves in the singular for 0 and 1, English for 1 alone. */
export function countFr(count: number, one: string, many = pluralOf(one)): string {
  const isOne = LANGUAGE === 'fr' ? count < 2 : count === 1
  return `${formatNumberFr(count)} ${isOne ? one : many}`
}

const pluralOf = (noun: string): string =>
  LANGUAGE === 'en' && /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
