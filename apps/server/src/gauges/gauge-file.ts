import type { SiteGauge } from '@radx/contracts'
import { decodeText } from '@radx/formats/decode-text'
import { readToa5, type Toa5Table, toUtcMs } from '@radx/formats/toa5'
import { usualInterval } from '@radx/rainfall/gauges/bins'
import { tipMinutes } from '@radx/rainfall/gauges/gauge-series'
import { MISSING_VALUE } from '@radx/rainfall/gauges/gauge-text'
import { readTime } from '@radx/rainfall/gauges/instants'
import { plainHeading, readDelimited, readNumber } from '@radx/rainfall/storms/delimited'
import { IngestRefusal } from '../ingest/api.ts'
import type { GaugeReadings } from './readings.ts'

/** What a file says of one gauge of the site. */
export interface FileReadings extends GaugeReadings {
  gauge: string
}

const MM: Record<SiteGauge['unit'], number> = { mm: 1, cm: 10, in: 25.4, 'mm/h': 1, 'in/h': 25.4 }
const WRITTEN_UNITS: [RegExp, number][] = [
  [/^(mm|millimet(er|re)s?)(\/h|\/hr|ph)?$/i, 1],
  [/^cm$/i, 10],
  [/^(in|inch(es)?)(\/h|\/hr)?$/i, 25.4],
  [/^(tips?|counts?|pulses?|)$/i, Number.NaN],
]

/** Gauges of the site whose files begin like this name. */
export const gaugesOfFile = (gauges: readonly SiteGauge[], name: string): SiteGauge[] =>
  gauges.filter(({ source }) => source.format !== 'station' && name.startsWith(source.files))

/**
 * Reads what a file says of gauges of the site.
 * @param gauges those whose files begin like the file's name
 * @throws FormatError `toa5.*`, `table.*` or IngestRefusal naming column, line or unit
 */
export function readGaugeFile(bytes: Uint8Array, name: string, gauges: readonly SiteGauge[]): FileReadings[] {
  const csv = gauges.filter(({ source }) => source.format === 'csv')
  const toa5 = gauges.filter(({ source }) => source.format === 'toa5')
  const table = toa5.length > 0 ? readToa5(bytes) : null
  const rows = csv.length > 0 ? readDelimited(decodeText(bytes), name).rows : []
  return [
    ...toa5.map((gauge) => toa5Readings(table!, gauge)),
    ...csv.map((gauge) => csvReadings(rows, gauge)),
  ].filter(({ timesMs }) => timesMs.length > 0)
}

/** Readings of a gauge whose column stands in a TOA5 table. @throws IngestRefusal */
export function toa5Readings(table: Toa5Table, gauge: SiteGauge): FileReadings {
  const wanted = (gauge.source as { column: string }).column
  const column = table.columns.find(({ name }) => name === wanted)
  if (!column)
    throw missing(
      gauge,
      wanted,
      table.columns.map(({ name }) => name),
    )
  const unit = WRITTEN_UNITS.find(([pattern]) => pattern.test(column.unit.trim()))
  if (!unit)
    throw new IngestRefusal(
      'unknownUnit',
      `L'unité « ${column.unit} » de la colonne « ${wanted} » n'est pas celle d'une pluie. Réglez la centrale sur mm, ou corrigez site.json (pluviomètre ${gauge.id}).`,
      { name: wanted, unit: column.unit },
    )
  const factor = Number.isNaN(unit[1]) ? MM[gauge.unit] : unit[1]
  return {
    gauge: gauge.id,
    ...depths(toUtcMs(table.localMs, gauge.timeZone), column.values, gauge, factor),
  }
}

function csvReadings(rows: ReturnType<typeof readDelimited>['rows'], gauge: SiteGauge): FileReadings {
  const source = gauge.source as Extract<SiteGauge['source'], { format: 'csv' }>
  const [head, ...body] = rows
  const names = head?.cells ?? []
  const find = (wanted: string | undefined): number => {
    if (wanted === undefined) return -1
    const exact = names.indexOf(wanted)
    const at = exact >= 0 ? exact : names.findIndex((name) => plainHeading(name) === plainHeading(wanted))
    if (at < 0) throw missing(gauge, wanted, names)
    return at
  }
  const [time, clock, value, of] = [source.time, source.clock, source.value, source.gauge?.column].map(find)
  const local: number[] = []
  const values: number[] = []
  const zoned: boolean[] = []
  for (const { line, cells } of body) {
    if (of >= 0 && cells[of] !== source.gauge!.value) continue
    const written = `${cells[time] ?? ''} ${clock >= 0 ? (cells[clock] ?? '') : ''}`.trim()
    const instant = readTime(written)
    if (!instant) throw badLine(line, `« ${written.slice(0, 40)} » n'est pas une date lisible`)
    local.push(instant.ms)
    zoned.push(instant.zoned)
    values.push(value < 0 ? 1 : amount(cells, value, line, names.length))
  }
  const clockMs = Float64Array.from(local)
  const utc = toUtcMs(clockMs, gauge.timeZone)
  const timesMs = clockMs.map((ms, i) => (zoned[i] ? ms : utc[i]))
  const read = Float64Array.from(values)
  if (value < 0) return { gauge: gauge.id, ...tipMinutes(timesMs, gauge.tipMm!) }
  return { gauge: gauge.id, ...depths(timesMs, read, gauge, MM[gauge.unit]) }
}

function amount(cells: string[], column: number, line: number, width: number): number {
  if (cells.length > width && cells.slice(width).some((text) => text !== ''))
    throw badLine(line, `${cells.length} cases pour ${width} colonnes (virgules décimales ?)`)
  const text = cells[column] ?? ''
  if (MISSING_VALUE.test(text)) return Number.NaN
  const value = readNumber(text)
  if (Number.isNaN(value)) throw badLine(line, `« ${text.slice(0, 40)} » n'est pas un nombre`)
  return value
}

/** Values as depths in mm (totals stay totals). */
function depths(
  timesMs: Float64Array,
  values: Float64Array,
  { measure, tipMm, intervalSeconds }: SiteGauge,
  factor: number,
): GaugeReadings {
  const hours = (intervalSeconds ? intervalSeconds * 1000 : usualInterval(timesMs)) / 3_600_000
  const by = measure === 'tips' ? tipMm! : measure === 'rate' ? factor * hours : factor
  // What is negative was never measured.
  return { timesMs, mm: values.map((value) => (value >= 0 ? value * by : Number.NaN)) }
}

const missing = ({ id }: SiteGauge, wanted: string, names: readonly string[]) =>
  new IngestRefusal(
    'missingColumn',
    `Le fichier n'a pas la colonne « ${wanted} » (pluviomètre ${id} dans site.json). Ses colonnes : ${names.join(', ').slice(0, 400)}.`,
    { gauge: id, name: wanted },
  )

const badLine = (line: number, what: string) =>
  new IngestRefusal('badLine', `Ligne ${line} : ${what}. Corrigez le fichier et déposez-le de nouveau.`, {
    line,
  })
