import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import { hashFile } from '../store/file-moves.ts'
import type { FileStore } from '../store/file-store.ts'
import type { ingestFolders } from './folders.ts'

/** A command that still runs touches its folder more often than this. */
const ABANDONED_MS = 24 * 3_600_000

/**
 * Ends what commands left behind when they were killed: a copy whose frame was stored goes to its place
 * in the archive, others are taken away, since their sources are where they were.
 */
export async function clearStaging(
  { staging }: ReturnType<typeof ingestFolders>,
  files: FileStore,
  db: Kysely<Database>,
  log: Logger,
  nowMs = Date.now(),
): Promise<void> {
  for (const folder of await readdir(staging).catch(() => [])) {
    const path = join(staging, folder)
    const info = await stat(path).catch(() => null)
    if (info === null || nowMs - info.mtimeMs < ABANDONED_MS) continue
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      const row = await db
        .selectFrom('source_file')
        .select('archive_path')
        .where('hash', '=', await hashFile(file))
        .executeTakeFirst()
      if (row?.archive_path) await files.keepOriginal(file, row.archive_path)
    }
    await rm(path, { recursive: true, force: true })
    log.info({ folder }, "Copies d'une ingestion interrompue rangées")
  }
}
