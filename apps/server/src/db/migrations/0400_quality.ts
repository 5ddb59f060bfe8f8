import { type Kysely, sql } from 'kysely'

/**
 * Quality of the rain of frames that came with one, a row each, and the files of which a volume by moment was put
 * together.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table radar_quality (
      product_id smallint not null,
      time timestamptz not null,
      pack_offset bigint not null,
      pack_length integer not null,
      classes_zstd integer not null,
      classes_deflate integer not null,
      classes_crc bigint not null,
      classes_check bigint not null,
      mean float8,
      zone_mean float8[] not null,
      primary key (product_id, time),
      foreign key (product_id, time) references radar_frame on delete cascade
    )`.execute(db)
  await sql`
    create table radar_volume_part (
      hash bytea primary key,
      source bytea not null references source_file on delete cascade,
      product_id smallint not null,
      stem text not null,
      name text not null
    )`.execute(db)
  await sql`create index radar_volume_part_stem on radar_volume_part (product_id, stem)`.execute(db)
  await sql`create index radar_volume_part_source on radar_volume_part (source)`.execute(db)
}
