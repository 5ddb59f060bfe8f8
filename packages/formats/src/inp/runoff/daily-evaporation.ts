import type { RunoffEvaporation, SewerOptions } from '@radx/contracts'
import { type InpContext, parseDate } from '../context.ts'
import type { InpLine } from '../lines.ts'
import type { ReadSide } from '../tables.ts'
import { type ClimateFile, hargreaves, readClimateFile } from './climate-file.ts'

const DAY_S = 86_400
/** EPA SWMM's own where the file says nothing: latitude, and 70 °F before the first temperature. */
const LATITUDE_DEG = 40
const FIRST_C = ((70 - 32) * 5) / 9
/** Days over which temperatures are averaged. */
const AVERAGED = 7

interface Asked {
  /** The line of [EVAPORATION]. */
  line: InpLine
  kind: 'FILE' | 'TEMPERATURE'
  /** Pan coefficients by month, and what is added to temperatures, in °C. */
  pan: readonly number[]
  warmerC: readonly number[]
}

/** Evaporation of each day out of a climate file; null, with a warning, where there is none to read. */
export function dailyEvaporation(
  context: InpContext,
  asked: Asked,
  { startEpochS, durationS }: Pick<SewerOptions, 'startEpochS' | 'durationS'>,
  readFile: ReadSide | undefined,
): RunoffEvaporation | null {
  const { line, kind } = asked
  const none = (why: string) => {
    context.warn(line.number, `l'évaporation par ${kind} est prise nulle : ${why}`)
    return null
  }
  const source = context.lines('TEMPERATURE').findLast(({ words }) => words[0].toUpperCase() === 'FILE')
  if (!source) return none('[TEMPERATURE] ne nomme aucun fichier de climat (FILE).')
  const name = context.word(source, 1, 'un nom de fichier')
  const text = readFile?.(name) ?? null
  if (text === null)
    return none(`le fichier de climat « ${name} » n'a pas pu être lu. Placez-le à côté du .inp.`)
  const file = readClimateFile(text, context.units.us)
  if (file.lost > 0)
    context.warn(
      source.number,
      `${file.lost} ligne(s) du fichier de climat « ${name} » ne se lisent pas et manquent.`,
    )
  const firstDay = Math.floor(startEpochS / DAY_S)
  const days = Math.ceil((startEpochS + durationS) / DAY_S) - firstDay
  const from = source.words[2] && source.words[2] !== '*' ? parseDate(source.words[2]) / DAY_S : firstDay
  if (Number.isNaN(from))
    throw context.fail(source, 'date', `« ${source.words[2]} » n'est pas une date (mois/jour/année).`)
  if (!hasAny(file, from, days))
    return none(`le fichier de climat « ${name} » n'a aucun jour de la période calculée.`)
  const depths =
    kind === 'FILE' ? panDepths(file, from, days) : hargreavesDepths(context, asked, file, from, days)
  const timesS = depths.map((_, k) => (firstDay + k) * DAY_S - startEpochS)
  const month = (k: number) => new Date((firstDay + k) * DAY_S * 1000).getUTCMonth()
  return {
    type: 'series',
    timesS,
    rates: depths.map((depth, k) => (depth * (kind === 'FILE' ? asked.pan[month(k)] : 1)) / DAY_S),
  }
}

function hasAny({ days }: ClimateFile, from: number, count: number): boolean {
  for (let k = 0; k < count; k++) if (days.has(from + k)) return true
  return false
}

/** A day without a value has that of the day before. */
function panDepths({ days }: ClimateFile, from: number, count: number): number[] {
  let depth = 0
  return Array.from({ length: count }, (_, k) => {
    depth = days.get(from + k)?.evaporationM ?? depth
    return depth
  })
}

function hargreavesDepths(
  context: InpContext,
  { warmerC }: Asked,
  { days }: ClimateFile,
  from: number,
  count: number,
): number[] {
  const snow = context.lines('TEMPERATURE').findLast(({ words }) => words[0].toUpperCase() === 'SNOWMELT')
  const latitude = snow ? context.within(snow, 5, 'la latitude', -89.99, 89.99, LATITUDE_DEG) : LATITUDE_DEG
  let [min, max] = [FIRST_C, FIRST_C]
  const means: number[] = []
  const ranges: number[] = []
  const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return Array.from({ length: count }, (_, k) => {
    const day = days.get(from + k)
    min = day?.minC ?? min
    max = day?.maxC ?? max
    const date = new Date((from + k) * DAY_S * 1000)
    means.push((min + max) / 2 + warmerC[date.getUTCMonth()])
    ranges.push(Math.abs(max - min))
    const dayOfYear = (date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / (DAY_S * 1000) + 1
    return hargreaves(dayOfYear, latitude, average(means.slice(-AVERAGED)), average(ranges.slice(-AVERAGED)))
  })
}
