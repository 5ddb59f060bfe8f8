import type { Site } from '@radx/contracts/site'
import { type Toa5Column, writeToa5 } from '@radx/formats/toa5'
import { zoneOffsetMs } from '@radx/locale/time'
import { type GroundWeather, groundWeather } from './ground.ts'
import { hash, wordSeed } from './noise.ts'
import type { DemoFile } from './radar-files.ts'
import type { Weather } from './weather.ts'

const MINUTE_MS = 60_000
/** Record numbers count from here, as if the logger's program had been started then. */
const PROGRAM_START_MS = Date.UTC(2018, 0, 1)

interface Channel {
  name: string
  unit: string
  processing: string
  decimals: number
  value(ground: GroundWeather, minute: number): number
}

function channels(columns: NonNullable<Site['station']>['columns'], seed: number): Channel[] {
  // What a second instrument beside the first reads differently, from minute to minute.
  const differs = (word: string, minute: number) => hash(minute, 0, 0, wordSeed(word, seed)) / 2_147_483_648
  const list: [string | undefined, string, string, number, Channel['value']][] = [
    [columns.temperatureC, 'Deg C', 'Avg', 2, (g) => g.temperatureC],
    [columns.humidityPct, '%', 'Smp', 1, (g) => g.humidityPct],
    [columns.pressureHpa, 'hPa', 'Avg', 2, (g) => g.pressureHpa],
    [columns.windSpeedMs, 'meters/second', 'WVc', 3, (g) => g.windSpeedMs],
    [columns.windDirectionDeg, 'Deg', 'WVc', 1, (g) => g.windFromDeg],
    [
      columns.sonicSpeedMs,
      'meters/second',
      'Avg',
      3,
      (g, m) => g.windSpeedMs * (1.06 + 0.05 * differs('sonic', m)),
    ],
    [
      columns.sonicDirectionDeg,
      'Deg',
      'Avg',
      1,
      (g, m) => (g.windFromDeg + 362 + 5 * differs('sonic-direction', m)) % 360,
    ],
    [
      columns.sonicVerticalMs,
      'meters/second',
      'Avg',
      3,
      (g, m) => g.verticalMs + 0.03 * differs('sonic-vertical', m),
    ],
    ['Rain_mm_Tot', 'mm', 'Tot', 3, (g) => g.rainMmH / 60],
    ['BattV_Avg', 'Volts', 'Avg', 2, (_, m) => 13.4 + 0.05 * differs('battery', m)],
  ]
  return list.flatMap(([name, unit, processing, decimals, value]) =>
    name === undefined ? [] : [{ name, unit, processing, decimals, value }],
  )
}

/** Name as loggers give it: table, then the local date and time of the first record. */
function stationFileName(station: string, localMs: number): string {
  const digits = new Date(localMs).toISOString().replace(/\D/g, '')
  const safe = station.normalize('NFD').replace(/[^A-Za-z0-9]+/g, '_')
  return `${safe}_1min_${digits.slice(0, 8)}_${digits.slice(8, 12)}.dat`
}

/**
 * TOA5 table of the whole minutes in (fromMs, toMs], a record a minute stamped at its end, in the
 * station's own zone; columns and zone are the site's.
 */
export function stationFile(
  site: Site,
  station: NonNullable<Site['station']>,
  weather: Weather,
  fromMs: number,
  toMs: number,
): DemoFile {
  const minutes: number[] = []
  for (let m = Math.floor(fromMs / MINUTE_MS) + 1; m * MINUTE_MS <= toMs; m++) minutes.push(m)
  const ground = minutes.map((m) => groundWeather(weather, site.radar.altitudeM, m * MINUTE_MS))
  const localMs = Float64Array.from(minutes, (m) => {
    const utc = m * MINUTE_MS
    return utc + zoneOffsetMs(utc, station.fileTimeZone)
  })
  const record: Toa5Column = {
    name: 'RECORD',
    unit: 'RN',
    processing: '',
    values: Float64Array.from(minutes, (m) => m - PROGRAM_START_MS / MINUTE_MS),
  }
  const measured = channels(station.columns, weather.options.seed).map(
    ({ name, unit, processing, decimals, value }): Toa5Column => ({
      name,
      unit,
      processing,
      values: Float64Array.from(minutes, (m, i) => Number(value(ground[i], m).toFixed(decimals))),
    }),
  )
  return {
    name: stationFileName(station.name, localMs[0] ?? fromMs),
    bytes: writeToa5({
      station: station.name,
      model: 'CR1000X',
      serialNumber: String(10_000 + (wordSeed(site.id, 1) >>> 18)),
      operatingSystem: 'CR1000X.Std.05.01',
      program: `CPU:${site.id}_demonstration.CR1X`,
      signature: String(wordSeed(site.id, 2) >>> 16),
      table: 'Table_1min',
      columns: [record, ...measured],
      localMs,
    }),
  }
}
