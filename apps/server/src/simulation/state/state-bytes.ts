import { createHash } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { RADX_VERSION } from '@radx/contracts'
import type { SavedState, StateArray, StateSection, StateType } from '@radx/hydrology/state/state'
import { typeOf } from '@radx/hydrology/state/state'
import { z } from 'zod'
import { StateError } from './errors.ts'
import type { RunState } from './run-state.ts'
import { runAboutSchema } from './run-state.ts'

// A state on disk (docs/formats.md): a head of fixed length, what it is as JSON, all values as one zstd frame, a checksum.

const MAGIC = Buffer.from('RADXSTAT', 'latin1')
/** Raised whenever an older program could not read what is written; a section more does not need it. */
export const STATE_FORMAT = 1
const HEAD_BYTES = 24
const SHA_BYTES = 32
/** A state of 20 million cells; a larger one is no state. */
export const MOST_STATE_BYTES = 2 ** 31
const MOST_SECTIONS = 2000

const BYTES: Readonly<Record<StateType, number>> = { f64: 8, f32: 4, i32: 4, u32: 4, u8: 1 }

const contentSchema = z.object({
  /** Version of the program that made it. */
  radx: z.string().max(40),
  about: runAboutSchema,
  /** Names of the numbers, whose values begin the body as f64. */
  numbers: z.array(z.string().max(200)).max(100_000),
  sections: z
    .array(
      z.object({
        name: z.string().max(200),
        type: z.enum(['f64', 'f32', 'i32', 'u32', 'u8']),
        count: z.int().min(0).max(MOST_STATE_BYTES),
      }),
    )
    .max(MOST_SECTIONS),
})

/** The bytes of a state; the same for the same state. */
export function encodeState({ about, engine, record }: RunState): Uint8Array<ArrayBuffer> {
  const { numbers, sections } = joined({ engine, record })
  const content = {
    radx: RADX_VERSION,
    about,
    numbers: [...numbers.keys()],
    sections: sections.map(({ name, values }) => ({ name, type: typeOf(values), count: values.length })),
  }
  const header = Buffer.from(JSON.stringify(content))
  const all: StateSection[] = [{ name: '', values: Float64Array.from(numbers.values()) }, ...sections]
  const body = new Uint8Array(all.reduce((sum, { values }) => sum + values.byteLength, 0))
  let at = 0
  for (const { values } of all) {
    shuffle(values, body.subarray(at, at + values.byteLength))
    at += values.byteLength
  }
  const packed = zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  const head = Buffer.alloc(HEAD_BYTES)
  MAGIC.copy(head)
  head.writeUInt32LE(STATE_FORMAT, 8)
  head.writeUInt32LE(header.length, 12)
  head.writeBigUInt64LE(BigInt(HEAD_BYTES + header.length + packed.length + SHA_BYTES), 16)
  const parts = [head, header, packed]
  const sha = createHash('sha256')
  for (const part of parts) sha.update(part)
  return new Uint8Array(Buffer.concat([...parts, sha.digest()]))
}

/** Whether bytes begin as a state does. */
export const isState = (bytes: Uint8Array): boolean => MAGIC.equals(bytes.subarray(0, MAGIC.length))

/**
 * Reads the bytes of a state.
 *
 * @param file its name, for messages
 * @throws StateError `state.file` (no state), `state.format` (of another version of the format), `state.damaged`,
 *   `state.engine` (of another version of the program)
 */
export function decodeState(bytes: Uint8Array, file: string): RunState {
  const { headerBytes } = checkBytes(bytes, file)
  const content = readContent(bytes.subarray(HEAD_BYTES, HEAD_BYTES + headerBytes), file)
  const layout = [{ name: '', type: 'f64' as const, count: content.numbers.length }, ...content.sections]
  const length = layout.reduce((sum, { type, count }) => sum + BYTES[type] * count, 0)
  if (length > MOST_STATE_BYTES) throw damaged(file)
  const body = unpack(bytes.subarray(HEAD_BYTES + headerBytes, bytes.length - SHA_BYTES), length, file)
  let at = 0
  const [values, ...sections] = layout.map(({ name, type, count }) => {
    const from = body.subarray(at, at + BYTES[type] * count)
    at += from.length
    return { name, values: unshuffle(from, type, count) }
  })
  const numbers = content.numbers.map((name, k): [string, number] => [name, values.values[k]])
  return { about: content.about, ...parted(numbers, sections) }
}

