import { type Kysely, sql } from 'kysely'

/** System that a network's positions are in, `EPSG:2154`; null while they are of no known plane. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table network add column crs text`.execute(db)
}
