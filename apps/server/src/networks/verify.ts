import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { networkFolder } from '../store/file-store.ts'
import type { Store } from '../store/open-store.ts'
import type { Verifier } from '../store/verify.ts'
import { verifyFolder } from '../store/verify-files.ts'

/** Holds the files of every version of every network against their checksums. */
export async function verifyNetworks(db: Kysely<Database>, store: Store, verifier: Verifier): Promise<void> {
  const versions = await db
    .selectFrom('network_version')
    .innerJoin('network', 'network.id', 'network_version.network_id')
    .select(['network.id', 'network.name', 'network_version.version'])
    .execute()
  for (const { id, name, version } of versions) {
    const folder = networkFolder(id, version)
    if ((await store.files.folder(folder)) === null)
      verifier.damage(`réseau ${name}, version ${version} : il manque`)
    else await verifyFolder(store, folder, verifier)
  }
}
