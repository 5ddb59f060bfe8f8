import { type Kysely, sql } from 'kysely'

/** How an event's cumul took the rain between frames; null for events saved before it was kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table saved_event add column cumul_method text check (cumul_method in ('moved', 'raw'))`.execute(
    db,
  )
}
