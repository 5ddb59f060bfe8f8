import type { Taranis } from '@radx/contracts'
import { windCompass } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Span } from './frame-archive.ts'
import { type SourceFile, sourceRow } from './source-file.ts'

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
): Promise<{ archivePath: string | null } | null> {
  return db.transaction().execute(async (tx) => {
    const file = await tx
      .insertInto('source_file')
      .values(sourceRow(source))
      .onConflict((c) => c.column('hash').doNothing())
      .returning('hash')
      .executeTakeFirst()
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

/** Points of a curve, at most: more than a small graph can show. */
const MAX_POINTS = 300
const MS_TO_KMH = 3.6

interface Point {
  ms: number
  t: number | null
  p: number | null
  h: number | null
  uz: number | null
}

interface Wind {
  speed: number | null
  direction: number | null
  sonic_speed: number | null
  sonic_direction: number | null
}

/**
 * The weather station over a span: curves thinned to at most 300 means of equal time, compasses of every
 * reading. null when there is no reading.
 */
export async function taranisOf(db: Kysely<Database>, { startMs, endMs }: Span): Promise<Taranis | null> {
  const within = sql`time >= ${new Date(startMs)} and time < ${new Date(endMs)}`
  const bounds = await sql<{ count: number; first: number | null; last: number | null }>`
    select count(*) as count, (extract(epoch from min(time)) * 1000)::bigint as first,
      (extract(epoch from max(time)) * 1000)::bigint as last
    from station_reading where ${within}`.execute(db)
  const { count, first, last } = bounds.rows[0]
  if (count === 0 || first === null || last === null) return null
  // Few readings are shown as they are; many as means over slots of equal length, at their middle.
  const slotMs = count <= MAX_POINTS ? 0 : Math.ceil((last - first + 1) / MAX_POINTS)
  const slot =
    slotMs === 0
      ? sql`(extract(epoch from time) * 1000)::bigint`
      : sql`(${first}::bigint + ((extract(epoch from time) * 1000)::bigint - ${first}::bigint)
          / ${slotMs}::bigint * ${slotMs}::bigint + ${Math.floor(slotMs / 2)}::bigint)`
  const points = await sql<Point>`
    select ${slot} as ms, avg(temperature_c) as t, avg(pressure_hpa) as p, avg(humidity_pct) as h,
      avg(sonic_vertical_ms) as uz
    from station_reading where ${within} group by 1 order by 1`.execute(db)
  const winds = await sql<Wind>`
    select wind_speed_ms as speed, wind_direction_deg as direction, sonic_speed_ms as sonic_speed,
      sonic_direction_deg as sonic_direction
    from station_reading where ${within} order by time`.execute(db)
  const kmh = (speedMs: number | null) => (speedMs === null ? null : speedMs * MS_TO_KMH)
  const series = (field: 't' | 'p' | 'h' | 'uz', factor = 1) =>
    points.rows.map((row) => ({
      datetime: new Date(row.ms).toISOString(),
      value: row[field] === null ? null : row[field] * factor,
    }))
  return {
    t: series('t'),
    p: series('p'),
    h: series('h'),
    uzSonic: series('uz', MS_TO_KMH),
    end: new Date(last).toISOString(),
    station: windCompass(
      winds.rows.map(({ speed, direction }) => ({ speedKmH: kmh(speed), fromDeg: direction })),
    ),
    sonic: windCompass(
      winds.rows.map(({ sonic_speed, sonic_direction }) => ({
        speedKmH: kmh(sonic_speed),
        fromDeg: sonic_direction,
      })),
    ),
  }
}
