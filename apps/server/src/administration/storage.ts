import { statfs } from 'node:fs/promises'
import { type AdminStorage, RADX_VERSION, type Verification } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

/** What is stored, how much room is left, and whether it was sound when it was last read. */
export async function storageForManagers(
  db: Kysely<Database>,
  dataDir: string,
  verification: Verification | null,
): Promise<AdminStorage> {
  const { rows } = await sql<{
    version: string
    database: number
    originals: number
    files: number
    results: number
    frames: number
  }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as database,
      (select coalesce(sum(bytes), 0)::float8 from source_file) as originals,
      (select count(*)::int from source_file) as files,
      (select coalesce(sum(output_bytes), 0)::float8 from job) as results,
      (select count(*)::int from radar_frame) as frames`.execute(db)
  const { rows: tables } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by 2 desc, 1 limit 8`.execute(db)
  const [now] = rows
  const disk = await statfs(dataDir).catch(() => null)
  return {
    version: RADX_VERSION,
    postgres: now.version,
    databaseBytes: now.database,
    tables,
    originals: { files: now.files, bytes: now.originals },
    frames: now.frames,
    resultBytes: now.results,
    disk: disk && { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
    verification,
  }
}
