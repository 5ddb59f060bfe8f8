import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { InpResult } from '@radx/formats/inp/read'
import { jobOutput } from '../jobs/api.ts'
import { type FileStore, networkFolder } from '../store/file-store.ts'
import { checkFolder } from '../store/folder-checksums.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import { NetworkFileGone } from './errors.ts'
import { loadModel } from './model/load.ts'
import { sideFiles } from './side-files.ts'

/** A version and its files, as `network_version` has them. */
export interface VersionFiles {
  networkId: string
  version: number
  file: string
  files: readonly string[]
}

/** Folder of a version on this machine, its files held against their checksums. @throws NetworkFileGone */
export async function versionDir(
  store: FileStore,
  { networkId, version, file }: Pick<VersionFiles, 'networkId' | 'version' | 'file'>,
  names?: readonly string[],
): Promise<string> {
  const dir = await store.folder(networkFolder(networkId, version))
  if (dir === null) throw new NetworkFileGone(file)
  await checked(dir, names)
  return dir
}

/** The model of a version. @throws NetworkFileGone, FormatError */
export async function openVersion(store: FileStore, of: VersionFiles, runoff: boolean): Promise<InpResult> {
  const dir = await versionDir(store, of)
  return loadModel(join(dir, of.file), runoff, sideFiles(dir, of.files))
}

/** Path of a file of a finished run, held against its checksum. @throws NetworkFileGone */
export async function outputPath(store: FileStore, jobId: string, name: string): Promise<string> {
  const dir = await store.folder(jobOutput(jobId))
  const path = dir && join(dir, name)
  if (dir === null || path === null || !(await stat(path).catch(() => null))) throw new NetworkFileGone(name)
  await checked(dir, [name])
  return path
}

async function checked(dir: string, names?: readonly string[]): Promise<void> {
  try {
    await checkFolder(dir, names)
  } catch (error) {
    if (!(error instanceof StoreCorruptError)) throw error
    throw new NetworkFileGone(names?.[0] ?? String(error.details.what))
  }
}
