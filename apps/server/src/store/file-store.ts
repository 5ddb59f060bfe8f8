import { constants, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { archiveFile, hashFile, takeOver } from './file-moves.ts'
import type { StorePlace } from './open-frame-store.ts'
import { Bucket } from './s3/bucket.ts'
import { S3FileStore } from './s3/s3-file-store.ts'

/**
 * Files that every machine must find: originals (`archive/...`), results of jobs, catchment packages.
 * Names are relative, with `/`. What a name holds does not change once others can know of it.
 */
export interface FileStore {
  /** Moves an original into the archive, never over another content. Durable when it resolves. */
  keepOriginal(from: string, name: string): Promise<void>
  /** SHA-256 of an archived original; null when there is none of that name. */
  originalHash(name: string): Promise<Buffer | null>
  /** Copies an archived original to a path. @returns false when there is none of that name */
  copyOriginal(name: string, to: string): Promise<boolean>
  /** Path of an archived original on this machine, fetched when it lies elsewhere; null when there is none. */
  original(name: string): Promise<string | null>
  /** Removes an archived original; one that is not there is no error. */
  removeOriginal(name: string): Promise<void>
  /** Moves a folder in, in place of what had its name. */
  putFolder(from: string, name: string): Promise<void>
  /** Path of a folder on this machine, fetched when it lies elsewhere; null when there is none. */
  folder(name: string): Promise<string | null>
  /** Removes a folder; one that is not there is no error. */
  removeFolder(name: string): Promise<void>
}

/** Path of an archived original whose content is still that of its SHA-256; null when it is gone or damaged. */
export async function soundOriginal(files: FileStore, name: string, hash: Buffer): Promise<string | null> {
  const path = await files.original(name)
  return path !== null && (await hashFile(path)).equals(hash) ? path : null
}

/** Folder of a catchment package: a changed package is another one, so that what reads the former goes on. */
export const catchmentFolder = (id: string, hash: string): string => `catchments/${id}-${hash.slice(0, 16)}`

/** Folder of a version of a network, and that of all its versions. */
export const networkFolder = (id: string, version: number): string => `${networkHome(id)}/${version}`
export const networkHome = (id: string): string => `networks/${id}`

/** Folder of a file of a draft of a catchment, and that of all its files. */
export const draftFileFolder = (draftId: string, fileId: string): string => `${draftHome(draftId)}/${fileId}`
export const draftHome = (draftId: string): string => `drafts/${draftId}`

/** Any thread can open its own. */
export const openFileStore = ({ dataDir, objectStore }: StorePlace): FileStore =>
  objectStore === null
    ? new LocalFileStore(dataDir)
    : new S3FileStore(new Bucket(objectStore), join(dataDir, 'cache'))

/** The files lie in the data folder itself, which several machines share. */
class LocalFileStore implements FileStore {
  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  keepOriginal(from: string, name: string): Promise<void> {
    return archiveFile(from, join(this.root, 'archive', name))
  }

  async originalHash(name: string): Promise<Buffer | null> {
    const path = await this.original(name)
    return path === null ? null : hashFile(path)
  }

  async copyOriginal(name: string, to: string): Promise<boolean> {
    const path = await this.original(name)
    if (path === null) return false
    await copyFile(path, to, constants.COPYFILE_FICLONE)
    return true
  }

  original(name: string): Promise<string | null> {
    return existing(join(this.root, 'archive', name))
  }

  removeOriginal(name: string): Promise<void> {
    return rm(join(this.root, 'archive', name), { force: true })
  }

  async putFolder(from: string, name: string): Promise<void> {
    const to = join(this.root, name)
    await mkdir(dirname(to), { recursive: true })
    await takeOver(from)
    await rm(to, { recursive: true, force: true })
    await rename(from, to)
  }

  folder(name: string): Promise<string | null> {
    return existing(join(this.root, name))
  }

  removeFolder(name: string): Promise<void> {
    return rm(join(this.root, name), { recursive: true, force: true })
  }
}

const existing = (path: string): Promise<string | null> =>
  stat(path).then(
    () => path,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
      return null
    },
  )
