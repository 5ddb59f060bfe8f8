import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { NOWCAST_CHANCES_MM_H } from '@radx/contracts'
import type { MotionField } from '@radx/motion/motion-field'
import { packCodes, StoreCorruptError, unpackCodes } from '../../store/frame-codec.ts'
import { motionBytes, readMotion } from '../../store/moved/motion-bytes.ts'
import { CHANCE_MISSING, QUANTILES } from '../made/members.ts'

/** Parts of a file, one zstd frame with its checksum each. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } }

const pack = (bytes: Uint8Array): Buffer => zstdCompressSync(bytes, ZSTD)

function unpack(bytes: Uint8Array, length: number): Uint8Array {
  try {
    const raw = zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length) })
    if (raw.length === length) return raw
  } catch (cause) {
    throw new StoreCorruptError('prévision illisible', cause)
  }
  throw new StoreCorruptError('prévision de longueur inattendue')
}

/** A deterministic forecast as it is kept: the motion, then the rate codes of each lead. */
export const pictureParts = (motion: MotionField, codes: readonly Uint16Array[]): Uint8Array[] => [
  pack(motionBytes(motion)),
  ...codes.map((field) => packCodes(field)),
]

export function readPictures(
  parts: readonly Uint8Array[],
  steps: number,
): { motion: MotionField; codes: Uint16Array[] } {
  const [motion, ...fields] = parts
  return { motion: motionOf(motion, steps), codes: fields.map((bytes) => unpackCodes(bytes, steps * steps)) }
}

function motionOf(part: Uint8Array, steps: number): MotionField {
  try {
    return readMotion(zstdDecompressSync(part, { maxOutputLength: 8 * steps * steps + 64 }), steps)
  } catch (cause) {
    throw new StoreCorruptError('mouvement illisible', cause)
  }
}

/** Fields of a byte a cell: for each lead the chances by threshold, then the quantiles; last the members over windows. */
export const memberParts = (
  chances: Uint8Array[][],
  quantiles: Uint8Array[][],
  windows: readonly Uint16Array[] = [],
): Uint8Array[] => [
  ...chances.flatMap((own, lead) => [...own, ...quantiles[lead]].map(pack)),
  ...windows.map((codes) => packCodes(codes)),
]

/** Parts of each lead in a file of members: chances first. */
export const partsOfLead = NOWCAST_CHANCES_MM_H.length + QUANTILES.length
/** Rate codes of members over a window. */
export const readWindow = (part: Uint8Array, length: number): Uint16Array => unpackCodes(part, length)
export const readField = (part: Uint8Array, steps: number): Uint8Array => unpack(part, steps * steps)

/** Probabilities of parts, 0 to 1, NaN missing. */
export const chanceFields = (parts: readonly Uint8Array[], steps: number): Float32Array[] =>
  parts.map((part) =>
    Float32Array.from(readField(part, steps), (percent) =>
      percent === CHANCE_MISSING ? Number.NaN : percent / 100,
    ),
  )

const inflate = promisify(zstdDecompress)

/** A cell of a packed field of a byte each, off the event loop. */
export async function byteAt(part: Uint8Array, index: number): Promise<number> {
  return (await inflated(part))[index]
}

/** A cell of packed rate codes (`packCodes`: all low bytes, then all high ones). */
export async function codeAt(part: Uint8Array, index: number): Promise<number> {
  const bytes = await inflated(part)
  return bytes[index] | (bytes[(bytes.length >> 1) + index] << 8)
}

async function inflated(part: Uint8Array): Promise<Uint8Array> {
  try {
    return await inflate(part)
  } catch (cause) {
    throw new StoreCorruptError('prévision illisible', cause)
  }
}
