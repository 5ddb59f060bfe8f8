/** A record of a rain file: start of its interval, s since 1970-01-01 on the file's clock, and its value. */
export interface RainRecord {
  epochS: number
  value: number
}

/** What a rain file holds, in its own units. */
export interface RainFile {
  records: RainRecord[]
  /** Units that the format prescribes, m a unit; null where the gage says them. */
  unitM: number | null
  /** Recording interval that the format prescribes, s; null where the gage says it. */
  intervalS: number | null
  /** Lines or values that could not be read. */
  lost: number
}

const HUNDREDTH_INCH_M = 0.000254
const TENTH_MM_M = 0.0001

/**
 * Reads a rain file as EPA SWMM does, by what its first lines look like: user-prepared (station, year, month, day, hour,
 * minute, value), NOAA's hourly and 15-minute records (DSI-3240 and 3260, fixed or comma-delimited) and Environment
 * Canada's hourly and 15-minute ones (HLY03, HLY21, FIF21).
 * @param station name of the station; `*` or '' takes all
 */
export function readRainFile(text: string, station: string): RainFile {
  const lines = text.split(/\r?\n/)
  const sample = lines.slice(0, 5)
  if (
    sample.some(
      (line) =>
        /^(HPD|15M|HLY)?\s*\S{0,11}(HPCP|QPCP|HPCN|QPCN|QGAG|HGAG)/.test(line) ||
        /^[HQ1][P5][DM]\d{6,}/.test(line),
    )
  )
    return readTape(lines, station)
  if (sample.some((line) => /(HPCP|QPCP|QGAG|HPCN)/.test(line)) && sample.some((line) => line.includes(',')))
    return readTape(
      lines.map((line) => line.replaceAll(',', ' ')),
      station,
    )
  if (sample.some((line) => /^\d{7}\d{8,9}\d{3}/.test(line) && line.length > 100))
    return readCanadian(lines, station)
  return readPrepared(lines, station)
}

/** Station year month day hour minute value; other lines are headings or comments. */
function readPrepared(lines: string[], station: string): RainFile {
  const records: RainRecord[] = []
  let lost = 0
  for (const line of lines) {
    const data = line.split(';')[0].trim()
    if (data === '') continue
    const words = data.split(/[\s,]+/)
    const [name, ...rest] = words
    const [year, month, day, hour, minute, value] = rest.map(Number)
    const epochS = momentOf(year, month, day, hour, minute)
    if (epochS === null || !Number.isFinite(value)) {
      // Before the first value this is a heading.
      if (records.length > 0 || rest.some((word) => Number.isFinite(Number(word)))) lost++
      continue
    }
    if (!isStation(name, station)) continue
    records.push({ epochS, value })
  }
  return { records: ordered(records), unitM: null, intervalS: null, lost }
}

/** A moment of the file's clock, s since 1970-01-01; null where there is no such day or hour. */
function momentOf(year: number, month: number, day: number, hour: number, minute: number): number | null {
  if (![year, month, day, hour, minute].every(Number.isFinite)) return null
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return Date.UTC(year, month - 1, day, hour, minute) / 1000
}

/** NOAA's element records: station, element, units, year, month, day, then pairs of time and value in 0.01 inch. */
function readTape(lines: string[], station: string): RainFile {
  const records: RainRecord[] = []
  let lost = 0
  let intervalS = 3600
  for (const line of lines) {
    const match =
      /(\d{6})\s*\d{0,2}\s*([HQ])(?:PCP|PCN|GAG)\s*(HI|HT|IH|IT|TI|HM)?\s*(\d{4})\s*(\d{2})\s*(\d{2,4})/.exec(
        line,
      )
    if (!match) {
      if (line.trim() !== '') lost++
      continue
    }
    if (match[2] === 'Q') intervalS = 900
    if (!isStation(match[1], station)) continue
    const unit = match[3] === 'HT' || match[3] === 'IT' ? 10 : 1
    const day = Number(match[6]) % 100 || Number(match[6])
    const rest = line.slice(match.index + match[0].length).replace(/^\s*\d{3}(?=\d{4})/, '')
    for (const [, time, value, flag] of rest.matchAll(/(\d{4})\s*([-+]?\d{5,6})\s*([A-Za-z{}[\]]?)/g)) {
      const minutes = Math.floor(Number(time) / 100) * 60 + (Number(time) % 100)
      // 2500 is the day's total; 99999 is missing; times are ends of intervals.
      if (Number(time) > 2400 || Math.abs(Number(value)) >= 99999 || /[MD{[]/i.test(flag)) continue
      const epochS = Date.UTC(Number(match[4]), Number(match[5]) - 1, day) / 1000 + minutes * 60 - intervalS
      if (Number(value) > 0) records.push({ epochS, value: Number(value) * unit })
    }
  }
  return { records: ordered(records), unitM: HUNDREDTH_INCH_M, intervalS, lost }
}

/** Environment Canada: station 7, year 3 or 4, month 2, day 2, element 3, then values of 6 and a flag, in 0.1 mm. */
function readCanadian(lines: string[], station: string): RainFile {
  const records: RainRecord[] = []
  let lost = 0
  let intervalS = 3600
  for (const line of lines) {
    const match = /^(.{7})(\d{3,4})(\d{2})(\d{2})(\d{3})((?:[-+ ]?[\d ]{5}.)+)/.exec(line)
    if (!match) {
      if (line.trim() !== '') lost++
      continue
    }
    if (!isStation(match[1].trim(), station)) continue
    const values = match[6].match(/.{7}/g) ?? match[6].match(/.{6}/g) ?? []
    if (values.length > 24) intervalS = 900
    const year =
      match[2].length === 3 ? 1000 + Number(match[2]) + (Number(match[2]) < 500 ? 1000 : 0) : Number(match[2])
    values.forEach((text, i) => {
      const value = Number(text.slice(0, 6))
      if (!Number.isFinite(value) || value <= 0 || Math.abs(value) === 99999) return
      records.push({
        epochS: Date.UTC(year, Number(match[3]) - 1, Number(match[4])) / 1000 + i * intervalS,
        value,
      })
    })
  }
  return { records: ordered(records), unitM: TENTH_MM_M, intervalS, lost }
}

const isStation = (name: string, station: string) =>
  station === '' || station === '*' || name.toLowerCase() === station.toLowerCase()

const ordered = (records: RainRecord[]) => records.sort((a, b) => a.epochS - b.epochS)
