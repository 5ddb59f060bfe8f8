import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { FRAME_LOCK, MRR_LOCK } from './commit-frames.ts'
import type { FrameStore, PackName, RecordRef } from './frame-store.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from './utc-day.ts'

/** A day that still gets frames is left until it has rested this long. */
const REST_MS = 10 * 60_000

/**
 * Gathers the records of days that are over. Holds the lock of the product meanwhile, so that nothing is
 * appended; readers go on.
 * @returns files that were gathered
 */
export async function compactDays(
  db: Kysely<Database>,
  store: FrameStore,
  nowMs: number,
  signal?: AbortSignal,
): Promise<PackName[]> {
  const done: PackName[] = []
  for (const { name, newestMs } of await store.loose()) {
    if (signal?.aborted) break
    if (name.day >= utcDay(nowMs) || newestMs > nowMs - REST_MS) continue
    await db.transaction().execute(async (tx) => {
      const key = await lockKey(tx, name.product)
      if (key === null) return
      await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${key}::int)`.execute(tx)
      await store.compact(name, await committedRefs(tx, name, key))
      done.push(name)
    })
  }
  return done
}

/** Second key of the lock; null for a product that the database does not know. */
async function lockKey(tx: Kysely<Database>, product: string): Promise<number | null> {
  if (product === 'mrr') return MRR_LOCK
  const row = await tx
    .selectFrom('radar_product')
    .select('id')
    .where('short_name', '=', product)
    .executeTakeFirst()
  return row?.id ?? null
}

async function committedRefs(
  tx: Kysely<Database>,
  { product, day, kind, generation }: PackName,
  productId: number,
): Promise<RecordRef[]> {
  const [from, to] = [utcDayStart(day), nextUtcDayStart(day)]
  const rows = (query: ReturnType<typeof sql<RecordRef>>) => query.execute(tx).then((found) => found.rows)
  if (product === 'mrr')
    return rows(sql<RecordRef>`select pack_offset as offset, pack_length as length from mrr_chunk
      where hour >= ${from} and hour < ${to}`)
  const ofDay = sql`product_id = ${productId} and time >= ${from} and time < ${to}`
  return kind === 'pack'
    ? rows(sql<RecordRef>`select pack_offset as offset, pack_length as length from radar_frame
        where ${ofDay} and pack_offset is not null`)
    : rows(sql<RecordRef>`select classes_offset as offset, classes_zstd + classes_deflate as length
        from radar_frame
        where ${ofDay} and classes_offset is not null and classes_generation = ${generation}`)
}
