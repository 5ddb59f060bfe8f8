import { type Kysely, sql } from 'kysely'

/** What the files of a finished job take, so that an account's can be summed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job add column output_bytes bigint not null default 0`.execute(db)
  await sql`create index job_by_user on job (username, kind)`.execute(db)
  await sql`create index luse_file_by_user on luse_file (username)`.execute(db)
}
