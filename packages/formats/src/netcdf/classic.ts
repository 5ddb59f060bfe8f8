import { FormatError } from '@radx/contracts/errors'
import type { Dataset, Group } from 'h5wasm'
import { newHdf5, writeText } from '../hdf5/write.ts'
import { assertFileSize, MAX_CELLS } from '../limits.ts'

/** Whether bytes begin as those of a classic netCDF file: version 1, 64-bit offsets (2) or 64-bit data (5). */
export const isClassicNetcdf = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x43 && bytes[1] === 0x44 && bytes[2] === 0x46 && [1, 2, 5].includes(bytes[3])

const MOST_ENTRIES = 4096
const MOST_TEXT = 65_536

/** A number type by its code in the file; characters are read as bytes. */
interface NumberType {
  size: number
  dtype: string
  make(length: number): Numbers
  get(view: DataView, at: number): number
}

type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

const CHARACTERS = 2
const TYPES: Partial<Record<number, NumberType>> = {
  1: { size: 1, dtype: '<b', make: (n) => new Int8Array(n), get: (v, at) => v.getInt8(at) },
  [CHARACTERS]: { size: 1, dtype: '<B', make: (n) => new Uint8Array(n), get: (v, at) => v.getUint8(at) },
  3: { size: 2, dtype: '<h', make: (n) => new Int16Array(n), get: (v, at) => v.getInt16(at) },
  4: { size: 4, dtype: '<i', make: (n) => new Int32Array(n), get: (v, at) => v.getInt32(at) },
  5: { size: 4, dtype: '<f', make: (n) => new Float32Array(n), get: (v, at) => v.getFloat32(at) },
  6: { size: 8, dtype: '<d', make: (n) => new Float64Array(n), get: (v, at) => v.getFloat64(at) },
  7: { size: 1, dtype: '<B', make: (n) => new Uint8Array(n), get: (v, at) => v.getUint8(at) },
  8: { size: 2, dtype: '<H', make: (n) => new Uint16Array(n), get: (v, at) => v.getUint16(at) },
  9: { size: 4, dtype: '<I', make: (n) => new Uint32Array(n), get: (v, at) => v.getUint32(at) },
  10: { size: 8, dtype: '<d', make: (n) => new Float64Array(n), get: (v, at) => Number(v.getBigInt64(at)) },
  11: { size: 8, dtype: '<d', make: (n) => new Float64Array(n), get: (v, at) => Number(v.getBigUint64(at)) },
}

function damagedNetcdf(what: string): FormatError {
  return new FormatError(
    'odim.damaged',
    `Le fichier netCDF est abîmé ou tronqué (${what}). Téléchargez-le ou copiez-le de nouveau depuis sa source.`,
  )
}

interface Attribute {
  name: string
  value: string | Numbers
  type: NumberType
}

interface Variable {
  name: string
  shape: number[]
  type: NumberType
  attributes: Attribute[]
  values: Numbers
}

interface Classic {
  attributes: Attribute[]
  variables: Variable[]
}

/**
 * The same variables and attributes as netCDF-4, so that one reader serves both. Characters become bytes; what is empty is
 * left out.
 * @throws FormatError `odim.empty`, `.tooLarge`, `.damaged`
 */
export async function classicAsHdf5(bytes: Uint8Array): Promise<Uint8Array> {
  assertFileSize('odim', bytes.length)
  const { attributes, variables } = readClassic(bytes)
  return newHdf5((file) => {
    writeAttributes(file, attributes)
    for (const { name, shape, type, values, attributes } of variables)
      writeAttributes(
        file.create_dataset({ name, data: values, shape, dtype: type.dtype } as Parameters<
          Group['create_dataset']
        >[0]),
        attributes,
      )
  })
}

function writeAttributes(node: Group | Dataset, attributes: readonly Attribute[]): void {
  for (const { name, value, type } of attributes)
    if (typeof value === 'string') writeText(node, name, value)
    else if (value.length > 0) node.create_attribute(name, value as Float64Array, [value.length], type.dtype)
}

