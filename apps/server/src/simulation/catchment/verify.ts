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
  const versions = await db
    .selectFrom('catchment_version')
    .innerJoin('catchment', 'catchment.id', 'catchment_version.catchment_id')
    .select(['catchment.id', 'catchment_version.hash', 'catchment.hash as current'])
    .execute()
  for (const { id, hash, current } of versions) {
    const own = await files.folder(catchmentFolder(id, hash))
    const dir = own ?? (hash === current ? await files.folder(`catchments/${id}`) : null)
    if (dir === null || (await hashOf(dir)) !== hash) verifier.damage(`bassin versant ${id}`)
    await verifier.read(1, 0)
  }
}
