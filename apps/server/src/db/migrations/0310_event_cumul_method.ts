import { type Kysely, sql } from 'kysely'

/**
 * How an event's cumul took the rain between frames, and from how many frames it was made: one that came late changes it.
 * Null for events saved before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table saved_event
    add column cumul_method text check (cumul_method in ('moved', 'raw')),
    add column cumul_frames integer`.execute(db)
}
