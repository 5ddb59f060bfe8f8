import { type AgencyFormat, agencyFormatOf, readAgencyLine } from './agency-rain.ts'

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
  /** Names of other stations in it, where it has no value of the one that was asked for. */
  others: string[]
  /** Records that came after a later one, which are put in their place, and such of one moment. */
  unordered: number
}

/** So many lines may be headings before the first record. */
const HEADINGS = 5

/**
 * Reads a rain file as EPA SWMM does, by what its first lines look like: user-prepared (station, year, month, day, hour,
 * minute, value), NOAA's hourly and 15-minute records (DSI-3240 and 3260: fixed, delimited by spaces or commas, or from its
 * online service) and Environment Canada's (HLY03, HLY21, FIF21).
 * @param station name of the station; `*` or '' takes all, and so does a name that an agency's file does not have
 */
export function readRainFile(text: string, station: string): RainFile {
  const lines = text.split(/\r?\n/)
  for (const line of lines.slice(0, HEADINGS)) {
    const format = agencyFormatOf(line, lines[0])
    if (format) return readAgency(lines, format, station)
  }
  return readPrepared(lines, station)
}

function readAgency(lines: string[], format: AgencyFormat, station: string): RainFile {
  const all: { station: string; records: RainRecord[] }[] = []
  let lost = 0
  for (const line of lines) {
    if (line.trim() === '') continue
    const made = readAgencyLine(line, format)
    if (made) all.push(made)
    else if (all.length > 0) lost++
  }
  const own = all.filter((made) => isStation(made.station, station))
  const records = (own.length > 0 ? own : all).flatMap((made) => made.records)
  return { ...ordered(records), unitM: format.unitM, intervalS: format.intervalS, lost, others: [] }
}

/** Station year month day hour minute value; other lines are headings or comments. */
function readPrepared(lines: string[], station: string): RainFile {
  const records: RainRecord[] = []
  const others = new Set<string>()
  let lost = 0
  for (const line of lines) {
    const data = line.split(';')[0].trim()
    if (data === '') continue
    const words = data.split(/[\s,]+/)
    const [name, ...rest] = words
    const [year, month, day, hour, minute, value] = rest.map(Number)
    const epochS = momentOf(year, month, day, hour, minute)
    if (epochS === null || !Number.isFinite(value) || value < 0) {
      // Before the first value this is a heading.
      if (records.length > 0 || rest.some((word) => Number.isFinite(Number(word)))) lost++
      continue
    }
    if (isStation(name, station)) records.push({ epochS, value })
    else others.add(name)
  }
  const made = { ...ordered(records), unitM: null, intervalS: null, lost }
  return { ...made, others: records.length > 0 ? [] : [...others] }
}

/** A moment of the file's clock, s since 1970-01-01; null where there is no such day or hour. */
function momentOf(year: number, month: number, day: number, hour: number, minute: number): number | null {
  if (![year, month, day, hour, minute].every(Number.isFinite)) return null
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return Date.UTC(year, month - 1, day, hour, minute) / 1000
}

const isStation = (name: string, station: string) =>
  station === '' || station === '*' || name.toLowerCase() === station.toLowerCase()

/** Ascending; of those of one moment the first stays. */
function ordered(records: RainRecord[]): Pick<RainFile, 'records' | 'unordered'> {
  let unordered = 0
  for (let i = 1; i < records.length; i++) if (records[i].epochS <= records[i - 1].epochS) unordered++
  if (unordered === 0) return { records, unordered }
  const sorted = records.toSorted((a, b) => a.epochS - b.epochS)
  return {
    records: sorted.filter(({ epochS }, i) => i === 0 || epochS > sorted[i - 1].epochS),
    unordered,
  }
}
