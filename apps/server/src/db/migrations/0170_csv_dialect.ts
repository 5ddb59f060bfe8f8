import { type Kysely, sql } from 'kysely'

/** How the CSV files of an account are written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table account add column csv text not null default 'semicolon'
      check (csv in ('semicolon', 'comma'))`.execute(db)
}