/** Walks through the header; every place is checked before it is read. */
class Header {
  private at = 4
  private readonly bytes: Buffer
  private readonly view: DataView
  readonly version: number

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.version = bytes[3]
  }

  private take(size: number): number {
    const at = this.at
    if (!(size >= 0 && at + size <= this.bytes.length)) throw damagedNetcdf('son en-tête n’a pas de fin')
    this.at += size
    return at
  }

  word(): number {
    return this.view.getUint32(this.take(4))
  }

  private long(): number {
    return Number(this.view.getBigUint64(this.take(8)))
  }

  /** A count: 64 bits in version 5. */
  count(): number {
    return this.version === 5 ? this.long() : this.word()
  }

  /** A place in the file: 32 bits in version 1. */
  offset(): number {
    return this.version === 1 ? this.word() : this.long()
  }

  name(): string {
    const length = this.count()
    if (length > MOST_TEXT) throw damagedNetcdf('un nom trop long')
    const at = this.take(Math.ceil(length / 4) * 4)
    return this.bytes.toString('utf8', at, at + length)
  }

  type(): { code: number; type: NumberType } {
    const code = this.word()
    const type = TYPES[code]
    if (!type) throw damagedNetcdf(`type ${code}`)
    return { code, type }
  }

  list<T>(tag: number, read: () => T): T[] {
    const found = this.word()
    const count = this.count()
    if (found === 0 && count === 0) return []
    if (found !== tag || count > MOST_ENTRIES) throw damagedNetcdf('une liste de l’en-tête')
    return Array.from({ length: count }, read)
  }

  attributes(): Attribute[] {
    const all = this.list(0x0c, (): Attribute => {
      const name = this.name()
      const { code, type } = this.type()
      const length = this.count()
      if (length * type.size > MOST_TEXT) throw damagedNetcdf(`attribut ${name.slice(0, 40)}`)
      const at = this.take(Math.ceil((length * type.size) / 4) * 4)
      const value =
        code === CHARACTERS
          ? this.bytes.toString('utf8', at, at + length).replace(/\0+$/, '')
          : numbers(this.view, type, length, (i) => at + i * type.size)
      return { name, value, type }
    })
    return named(all)
  }
}

function numbers(view: DataView, type: NumberType, length: number, placeOf: (i: number) => number): Numbers {
  const out = type.make(length)
  for (let i = 0; i < length; i++) out[i] = type.get(view, placeOf(i))
  return out
}

/** Of several with one name the first; names that mean a path in HDF5 are left out. */
function named<T extends { name: string }>(all: readonly T[]): T[] {
  const seen = new Set<string>()
  return all.filter(({ name }) => {
    if (name === '' || name === '.' || name.includes('/') || name.includes('\0') || seen.has(name))
      return false
    seen.add(name)
    return true
  })
}

/** The layout is that of the NetCDF Classic Format Specification of Unidata. */
function readClassic(bytes: Uint8Array): Classic {
  const header = new Header(bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const announced = header.count()
  const dimensions = header.list(0x0a, () => ({ name: header.name(), length: header.count() }))
  const attributes = header.attributes()
  const described = header.list(0x0b, () => {
    const name = header.name()
    const dims = Array.from({ length: Math.min(header.count(), 33) }, () => header.word())
    if (dims.length > 32 || dims.some((id) => id >= dimensions.length))
      throw damagedNetcdf(`dimensions de ${name.slice(0, 40)}`)
    const own = header.attributes()
    const { type } = header.type()
    // The size that follows is redundant, and wrong for large variables.
    header.count()
    const isRecord = dims.length > 0 && dimensions[dims[0]].length === 0
    const cells = dims.slice(isRecord ? 1 : 0).reduce((product, id) => product * dimensions[id].length, 1)
    if (!(cells <= MAX_CELLS)) throw damagedNetcdf(`${name.slice(0, 40)} annonce ${cells} valeurs`)
    return { name, dims, attributes: own, type, begin: header.offset(), isRecord, cells }
  })
  const records = described.filter(({ isRecord }) => isRecord)
  // Alone, a variable over records is not padded to whole words.
  const padded = (size: number): number => (records.length === 1 ? size : Math.ceil(size / 4) * 4)
  const recordBytes = records.reduce((sum, { cells, type }) => sum + padded(cells * type.size), 0)
  const first = Math.min(...records.map(({ begin }) => begin))
  const there = recordBytes > 0 ? Math.ceil(Math.max(0, bytes.length - first) / recordBytes) : 0
  // Writers that were not closed announce all ones.
  const count =
    announced >= 0xffffffff ? Math.floor(Math.max(0, bytes.length - first) / (recordBytes || 1)) : announced
  if (records.length > 0 && count > there) throw damagedNetcdf(`${count} enregistrements annoncés`)
  let budget = Math.max(4 * bytes.length, 2 ** 20)
  const variables = described.flatMap(
    ({ name, dims, attributes, type, begin, isRecord, cells }): Variable[] => {
      const rows = isRecord ? count : 1
      const length = rows * cells
      if (length === 0) return []
      const stride = isRecord ? recordBytes : cells * type.size
      const end = begin + (rows - 1) * stride + cells * type.size
      budget -= length * type.size
      if (!(length <= MAX_CELLS && end <= bytes.length && budget >= 0))
        throw damagedNetcdf(`valeurs de ${name.slice(0, 40)}`)
      const values = type.make(length)
      for (let row = 0, i = 0; row < rows; row++)
        for (let at = begin + row * stride, k = 0; k < cells; k++, at += type.size)
          values[i++] = type.get(view, at)
      const shape = dims.map((id, axis) => (axis === 0 && isRecord ? count : dimensions[id].length))
      return [{ name, shape, type, attributes, values }]
    },
  )
  return { attributes, variables: named(variables) }
}
