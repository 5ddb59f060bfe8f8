import { type Kysely, sql } from 'kysely'

/** What rain that moved between the frames was made of, beside what is kept of it over gauges; null of the frames. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gauge_radar add column stamp text`.execute(db)
}