/** Magic, format, length, checksum, in this order: each says more than the next. */
function checkBytes(bytes: Uint8Array, file: string): { headerBytes: number } {
  if (!isState(bytes))
    throw new StateError(
      'state.file',
      `${file} n’est pas un état de RadX. Donner un fichier écrit par « radx simulate --save-state ».`,
    )
  if (bytes.length < HEAD_BYTES + SHA_BYTES) throw truncated(file, bytes.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = view.getUint32(8, true)
  if (format !== STATE_FORMAT)
    throw new StateError(
      'state.format',
      `${file} est un état au format ${format} ; cette version de RadX (${RADX_VERSION}) lit le format ${STATE_FORMAT}. Refaire l’état avec cette version.`,
      { format },
    )
  const whole = Number(view.getBigUint64(16, true))
  if (bytes.length < whole) throw truncated(file, bytes.length, whole)
  const sha = createHash('sha256').update(bytes.subarray(0, bytes.length - SHA_BYTES))
  const headerBytes = view.getUint32(12, true)
  if (
    bytes.length !== whole ||
    !sha.digest().equals(bytes.subarray(bytes.length - SHA_BYTES)) ||
    HEAD_BYTES + headerBytes + SHA_BYTES > whole
  )
    throw damaged(file)
  return { headerBytes }
}

function readContent(text: Uint8Array, file: string): z.infer<typeof contentSchema> {
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(text).toString('utf8'))
  } catch {
    throw damaged(file)
  }
  const radx = (json as { radx?: unknown } | null)?.radx
  if (radx !== RADX_VERSION)
    throw new StateError(
      'state.engine',
      `${file} vient de RadX ${String(radx).slice(0, 40)}, ce programme est RadX ${RADX_VERSION} : la suite ne serait pas la même au bit près. Refaire l’état avec cette version.`,
    )
  const parsed = contentSchema.safeParse(json)
  if (!parsed.success) throw damaged(file)
  return parsed.data
}

function unpack(packed: Uint8Array, length: number, file: string): Uint8Array {
  try {
    const body = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, length) })
    if (body.length === length) return body
  } catch {
    // Told below, as any other damage.
  }
  throw damaged(file)
}

const truncated = (file: string, has: number, whole?: number) =>
  new StateError(
    'state.damaged',
    `${file} est incomplet : ${has} octets${whole === undefined ? '' : ` sur ${whole}`}. Refaire l’état.`,
  )

const damaged = (file: string) =>
  new StateError(
    'state.damaged',
    `${file} est abîmé : son contenu ne correspond pas à sa somme de contrôle. Refaire l’état.`,
  )

/** First bytes of all values, then second ones: like lies beside like. */
function shuffle(values: StateArray, out: Uint8Array): void {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const size = values.BYTES_PER_ELEMENT
  const count = values.length
  for (let byte = 0; byte < size; byte++) {
    const from = byte * count
    for (let i = 0, at = byte; i < count; i++, at += size) out[from + i] = bytes[at]
  }
}

function unshuffle(from: Uint8Array, type: StateType, count: number): StateArray {
  const values = new {
    f64: Float64Array,
    f32: Float32Array,
    i32: Int32Array,
    u32: Uint32Array,
    u8: Uint8Array,
  }[type](count)
  const bytes = new Uint8Array(values.buffer)
  const size = BYTES[type]
  for (let byte = 0; byte < size; byte++) {
    const begin = byte * count
    for (let i = 0, at = byte; i < count; i++, at += size) bytes[at] = from[begin + i]
  }
  return values
}

const ENGINE = 'engine.'
const RECORD = 'record.'

function joined({ engine, record }: { engine: SavedState; record: SavedState }): SavedState {
  const parts = [
    [ENGINE, engine],
    [RECORD, record],
  ] as const
  return {
    numbers: new Map(
      parts.flatMap(([path, { numbers }]) =>
        Array.from(numbers, ([name, value]): [string, number] => [path + name, value]),
      ),
    ),
    sections: parts.flatMap(([path, { sections }]) =>
      sections.map(({ name, values }) => ({ name: path + name, values })),
    ),
  }
}

function parted(
  numbers: [string, number][],
  sections: StateSection[],
): { engine: SavedState; record: SavedState } {
  const of = (path: string): SavedState => ({
    numbers: new Map(
      numbers.flatMap(([name, value]): [string, number][] =>
        name.startsWith(path) ? [[name.slice(path.length), value]] : [],
      ),
    ),
    sections: sections.flatMap(({ name, values }) =>
      name.startsWith(path) ? [{ name: name.slice(path.length), values }] : [],
    ),
  })
  return { engine: of(ENGINE), record: of(RECORD) }
}
