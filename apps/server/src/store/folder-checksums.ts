import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { StoreCorruptError } from './frame-codec.ts'

/** Lies beside the files of a folder and tells of each how long it is and its CRC-32. */
export const CHECKSUMS = 'checksums.json'

const checksumsSchema = z.record(z.string(), z.object({ bytes: z.int(), crc32: z.int() }))
type Checksums = z.infer<typeof checksumsSchema>

/** Writes down the checksums of the files of a folder, those of its folders left out. */
export async function sealFolder(dir: string): Promise<void> {
  const checksums: Checksums = {}
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isFile() && entry.name !== CHECKSUMS)
      checksums[entry.name] = await checksumOf(join(dir, entry.name))
  await writeFile(join(dir, CHECKSUMS), JSON.stringify(checksums))
}

/**
 * Holds files of a folder against their checksums. A folder without any, from before there were some, is believed;
 * a file that does not exist is its reader's to tell.
 * @param names the files to look at; all that have a checksum by default
 * @throws StoreCorruptError that names the file
 */
export async function checkFolder(
  dir: string,
  names?: readonly string[],
): Promise<{ sealed: boolean; bytes: number }> {
  const checksums = await readChecksums(dir)
  if (checksums === null) return { sealed: false, bytes: 0 }
  let bytes = 0
  for (const name of names ?? Object.keys(checksums)) {
    const found = await checksumOf(join(dir, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return null
    })
    if (found === null && names !== undefined) continue
    const known = Object.hasOwn(checksums, name) ? checksums[name] : undefined
    if (found === null || found.bytes !== known?.bytes || found.crc32 !== known.crc32)
      throw new StoreCorruptError(`le fichier ${name} n'est plus celui qui a été écrit`)
    bytes += found.bytes
  }
  return { sealed: true, bytes }
}

async function readChecksums(dir: string): Promise<Checksums | null> {
  const text = await readFile(join(dir, CHECKSUMS), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (text === null) return null
  try {
    return checksumsSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new StoreCorruptError(`${CHECKSUMS} est illisible`, cause)
  }
}

async function checksumOf(path: string): Promise<{ bytes: number; crc32: number }> {
  let bytes = 0
  let crc = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    crc = crc32(chunk as Buffer, crc)
    bytes += (chunk as Buffer).length
  }
  return { bytes, crc32: crc >>> 0 }
}
