import { type Kysely, sql } from 'kysely'

/** The melting layer that a frame of a volume was made with, where other instruments told of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table radar_quality add column melting jsonb`.execute(db)
}
