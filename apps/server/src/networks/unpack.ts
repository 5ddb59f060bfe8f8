import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NETWORK_FILES_MAX, NETWORK_UNPACKED_MAX, RadxError } from '@radx/contracts'
import { isZip, keptName, unzip } from '../http/unzip.ts'

export class UploadRefused extends RadxError {
  constructor(messageFr: string) {
    super('network.upload', 422, messageFr)
  }
}

/**
 * Puts an upload into a folder: an .inp as it is, a zip with the files that it holds, of any folder of it, by their names.
 * @param name of the upload
 * @returns name of the .inp in the folder, and of all files
 * @throws UploadRefused for a zip that is damaged, too large unpacked, or without exactly one .inp
 */
export async function unpack(
  path: string,
  name: string,
  dir: string,
): Promise<{ file: string; files: string[] }> {
  if (!(await isZip(path))) {
    const file = keptName(/\.inp$/i.test(name) ? name : `${name.replace(/\.[^.]*$/, '')}.inp`)
    await copyFile(path, join(dir, file))
    return { file, files: [file] }
  }
  const files = await unzip(path, dir, {
    files: NETWORK_FILES_MAX,
    bytes: NETWORK_UNPACKED_MAX,
    keep: 'Ne gardez que le réseau et sa pluie.',
    refuse: (message) => new UploadRefused(message),
  })
  const models = files.filter((one) => /\.inp$/i.test(one))
  if (models.length !== 1)
    throw new UploadRefused(
      models.length === 0
        ? 'Ce zip ne contient aucun fichier .inp. Mettez-y le réseau et les fichiers de pluie qu’il nomme.'
        : `Ce zip contient ${models.length} fichiers .inp (${models.slice(0, 3).join(', ')}…). N’en mettez qu’un.`,
    )
  return { file: models[0], files }
}
