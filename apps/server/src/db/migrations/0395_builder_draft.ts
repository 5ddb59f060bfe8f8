import { type Kysely, sql } from 'kysely'

/** Catchments on their way: what the builder's steps wrote, and the files that they stand on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table builder_draft (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      name text not null,
      recipe jsonb not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index builder_draft_by_user on builder_draft (username, updated_at desc)`.execute(db)
  await sql`
    create table builder_file (
      id uuid primary key,
      draft_id uuid not null references builder_draft (id) on delete cascade,
      name text not null,
      bytes bigint not null,
      holds jsonb not null,
      created_at timestamptz not null default now(),
      unique (draft_id, name)
    )`.execute(db)
  await sql`create index job_by_draft on job ((input ->> 'draftId'), created_at desc) where kind = 'catchmentbuild'`.execute(
    db,
  )
}
