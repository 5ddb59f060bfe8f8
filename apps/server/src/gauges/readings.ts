import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Span } from '../store/frame-index.ts'
import { inflateAll } from '../store/inflate-all.ts'
import { utcDay, utcDayStart } from '../store/utc-day.ts'
import {
  correctDay,
  type DayReadings,
  decodeDay,
  encodeDay,
  MOST_DAY_BYTES,
  mergeDays,
  READING_BYTES,
  readDay,
} from './day-codec.ts'
import './tables.ts'

/** Readings of one gauge as they are kept: depths, or totals that only grow, mm at the end of each interval. */
export interface GaugeReadings {
  /** Rising. */
  timesMs: Float64Array
  /** NaN = missing. */
  mm: Float64Array
}

const DAY_MS = 86_400_000

/**
 * Stores readings of a gauge. One whose second is there already with another value replaces it, and the value that was
 * there first is kept aside; a missing one replaces nothing.
 * @param tx transaction, so that a file is taken in whole or not at all
 * @param corrects false for what came before: what is there stays as it is
 * @returns how many were replaced
 */
export async function storeReadings(
  tx: Kysely<Database>,
  gauge: string,
  { timesMs, mm }: GaugeReadings,
  corrects = true,
): Promise<number> {
  let count = 0
  for (const [day, added] of byDay(timesMs, mm)) {
    const readings = encodeDay(added)
    const inserted = await tx
      .insertInto('gauge_day')
      .values({ gauge, utc_day: day, readings })
      .onConflict((c) => c.columns(['gauge', 'utc_day']).doNothing())
      .returning('gauge')
      .executeTakeFirst()
    if (inserted) continue
    const kept = await tx
      .selectFrom('gauge_day')
      .select('readings')
      .where('gauge', '=', gauge)
      .where('utc_day', '=', day)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const before = decodeDay(kept.readings)
    const next = corrects
      ? correctDay(before, added)
      : {
          readings: mergeDays(before, added),
          replaced: { seconds: new Int32Array(0), mm: new Float32Array(0) },
        }
    await tx
      .updateTable('gauge_day')
      .set({ readings: encodeDay(next.readings) })
      .where('gauge', '=', gauge)
      .where('utc_day', '=', day)
      .execute()
    if (next.replaced.seconds.length > 0) await keepReplaced(tx, gauge, day, next.replaced)
    count += next.replaced.seconds.length
  }
  return count
}

