import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { FRAME_LOCK } from './commit-frames.ts'
import type { FrameStore, PackName, RecordRef } from './frame-store.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from './utc-day.ts'

/** A day that still gets frames is left until it has rested this long. */
const REST_MS = 10 * 60_000

/** Files in the frame store that are not frames, such as the profiles of the micro rain radar. */
export interface PackOwner {
  /** `PackName.product` of its files. */
  product: string
  /** Second key of the advisory lock under which it writes; negative, since products have positive numbers. */
  lockKey: number
  /** Every record that its index has from one instant up to another. */
  refs(db: Kysely<Database>, from: Date, to: Date): Promise<RecordRef[]>
}

/**
 * Gathers the records of days that are over. Holds the lock of the product meanwhile, so that nothing is
 * appended; readers go on.
 * @param owners whose files lie beside the frames
 * @returns files that were gathered
 */
export async function compactDays(
  db: Kysely<Database>,
  store: FrameStore,
  owners: readonly PackOwner[],
  nowMs: number,
  signal?: AbortSignal,
): Promise<PackName[]> {
  const done: PackName[] = []
  for (const { name, newestMs } of await store.loose()) {
    if (signal?.aborted) break
    if (name.day >= utcDay(nowMs) || newestMs > nowMs - REST_MS) continue
    await db.transaction().execute(async (tx) => {
      const owner = owners.find(({ product }) => product === name.product)
      const key = owner?.lockKey ?? (await productId(tx, name.product))
      if (key === null) return
      await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${key}::int)`.execute(tx)
      const [from, to] = [utcDayStart(name.day), nextUtcDayStart(name.day)]
      await store.compact(name, await (owner?.refs(tx, from, to) ?? frameRefs(tx, name, key)))
      done.push(name)
    })
  }
  return done
}

/** Number of a product; null for one that the database does not know. */
async function productId(tx: Kysely<Database>, product: string): Promise<number | null> {
  const row = await tx
    .selectFrom('radar_product')
    .select('id')
    .where('short_name', '=', product)
    .executeTakeFirst()
  return row?.id ?? null
}

async function frameRefs(
  tx: Kysely<Database>,
  { day, kind, generation }: PackName,
  productId: number,
): Promise<RecordRef[]> {
  const [from, to] = [utcDayStart(day), nextUtcDayStart(day)]
  const rows = (query: ReturnType<typeof sql<RecordRef>>) => query.execute(tx).then((found) => found.rows)
  const ofDay = sql`product_id = ${productId} and time >= ${from} and time < ${to}`
  if (kind === 'quality')
    return rows(
      sql<RecordRef>`select pack_offset as offset,
        pack_length + classes_zstd + classes_deflate as length from radar_quality where ${ofDay}`,
    )
  return kind === 'pack'
    ? rows(sql<RecordRef>`select pack_offset as offset, pack_length as length from radar_frame
        where ${ofDay} and pack_offset is not null`)
    : rows(sql<RecordRef>`select classes_offset as offset, classes_zstd + classes_deflate as length
        from radar_frame
        where ${ofDay} and classes_offset is not null and classes_generation = ${generation}`)
}
