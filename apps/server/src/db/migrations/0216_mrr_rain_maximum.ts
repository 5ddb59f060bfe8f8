import { type Kysely, sql } from 'kysely'

/** Largest content of a day outside the melting layer, for the calendar's scale; null for days of before, until `radx rebuild`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mrr_day add column rain_lwc double precision`.execute(db)
}
