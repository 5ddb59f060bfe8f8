import { type Kysely, sql } from 'kysely'

/**
 * Rain as it moved between frames: a row a frame with rain in it or beside it. All of it follows from the frames and can
 * be made again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table radar_frame add column moved boolean not null default false`.execute(db)
  await sql`create index radar_frame_unmoved on radar_frame (product_id, time) where not moved`.execute(db)
  await sql`
    create table radar_moved (
      product_id smallint not null,
      time timestamptz not null,
      before timestamptz,
      after timestamptz,
      motion bytea,
      valid_count integer not null,
      sum_codes bigint not null,
      zone_mean float8[] not null,
      ends integer[] not null,
      tiles bytea not null,
      primary key (product_id, time),
      foreign key (product_id, time) references radar_frame on delete cascade
    )`.execute(db)
  // Compressed already; parts of it are read without the rest.
  await sql`alter table radar_moved alter column tiles set storage external`.execute(db)
  await sql`comment on table radar_moved is
    'Mean rain over the time that each frame stands for, moved between the frames; derived from radar_frame'`.execute(
    db,
  )
}
