import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { StoreCorruptError } from './frame-codec.ts'

/** As for codes: a level that ingest can pay, and a checksum that its reader looks at. */
const ZSTD_OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** A plane of qualities (a byte a cell) as one zstd frame with a content checksum. */
export const packQuality = (bytes: Uint8Array): Buffer => zstdCompressSync(bytes, ZSTD_OPTIONS)

/**
 * The plane back from `packQuality`.
 * @throws StoreCorruptError when the bytes are torn, altered or of another length
 */
export function unpackQuality(packed: Uint8Array, cells: number): Uint8Array {
  let bytes: Buffer
  try {
    bytes = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, cells) })
  } catch (cause) {
    throw new StoreCorruptError('qualité illisible', cause)
  }
  if (bytes.length !== cells)
    throw new StoreCorruptError(`qualité de ${bytes.length} cellules au lieu de ${cells}`)
  return bytes
}
