import { type Kysely, sql } from 'kysely'

/** How many cells the side of a tile has in each tile file: those made so far have 20. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table radar_tiles add column tile_size smallint not null default 20`.execute(db)
  await sql`alter table radar_moved_tiles add column tile_size smallint not null default 20`.execute(db)
}
