import { type Kysely, sql } from 'kysely'

/** What the radar had over a gauge on a day, in the steps in which it is compared, and what that was made of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gauge_radar add column bins bytea, add column bins_of text`.execute(db)
}
