import { type Kysely, sql } from 'kysely'

/** Readings that came again with other values, as they were first, by UTC day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gauge_corrected (
      gauge text not null,
      utc_day date not null,
      readings bytea not null,
      corrected_at timestamptz not null default now(),
      primary key (gauge, utc_day)
    )`.execute(db)
}
