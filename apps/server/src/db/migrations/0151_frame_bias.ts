import { type Kysely, sql } from 'kysely'

/** Factor by which a frame's file says that it was adjusted to gauges (`how/bias` of ODIM); null where it says nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table radar_frame add column bias double precision`.execute(db)
}
