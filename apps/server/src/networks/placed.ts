import { readFile } from 'node:fs/promises'
import type { NetworkModel, NetworkPeaks } from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import type { FileStore } from '../store/file-store.ts'
import { openVersion, outputPath, type VersionFiles } from './files.ts'
import { geometryOf } from './model/geometry.ts'
import { placedIn } from './model/place.ts'
import { NETWORK_OUTPUT } from './outputs.ts'

/** A finished run, and the version that it was made of. */
export interface RunFiles {
  jobId: string
  of: VersionFiles
}

/** What a file says, its positions in degrees where their system is known. */
export const modelOf = (read: InpResult, crs: string | null): NetworkModel =>
  crs === null ? geometryOf(read) : placedIn(geometryOf(read), crs)

/** Nodes and links of a version. @throws NetworkFileGone, FormatError */
export const modelOfVersion = async (
  store: FileStore,
  version: VersionFiles,
  crs: string | null,
): Promise<NetworkModel> => modelOf(await openVersion(store, version, false), crs)

/** @throws NetworkFileGone */
export const peaksOfRun = async (
  store: FileStore,
  { jobId }: Pick<RunFiles, 'jobId'>,
): Promise<NetworkPeaks> =>
  JSON.parse(await readFile(await outputPath(store, jobId, NETWORK_OUTPUT.peaks), 'utf8'))
