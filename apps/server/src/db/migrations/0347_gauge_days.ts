import { type Kysely, sql } from 'kysely'

/** How many frames a day over a gauge is made of, so that days that lack some are found unread; what was kept is made anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`truncate gauge_radar`.execute(db)
  await sql`alter table gauge_radar add column frame_count integer not null`.execute(db)
}
