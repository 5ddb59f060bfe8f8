import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { StoreCorruptError } from '../store/frame-codec.ts'

/** One zstd frame with its checksum a part. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } }

/** Bytes of values, compressed; whoever unpacks them knows how many there are. */
export const pack = (values: ArrayBufferView): Buffer =>
  zstdCompressSync(Buffer.from(values.buffer, values.byteOffset, values.byteLength), ZSTD)

/** @throws StoreCorruptError for other bytes than those that were packed */
export function unpack(part: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  try {
    const raw = zstdDecompressSync(part, { maxOutputLength: Math.max(1, length) })
    // Its own buffer: views of wider values need their alignment.
    if (raw.length === length) return new Uint8Array(raw)
  } catch (cause) {
    throw new StoreCorruptError('prévision d’inondation illisible', cause)
  }
  throw new StoreCorruptError('prévision d’inondation de longueur inattendue')
}

export const unpack16 = (part: Uint8Array, count: number): Uint16Array =>
  new Uint16Array(unpack(part, 2 * count).buffer)
export const unpackFloats = (part: Uint8Array, count: number): Float32Array =>
  new Float32Array(unpack(part, 4 * count).buffer)

/** Where each of some parts ends. */
export function endsOf(parts: readonly Uint8Array[]): number[] {
  let end = 0
  return parts.map((part) => {
    end += part.length
    return end
  })
}

/** Part `k` of the bytes of a file. */
export const partAt = (bytes: Uint8Array, ends: readonly number[], k: number): Uint8Array =>
  bytes.subarray(k === 0 ? 0 : ends[k - 1], ends[k])
