import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { draftFileFolder } from '../../store/file-store.ts'
import type { Store } from '../../store/open-store.ts'
import type { Verifier } from '../../store/verify.ts'
import { verifyFolder } from '../../store/verify-files.ts'
import './tables.ts'

/** Holds the files of every draft against their checksums. */
export async function verifyDrafts(db: Kysely<Database>, store: Store, verifier: Verifier): Promise<void> {
  const files = await db.selectFrom('builder_file').select(['id', 'draft_id', 'name']).execute()
  for (const { id, draft_id, name } of files) {
    const folder = draftFileFolder(draft_id, id)
    if ((await store.files.folder(folder)) === null)
      verifier.damage(`bassin en construction, fichier ${name} : il manque`)
    else await verifyFolder(store, folder, verifier)
  }
}
