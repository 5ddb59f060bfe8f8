import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table article (
      key text primary key,
      main text not null,
      is_published boolean not null,
      updated_at timestamptz not null,
      updated_by text not null
    )`.execute(db)
}
