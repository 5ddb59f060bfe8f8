import { type Kysely, sql } from 'kysely'

/** Who did what: a chain in which each line holds the hash of the one before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_event (
      n bigint primary key,
      at timestamptz not null,
      actor text,
      address text,
      via text not null check (via in ('page', 'command', 'server')),
      action text not null,
      subject text,
      details jsonb not null,
      hash bytea not null check (length(hash) = 32)
    )`.execute(db)
  await sql`create index audit_event_by_time on audit_event (at)`.execute(db)
  await sql`
    create table audit_anchor (
      -- The last line that was taken away, and its hash: where what is left begins.
      n bigint primary key,
      hash bytea not null check (length(hash) = 32),
      removed bigint not null,
      at timestamptz not null,
      signature bytea not null
    )`.execute(db)
}
