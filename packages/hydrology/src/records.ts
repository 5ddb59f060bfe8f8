import { GRAVITY } from '@radx/contracts/constants'
import type { ErrorCode } from '@radx/contracts/errors'
import { HydrologyError } from './errors.ts'

/** A field's type as the kernel has it; `usize` is an address. */
export type FieldType = 'bool' | 'i32' | 'u32' | 'usize' | 'f32' | 'f64' | 'v128'
/** Fields of each record, under the names of the kernel. */
export type Records = Readonly<Record<string, Readonly<Record<string, FieldType>>>>
/** Where a kernel has the fields of a record, bytes. */
export interface Place<F> {
  bytes: number
  at: Readonly<Record<keyof F & string, number>>
}
export type Places<R extends Records> = { readonly [K in keyof R]: Place<R[K]> }

/** Fields of one type. */
export function fieldsOf<T extends FieldType, N extends string>(type: T, names: readonly N[]): Record<N, T> {
  return Object.fromEntries(names.map((name) => [name, type])) as Record<N, T>
}

/**
 * Compiles and links a kernel and shakes hands with it: it has the host's records (`readRecords`) and the host's gravity.
 *
 * @param env what the kernel imports
 * @param code of the error, such as `surface.stale`
 * @throws HydrologyError `code` when the kernel is not of these sources
 */
export function linkKernel<R extends Records>(
  wasm: BufferSource,
  env: WebAssembly.ModuleImports,
  records: R,
  code: ErrorCode,
): { module: WebAssembly.Module; exports: WebAssembly.Exports; places: Places<R> } {
  const module = new WebAssembly.Module(wasm)
  const { exports } = link(module, env, code)
  const gravity = exports.GRAVITY
  if (!(gravity instanceof WebAssembly.Global && gravity.value === GRAVITY)) throw staleKernel(code)
  return { module, exports, places: readRecords(exports, records, code) }
}

function link(module: WebAssembly.Module, env: WebAssembly.ModuleImports, code: ErrorCode) {
  try {
    return new WebAssembly.Instance(module, { env })
  } catch (error) {
    if (error instanceof WebAssembly.LinkError || error instanceof TypeError) throw staleKernel(code)
    throw error
  }
}

/**
 * Reads where a compiled kernel has the fields of its records, which it exports as globals `Name` (bytes) and
 * `Name.field:type` (tools/kernel-transform.js). This is the handshake of every kernel: it has these records with these
 * fields of these types and no others, or it is not of these sources.
 *
 * @param code of the error, such as `surface.stale`
 * @throws HydrologyError `code` when the kernel has other records
 */
export function readRecords<R extends Records>(
  exports: WebAssembly.Exports,
  records: R,
  code: ErrorCode,
): Places<R> {
  const numbers = new Map<string, number>()
  for (const [name, value] of Object.entries(exports))
    if (value instanceof WebAssembly.Global && /^[A-Z][a-z]/.test(name)) numbers.set(name, value.value)
  const take = (name: string): number => {
    const value = numbers.get(name)
    if (value === undefined) throw staleKernel(code)
    numbers.delete(name)
    return value
  }
  const places = Object.entries(records).map(([name, fields]) => {
    const at = Object.entries(fields).map(([field, type]) => [field, take(`${name}.${field}:${type}`)])
    return [name, { bytes: take(name), at: Object.fromEntries(at) }]
  })
  if (numbers.size > 0) throw staleKernel(code)
  return Object.fromEntries(places)
}

function staleKernel(code: ErrorCode): HydrologyError {
  return new HydrologyError(
    code,
    'Le noyau de calcul compilé est d’une autre version que le programme. Le reconstruire par « npm start » ou « node tools/build.ts kernels ».',
  )
}

/** Writes fields of one record, which stands at `at`; a `bool` is 0 or 1. */
export function writeRecord<F extends Readonly<Record<string, FieldType>>>(
  view: DataView,
  at: number,
  fields: F,
  place: Place<F>,
  values: Partial<Record<keyof F & string, number>>,
): void {
  for (const [field, value] of Object.entries(values) as [keyof F & string, number][])
    WRITERS[fields[field]](view, at + place.at[field], value)
}

/** Writes one field of records that stand side by side from `at` on, a value each. */
export function writeField<F extends Readonly<Record<string, FieldType>>>(
  view: DataView,
  at: number,
  fields: F,
  place: Place<F>,
  field: keyof F & string,
  values: ArrayLike<number>,
): void {
  const write = WRITERS[fields[field]]
  for (let i = 0; i < values.length; i++) write(view, at + i * place.bytes + place.at[field], values[i])
}

type Writer = (view: DataView, at: number, value: number) => void

const WRITERS: Readonly<Record<FieldType, Writer>> = {
  bool: (view, at, value) => view.setUint8(at, value),
  i32: (view, at, value) => view.setInt32(at, value, true),
  u32: (view, at, value) => view.setUint32(at, value, true),
  usize: (view, at, value) => view.setUint32(at, value, true),
  f32: (view, at, value) => view.setFloat32(at, value, true),
  f64: (view, at, value) => view.setFloat64(at, value, true),
  v128: () => {
    throw new RangeError('a v128 holds several numbers')
  },
}
