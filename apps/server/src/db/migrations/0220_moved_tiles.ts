import { type Kysely, sql } from 'kysely'

/**
 * Tile files of the rain as it moved, a row a UTC day whose rain was followed. What a file holds follows from
 * radar_moved and radar_frame; it counts only while `whole`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table radar_moved_tiles (
      product_id smallint not null references radar_product,
      utc_day date not null,
      generation integer not null default 0,
      frames integer not null default 0,
      header_check bigint,
      whole boolean not null default false,
      primary key (product_id, utc_day)
    )`.execute(db)
  await sql`create index radar_moved_tiles_wanted on radar_moved_tiles (product_id, utc_day) where not whole`.execute(
    db,
  )
  await sql`
    insert into radar_moved_tiles (product_id, utc_day)
    select distinct product_id, (time at time zone 'UTC')::date from radar_frame where moved`.execute(db)
}
