import { type Kysely, sql } from 'kysely'

/** From how many frames an event's cumul was made: one that came late changes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table saved_event add column cumul_frames integer`.execute(db)
}
