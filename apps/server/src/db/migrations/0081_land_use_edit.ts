import { type Kysely, sql } from 'kysely'

/** What was painted on a land use stays with the file that it made, and no longer with every run as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table luse_file add column edit jsonb`.execute(db)
  await sql`comment on column luse_file.edit is
    'painted cells {i, j, value} as the form sent them; null for a file that no form made'`.execute(db)
  await sql`
    update luse_file f set edit = j.input -> 'luseUpdates' from job j
    where j.kind = 'multihydro' and j.input ->> 'luseId' = f.id::text
      and j.input ->> 'luseIdSource' <> f.id::text and jsonb_typeof(j.input -> 'luseUpdates') = 'array'`.execute(
    db,
  )
  // A run that says anything else than its file keeps what it says.
  await sql`
    update job j set input = j.input - 'luseUpdates' - 'luseConfigs' from luse_file f
    where j.kind = 'multihydro' and j.input ->> 'luseId' = f.id::text
      and j.input -> 'luseConfigs' = f.configs
      and j.input -> 'luseUpdates' =
        case when j.input ->> 'luseIdSource' = f.id::text then '[]'::jsonb else f.edit end`.execute(db)
}
