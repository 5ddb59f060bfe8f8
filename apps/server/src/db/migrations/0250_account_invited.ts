import { type Kysely, sql } from 'kysely'

/** Accounts whose holder has not set a password yet: nobody can sign in to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account add column invited boolean not null default false`.execute(db)
}
