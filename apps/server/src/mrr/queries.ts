import { crc32 } from 'node:zlib'
import { civilDay } from '@radx/locale/time'
import { type Generated, type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { FRAME_LOCK } from '../store/commit-frames.ts'
import type { PackOwner } from '../store/compaction.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import type { Span } from '../store/frame-index.ts'
import type { FrameStore, PackName } from '../store/frame-store.ts'
import { type KnownFile, type SourceFile, sourceRow } from '../store/source-file.ts'
import { utcDay } from '../store/utc-day.ts'
import { decodeChunk, KEPT, type Kept } from './chunk-codec.ts'
import type { EncodedHour } from './hour-encoder.ts'
import { mergeChunks, type Profile } from './profiles.ts'

export interface MrrChunkTable {
  id: Generated<number>
  hour: Date
  first_time: Date
  last_time: Date
  profiles: number
  gates: number
  pack_offset: number
  pack_length: number
  /** CRC-32 of the record; null where `radx verify` has yet to write it. */
  pack_check: number | null
  source: Buffer
}
declare module '../db/schema.ts' {
  interface Database {
    mrr_chunk: MrrChunkTable
    mrr_bin: { bin: Date; max_lwc: number }
    /** `rain_lwc`: outside the melting layer; null where profiles of before counted. */
    mrr_day: { day: string; max_lwc: number; rain_lwc: number | null }
  }
}

const HOUR_MS = 3_600_000
/** Second key of the lock under which profiles are written; products have positive numbers. */
export const MRR_LOCK = -1

export const packOf = (hourMs: number): PackName => ({
  product: 'mrr',
  day: utcDay(hourMs),
  kind: 'pack',
  generation: 0,
})

/**
 * Stores the profiles of a file and the file, all or none.
 * @returns null, or what is known of the file when its content was taken in before
 */
export async function insertProfiles(
  db: Kysely<Database>,
  store: FrameStore,
  hours: readonly EncodedHour[],
  source: SourceFile,
  timeZone: string,
): Promise<KnownFile | null> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${MRR_LOCK}::int)`.execute(tx)
    const known = await tx
      .selectFrom('source_file')
      .select('archive_path')
      .where('hash', '=', source.hash)
      .executeTakeFirst()
    if (known) return { archivePath: known.archive_path }
    await tx.insertInto('source_file').values(sourceRow(source)).execute()
    for (const sameDay of Map.groupBy(hours, ({ hourMs }) => utcDay(hourMs)).values()) {
      const [{ hourMs: dayMs }] = sameDay
      const records = sameDay.map(({ bytes }) => bytes)
      const refs = await store.append(packOf(dayMs), await packEnd(tx, dayMs), records)
      await tx
        .insertInto('mrr_chunk')
        .values(
          sameDay.map(({ hourMs, timesMs, gates }, k) => ({
            hour: new Date(hourMs),
            first_time: new Date(timesMs[0]),
            last_time: new Date(timesMs[timesMs.length - 1]),
            profiles: timesMs.length,
            gates,
            pack_offset: refs[k].offset,
            pack_length: refs[k].length,
            pack_check: crc32(records[k]) >>> 0,
            source: source.hash,
          })),
        )
        .execute()
      // Hours share no bin.
      const bins = new Map(sameDay.flatMap(({ maxima }) => [...maxima.all]))
      const rain = new Map(sameDay.flatMap(({ maxima }) => [...maxima.rain]))
      await raiseMaxima(tx, { bins, rain }, timeZone)
    }
    return null
  })
}

/** Where the pack of an hour's UTC day ends, by what is committed. */
export async function packEnd(db: Kysely<Database>, hourMs: number): Promise<number> {
  const day = utcDay(hourMs)
  const { end } = await db
    .selectFrom('mrr_chunk')
    .select(sql<number | null>`max(pack_offset + pack_length)`.as('end'))
    .where('hour', '>=', new Date(`${day}T00:00:00Z`))
    .where('hour', '<', new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS))
    .executeTakeFirstOrThrow()
  return end ?? 0
}

export async function raiseMaxima(
  db: Kysely<Database>,
  { bins, rain }: { bins: Map<number, number>; rain: Map<number, number> },
  timeZone: string,
): Promise<void> {
  const byDay = (maxima: Map<number, number>) => {
    const days = new Map<string, number>()
    for (const [bin, max] of maxima) {
      const day = civilDay(bin, timeZone)
      days.set(day, Math.max(days.get(day) ?? 0, max))
    }
    return days
  }
  const [days, rainDays] = [byDay(bins), byDay(rain)]
  await db
    .insertInto('mrr_bin')
    .values([...bins].map(([bin, max_lwc]) => ({ bin: new Date(bin), max_lwc })))
    .onConflict((c) =>
      c.column('bin').doUpdateSet({ max_lwc: sql<number>`greatest(mrr_bin.max_lwc, excluded.max_lwc)` }),
    )
    .execute()
  await db
    .insertInto('mrr_day')
    .values([...days].map(([day, max_lwc]) => ({ day, max_lwc, rain_lwc: rainDays.get(day) ?? null })))
    .onConflict((c) =>
      c.column('day').doUpdateSet({
        max_lwc: sql<number>`greatest(mrr_day.max_lwc, excluded.max_lwc)`,
        // Where it is not known of some of the day's profiles, it is not known of the day.
        rain_lwc: sql<number | null>`case when mrr_day.rain_lwc is not null and excluded.rain_lwc is not null
          then greatest(mrr_day.rain_lwc, excluded.rain_lwc) end`,
      }),
    )
    .execute()
}

/** Profiles of a span, in time order, each instant once; of the variables LWC and those asked for. */
export async function readProfiles(
  db: Kysely<Database>,
  store: FrameStore,
  { startMs, endMs }: Span,
  only: readonly Kept[] = KEPT,
): Promise<Profile[]> {
  const rows = await chunkRows(db, { startMs, endMs })
  const chunks = await Promise.all(
    rows.map(async (row) => {
      const ref = { offset: row.pack_offset, length: row.pack_length }
      const [bytes] = await store.read(packOf(row.hour.getTime()), [ref])
      return decodeChunk(checked(row, bytes), only)
    }),
  )
  return mergeChunks(chunks, startMs, endMs)
}

/** As `readProfiles`, an hour at a time: a week of profiles is more than the memory should hold. */
export async function* profilesByHour(
  db: Kysely<Database>,
  store: FrameStore,
  { startMs, endMs }: Span,
  only: readonly Kept[],
): AsyncGenerator<Profile[]> {
  const rows = await chunkRows(db, { startMs, endMs })
  const hours = Map.groupBy(
    rows.toSorted((a, b) => a.hour.getTime() - b.hour.getTime() || a.id - b.id),
    ({ hour }) => hour.getTime(),
  )
  for (const [hourMs, chunks] of hours) {
    const refs = chunks.map((row) => ({ offset: row.pack_offset, length: row.pack_length }))
    const bytes = await store.read(packOf(hourMs), refs)
    const decoded = bytes.map((chunk, k) => decodeChunk(checked(chunks[k], chunk), only))
    yield mergeChunks(decoded, startMs, endMs)
  }
}

/** A record as it was stored. @throws StoreCorruptError that names the hour */
export function checked(row: Pick<MrrChunkTable, 'hour' | 'pack_check'>, bytes: Buffer): Buffer {
  if (row.pack_check !== null && crc32(bytes) >>> 0 !== row.pack_check)
    throw new StoreCorruptError(`profils du micro radar, heure ${row.hour.toISOString()}`)
  return bytes
}

function chunkRows(db: Kysely<Database>, { startMs, endMs }: Span) {
  return db
    .selectFrom('mrr_chunk')
    .select(['id', 'hour', 'pack_offset', 'pack_length', 'pack_check'])
    .where('hour', '>', new Date(startMs - HOUR_MS))
    .where('hour', '<', new Date(endMs))
    .orderBy('id')
    .execute()
}

/** Instant of the newest profile, ms; null without any. */
export async function latestProfileMs(db: Kysely<Database>): Promise<number | null> {
  const row = await db
    .selectFrom('mrr_chunk')
    .select('last_time')
    .orderBy('last_time', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.last_time.getTime() ?? null
}

export function binsOf(
  db: Kysely<Database>,
  { startMs, endMs }: Span,
): Promise<{ bin: Date; max_lwc: number }[]> {
  return db
    .selectFrom('mrr_bin')
    .selectAll()
    .where('bin', '>=', new Date(startMs))
    .where('bin', '<', new Date(endMs))
    .orderBy('bin')
    .execute()
}

export function daysOf(
  db: Kysely<Database>,
): Promise<{ day: string; max_lwc: number; rain_lwc: number | null }[]> {
  return db.selectFrom('mrr_day').selectAll().orderBy('day').execute()
}

/** The profiles among the files of the frame store. */
export const mrrPacks: PackOwner = {
  product: 'mrr',
  lockKey: MRR_LOCK,
  refs: (db, from, to) =>
    db
      .selectFrom('mrr_chunk')
      .select(['pack_offset as offset', 'pack_length as length'])
      .where('hour', '>=', from)
      .where('hour', '<', to)
      .execute(),
}
