import { type Kysely, sql } from 'kysely'

/** What a person needs to know of the sessions of an account, and which edit of an account came last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table session
      add column id uuid not null default gen_random_uuid() unique,
      add column last_used_at timestamptz,
      add column address text,
      add column user_agent text`.execute(db)
  await sql`update session set last_used_at = created_at`.execute(db)
  await sql`alter table session alter column last_used_at set not null`.execute(db)
  await sql`alter table account add column version integer not null default 1`.execute(db)
}
