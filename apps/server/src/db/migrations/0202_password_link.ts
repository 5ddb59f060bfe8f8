import { type Kysely, sql } from 'kysely'

/** Links with which somebody sets the password of an account once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table password_link (
      account_id uuid primary key references account (id) on delete cascade,
      token_hash bytea not null unique,
      expires_at timestamptz not null
    )`.execute(db)
}
