import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { RadxError } from '@radx/contracts'
import { inflateRow, LEAST_CHUNK } from './inflate-all.ts'

/** Level 3 takes twice the time of level 1 for 5 % on radar codes with shuffled bytes, and ingest pays it. */
const ZSTD_OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Bytes of the store that do not hold what the index says. */
export class StoreCorruptError extends RadxError {
  override readonly name = 'StoreCorruptError'
  constructor(what: string, cause?: unknown) {
    super(
      'store.corrupt',
      500,
      `Le magasin d'images est endommagé (${what}). Lancez « radx rebuild » pour le refaire depuis les fichiers archivés.`,
      { cause, details: { what } },
    )
  }
}

/**
 * Splits 16-bit codes into their low bytes followed by their high bytes: rain codes are mostly small,
 * so that the high half compresses to almost nothing.
 */
function shuffle(codes: Uint16Array, out = new Uint8Array(2 * codes.length)): Uint8Array {
  const n = codes.length
  let i = 0
  if (n % 4 === 0 && codes.byteOffset % 4 === 0 && out.byteOffset % 4 === 0) {
    // Four codes at a time, a third of the time: words of two codes in, four low and four high bytes out.
    const words = new Uint32Array(codes.buffer, codes.byteOffset, n / 2)
    const low = new Uint32Array(out.buffer, out.byteOffset, n / 4)
    const high = new Uint32Array(out.buffer, out.byteOffset + n, n / 4)
    for (let k = 0; k < low.length; k++) {
      const a = words[2 * k]
      const b = words[2 * k + 1]
      low[k] = (a & 0xff) | ((a >>> 8) & 0xff00) | ((b & 0xff) << 16) | ((b << 8) & 0xff000000)
      high[k] = ((a >>> 8) & 0xff) | ((a >>> 16) & 0xff00) | ((b << 8) & 0xff0000) | (b & 0xff000000)
    }
    i = n
  }
  for (; i < n; i++) {
    out[i] = codes[i] & 0xff
    out[n + i] = codes[i] >>> 8
  }
  return out
}

/** Inverse of `shuffle` for the codes [from, to). `bytes` has an even length. */
function unshuffle(
  bytes: Uint8Array,
  from = 0,
  to = bytes.length >> 1,
  out: Uint16Array = new Uint16Array(to - from),
): Uint16Array {
  const n = bytes.length >> 1
  let i = from
  if (n % 4 === 0 && (bytes.byteOffset + from) % 4 === 0) {
    // As in `shuffle`: four low and four high bytes in, words of two codes out.
    const words = (to - from) >> 2
    const low = new Uint32Array(bytes.buffer, bytes.byteOffset + from, words)
    const high = new Uint32Array(bytes.buffer, bytes.byteOffset + n + from, words)
    const codes = new Uint32Array(out.buffer, out.byteOffset, 2 * words)
    for (let k = 0; k < words; k++) {
      const l = low[k]
      const h = high[k]
      codes[2 * k] = (l & 0xff) | ((h & 0xff) << 8) | ((l & 0xff00) << 8) | ((h & 0xff00) << 16)
      codes[2 * k + 1] =
        ((l >>> 16) & 0xff) | ((h >>> 8) & 0xff00) | ((l >>> 8) & 0xff0000) | (h & 0xff000000)
    }
    i += 4 * words
  }
  for (; i < to; i++) out[i - from] = bytes[i] | (bytes[n + i] << 8)
  return out
}

/** Room for one shuffled frame: a new one for every frame taken in keeps the garbage collector busy. */
let scratch = new Uint8Array()

/** Codes of any shape to one zstd frame with a content checksum. */
export function packCodes(codes: Uint16Array): Buffer {
  if (scratch.length !== 2 * codes.length) scratch = new Uint8Array(2 * codes.length)
  return zstdCompressSync(shuffle(codes, scratch), ZSTD_OPTIONS)
}

/**
 * Codes back from `packCodes`.
 * @param count how many codes there must be
 * @param into room for them; default new
 * @throws StoreCorruptError when the bytes are torn, altered or of another length
 */
export function unpackCodes(bytes: Uint8Array, count: number, into?: Uint16Array): Uint16Array {
  return unshuffle(inflate(bytes, count), 0, count, into)
}

/**
 * What `packCodes` made of `count` codes before they are codes again: their low bytes, then their high ones.
 * @throws StoreCorruptError as `unpackCodes`
 */
export const openCodes = (bytes: Uint8Array, count: number): Uint8Array => inflate(bytes, count)

/** Some of what `packCodes` made of `count` codes. */
export interface PackedParts {
  bytes: Uint8Array
  /** Where each part begins. */
  starts: readonly number[]
}

/**
 * Parts of `length` codes of several `packCodes`, `count` codes each; all bytes are looked at. They are opened together:
 * opening the decoder anew for each takes longer than what it does.
 * @returns an array a part, of each
 * @throws StoreCorruptError as `unpackCodes`
 */
export function unpackParts(packed: readonly PackedParts[], count: number, length: number): Uint16Array[][] {
  const size = 2 * count
  const perBatch = Math.max(1, Math.floor(TOGETHER_BYTES / size))
  const out: Uint16Array[][] = []
  for (let from = 0; from < packed.length; from += perBatch) {
    const batch = packed.slice(from, from + perBatch)
    const raw =
      batch.length > 1
        ? inflateRow(
            batch.map(({ bytes }) => bytes),
            size,
          )
        : null
    for (const [k, { bytes, starts }] of batch.entries()) {
      const own = raw === null ? inflate(bytes, count) : raw.subarray(k * size, (k + 1) * size)
      out.push(starts.map((start) => unshuffle(own, start, start + length)))
    }
  }
  return out
}

/** Most that is opened together. */
const TOGETHER_BYTES = 4 * 2 ** 20

/**
 * Codes of several `packCodes` that stand one after another, `count` each; see `unpackParts`.
 * @param ends where each ends
 * @throws StoreCorruptError as `unpackCodes`
 */
export function unpackAll(bytes: Uint8Array, ends: readonly number[], count: number): Uint16Array[] {
  const packed = ends.map((end, k) => ({
    bytes: bytes.subarray(k > 0 ? ends[k - 1] : 0, end),
    starts: [0],
  }))
  return unpackParts(packed, count, count).map(([codes]) => codes)
}

function inflate(bytes: Uint8Array, count: number): Buffer {
  const length = 2 * count
  let raw: Buffer
  try {
    // Room for all of it at once: pieces that are put together take twice the time.
    raw = zstdDecompressSync(bytes, {
      maxOutputLength: Math.max(1, length),
      chunkSize: Math.max(LEAST_CHUNK, length + 1),
    })
  } catch (cause) {
    throw new StoreCorruptError('bloc illisible', cause)
  }
  if (raw.length !== length) throw new StoreCorruptError(`${raw.length} octets au lieu de ${length}`)
  return raw
}
