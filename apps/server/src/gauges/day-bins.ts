import { createHash } from 'node:crypto'
import { BIN_MS } from '@radx/rainfall/gauges/bins'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Span } from '../store/frame-index.ts'
import { utcDay, utcDayStart } from '../store/utc-day.ts'
import type { RadarBins } from './nine-bins.ts'
import { type FrameDay, frameDays, type Rain } from './radar-days.ts'

export const DAY_MS = 86_400_000
const DAY_BINS = DAY_MS / BIN_MS

/**
 * Steps of a UTC day that are not dry, little-endian: how many (uint32), which (uint16 each, one more where their number is
 * odd), then what the radar had in each, its least and its most around (float32, NaN = unknown). All others are dry.
 * Nothing is lost: what nine cells add up to has no more digits.
 */
export function encodeBins({ radar, low, high }: RadarBins): Buffer {
  const told: number[] = []
  for (let i = 0; i < DAY_BINS; i++) if (radar[i] !== 0 || high[i] !== 0) told.push(i)
  const head = 4 + 2 * (told.length + (told.length & 1))
  const bytes = new ArrayBuffer(head + 12 * told.length)
  new Uint32Array(bytes, 0, 1)[0] = told.length
  new Uint16Array(bytes, 4).set(told)
  const values = new Float32Array(bytes, head)
  for (const [k, series] of [radar, low, high].entries())
    for (let j = 0; j < told.length; j++) values[k * told.length + j] = series[told[j]]
  return Buffer.from(bytes)
}

/**
 * Puts days that stand one after another into the bins of a span.
 * @param firstBins of the span that each day begins with; below 0 where the day began before
 * @throws RangeError for bytes that are none
 */
export function decodeBins(days: Uint8Array, firstBins: readonly number[], out: RadarBins): void {
  // A copy begins where four bytes do.
  const bytes = days.buffer.slice(days.byteOffset, days.byteOffset + days.length) as ArrayBuffer
  const { radar, low, high } = out
  let at = 0
  for (const first of firstBins) {
    const count = new Uint32Array(bytes, at, 1)[0]
    const bins = new Uint16Array(bytes, at + 4, count)
    const head = at + 4 + 2 * (count + (count & 1))
    const values = new Float32Array(bytes, head, 3 * count)
    radar.fill(0, Math.max(0, first), Math.max(0, first + DAY_BINS))
    for (let j = 0; j < count; j++) {
      const bin = first + bins[j]
      if (bin < 0 || bin >= radar.length) continue
      radar[bin] = values[j]
      low[bin] = values[count + j]
      high[bin] = values[2 * count + j]
    }
    at = head + 12 * count
  }
  if (at !== bytes.byteLength) throw new RangeError('bins of days have other bytes')
}

/** A UTC day of a span with the frames that stand for parts of it. */
export interface BinDay {
  day: string
  dayMs: number
  own: FrameDay | null
  before: FrameDay | null
  after: FrameDay | null
  /** What its bins are made of; null while more may come. */
  key: string | null
}

/** Days of a span in which the radar may know something. */
export async function binDays(db: Kysely<Database>, rain: Rain, span: Span, time: string): Promise<BinDay[]> {
  const firstMs = utcDayStart(utcDay(span.startMs)).getTime()
  const lastMs = utcDayStart(utcDay(span.endMs - 1)).getTime()
  const found = await frameDays(db, rain, { startMs: firstMs - DAY_MS, endMs: lastMs + DAY_MS })
  const byDay = new Map(found.map((one) => [one.day, one]))
  const at = (ms: number) => byDay.get(utcDay(ms)) ?? null
  return Array.from({ length: (lastMs - firstMs) / DAY_MS + 1 }, (_, k): BinDay => {
    const dayMs = firstMs + k * DAY_MS
    const [before, own, after] = [at(dayMs - DAY_MS), at(dayMs), at(dayMs + DAY_MS)]
    const parts = [
      time,
      ...(before ? [before.lastMs, before.stamp] : ['']),
      ...(own ? [own.frames, own.firstMs, own.lastMs, own.stamp] : ['']),
      ...(after ? [after.firstMs, after.stamp] : ['']),
    ]
    const key = own && after ? createHash('sha256').update(parts.join(' ')).digest('base64url') : null
    return { day: utcDay(dayMs), dayMs, own, before, after, key }
  }).filter(({ before, own, after }) => before !== null || own !== null || after !== null)
}

/**
 * Puts the days that are kept into the bins of their places.
 * @returns which of the days each place has
 */
export async function readKeptBins(
  db: Kysely<Database>,
  { product }: Rain,
  days: readonly BinDay[],
  { startMs }: Span,
  out: ReadonlyMap<string, RadarBins>,
): Promise<Map<string, Set<BinDay>>> {
  const over = days.filter(({ key }) => key !== null)
  const { rows } = await sql<{ place: string; days: number[]; bins: Buffer }>`
    select place, array_agg(at order by at) as days, string_agg(bins, ''::bytea order by at) as bins
    from (select g.place, g.bins, w.at::int as at
      from unnest(${over.map(({ day }) => day)}::date[], ${over.map(({ key }) => key)}::text[])
        with ordinality as w (day, key, at)
      join gauge_radar g on g.utc_day = w.day and g.bins_of = w.key
      where g.product_id = ${product.id} and g.place = any(${[...out.keys()]}::text[])) as kept
    group by place`.execute(db)
  const found = new Map<string, Set<BinDay>>()
  for (const { place, days: at, bins } of rows) {
    const own = at.map((k) => over[k - 1])
    decodeBins(
      bins,
      own.map(({ dayMs }) => (dayMs - startMs) / BIN_MS),
      out.get(place)!,
    )
    found.set(place, new Set(own))
  }
  return found
}

/** Keeps bins of days beside what they were made of. */
export async function keepBins(
  db: Kysely<Database>,
  { product }: Rain,
  made: readonly { place: string; day: BinDay; bins: Buffer }[],
): Promise<void> {
  if (made.length === 0) return
  await sql`update gauge_radar g set bins = w.bins, bins_of = w.key
    from unnest(${made.map(({ place }) => place)}::text[], ${made.map(({ day }) => day.day)}::date[],
      ${made.map(({ day }) => day.key)}::text[], ${made.map(({ bins }) => bins)}::bytea[]) as w (place, day, key, bins)
    where g.product_id = ${product.id} and g.place = w.place and g.utc_day = w.day`.execute(db)
}