/** Keeps values that were replaced, those of the first time where it happens again. */
async function keepReplaced(tx: Kysely<Database>, gauge: string, day: string, replaced: DayReadings) {
  const known = await tx
    .selectFrom('gauge_corrected')
    .select('readings')
    .where('gauge', '=', gauge)
    .where('utc_day', '=', day)
    .executeTakeFirst()
  const readings = encodeDay(known ? mergeDays(decodeDay(known.readings), replaced) : replaced)
  await tx
    .insertInto('gauge_corrected')
    .values({ gauge, utc_day: day, readings })
    .onConflict((c) =>
      c.columns(['gauge', 'utc_day']).doUpdateSet({ readings, corrected_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Instant of the newest reading of the gauges of the site, UTC ms; those of accounts are left out. null without any. */
export async function newestReading(db: Kysely<Database>): Promise<number | null> {
  const { rows } = await sql<{ day: string; readings: Buffer }>`
    with days as (
      select gauge, utc_day from gauge_day
      where not exists (select from gauge_own where gauge_own.id::text = gauge_day.gauge))
    select utc_day::text as day, readings from gauge_day join days using (gauge, utc_day)
    where utc_day = (select max(utc_day) from days)`.execute(db)
  const newest = rows.flatMap(({ day, readings }) => {
    const last = decodeDay(readings).seconds.at(-1)
    return last === undefined ? [] : [utcDayStart(day).getTime() + last * 1000]
  })
  return newest.length === 0 ? null : Math.max(...newest)
}

/** How many readings of gauges within a span were replaced, and when last; gauges without any are left out. */
export async function corrections(
  db: Kysely<Database>,
  gauges: readonly string[],
  { startMs, endMs }: Span,
): Promise<Map<string, { count: number; at: Date }>> {
  const out = new Map<string, { count: number; at: Date }>()
  if (gauges.length === 0) return out
  const rows = await db
    .selectFrom('gauge_corrected')
    .select(['gauge', 'readings', 'corrected_at', sql<string>`utc_day::text`.as('day')])
    .where('gauge', 'in', [...gauges])
    .where('utc_day', '>=', utcDay(startMs))
    .where('utc_day', '<=', utcDay(endMs))
    .orderBy('corrected_at')
    .execute()
  for (const { gauge, readings, day, corrected_at: at } of rows) {
    const dayMs = utcDayStart(day).getTime()
    const within = decodeDay(readings).seconds.filter((second) => {
      const ms = dayMs + 1000 * second
      return ms > startMs && ms <= endMs
    }).length
    if (within > 0) out.set(gauge, { count: (out.get(gauge)?.count ?? 0) + within, at })
  }
  return out
}

function byDay(timesMs: Float64Array, mm: Float64Array): [string, DayReadings][] {
  const order = Array.from(timesMs, (_, i) => i).sort((a, b) => timesMs[a] - timesMs[b])
  const days = new Map<string, { seconds: number[]; mm: number[] }>()
  for (const i of order) {
    const day = utcDay(timesMs[i])
    let found = days.get(day)
    if (!found) {
      found = { seconds: [], mm: [] }
      days.set(day, found)
    }
    const second = Math.floor((timesMs[i] - utcDayStart(day).getTime()) / 1000)
    if (found.seconds[found.seconds.length - 1] === second) continue
    found.seconds.push(second)
    found.mm.push(mm[i])
  }
  // Days in one order for everybody, so that two files never wait for each other.
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, found]) => [
      day,
      { seconds: Int32Array.from(found.seconds), mm: Float32Array.from(found.mm) },
    ])
}

/** Readings of gauges from the day before a span to the day of its end, by gauge; none is an empty series. */
export async function readReadings(
  db: Kysely<Database>,
  gauges: readonly string[],
  { startMs, endMs }: Span,
): Promise<Map<string, GaugeReadings>> {
  const out = new Map<string, GaugeReadings>()
  if (gauges.length === 0) return out
  // A row a gauge: a month of 50 gauges are 1,500 days.
  const { rows } = await sql<{ gauge: string; days: string[]; lengths: number[]; readings: Buffer }>`
    select gauge, array_agg(utc_day::text order by utc_day) as days, array_agg(length(readings) order by utc_day) as lengths,
      string_agg(readings, ''::bytea order by utc_day) as readings
    from gauge_day where gauge = any(${[...gauges]}::text[])
      and utc_day >= ${utcDay(startMs - DAY_MS)}::date and utc_day <= ${utcDay(endMs)}::date
    group by gauge`.execute(db)
  const packed = rows.flatMap(({ lengths, readings }) => {
    let at = 0
    return lengths.map((length) => {
      at += length
      return readings.subarray(at - length, at)
    })
  })
  const opened = inflateAll(packed, MOST_DAY_BYTES)
  let first = 0
  for (const { gauge, days } of rows) {
    out.set(gauge, joined(days, opened.slice(first, first + days.length)))
    first += days.length
  }
  for (const gauge of gauges) if (!out.has(gauge)) out.set(gauge, joined([], []))
  return out
}

/** Readings of days one after another. */
function joined(days: readonly string[], opened: readonly Buffer[]): GaugeReadings {
  const count = opened.reduce((sum, bytes) => sum + bytes.length / READING_BYTES, 0)
  const timesMs = new Float64Array(count)
  const mm = new Float64Array(count)
  let at = 0
  for (const [k, day] of days.entries()) {
    const read = readDay(opened[k])
    const startMs = utcDayStart(day).getTime()
    const { seconds } = read
    for (let i = 0; i < seconds.length; i++) timesMs[at + i] = startMs + 1000 * seconds[i]
    mm.set(read.mm, at)
    at += seconds.length
  }
  return { timesMs, mm }
}
