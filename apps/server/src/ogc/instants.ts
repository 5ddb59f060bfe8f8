import { isCivil } from '../http/rain-requests.ts'

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(Z|[+-]\d{2}:?\d{2})?)?$/

/** An ISO 8601 instant in ms; UTC where no zone is said, midnight where no hour is. null for anything else. */
export function parseInstant(text: string): number | null {
  const found = INSTANT.exec(text.trim())
  if (!found) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = found
  const at = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`,
  )
  // `Date.parse` takes 31 June for 1 July.
  const civil = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return !isCivil(at) || civil.getUTCMonth() !== Number(month) - 1 ? null : at
}
