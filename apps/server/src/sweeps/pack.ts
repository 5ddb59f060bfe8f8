import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { SweepFieldName } from '@radx/contracts/radar-volumes'

/**
 * What was worked out of a volume, in one file: `RXP1`, the length of the header and its CRC-32 (uint32 little-endian), the
 * header as JSON, then the fields, each a sweep bundle as zstd.
 */
const MAGIC = 'RXP1'
const PREFIX_BYTES = 12
const MAX_HEADER_BYTES = 16 * 2 ** 20
/** Files of one data folder together; the ones that were longest not looked at go first. */
const KEPT_BYTES = 2 ** 30
/** A file that is still being written is no older than this, ms. */
const WRITING_MS = 60 * 60_000

/** A field of a pack and where it lies. */
export interface PackedField extends SweepFieldName {
  /** Which sweep, from 0 on. */
  sweep: number
  offset: number
  length: number
  /** CRC-32 of its bytes as they lie there. */
  crc: number
}

interface PackHeader<About> {
  about: About
  fields: PackedField[]
}

/** A pack that can be read. */
export interface Pack<About> extends PackHeader<About> {
  /** Bytes of a field; null where they are damaged or gone. */
  read(field: PackedField): Promise<Buffer | null>
  /** Removes it, so that it is made anew. */
  drop(): Promise<void>
}

/** A field on its way into a pack. */
export interface FieldBytes extends SweepFieldName {
  sweep: number
  bytes: Uint8Array
}

export const packPath = (dataDir: string, name: string): string => join(packFolder(dataDir), name)
const packFolder = (dataDir: string): string => join(dataDir, 'sweeps')

/** Writes a pack in place of what had its name, and makes room for it. */
export async function writePack(
  dataDir: string,
  name: string,
  about: unknown,
  fields: readonly FieldBytes[],
  keptBytes = KEPT_BYTES,
): Promise<void> {
  const folder = packFolder(dataDir)
  await mkdir(folder, { recursive: true })
  let offset = 0
  const packed: PackedField[] = fields.map(({ bytes, ...field }) => {
    const at = { ...field, offset, length: bytes.length, crc: crc32(bytes) >>> 0 }
    offset += bytes.length
    return at
  })
  const header = Buffer.from(JSON.stringify({ about, fields: packed }))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.write(MAGIC, 'latin1')
  prefix.writeUInt32LE(header.length, 4)
  prefix.writeUInt32LE(crc32(header) >>> 0, 8)
  const coming = join(folder, `${name}.${randomUUID()}`)
  await writeFile(coming, [prefix, header, ...fields.map(({ bytes }) => bytes)])
  await rename(coming, packPath(dataDir, name))
  await makeRoom(folder, name, keptBytes)
}

/** A pack of that name; null when there is none, or a damaged one. */
export async function openPack<About>(dataDir: string, name: string): Promise<Pack<About> | null> {
  const path = packPath(dataDir, name)
  const prefix = await readAt(path, 0, PREFIX_BYTES)
  if (prefix?.toString('latin1', 0, 4) !== MAGIC) return null
  const length = prefix.readUInt32LE(4)
  const header = length > MAX_HEADER_BYTES ? null : await readAt(path, PREFIX_BYTES, length)
  if (header === null || crc32(header) >>> 0 !== prefix.readUInt32LE(8)) return null
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
  const { about, fields } = JSON.parse(header.toString()) as PackHeader<About>
  return {
    about,
    fields,
    async read({ offset, length: bytes, crc }) {
      const found = await readAt(path, PREFIX_BYTES + length + offset, bytes)
      return found !== null && crc32(found) >>> 0 === crc ? found : null
    },
    drop: () => rm(path, { force: true }),
  }
}

/** So many bytes of a file from a place on; null where it has not so many. */
async function readAt(path: string, position: number, length: number): Promise<Buffer | null> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return null
  try {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, position)
    return bytesRead === length ? buffer : null
  } finally {
    await file.close()
  }
}

/** Removes what was longest not looked at until the rest has room; never the one that was just written. */
async function makeRoom(folder: string, newest: string, keptBytes: number): Promise<void> {
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map(async (name) => {
      const info = await stat(join(folder, name)).catch(() => null)
      return info && { name, bytes: info.size, ms: info.mtimeMs }
    }),
  )
  const found = files.filter((file) => file !== null).sort((a, b) => b.ms - a.ms)
  let bytes = 0
  for (const file of found) {
    bytes += file.bytes
    const isComing = file.name.split('.').length > 2
    if (file.name === newest) continue
    if (isComing ? Date.now() - file.ms > WRITING_MS : bytes > keptBytes)
      await rm(join(folder, file.name), { force: true })
  }
}
