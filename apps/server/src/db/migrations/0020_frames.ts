import { type Kysely, sql } from 'kysely'

/** Frames of the radar: what exists, where its bytes lie, and its statistics. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table radar_product (
      id smallint generated always as identity primary key,
      short_name text not null unique,
      bounds jsonb not null,
      steps integer not null
    )`.execute(db)
  await sql`comment on table radar_product is 'Grid that the stored frames of a product have'`.execute(db)

  await sql`
    create table radar_zone (
      ordinal smallint primary key,
      key text not null unique,
      outline_hash text not null
    )`.execute(db)
  await sql`comment on table radar_zone is
    'Catchments and sub-catchments; ordinal is the subscript (from 1) of the zone_ arrays of frames and days'`.execute(
    db,
  )

  await sql`
    create table source_file (
      hash bytea primary key,
      kind text not null,
      name text not null,
      bytes bigint not null,
      archive_path text,
      product_id smallint references radar_product,
      received_at timestamptz not null default now()
    )`.execute(db)
  await sql`comment on table source_file is 'Files taken in, by SHA-256: the same content is taken in once'`.execute(
    db,
  )

  await sql`
    create table radar_params (
      id integer generated always as identity primary key,
      hash text not null unique,
      version text not null,
      name text not null,
      sensor jsonb not null
    )`.execute(db)

  await sql`
    create table radar_blank (
      id integer generated always as identity primary key,
      product_id smallint not null references radar_product,
      hash text not null,
      codes bytea not null,
      classes_zstd bytea not null,
      classes_deflate bytea not null,
      classes_crc bigint not null,
      unique (product_id, hash)
    )`.execute(db)
  await sql`comment on table radar_blank is
    'Frames without rain: what is left of them is where data is missing, the same from frame to frame'`.execute(
    db,
  )

  await sql`
    create table radar_frame (
      product_id smallint not null references radar_product,
      time timestamptz not null,
      blank_id integer references radar_blank,
      pack_offset bigint,
      pack_length integer,
      classes_generation integer not null default 0,
      classes_offset bigint,
      classes_zstd integer,
      classes_deflate integer,
      classes_crc bigint,
      valid_count integer not null,
      wet_count integer not null,
      sum_codes bigint not null,
      max_code integer not null,
      max_index integer not null,
      zone_mean float8[] not null,
      zone_wet_mean float8[] not null,
      zone_wet_pct float8[] not null,
      params_id integer not null references radar_params,
      source bytea not null references source_file,
      tiled boolean not null default false,
      primary key (product_id, time),
      check (blank_id is not null or (pack_offset is not null and classes_offset is not null))
    )`.execute(db)
  await sql`create index radar_frame_untiled on radar_frame (product_id, time) where not tiled`.execute(db)
  await sql`create index radar_frame_source on radar_frame (source)`.execute(db)

  await sql`
    create table radar_day (
      product_id smallint not null references radar_product,
      day date not null,
      frames integer not null,
      best double precision,
      best_time timestamptz,
      zone_best float8[] not null,
      zone_best_time timestamptz[] not null,
      primary key (product_id, day)
    )`.execute(db)
  await sql`comment on table radar_day is
    'Civil days of the site: frames and the largest mean over wet cells, of the zone and of each catchment'`.execute(
    db,
  )

  await sql`
    create table radar_tiles (
      product_id smallint not null references radar_product,
      utc_day date not null,
      generation integer not null,
      frames integer not null,
      primary key (product_id, utc_day)
    )`.execute(db)

  await sql`
    create table station_reading (
      time timestamptz primary key,
      temperature_c double precision,
      pressure_hpa double precision,
      humidity_pct double precision,
      wind_speed_ms double precision,
      wind_direction_deg double precision,
      sonic_speed_ms double precision,
      sonic_direction_deg double precision,
      sonic_vertical_ms double precision
    )`.execute(db)
}
