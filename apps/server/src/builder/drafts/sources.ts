import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { draftFileFolder, type FileStore } from '../../store/file-store.ts'
import { checkFolder } from '../../store/folder-checksums.ts'
import { StoreCorruptError } from '../../store/frame-codec.ts'
import { DraftFileGone } from './errors.ts'

/** A file of a draft, as `builder_file` has it. */
export interface DraftFile {
  id: string
  name: string
}

/** Puts the files of a draft into a folder by their names, without copying what lies on the same disk. @throws DraftFileGone */
export async function gatherSources(
  store: FileStore,
  draftId: string,
  files: readonly DraftFile[],
  dir: string,
): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const { id, name } of files) {
    const folder = await store.folder(draftFileFolder(draftId, id))
    if (folder === null) throw new DraftFileGone(name)
    const from = join(folder, name)
    const to = join(dir, name)
    await link(from, to)
      .catch(() => copyFile(from, to))
      .catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new DraftFileGone(name) : error
      })
  }
}

/** Holds the files of a draft against their checksums. @throws DraftFileGone */
export async function checkSources(
  store: FileStore,
  draftId: string,
  files: readonly DraftFile[],
): Promise<void> {
  for (const { id, name } of files) {
    const folder = await store.folder(draftFileFolder(draftId, id))
    if (folder === null) throw new DraftFileGone(name)
    await checkFolder(folder, [name]).catch((error) => {
      throw error instanceof StoreCorruptError ? new DraftFileGone(name) : error
    })
  }
}

/** Has a folder of its own while work goes on, and nothing of it afterwards. */
export async function withFolder<T>(dataDir: string, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = join(dataDir, 'staging', `builder-${randomUUID()}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  try {
    return await work(dir)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
