import type { RainRecord } from './rain-file.ts'

/** How an agency writes rain down. */
export interface AgencyFormat {
  kind: 'tape' | 'delimited' | 'online' | 'canadian'
  intervalS: number
  /** m a unit. */
  unitM: number
  /** Online: where the value stands in a line. Canadian: digits of the year. */
  at: number
}

const HUNDREDTH_INCH_M = 0.000254
const TENTH_MM_M = 0.0001
const HOUR_S = 3600
const QUARTER_S = 900

const intervalOf = (element: string) => (element === 'HPCP' ? HOUR_S : QUARTER_S)

/** Station, division, element, unit and date, between spaces or commas; a station's name may stand behind its number. */
const DELIMITED = /^(\d{6})[ ,](?:.{30}[ ,])?\d{2}[ ,](HPCP|QPCP|QGAG)[ ,]..[ ,](\d{4})[ ,](\d{2})[ ,](\d{2})/
/** Kind of record, station, division, element, unit, year, month, day (4) and number of values. */
const TAPE = /^...(\d{6})\d{2}(HPCP|QPCP|QGAG)..(\d{4})(\d{2})(\d{4})(\d{3})/

/** Format of a file by one of its first lines and its very first; null where it is no agency's. */
export function agencyFormatOf(line: string, head: string): AgencyFormat | null {
  const unitM = HUNDREDTH_INCH_M
  const delimited = DELIMITED.exec(line)
  if (delimited) return { kind: 'delimited', intervalS: intervalOf(delimited[2]), unitM, at: 0 }
  const tape = TAPE.exec(line)
  if (tape) return { kind: 'tape', intervalS: intervalOf(tape[2]), unitM, at: 0 }
  if (/^COOP:\d{6}/.test(line)) {
    const title = /[HQ]PCP/.exec(head)
    if (title) return { kind: 'online', intervalS: intervalOf(title[0]), unitM, at: title.index }
  }
  for (const digits of [3, 4]) {
    const element = new RegExp(`^.{7}\\d{${digits}}\\d{4}(123|159)`).exec(line)?.[1]
    const values = element === '159' ? 96 : 24
    if (!element || line.length < 14 + digits + 7 * values - 1) continue
    return { kind: 'canadian', intervalS: values === 96 ? QUARTER_S : HOUR_S, unitM: TENTH_MM_M, at: digits }
  }
  return null
}

/** Rain of a line; null where it is none of the format. */
export function readAgencyLine(
  line: string,
  format: AgencyFormat,
): { station: string; records: RainRecord[] } | null {
  if (format.kind === 'tape') return readTape(line, format)
  if (format.kind === 'delimited') return readDelimited(line, format)
  return format.kind === 'online' ? readOnline(line, format) : readCanadian(line, format)
}

const dayS = (year: string, month: string, day: string) =>
  Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000

function readTape(line: string, { intervalS }: AgencyFormat) {
  const match = TAPE.exec(line)
  if (!match) return null
  const [, station, , year, month, day] = match
  const values = line.slice(30).matchAll(/(\d{2})(\d{2})([-+ \d]{6})(.?)(.?)/g)
  return { station, records: valuesOf(values, dayS(year, month, day), intervalS) }
}

function readDelimited(line: string, { intervalS }: AgencyFormat) {
  const match = DELIMITED.exec(line)
  if (!match) return null
  const [whole, station, , year, month, day] = match
  const values = line
    .slice(whole.length)
    .matchAll(/[ ,](\d{2})(\d{2})[ ,]([-+ \d]{6})(?:[ ,](.))?(?:[ ,](.))?/g)
  return { station, records: valuesOf(values, dayS(year, month, day), intervalS) }
}

/**
 * Values with the ends of their intervals. What was gathered over several of them (from flag a to flag A) is spread evenly;
 * what is missing or was taken back is left out; hour 25 is the day's sum.
 */
function valuesOf(values: Iterable<RegExpMatchArray>, beginS: number, intervalS: number): RainRecord[] {
  const records: RainRecord[] = []
  let gatheredS: number | null = null
  for (const [, hour, minute, digits, flag] of values) {
    if (Number(hour) >= 25) break
    const endS = beginS + Number(hour) * 3600 + Number(minute) * 60
    const value = Number(digits)
    if (flag === 'a') {
      gatheredS = endS
      continue
    }
    const missing = /[M[\]{}]/.test(flag ?? '') || !Number.isFinite(value) || value >= 9999
    if (flag === 'A' && gatheredS !== null && !missing) {
      const count = Math.round((endS - gatheredS) / intervalS) + 1
      for (let k = 0; k < count; k++)
        records.push({ epochS: gatheredS + (k - 1) * intervalS, value: value / count })
    } else if (!missing && value > 0) records.push({ epochS: endS - intervalS, value })
    gatheredS = null
  }
  return records
}

/** COOP:station, name, then date and time before the value under its title: inches with a point, else hundredths. */
function readOnline(line: string, { intervalS, at }: AgencyFormat) {
  const match = /^COOP:(\d{6}).*?(\d{4})(\d{2})(\d{2}) (\d{2}):(\d{2})/.exec(line)
  const value = /^\s*(\d+\.?\d*)\s*(\S?)/.exec(line.slice(at))
  if (!match || !value) return null
  const [, station, year, month, day, hour, minute] = match
  const amount = Number(value[1]) * (value[1].includes('.') ? 100 : 1)
  const epochS = dayS(year, month, day) + Number(hour) * 3600 + Number(minute) * 60 - intervalS
  const has = amount > 0 && amount < 9999 && !/[M[\]{}a]/.test(value[2])
  return { station, records: has ? [{ epochS, value: Math.round(amount) }] : [] }
}

/** Station 7, year 3 or 4, month, day, element 3, then values of six digits and a flag, in 0.1 mm. */
function readCanadian(line: string, { intervalS, at }: AgencyFormat) {
  const match = new RegExp(`^(.{7})(\\d{${at}})(\\d{2})(\\d{2})(123|159)`).exec(line)
  if (!match) return null
  const [whole, station, digits, month, day] = match
  const year = at === 4 ? Number(digits) : Number(digits) + (Number(digits) < 100 ? 2000 : 1000)
  const beginS = Date.UTC(year, Number(month) - 1, Number(day)) / 1000
  const records = Array.from({ length: Math.round(86_400 / intervalS) }, (_, k) => ({
    epochS: beginS + k * intervalS,
    value: Number(line.slice(whole.length + 7 * k, whole.length + 7 * k + 6)),
  })).filter(({ value }) => Number.isFinite(value) && value > 0)
  return { station: station.trim(), records }
}
