import { FormatError } from '@radx/contracts/errors'
import { Dataset, File, FS, Group, ready } from 'h5wasm'
import { assertFileSize, type FormatName, MAX_CELLS } from '../limits.ts'

/**
 * The HDF5 library in WebAssembly, with a file system in its own memory: a file can name no other file of
 * this machine. It runs to its end once called, so what comes from outside is read in a worker that can be
 * ended (worker.ts); the readers here are pure functions of the bytes.
 */
export type { Dataset, Group } from 'h5wasm'

export type TypedValues =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

/** The library's last words about a failed call. It would print them on stderr, file after file. */
let complaint = ''

interface CharacterStream {
  stream_ops: { write(stream: unknown, buffer: Int8Array, offset: number, length: number): number }
}

let prepared: Promise<void> | undefined

/** Resolves once the library can be used, after about 0.1 s. */
export function hdf5Ready(): Promise<void> {
  prepared ??= ready.then(() => {
    const stderr = (FS as unknown as { getStream(fd: number): CharacterStream }).getStream(2)
    const write: CharacterStream['stream_ops']['write'] = (_, buffer, offset, length) => {
      if (complaint.length < 4000)
        complaint += Buffer.from(buffer.subarray(offset, offset + length)).toString()
      return length
    }
    stderr.stream_ops = { ...stderr.stream_ops, write }
  })
  return prepared
}

const SIGNATURE = Buffer.from('\u0089HDF\r\n\u001a\n', 'latin1')
const COPY_AGAIN: Record<'odim' | 'mrrpro', string> = {
  odim: 'Téléchargez-le ou copiez-le de nouveau depuis sa source.',
  mrrpro: "Copiez-le de nouveau depuis l'instrument.",
}

export type Hdf5Format = Extract<FormatName, 'odim' | 'mrrpro'>

export function damaged(format: Hdf5Format, what: string, options: { cause?: unknown } = {}): FormatError {
  const details = complaint ? { reason: lastReason(complaint) } : {}
  return new FormatError(
    `${format}.damaged`,
    `Le fichier HDF5 est abîmé ou tronqué (${what}). ${COPY_AGAIN[format]}`,
    { ...options, details },
  )
}

/** The innermost line of an HDF5 error stack, which says what was wrong. */
function lastReason(stack: string): string {
  return (stack.match(/\(\): [^\n]+/g)?.at(-1) ?? stack).replace(/^\(\): /, '').slice(0, 300)
}

let files = 0

/**
 * Opens the bytes as an HDF5 file for as long as `read` runs. Everything that the library throws becomes a
 * FormatError.
 * @throws FormatError `<format>.empty`, `.tooLarge`, `.notHdf5`, `.damaged`, and what `read` throws
 */
export function withHdf5<T>(format: Hdf5Format, bytes: Uint8Array, read: (root: Group) => T): T {
  assertFileSize(format, bytes.length)
  if (!SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length)))
    throw new FormatError(
      `${format}.notHdf5`,
      "Le fichier n'est pas au format HDF5. Vérifiez son extension et le dossier où il a été déposé.",
    )
  complaint = ''
  const path = `/radx-${files++}.h5`
  // Read only, so that the library may work on the caller's bytes themselves.
  FS!.writeFile(path, bytes, { canOwn: true } as { flags?: string })
  let file: File | undefined
  try {
    const opened = new File(path, 'r')
    // The library answers a file that it cannot open with a negative number, not with an error.
    if (opened.file_id < 0n) throw damaged(format, "il ne s'ouvre pas")
    file = opened
    const result = read(file)
    // A chunk that cannot be read or inflated leaves zeros behind, and words on stderr, but no error.
    if (complaint) throw damaged(format, 'une partie est illisible')
    return result
  } catch (error) {
    if (error instanceof FormatError) throw error
    throw damaged(format, 'illisible', { cause: error })
  } finally {
    try {
      file?.close()
    } catch {
      // A damaged file may not close; its memory is given back with the file below.
    }
    FS!.unlink(path)
  }
}

/** The group of that name, undefined where there is none. */
export function group(parent: Group, name: string): Group | undefined {
  const found = parent.get(name)
  return found instanceof Group ? found : undefined
}

/** The dataset of that name, undefined where there is none. */
export function dataset(parent: Group, name: string): Dataset | undefined {
  const found = parent.get(name)
  return found instanceof Dataset ? found : undefined
}

const MAX_ATTRIBUTE_BYTES = 65_536

function attribute(node: Group | Dataset | undefined, name: string): unknown {
  const found = node?.attrs[name]
  if (!found) return undefined
  const size = found.metadata.size * Math.max(1, found.metadata.total_size)
  if (size > MAX_ATTRIBUTE_BYTES) return undefined
  const value = found.json_value
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

/** A finite number in an attribute of the first node that has it, undefined where there is none. */
export function numberAttribute(name: string, ...nodes: (Group | Dataset | undefined)[]): number | undefined {
  for (const node of nodes) {
    const value = attribute(node, name)
    if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) {
      const number = Number(value)
      if (Number.isFinite(number)) return number
    }
  }
  return undefined
}

/** Whether any of the nodes has the attribute, whatever its value. */
export function hasAttribute(name: string, ...nodes: (Group | Dataset | undefined)[]): boolean {
  return nodes.some((node) => node?.attrs[name] !== undefined)
}

/** Text in an attribute of the first node that has it, undefined where there is none. */
export function textAttribute(name: string, ...nodes: (Group | Dataset | undefined)[]): string | undefined {
  for (const node of nodes) {
    const value = attribute(node, name)
    if (typeof value === 'string') return value.trim()
  }
  return undefined
}

/** The numbers of an attribute that is a list, undefined where there is none. */
export function numbersAttribute(name: string, node: Group | undefined): number[] | undefined {
  const value = attribute(node, name)
  const list = typeof value === 'number' ? [value] : value
  return Array.isArray(list) && list.every((each) => typeof each === 'number') ? list : undefined
}

/** Shape as numbers; a scalar has no dimension. */
export function shapeOf(data: Dataset): number[] {
  return (data.shape ?? []).map(Number)
}

/**
 * All numbers of a dataset, after its type and size were checked; 64-bit whole numbers become doubles.
 * @throws FormatError `<format>.damaged` where it holds no numbers or too many
 */
export function readNumbers(format: Hdf5Format, data: Dataset): TypedValues {
  const cells = shapeOf(data).reduce((product, n) => product * n, 1)
  const { type, size } = data.metadata
  // HDF5 type classes: 0 whole numbers, 1 floating point.
  if ((type !== 0 && type !== 1) || size > 8) throw damaged(format, `${data.path} n'est pas numérique`)
  if (!(cells <= MAX_CELLS)) throw damaged(format, `${data.path} annonce ${cells} valeurs`)
  const value = data.value
  if (value instanceof BigInt64Array || value instanceof BigUint64Array)
    return Float64Array.from(value, Number)
  if (typeof value === 'number' || typeof value === 'bigint') return Float64Array.of(Number(value))
  if (!ArrayBuffer.isView(value)) throw damaged(format, `${data.path} n'est pas numérique`)
  return value as TypedValues
}
