import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
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
/** A variable over an hour fits: the library then makes one buffer. */
const ONE_TURN = 2 ** 18
/** An hour of 10 s profiles with 1,024 gates and four variables stays below. */
const MAX_BYTES = 64 * 2 ** 20

/** Bytes of the same weight side by side: floats of one kind then share their leading bytes. */
function shuffleFloats(values: Float32Array, out: Uint8Array): void {
  const count = values.length
  const words = new Uint32Array(values.buffer, values.byteOffset, count)
  const [lowest, low, high, highest] = planes(out, count)
  for (let i = 0; i < count; i++) {
    const word = words[i]
    lowest[i] = word
    low[i] = word >>> 8
    high[i] = word >>> 16
    highest[i] = word >>> 24
  }
}

function unshuffleFloats(bytes: Uint8Array, count: number): Float32Array {
  const words = new Uint32Array(count)
  const [lowest, low, high, highest] = planes(bytes, count)
  for (let i = 0; i < count; i++) words[i] = lowest[i] | (low[i] << 8) | (high[i] << 16) | (highest[i] << 24)
  return new Float32Array(words.buffer)
}

const planes = (bytes: Uint8Array, count: number): Uint8Array[] =>
  [0, 1, 2, 3].map((plane) => bytes.subarray(plane * count, (plane + 1) * count))

/** Marks chunks whose variables are packed one by one; those before were one zstd frame, which begins otherwise. */
const MARK = Buffer.from('MRR2')

interface Header {
  timesMs: number[]
  heightsM: number[]
  /** With the bytes that each takes, in their order. */
  variables: [Kept, number][]
}

/**
 * Values of a variable over an hour: zstd of the float32 values byte-shuffled. At once, in 0.2 ms: through the
 * thread pool it takes three times the processor time.
 */
export function encodeVariable(values: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4)
  shuffleFloats(values, bytes)
  return zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
    chunkSize: ONE_TURN,
    pledgedSrcSize: bytes.length,
  })
}

/** Packed variables as one chunk: mark, uint32 length of the header, the header as JSON in zstd, the variables. */
export function joinChunk(
  { timesMs, heightsM }: Pick<MrrChunk, 'timesMs' | 'heightsM'>,
  variables: readonly (readonly [Kept, Buffer])[],
): Buffer {
  const text: Header = {
    timesMs,
    heightsM,
    variables: variables.map(([name, { length }]) => [name, length]),
  }
  const header = zstdCompressSync(JSON.stringify(text))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  return Buffer.concat([MARK, length, header, ...variables.map(([, bytes]) => bytes)])
}

export function encodeChunk(chunk: MrrChunk): Buffer {
  const names = KEPT.filter((name) => chunk.variables[name])
  return joinChunk(
    chunk,
    names.map((name) => [name, encodeVariable(chunk.variables[name] as Float32Array)]),
  )
}

/**
 * @param only variables to unpack beside LWC; all by default
 * @throws StoreCorruptError
 */
export function decodeChunk(bytes: Uint8Array, only: readonly Kept[] = KEPT): MrrChunk {
  try {
    const marked = MARK.equals(bytes.subarray(0, MARK.length))
    const chunk = marked ? decodeVariables(bytes, only) : decodeWhole(bytes, only)
    const { LWC } = chunk.variables
    if (!LWC) throw new Error('LWC missing')
    return { ...chunk, variables: { ...chunk.variables, LWC } }
  } catch (error) {
    throw new StoreCorruptError('profils du micro radar illisibles', error)
  }
}

type Decoded = Omit<MrrChunk, 'variables'> & { variables: Partial<Record<Kept, Float32Array>> }

function decodeVariables(bytes: Uint8Array, only: readonly Kept[]): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 8 + buffer.readUInt32LE(4)
  const header = zstdDecompressSync(buffer.subarray(8, at), { maxOutputLength: MAX_BYTES })
  const { timesMs, heightsM, variables } = JSON.parse(header.toString()) as Header
  const count = timesMs.length * heightsM.length
  const found = variables.map(([name, length]) => {
    const packed = buffer.subarray(at, at + length)
    at += length
    return { name, packed }
  })
  const wanted = found.filter(({ name }) => name === 'LWC' || only.includes(name))
  const values = wanted.map(({ packed }) => {
    const shuffled = zstdDecompressSync(packed, { maxOutputLength: count * 4, chunkSize: ONE_TURN })
    if (shuffled.length !== count * 4) throw new Error('a variable is cut off')
    return unshuffleFloats(shuffled, count)
  })
  return {
    timesMs,
    heightsM,
    variables: Object.fromEntries(wanted.map(({ name }, k) => [name, values[k]])),
  }
}

/** zstd of: uint32 length of the header, JSON header, then each variable's float32 values byte-shuffled. */
function decodeWhole(bytes: Uint8Array, only: readonly Kept[]): Decoded {
  const body = zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES, chunkSize: ONE_TURN })
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
  return { timesMs, heightsM, variables }
}
