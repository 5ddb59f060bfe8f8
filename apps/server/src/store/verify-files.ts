import { stat } from 'node:fs/promises'
import { hashFile } from './file-moves.ts'
import { checkFolder, sealFolder } from './folder-checksums.ts'
import { StoreCorruptError } from './frame-codec.ts'
import type { Store } from './open-store.ts'
import type { Verifier } from './verify.ts'

const AT_A_TIME = 500

/** Holds every archived original against the SHA-256 that it came with. What is damaged here is lost. */
export async function verifyOriginals({ context, files }: Store, verifier: Verifier): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await context.db
      .selectFrom('source_file')
      .select(['archive_path', 'hash'])
      .where('archive_path', 'is not', null)
      .where('archive_path', '>', after)
      .orderBy('archive_path')
      .limit(AT_A_TIME)
      .execute()
    if (rows.length === 0) return
    for (const { archive_path, hash } of rows) {
      const name = archive_path as string
      after = name
      const path = await files.original(name)
      if (path === null) verifier.damage(`original ${name} : il manque`)
      else if (!(await hashFile(path)).equals(hash)) verifier.damage(`original ${name}`)
      await verifier.read(1, path === null ? 0 : (await stat(path)).size)
    }
  }
}

/** Holds the folder of a finished job against its checksums; one without any gets them. */
export async function verifyFolder({ files }: Store, name: string, verifier: Verifier): Promise<void> {
  const dir = await files.folder(name)
  // Exports may be deleted; a run says itself that its result is gone.
  if (dir === null) return
  try {
    const { sealed, bytes } = await checkFolder(dir)
    if (!sealed) {
      await sealFolder(dir)
      verifier.report.sealed++
    }
    await verifier.read(1, bytes)
  } catch (error) {
    if (!(error instanceof StoreCorruptError)) throw error
    verifier.damage(`${name} : ${error.details.what}`)
  }
}
