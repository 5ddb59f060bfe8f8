import { inflateRawSync } from 'node:zlib'
import { LIMITS, ShapefileError } from './errors.ts'

const END_SIGNATURE = 0x06054b50
const END_BYTES = 22
const COMMENT_MAX = 0xffff
const ENTRY_SIGNATURE = 0x02014b50
const STORED = 0
const DEFLATED = 8

/**
 * Files of a zip archive by path, each only as far as wanted. What is inflated counts against one
 * budget while it is inflated, so that a small archive cannot grow without bound. (The reader inside
 * shpjs has no such bound, and never ends on an archive whose tail is cut off.)
 * @throws ShapefileError `zip`, `zip-size`, `zip-entries`
 */
export function unzip(bytes: Uint8Array, wanted: (path: string) => boolean): Map<string, Uint8Array> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return readEntries(archive, wanted)
  } catch (cause) {
    if (cause instanceof ShapefileError) throw cause
    throw new ShapefileError('zip', "L'archive zip est endommagée ou chiffrée. La refaire, puis réessayer.", {
      reason: String(cause),
    })
  }
}

function readEntries(archive: Buffer, wanted: (path: string) => boolean): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  const end = endOfDirectory(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > LIMITS.zipEntries)
    throw new ShapefileError(
      'zipEntries',
      `L'archive contient plus de ${LIMITS.zipEntries} fichiers. N'y laisser que ceux d'une couche.`,
    )
  let at = archive.readUInt32LE(end + 16)
  let budget: number = LIMITS.unpackedBytes
  for (let i = 0; i < count; i++) {
    if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error(`no directory entry at ${at}`)
    const nameLength = archive.readUInt16LE(at + 28)
    const path = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (wanted(path)) {
      const content = readEntry(archive, at, budget)
      budget -= content.length
      files.set(path, content)
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

/** The directory's end stands last, before a comment of at most 64 kiB. */
function endOfDirectory(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - END_BYTES - COMMENT_MAX)
  for (let at = archive.length - END_BYTES; at >= lowest; at--)
    if (archive.readUInt32LE(at) === END_SIGNATURE) return at
  throw new Error('no end of central directory')
}

function readEntry(archive: Buffer, at: number, budget: number): Uint8Array {
  if (archive.readUInt16LE(at + 8) & 1) throw new Error('encrypted')
  const method = archive.readUInt16LE(at + 10)
  const packedLength = archive.readUInt32LE(at + 20)
  const local = archive.readUInt32LE(at + 42)
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  if (start + packedLength > archive.length) throw new Error('entry leaves the archive')
  const packed = archive.subarray(start, start + packedLength)
  if (method === STORED) return packed
  if (method !== DEFLATED) throw new Error(`method ${method}`)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, budget) })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw cause
    throw new ShapefileError(
      'zipSize',
      `L'archive dépasse ${LIMITS.unpackedBytes / 1024 / 1024} Mio une fois décompressée. N'y laisser qu'une couche, simplifiée si besoin.`,
    )
  }
}
