import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table access_token (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account (id) on delete cascade,
      name text not null,
      -- SHA-256; the token itself is shown once and kept nowhere.
      token_hash bytea not null unique,
      scopes text[] not null,
      -- Dates that it may see beside those of its account, [from, to).
      restriction_start timestamptz,
      restriction_end timestamptz,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      address text
    )`.execute(db)
  await sql`create index access_token_by_account on access_token (account_id)`.execute(db)
}
