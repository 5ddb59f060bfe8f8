import type { Kysely } from 'kysely'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/schema.ts'
import { catchmentFolder, openFileStore } from '../../store/file-store.ts'
import type { Verifier } from '../../store/verify.ts'
import { hashOf } from './library.ts'

/** Holds every imported catchment package against the SHA-256 of what was imported. */
export async function verifyCatchments(
  { db, config }: { db: Kysely<Database>; config: Config },
  verifier: Verifier,
): Promise<void> {
  const files = openFileStore(config)
  for (const { id, hash } of await db.selectFrom('catchment').select(['id', 'hash']).execute()) {
    const dir = (await files.folder(catchmentFolder(id, hash))) ?? (await files.folder(`catchments/${id}`))
    if (dir === null || (await hashOf(dir)) !== hash) verifier.damage(`bassin versant ${id}`)
    await verifier.read(1, 0)
  }
}
