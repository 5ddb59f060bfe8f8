import type { SiteGauge, SiteStation } from '@radx/contracts'
import { readToa5, type Toa5Column, toUtcMs } from '@radx/formats/toa5'
import { type FileReadings, toa5Readings } from '../gauges/api.ts'
import { IngestRefusal } from '../ingest/api.ts'

/** Quantities of a reading, in the units of their names. */
const STATION_FIELDS = [
  'temperatureC',
  'pressureHpa',
  'humidityPct',
  'windSpeedMs',
  'windDirectionDeg',
  'sonicSpeedMs',
  'sonicDirectionDeg',
  'sonicVerticalMs',
] as const
type StationField = (typeof STATION_FIELDS)[number]

/** Readings of a table; NaN is missing. */
export interface StationReadings {
  timesMs: Float64Array
  values: Partial<Record<StationField, Float64Array>>
  /** What its own rain gauges say. */
  gauges: FileReadings[]
}

type Quantity = 'temperature' | 'pressure' | 'share' | 'speed' | 'angle'
const QUANTITY: Record<StationField, Quantity> = {
  temperatureC: 'temperature',
  pressureHpa: 'pressure',
  humidityPct: 'share',
  windSpeedMs: 'speed',
  windDirectionDeg: 'angle',
  sonicSpeedMs: 'speed',
  sonicDirectionDeg: 'angle',
  sonicVerticalMs: 'speed',
}

/** Units as loggers write them, and how a value becomes the unit of the field: value * factor + offset. */
const UNITS: Record<Quantity, [RegExp, number, number][]> = {
  temperature: [
    [/^(deg(ree)?s?[ _]?)?c(elsius)?$|^°c$/i, 1, 0],
    [/^k(elvin)?$/i, 1, -273.15],
    [/^(deg(ree)?s?[ _]?)f(ahrenheit)?$|^°?f$/i, 5 / 9, -160 / 9],
  ],
  pressure: [
    [/^(hpa|mbar|millibars?|mb)$/i, 1, 0],
    [/^kpa$/i, 10, 0],
    [/^pa(scals?)?$/i, 0.01, 0],
    [/^mm_?hg$/i, 1.333223874, 0],
  ],
  share: [
    [/^(%|percent|pct|% ?rh)$/i, 1, 0],
    [/^(1|fraction)$/i, 100, 0],
  ],
  speed: [
    [/^(m\/s|m s-1|meters?\/seconds?|ms-1|mps)$/i, 1, 0],
    [/^(km\/h|kph|kmh)$/i, 1 / 3.6, 0],
    [/^(kt|kts|knots?)$/i, 1852 / 3600, 0],
    [/^mph$/i, 0.44704, 0],
  ],
  angle: [
    [/^(deg|degs|degrees?|°)$/i, 1, 0],
    [/^rad(ians?)?$/i, 180 / Math.PI, 0],
  ],
}

/**
 * Reads a TOA5 table of the site's station.
 * @param station column names and time zone of the site; null when the site has no station
 * @param gauges of the site; those of the station's own table are read
 * @throws FormatError `toa5.*` or IngestRefusal when a column of the site is missing or has a unit that
 *   is not known
 */
export function readStationTable(
  bytes: Uint8Array,
  station: SiteStation | null,
  gauges: readonly SiteGauge[] = [],
): StationReadings {
  if (station === null)
    throw new IngestRefusal(
      'noStation',
      "Ce site n'a pas de station météorologique. Ajoutez-la à site.json (station) ou retirez ce fichier.",
    )
  const table = readToa5(bytes)
  const values: StationReadings['values'] = {}
  for (const field of STATION_FIELDS) {
    const name = station.columns[field]
    if (name === undefined) continue
    const column = table.columns.find((candidate) => candidate.name === name)
    if (!column)
      throw new IngestRefusal(
        'missingColumn',
        `La table TOA5 n'a pas la colonne « ${name} » (${field} dans site.json). Ses colonnes : ${table.columns.map((c) => c.name).join(', ')}.`,
        { field, name },
      )
    values[field] = convert(column, field)
  }
  const own = gauges.filter(({ source }) => source.format === 'station')
  return {
    timesMs: toUtcMs(table.localMs, station.fileTimeZone),
    values,
    gauges: own.map((gauge) => toa5Readings(table, { ...gauge, timeZone: station.fileTimeZone })),
  }
}

function convert({ name, unit, values }: Toa5Column, field: StationField): Float64Array {
  if (unit.trim() === '') return values
  const known = UNITS[QUANTITY[field]].find(([pattern]) => pattern.test(unit.trim()))
  if (!known)
    throw new IngestRefusal(
      'unknownUnit',
      `L'unité « ${unit} » de la colonne « ${name} » n'est pas connue. Réglez la centrale sur une unité courante.`,
      { name, unit },
    )
  const [, factor, offset] = known
  return factor === 1 && offset === 0 ? values : values.map((value) => value * factor + offset)
}
