/** A time as a table writes it. */
export interface WrittenTime {
  /** ms UTC where the text says its offset, else as its clock shows it. */
  ms: number
  /** The text says its offset itself. */
  zoned: boolean
}

const WRITTEN =
  /^(?:(\d{4})[-/](\d\d?)[-/](\d\d?)|(\d\d?)[/.](\d\d?)[/.](\d{4}))(?:[T ]+(\d\d?)[:h](\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

/** A date in figures alone, to hours, minutes or seconds: 202607141605, 20260714T160500Z, 20260714 16:05. */
const FIGURES =
  /^((?:19|20)\d\d)(\d\d)(\d\d)(?:[T ]?(\d\d)(?::?(\d\d)(?::?(\d\d))?)?)?(?=\s*(?:Z|UTC|[+-]\d\d(?::?\d\d)?)?$)/i

const spelled = (text: string): string =>
  text.replace(
    FIGURES,
    (_, year, month, day, hour = '00', minute = '00', second = '00') =>
      `${year}-${month}-${day} ${hour}:${minute}:${second}`,
  )

/** A date as people and programs write it, or in figures alone (AAAAMMJJHHMN); null for anything else. */
export function readTime(text: string): WrittenTime | null {
  const parts = WRITTEN.exec(spelled(text))
  if (!parts) return null
  const [, y1, m1, d1, d2, m2, y2, hour = '0', minute = '0', second = '0', zone] = parts
  const [year, month, day] = y1 ? [+y1, +m1, +d1] : [+y2, +m2, +d2]
  const ms = Date.UTC(year, month - 1, day, +hour, +minute, +second)
  const real = new Date(ms)
  // 24:00 is the midnight that ends the day.
  const midnight = +hour === 24 && +minute === 0 && +second === 0
  const fits = midnight
    ? Date.UTC(year, month - 1, day) === ms - 86_400_000 &&
      new Date(ms - 86_400_000).getUTCDate() === day &&
      new Date(ms - 86_400_000).getUTCMonth() === month - 1
    : real.getUTCMonth() === month - 1 &&
      real.getUTCDate() === day &&
      +hour < 24 &&
      +minute < 60 &&
      +second < 60
  if (!fits) return null
  const offset = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '')
  const ahead = offset ? (offset[1] === '+' ? 1 : -1) * (+offset[2] * 60 + +(offset[3] ?? 0)) * 60_000 : 0
  return { ms: ms - ahead, zoned: zone !== undefined }
}
