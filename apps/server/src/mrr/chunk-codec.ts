import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { StoreCorruptError } from '../store/frame-codec.ts'

/** Variables that are kept of a profile. */
export const KEPT = ['LWC', 'RR', 'Ze', 'VEL'] as const
export type Kept = (typeof KEPT)[number]

/** Profiles of one hour of one file. */
export interface MrrChunk {
  /** ms since 1970 UTC, ascending. */
  timesMs: number[]
  /** Centres of the gates above the instrument, m, rising. */
  heightsM: number[]
  /** `[profile * gates + gate]`, gate 0 lowest; NaN = nothing seen. A variable may be absent. */
  variables: Partial<Record<Kept, Float32Array>> & { LWC: Float32Array }
}

/** Level 6 takes five times as long for 2 % less. */
const ZSTD_LEVEL = 1
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** An hour of 10 s profiles with 1,024 gates and four variables stays below. */
const MAX_BYTES = 64 * 2 ** 20

/** Bytes of the same weight side by side: floats of one kind then share their leading bytes. */
function shuffleFloats(values: Float32Array, out: Uint8Array): void {
  const count = values.length
  const words = new Uint32Array(values.buffer, values.byteOffset, count)
  for (let i = 0; i < count; i++) {
    const word = words[i]
    out[i] = word
    out[count + i] = word >>> 8
    out[2 * count + i] = word >>> 16
    out[3 * count + i] = word >>> 24
  }
}

function unshuffleFloats(bytes: Uint8Array, count: number): Float32Array {
  const values = new Float32Array(count)
  const out = new Uint8Array(values.buffer)
  for (let plane = 0; plane < 4; plane++)
    for (let i = 0; i < count; i++) out[4 * i + plane] = bytes[plane * count + i]
  return values
}

/** zstd of: uint32 length of the header, JSON header, then each variable's float32 values byte-shuffled. */
export async function encodeChunk(chunk: MrrChunk): Promise<Buffer> {
  const names = KEPT.filter((name) => chunk.variables[name])
  const header = Buffer.from(JSON.stringify({ timesMs: chunk.timesMs, heightsM: chunk.heightsM, names }))
  const size = chunk.timesMs.length * chunk.heightsM.length * 4
  const body = Buffer.allocUnsafe(4 + header.length + names.length * size)
  body.writeUInt32LE(header.length, 0)
  header.copy(body, 4)
  names.forEach((name, k) => {
    const from = 4 + header.length + k * size
    shuffleFloats(chunk.variables[name] as Float32Array, body.subarray(from, from + size))
  })
  return compress(body, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })
}

/**
 * @param only variables to unpack beside LWC; all by default
 * @throws StoreCorruptError
 */
export async function decodeChunk(bytes: Uint8Array, only: readonly Kept[] = KEPT): Promise<MrrChunk> {
  try {
    const body = await decompress(bytes, { maxOutputLength: MAX_BYTES })
    const headerLength = body.readUInt32LE(0)
    const { timesMs, heightsM, names } = JSON.parse(body.toString('utf8', 4, 4 + headerLength)) as {
      timesMs: number[]
      heightsM: number[]
      names: Kept[]
    }
    const count = timesMs.length * heightsM.length
    const variables: Partial<Record<Kept, Float32Array>> = {}
    names.forEach((name, k) => {
      if (name !== 'LWC' && !only.includes(name)) return
      const from = 4 + headerLength + k * count * 4
      variables[name] = unshuffleFloats(body.subarray(from, from + count * 4), count)
    })
    if (!variables.LWC) throw new Error('LWC missing')
    return { timesMs, heightsM, variables: { ...variables, LWC: variables.LWC } }
  } catch (error) {
    throw new StoreCorruptError('profils du micro radar illisibles', error)
  }
}
