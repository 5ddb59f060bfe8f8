import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account (
      id uuid primary key,
      name text not null,
      name_key text not null unique,
      password_hash text not null,
      roles text[] not null default '{}',
      avatar text,
      restriction_start timestamptz,
      restriction_end timestamptz,
      disabled_at timestamptz,
      is_demo boolean not null default false,
      created_at timestamptz not null default now(),
      check (restriction_start < restriction_end)
    )`.execute(db)
  await sql`
    create table session (
      token_hash bytea primary key,
      account_id uuid not null references account (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index session_by_account on session (account_id, created_at)`.execute(db)
  await sql`create index session_by_expiry on session (expires_at)`.execute(db)
  await sql`
    create table login_throttle (
      key text primary key,
      -- When the budget would be whole again, were nothing more tried.
      whole_at timestamptz not null
    )`.execute(db)
}
