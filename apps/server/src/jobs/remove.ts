import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { FileStore } from '../store/file-store.ts'
import type { JobKind } from './kind.ts'
import { jobHome } from './output.ts'

/**
 * Deletes an ended job with its log, its files and what its kind made for it alone. The row goes first, so that nobody
 * finds a job whose files are half gone.
 * @returns false when it had not ended, or is gone already
 */
export async function removeJob(
  db: Kysely<Database>,
  files: FileStore,
  kind: JobKind | undefined,
  id: string,
): Promise<boolean> {
  const removed = await db.transaction().execute(async (trx) => {
    const row = await trx
      .deleteFrom('job')
      .where('id', '=', id)
      .where('status', 'in', ['done', 'error'])
      .returningAll()
      .executeTakeFirst()
    if (row) await kind?.removeDerived?.(trx, row.input)
    return row
  })
  if (removed) await files.removeFolder(jobHome(id))
  return removed !== undefined
}
