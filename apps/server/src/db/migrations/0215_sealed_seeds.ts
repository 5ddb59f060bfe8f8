import { type Kysely, sql } from 'kysely'

/** Seeds of one-time codes are encrypted (1 + 12 + 20 + 16 bytes); the server does so with those of before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table totp drop constraint totp_secret_check`.execute(db)
  await sql`alter table totp add constraint totp_secret_check check (length(secret) in (20, 49))`.execute(db)
}
