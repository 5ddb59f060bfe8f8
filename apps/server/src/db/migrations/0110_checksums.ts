import { type Kysely, sql } from 'kysely'

/**
 * CRC-32 of stored records, beside where they lie; null for what was stored before, until `radx verify` has read
 * it whole and writes them down.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table radar_frame add column classes_check bigint`.execute(db)
  await sql`alter table radar_tiles add column header_check bigint`.execute(db)
  await sql`alter table mrr_chunk add column pack_check bigint`.execute(db)
}
