import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table montana_table (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      name text not null,
      note text not null,
      laws jsonb not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index montana_table_by_user on montana_table (username, created_at)`.execute(db)
}
