import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { latestProfileMs } from './queries.ts'

/** File name of the newest picture, the hour up to the last profile; null while nothing was measured. */
export async function latestMrrFile(db: Kysely<Database>): Promise<string | null> {
  const last = await latestProfileMs(db)
  return last === null ? null : `mrr-${new Date(last).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.png`
}
