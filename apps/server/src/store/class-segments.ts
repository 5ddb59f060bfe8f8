import {
  constants,
  crc32,
  deflateRawSync,
  inflateRawSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'

/**
 * Class blocks are compressed once, at ingest, in a form that can be concatenated: a bundle's answer
 * is then a header followed by stored bytes. docs/decisions/0020-class-bundle-encoding.md has the
 * measurements.
 *
 * - zstd: a body may be several zstd frames (RFC 8878 §3.1); Chromium reads on.
 * - gzip: several gzip members do NOT work (Chromium silently stops after the first), so that each
 *   block is kept as deflate blocks that end on a byte boundary and are not final; all of them under
 *   one gzip header, with one combined CRC, are a valid member.
 */
export interface ClassSegment {
  zstd: Uint8Array
  deflate: Uint8Array
  /** CRC-32 of the block before compression. */
  crc: number
}

/** CRC-32 of a segment as it is stored: its zstd bytes and then its deflate bytes. */
export const segmentCheck = ({ zstd, deflate }: Pick<ClassSegment, 'zstd' | 'deflate'>): number =>
  crc32(deflate, crc32(zstd)) >>> 0

/** Whether both forms of a segment hold the block whose CRC-32 it tells: for segments stored without a check. */
export function isSoundSegment({ zstd, deflate, crc }: ClassSegment, blockBytes: number): boolean {
  const limit = { maxOutputLength: blockBytes }
  try {
    const blocks = [
      zstdDecompressSync(zstd, limit),
      inflateRawSync(Buffer.concat([deflate, DEFLATE_END]), limit),
    ]
    return blocks.every((block) => block.length === blockBytes && crc32(block) >>> 0 === crc)
  } catch {
    return false
  }
}

/** Measured on 80 frames with rain: level 1 is as quick as 3 and 1 % smaller. */
const ZSTD_OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** A window of 8 kB is no larger in the result and takes a quarter of the memory, frame after frame. */
const DEFLATE_OPTIONS = { level: 4, windowBits: 13, memLevel: 7, finishFlush: constants.Z_FULL_FLUSH }

/** Compresses bytes both ways, ready for concatenation. */
export function toSegment(bytes: Uint8Array): ClassSegment {
  return {
    zstd: zstdCompressSync(bytes, ZSTD_OPTIONS),
    deflate: deflateRawSync(bytes, DEFLATE_OPTIONS),
    crc: crc32(bytes) >>> 0,
  }
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty final block with fixed codes. */
const DEFLATE_END = Buffer.from([0x03, 0x00])

/**
 * Combines CRC-32 values of byte strings into that of their concatenation (Mark Adler's method in
 * zlib's crc32_combine: multiplication by x^(8 n) modulo the CRC polynomial in GF(2)).
 * One instance serves one length of the appended string, since its matrix is computed once.
 */
export class CrcAppender {
  private readonly matrix: Uint32Array

  /** @param length bytes of every string that will be appended */
  constructor(length: number) {
    // The operator that advances a CRC by one zero bit, squared until it stands for `length` bytes.
    let power = new Uint32Array(32)
    power[0] = 0xedb88320
    for (let n = 1; n < 32; n++) power[n] = 1 << (n - 1)
    for (let k = 0; k < 3; k++) power = multiply(power, power)
    let result: Uint32Array | null = null
    for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) result = result === null ? power.slice() : multiply(power, result)
      power = multiply(power, power)
    }
    this.matrix = result ?? Uint32Array.from({ length: 32 }, (_, n) => 1 << n)
  }

  /** CRC of `a ++ b` from the CRC of `a` and that of `b`, which has this appender's length. */
  append(crcA: number, crcB: number): number {
    return (apply(this.matrix, crcA) ^ crcB) >>> 0
  }
}

function apply(matrix: Uint32Array, vector: number): number {
  let sum = 0
  for (let n = 0, rest = vector >>> 0; rest !== 0; rest >>>= 1, n++) if (rest & 1) sum ^= matrix[n]
  return sum >>> 0
}

function multiply(a: Uint32Array, b: Uint32Array): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(b, (column) => apply(a, column))
}

export type BundleEncoding = 'zstd' | 'gzip'

/** Parts are gathered to about this many bytes: a write of a few kB each costs more than the bytes. */
const CHUNK_BYTES = 64 * 1024

/**
 * A bundle's body from its header and stored segments, as they come.
 * @param blockBytes length of one block before compression
 */
export async function* bundleBody(
  header: Uint8Array,
  segments: AsyncIterable<ClassSegment>,
  blockBytes: number,
  encoding: BundleEncoding,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const part of encoding === 'zstd'
    ? zstdParts(header, segments)
    : gzipParts(header, segments, blockBytes)) {
    gathered.push(part)
    size += part.length
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}

async function* zstdParts(header: Uint8Array, segments: AsyncIterable<ClassSegment>) {
  yield zstdCompressSync(header, ZSTD_OPTIONS)
  for await (const { zstd } of segments) yield zstd
}

async function* gzipParts(header: Uint8Array, segments: AsyncIterable<ClassSegment>, blockBytes: number) {
  const appender = new CrcAppender(blockBytes)
  let crc = crc32(header) >>> 0
  let length = header.length
  yield GZIP_HEADER
  yield deflateRawSync(header, DEFLATE_OPTIONS)
  for await (const segment of segments) {
    yield segment.deflate
    crc = appender.append(crc, segment.crc)
    length += blockBytes
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  yield DEFLATE_END
  yield trailer
}
