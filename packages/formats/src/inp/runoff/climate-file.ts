/** What a climate file says of a day; null where it says nothing. */
export interface ClimateDay {
  /** °C. */
  minC: number | null
  maxC: number | null
  /** Pan evaporation, m. */
  evaporationM: number | null
}

/** Days by their number since 1970-01-01, and how many lines could not be read. */
export interface ClimateFile {
  days: Map<number, ClimateDay>
  lost: number
}

const INCH_M = 0.0254
const celsius = (fahrenheit: number) => ((fahrenheit - 32) * 5) / 9

/**
 * Reads a climate file as EPA SWMM does, by what its first line looks like: user-prepared (station, year, month, day, largest
 * and smallest temperature, evaporation, wind; * where a value is missing), NOAA's TD-3200 and GHCN-Daily (columns under their
 * titles), Environment Canada's DLY02 and DLY04.
 * @param us whether a user-prepared file has °F and inches a day, else °C and mm
 */
export function readClimateFile(text: string, us: boolean): ClimateFile {
  const lines = text.split(/\r?\n/)
  const made: ClimateFile = { days: new Map(), lost: 0 }
  const first = lines.find((line) => line.trim() !== '') ?? ''
  const read = /^DLY.{20}9999/.test(first)
    ? td3200Line
    : first.length >= 233 && ['001', '002', '151'].includes(first.slice(13, 16))
      ? canadianLine
      : isPrepared(first)
        ? preparedLine(us)
        : ghcnLine(first)
  for (const line of lines) {
    if (line.trim() === '' || line.trimStart().startsWith(';')) continue
    if (read && !read(line, made.days)) made.lost++
  }
  // Titles are no loss.
  if (read && /DATE/.test(first)) made.lost = Math.max(0, made.lost - 1)
  return made
}

type ReadLine = (line: string, days: ClimateFile['days']) => boolean

const isPrepared = (line: string) => /^\s*\S+\s+\d+\s+\d+\s+\d+\s+\S/.test(line)

/** Number of a day; null where there is none. */
function dayOf(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 86_400_000 : null
}

function dayAt(days: ClimateFile['days'], number: number): ClimateDay {
  let day = days.get(number)
  if (!day) {
    day = { minC: null, maxC: null, evaporationM: null }
    days.set(number, day)
  }
  return day
}

const preparedLine =
  (us: boolean): ReadLine =>
  (line, days) => {
    const [, year, month, day, ...values] = line.trim().split(/\s+/)
    const number = dayOf(Number(year), Number(month), Number(day))
    if (number === null) return false
    const given = dayAt(days, number)
    const value = (k: number) => (values[k] === undefined || values[k] === '*' ? null : Number(values[k]))
    const [max, min, evaporation] = [value(0), value(1), value(2)]
    if ([max, min, evaporation].some((one) => one !== null && !Number.isFinite(one))) return false
    if (max !== null) given.maxC = us ? celsius(max) : max
    if (min !== null) given.minC = us ? celsius(min) : min
    if (evaporation !== null) given.evaporationM = evaporation * (us ? INCH_M : 0.001)
    return true
  }

/** Element, unit, year, month, then for each day number, hour, sign, value and two flags. */
const td3200Line: ReadLine = (line, days) => {
  const match = /^DLY.{8}(.{4}).{2}(\d{4})(\d{2}).{4}(\d{3})(.*)$/.exec(line)
  if (!match) return false
  const [, element, year, month, count, rest] = match
  for (let k = 0; k < Number(count); k++) {
    const day = rest.slice(12 * k, 12 * k + 12)
    const size = Number(day.slice(5, 10))
    const number = dayOf(Number(year), Number(month), Number(day.slice(0, 2)))
    if (number === null || day.slice(5, 10) === '99999' || !/[01]/.test(day[11] ?? '') || Number.isNaN(size))
      continue
    const value = day[4] === '-' ? -size : size
    const given = dayAt(days, number)
    if (element === 'TMIN') given.minC = celsius(value)
    else if (element === 'TMAX') given.maxC = celsius(value)
    else if (element === 'EVAP') given.evaporationM = (value / 100) * INCH_M
  }
  return true
}

/** Station 7, year, month, element 3, then 31 values of a sign, five digits and a flag. */
const canadianLine: ReadLine = (line, days) => {
  const match = /^.{7}(\d{4})(\d{2})(\d{3})/.exec(line)
  if (!match || line.length < 233) return false
  const [, year, month, element] = match
  for (let k = 0; k < 31; k++) {
    const digits = line.slice(17 + 7 * k, 22 + 7 * k)
    const number = dayOf(Number(year), Number(month), k + 1)
    if (number === null || digits === '99999' || digits.trim() === '' || Number.isNaN(Number(digits)))
      continue
    const value = ((line[16 + 7 * k] === '-' ? -1 : 1) * Number(digits)) / 10
    const given = dayAt(days, number)
    if (element === '001') given.maxC = value
    else if (element === '002') given.minC = value
    else if (element === '151') given.evaporationM = value / 1000
  }
  return true
}

/** Columns where the titles begin; tenths of °C and of mm, 9999 where a value is missing. Null where there is no such title. */
function ghcnLine(head: string): ReadLine | null {
  const date = head.indexOf('DATE')
  if (date < 0) return null
  const columns = (['TMIN', 'TMAX', 'EVAP'] as const).map((title) => head.indexOf(title))
  if (columns.every((at) => at < 0)) return null
  return (line, days) => {
    const match = /^(\d{4})(\d{2})(\d{2})/.exec(line.slice(date))
    const number = match && dayOf(Number(match[1]), Number(match[2]), Number(match[3]))
    if (number === null) return false
    const given = dayAt(days, number)
    const [min, max, evaporation] = columns.map((at) => {
      const value = at < 0 ? Number.NaN : Number.parseInt(line.slice(at, at + 8), 10)
      return Number.isFinite(value) && Math.abs(value) < 9999 ? value / 10 : null
    })
    if (min !== null) given.minC = min
    if (max !== null) given.maxC = max
    if (evaporation !== null) given.evaporationM = evaporation / 1000
    return true
  }
}

/**
 * Evaporation of a day by Hargreaves (SWMM Reference Manual I, 2.6), m.
 * @param dayOfYear 1 to 366
 * @param meanC mean temperature of the last seven days, and their mean range between night and day, °C
 */
export function hargreaves(dayOfYear: number, latitudeDeg: number, meanC: number, rangeC: number): number {
  const turn = (2 * Math.PI) / 365
  const latentHeat = 2.5 - 0.002361 * meanC
  const distance = 1 + 0.033 * Math.cos(turn * dayOfYear)
  const latitude = (latitudeDeg * Math.PI) / 180
  const declination = 0.4093 * Math.sin(turn * (284 + dayOfYear))
  // Beyond the polar circles the sun may not rise, or not set.
  const sunset = Math.acos(Math.min(1, Math.max(-1, -Math.tan(latitude) * Math.tan(declination))))
  const radiation =
    37.6 *
    distance *
    (sunset * Math.sin(latitude) * Math.sin(declination) +
      Math.cos(latitude) * Math.cos(declination) * Math.sin(sunset))
  return Math.max(0, 0.0023 * (radiation / latentHeat) * Math.sqrt(rangeC) * (meanC + 17.8)) / 1000
}
