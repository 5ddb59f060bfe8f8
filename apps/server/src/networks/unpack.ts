import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import { NETWORK_FILES_MAX, NETWORK_UNPACKED_MAX, RadxError } from '@radx/contracts'
import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'
import { keptName } from './side-files.ts'

export class UploadRefused extends RadxError {
  constructor(messageFr: string) {
    super('network.upload', 422, messageFr)
  }
}

/** "PK" and what begins a file of a zip, or ends an empty one. */
const ZIP = [0x504b0304, 0x504b0506]

export const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const head = Buffer.alloc(4)
    const { bytesRead } = await file.read(head, 0, 4, 0)
    return bytesRead === 4 && ZIP.includes(head.readUInt32BE(0))
  } finally {
    await file.close()
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
  const files = await unzip(path, dir)
  const models = files.filter((one) => /\.inp$/i.test(one))
  if (models.length !== 1)
    throw new UploadRefused(
      models.length === 0
        ? 'Ce zip ne contient aucun fichier .inp. Mettez-y le réseau et les fichiers de pluie qu’il nomme.'
        : `Ce zip contient ${models.length} fichiers .inp (${models.slice(0, 3).join(', ')}…). N’en mettez qu’un.`,
    )
  return { file: models[0], files }
}

/** What some systems add to a zip, and folders. */
const isLeftOut = (name: string): boolean =>
  name.endsWith('/') || name.split('/').some((part) => part === '__MACOSX' || /^\.[^.]/.test(part))

async function unzip(path: string, dir: string): Promise<string[]> {
  const files: string[] = []
  const open = new Map<string, number>()
  let bytes = 0
  let whole = 0
  const take = (file: UnzipFile) => {
    if (isLeftOut(file.name)) return
    const name = keptName(file.name)
    if (files.length >= NETWORK_FILES_MAX)
      throw new UploadRefused(
        `Ce zip contient plus de ${NETWORK_FILES_MAX} fichiers. Ne gardez que le réseau et sa pluie.`,
      )
    if (files.some((one) => one.toLowerCase() === name.toLowerCase()))
      throw new UploadRefused(
        `Ce zip contient deux fichiers qui s’appellent « ${name} ». Renommez l’un d’eux.`,
      )
    files.push(name)
    const to = openSync(join(dir, name), 'wx', 0o600)
    open.set(name, to)
    file.ondata = (error, part, last) => {
      if (error) throw error
      bytes += part.length
      if (bytes > NETWORK_UNPACKED_MAX)
        throw new UploadRefused(
          `Ce zip tient plus de ${NETWORK_UNPACKED_MAX / 2 ** 20} Mio une fois ouvert. Ne gardez que le réseau et sa pluie.`,
        )
      writeSync(to, part)
      if (!last) return
      closeSync(to)
      open.delete(name)
      whole++
    }
    file.start()
  }
  const zip = new Unzip(take)
  zip.register(UnzipInflate)
  try {
    for await (const part of createReadStream(path, { highWaterMark: 65_536 })) zip.push(part as Uint8Array)
    zip.push(new Uint8Array(0), true)
  } catch (error) {
    if (error instanceof RadxError || (error as NodeJS.ErrnoException).code === 'ENOSPC') throw error
    throw new UploadRefused('Ce zip est endommagé ou chiffré. Refaites-le, sans mot de passe.')
  } finally {
    for (const to of open.values()) closeSync(to)
  }
  if (whole < files.length) throw new UploadRefused('Ce zip est tronqué. Envoyez-le de nouveau.')
  return files
}
