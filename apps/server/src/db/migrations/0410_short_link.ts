import { type Kysely, sql } from 'kysely'

/** Short names of addresses of this site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table short_link (
      name text primary key,
      account_id uuid not null references account (id) on delete cascade,
      -- With query and fragment, of a screen.
      path text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index short_link_by_account on short_link (account_id, created_at)`.execute(db)
}
