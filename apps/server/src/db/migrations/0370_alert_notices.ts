import { type Kysely, sql } from 'kysely'

/** Who is told of alerts beside the page, and what has still to be told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_person (
      username text primary key,
      email text,
      -- An address is told nothing before its reader confirmed it.
      email_confirmed_at timestamptz,
      email_code bytea,
      email_code_until timestamptz,
      email_tries integer not null default 0,
      quiet jsonb
    )`.execute(db)
  await sql`
    create table alert_push (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      endpoint text not null unique,
      p256dh text not null,
      auth text not null,
      label text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index alert_push_by_user on alert_push (username)`.execute(db)
  await sql`
    create table alert_webhook (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      url text not null,
      username text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    alter table alert_rule
      add column notify jsonb not null default '{"email": false, "push": false, "webhooks": []}',
      add column quiet jsonb`.execute(db)
  await sql`
    create table alert_notice (
      id uuid primary key default gen_random_uuid(),
      alert_id uuid not null references alert (id) on delete cascade,
      username text not null,
      event text not null check (event in ('raised', 'escalated')),
      channel text not null check (channel in ('email', 'push', 'webhook')),
      -- An address, a subscription's or a webhook's id.
      target text not null,
      status text not null check (status in ('waiting', 'held', 'sent', 'failed')),
      attempts integer not null default 0,
      next_at timestamptz not null,
      leased_until timestamptz,
      error text,
      error_at timestamptz,
      created_at timestamptz not null,
      done_at timestamptz,
      unique (alert_id, event, channel, target)
    )`.execute(db)
  await sql`create index alert_notice_due on alert_notice (next_at) where status in ('waiting', 'held')`.execute(
    db,
  )
}
