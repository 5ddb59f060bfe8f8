import { type Kysely, sql } from 'kysely'

/** Sewer networks of accounts, and the files that each version came in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table network (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      name text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index network_by_user on network (username, updated_at desc)`.execute(db)
  await sql`
    create table network_version (
      network_id uuid not null references network (id) on delete cascade,
      version integer not null check (version > 0),
      file text not null,
      files jsonb not null,
      bytes bigint not null,
      sha256 bytea not null,
      nodes integer not null,
      links integer not null,
      subcatchments integer not null,
      warnings integer not null,
      created_at timestamptz not null default now(),
      primary key (network_id, version)
    )`.execute(db)
  await sql`create index job_by_network on job ((input ->> 'networkId'), created_at desc) where kind = 'network'`.execute(
    db,
  )
}
