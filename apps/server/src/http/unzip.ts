import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RadxError } from '@radx/contracts'
import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'

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

/** A name as files of an upload are kept under: letters, digits, `.`, `-` and `_` alone, of no folder, at most 100 long. */
export function keptName(name: string): string {
  const plain = basename(name.replaceAll('\\', '/'))
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '')
  const dot = plain.lastIndexOf('.')
  const end = dot > 0 ? plain.slice(dot).slice(0, 12) : ''
  const stem = dot > 0 ? plain.slice(0, dot) : plain
  return `${stem.slice(0, 100 - end.length) || 'fichier'}${end}`
}

/** Where a ratio begins to tell something: small files of one value are no bomb. */
const RATIO_FROM = 16 * 2 ** 20

/** What some systems add to a zip, and folders. */
const isLeftOut = (name: string): boolean =>
  name.endsWith('/') || name.split('/').some((part) => part === '__MACOSX' || /^\.[^.]/.test(part))

export interface UnzipLimits {
  files: number
  /** Of all files together once unpacked. */
  bytes: number
  /** Times that what was unpacked so far may be larger than what was read for it, from a few MiB on. */
  ratio?: number
  /** What to keep in a smaller zip, in words. */
  keep: string
  refuse(messageFr: string): RadxError
}

/**
 * Puts the files of a zip, of any folder of it, into a folder by their plain names. It is stopped while it grows past a limit.
 * @returns their names
 * @throws what `refuse` makes, for a zip that is damaged, too large, or has a name twice
 */
export async function unzip(path: string, dir: string, limits: UnzipLimits): Promise<string[]> {
  const { refuse, keep } = limits
  const files: string[] = []
  const open = new Map<string, number>()
  let announced = 0
  let bytes = 0
  let whole = 0
  let read = 0
  const tooLarge = () => refuse(`Ce zip tient plus de ${limits.bytes / 2 ** 20} Mio une fois ouvert. ${keep}`)
  const take = (file: UnzipFile) => {
    if (isLeftOut(file.name)) return
    // What says itself that it is too large is not even begun.
    announced += file.originalSize ?? 0
    if (announced > limits.bytes) throw tooLarge()
    const name = keptName(file.name)
    if (files.length >= limits.files)
      throw refuse(`Ce zip contient plus de ${limits.files} fichiers. ${keep}`)
    if (files.some((one) => one.toLowerCase() === name.toLowerCase()))
      throw refuse(`Ce zip contient deux fichiers qui s’appellent « ${name} ». Renommez l’un d’eux.`)
    files.push(name)
    const to = openSync(join(dir, name), 'wx', 0o600)
    open.set(name, to)
    file.ondata = (error, part, last) => {
      if (error) throw error
      bytes += part.length
      if (bytes > limits.bytes) throw tooLarge()
      if (limits.ratio !== undefined && bytes > RATIO_FROM && bytes > limits.ratio * read)
        throw refuse(
          `Ce zip grossit plus de ${limits.ratio} fois quand on l’ouvre : il n’est pas lu. ${keep}`,
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
    for await (const part of createReadStream(path, { highWaterMark: 65_536 })) {
      read += (part as Uint8Array).length
      zip.push(part as Uint8Array)
    }
    zip.push(new Uint8Array(0), true)
  } catch (error) {
    if (error instanceof RadxError || (error as NodeJS.ErrnoException).code === 'ENOSPC') throw error
    throw refuse('Ce zip est endommagé ou chiffré. Refaites-le, sans mot de passe.')
  } finally {
    for (const to of open.values()) closeSync(to)
  }
  if (whole < files.length) throw refuse('Ce zip est tronqué. Envoyez-le de nouveau.')
  return files
}
