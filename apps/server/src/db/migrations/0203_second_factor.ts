import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table totp (
      account_id uuid primary key references account (id) on delete cascade,
      secret bytea not null check (length(secret) = 20),
      -- Null until a first code was given: until then it is not asked for.
      confirmed_at timestamptz,
      -- The newest time step whose code was taken; none is taken twice.
      last_step bigint not null default 0
    )`.execute(db)
  await sql`
    create table recovery_code (
      account_id uuid not null references account (id) on delete cascade,
      number smallint not null check (number between 0 and 9),
      hash text not null,
      used_at timestamptz,
      primary key (account_id, number)
    )`.execute(db)
  await sql`
    create table passkey (
      id text primary key,
      account_id uuid not null references account (id) on delete cascade,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null default '{}',
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index passkey_by_account on passkey (account_id)`.execute(db)
  await sql`
    create table passkey_challenge (
      -- One that was used: it is good for one answer only.
      challenge text primary key,
      expires_at timestamptz not null
    )`.execute(db)
}
