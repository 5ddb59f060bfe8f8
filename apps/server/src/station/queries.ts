import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { type FileReadings, storeReadings } from '../gauges/api.ts'
import type { Span } from '../store/frame-index.ts'
import { type KnownFile, type SourceFile, sourceRow } from '../store/source-file.ts'

/** Columns of `station_reading` by the field of a reading. */
const COLUMNS = {
  temperatureC: 'temperature_c',
  pressureHpa: 'pressure_hpa',
  humidityPct: 'humidity_pct',
  windSpeedMs: 'wind_speed_ms',
  windDirectionDeg: 'wind_direction_deg',
  sonicSpeedMs: 'sonic_speed_ms',
  sonicDirectionDeg: 'sonic_direction_deg',
  sonicVerticalMs: 'sonic_vertical_ms',
} as const

/** Readings in the units of the fields; NaN is missing. */
export interface ReadingsToStore {
  timesMs: Float64Array
  values: Partial<Record<keyof typeof COLUMNS, Float64Array>>
  /** What the station's own rain gauges say. */
  gauges?: FileReadings[]
}

const CHUNK = 5_000

/**
 * Stores readings and their file, all or none; readings whose instant is there already stay as they are.
 * @returns null, or what is known of the file when its content was taken in before
 */
export async function insertReadings(
  db: Kysely<Database>,
  readings: ReadingsToStore,
  source: SourceFile,
): Promise<KnownFile | null> {
  return db.transaction().execute(async (tx) => {
    const file = await tx
      .insertInto('source_file')
      .values(sourceRow(source))
      .onConflict((c) => c.column('hash').doNothing())
      .returning('hash')
      .executeTakeFirst()
    // Those of a known file too: a gauge that the site names later finds its past by dropping the tables again.
    for (const gauge of readings.gauges ?? []) await storeReadings(tx, gauge.gauge, gauge, file !== undefined)
    if (!file) {
      const known = await tx
        .selectFrom('source_file')
        .select('archive_path')
        .where('hash', '=', source.hash)
        .executeTakeFirstOrThrow()
      return { archivePath: known.archive_path }
    }
    const fields = Object.entries(COLUMNS) as [keyof typeof COLUMNS, string][]
    const columns = sql.join(fields.map(([, column]) => sql.ref(column)))
    for (let from = 0; from < readings.timesMs.length; from += CHUNK) {
      const to = Math.min(readings.timesMs.length, from + CHUNK)
      const times = Array.from(readings.timesMs.subarray(from, to), (ms) => new Date(ms))
      const values = fields.map(([field]) => {
        const column = readings.values[field]
        return Array.from({ length: to - from }, (_, k) => {
          const value = column?.[from + k]
          return value === undefined || !Number.isFinite(value) ? null : value
        })
      })
      await sql`
        insert into station_reading (time, ${columns})
        select * from unnest(${times}::timestamptz[], ${sql.join(values.map((v) => sql`${v}::float8[]`))})
        on conflict (time) do nothing`.execute(tx)
    }
    return null
  })
}

/** Instants of the first and the last reading of a span, ms, and how many there are; null without any. */
export async function readingBounds(
  db: Kysely<Database>,
  span: Span,
): Promise<{ count: number; firstMs: number; lastMs: number } | null> {
  const { rows } = await sql<{ count: number; first: number | null; last: number | null }>`
    select count(*) as count, (extract(epoch from min(time)) * 1000)::bigint as first,
      (extract(epoch from max(time)) * 1000)::bigint as last
    from station_reading where ${within(span)}`.execute(db)
  const { count, first, last } = rows[0]
  return count === 0 || first === null || last === null ? null : { count, firstMs: first, lastMs: last }
}

/** Means of readings at an instant: degrees Celsius, hPa, %, m/s upwards; null is missing. */
export interface MeanReading {
  ms: number
  t: number | null
  p: number | null
  h: number | null
  uz: number | null
}

/**
 * Readings of a span in time order: as they are (`slotMs` 0), or as means over slots of equal length from
 * `firstMs` on, at their middle.
 */
export async function meanReadings(
  db: Kysely<Database>,
  span: Span,
  firstMs: number,
  slotMs: number,
): Promise<MeanReading[]> {
  const slot =
    slotMs === 0
      ? sql`(extract(epoch from time) * 1000)::bigint`
      : sql`(${firstMs}::bigint + ((extract(epoch from time) * 1000)::bigint - ${firstMs}::bigint)
          / ${slotMs}::bigint * ${slotMs}::bigint + ${Math.floor(slotMs / 2)}::bigint)`
  const { rows } = await sql<MeanReading>`
    select ${slot} as ms, avg(temperature_c) as t, avg(pressure_hpa) as p, avg(humidity_pct) as h,
      avg(sonic_vertical_ms) as uz
    from station_reading where ${within(span)} group by 1 order by 1`.execute(db)
  return rows
}

/** Wind of one reading: m/s, degrees from which it blows; null is missing. */
export interface WindReading {
  speed: number | null
  direction: number | null
  sonic_speed: number | null
  sonic_direction: number | null
}

const WIND_BATCH_MS = 31 * 86_400_000

/** Winds of a span, a month at a time: those of years do not stand in memory together. */
export async function* windReadings(db: Kysely<Database>, span: Span): AsyncGenerator<WindReading[]> {
  for (let startMs = span.startMs; startMs < span.endMs; startMs += WIND_BATCH_MS) {
    const part = { startMs, endMs: Math.min(startMs + WIND_BATCH_MS, span.endMs) }
    const { rows } = await sql<WindReading>`
      select wind_speed_ms as speed, wind_direction_deg as direction, sonic_speed_ms as sonic_speed,
        sonic_direction_deg as sonic_direction
      from station_reading where ${within(part)} order by time`.execute(db)
    yield rows
  }
}

const within = ({ startMs, endMs }: Span) => sql`time >= ${new Date(startMs)} and time < ${new Date(endMs)}`
