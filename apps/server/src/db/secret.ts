import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** A secret of the installation, 32 bytes, made at first use; every process has the same. */
export async function installationSecret(db: Kysely<Database>, key: string): Promise<Buffer> {
  await db
    .insertInto('setting')
    .values({ key, value: JSON.stringify(randomBytes(32).toString('base64')) as never })
    .onConflict((c) => c.column('key').doNothing())
    .execute()
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return Buffer.from(value as string, 'base64')
}
