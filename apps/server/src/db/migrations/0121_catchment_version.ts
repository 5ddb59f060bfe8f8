import { type Kysely, sql } from 'kysely'

/**
 * Catchments have versions, each with its own package; a land use, and with it a run, belongs to one. Land uses from
 * before the last import of their catchment belong to a version that nobody wrote down: theirs is empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table catchment_version (
      catchment_id text not null references catchment,
      hash text not null,
      summary jsonb not null,
      imported_at timestamptz not null default now(),
      primary key (catchment_id, hash)
    )`.execute(db)
  await sql`insert into catchment_version (catchment_id, hash, summary, imported_at)
    select id, hash, summary, imported_at from catchment`.execute(db)
  await sql`alter table luse_file add column catchment_hash text`.execute(db)
  await sql`comment on column luse_file.catchment_hash is
    'Version of the catchment whose grid it has; empty for one that was not kept, null for the only one there was'`.execute(
    db,
  )
  await sql`
    update luse_file as file set catchment_hash = case
      when file.created_at >= (select max(created_at) from luse_file as own
        where own.catchment_id = file.catchment_id and own.is_reference) then catchment.hash else '' end
    from catchment where catchment.id = file.catchment_id
      and exists (select from luse_file as own where own.catchment_id = file.catchment_id and own.is_reference)`.execute(
    db,
  )
}
