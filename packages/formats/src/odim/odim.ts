import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import {
  type Dataset,
  damaged,
  dataset,
  type Group,
  group,
  hasAttribute,
  hdf5Ready,
  numberAttribute,
  readNumbers,
  shapeOf,
  type TypedValues,
  textAttribute,
  withHdf5,
} from '../hdf5/file.ts'
import { MAX_CELLS } from '../limits.ts'
import { isKnmi, readKnmi } from './knmi.ts'
import { placeGrid } from './place.ts'

/** Quantities that become rain: a rate, an accumulation, a reflectivity. */
export type OdimQuantity = 'RATE' | 'ACRR' | 'DBZH' | 'TH'

/** A rain picture of an ODIM HDF5 file (composite or Cartesian product). */
export interface OdimImage {
  kind: 'odim'
  /** Version that the file claims, such as `ODIM_H5/V2_2`. */
  conventions: string
  /** `COMP`, `IMAGE` or `CVOL`. */
  object: string
  /** Where it comes from, such as `NOD:behel,NOD:bejab`. */
  source: string
  /** Nominal time, ISO 8601 UTC. */
  datetime: string
  /** What was stored; all of them are given as a rate. */
  quantity: OdimQuantity
  /** Hours over which an accumulation (ACRR) was taken, else null. */
  accumulationHours: number | null
  /** End of that time, ISO 8601 UTC, else null. */
  accumulationEnd: string | null
  /** Time that the picture says to be of, ISO 8601 UTC; null where it says none, or an instant. */
  interval: { start: string; end: string } | null
  /** Factor by which the file says that its rain was adjusted to gauges (`how/bias`); null where it says nothing. */
  bias: number | null
  geometry: GridGeometry
  ncols: number
  nrows: number
  /** mm/h, `[row * ncols + col]`, row 0 north; NaN = no data, 0 = no echo. */
  rateMmH: Float32Array
}

export interface OdimOptions {
  /** Relation Z = a R^b for reflectivity; the file's own `how` (zr_a, zr_b) goes before it. */
  law?: { a: number; b: number }
}

/** Marshall, Langille and Palmer (1947). */
const DEFAULT_LAW = { a: 200, b: 1.6 }
const PREFERENCE: readonly string[] = ['RATE', 'ACRR', 'DBZH', 'TH']
const MAX_DATASETS = 64

function refuse(code: CodeOf<'odim'>, messageFr: string, details?: Record<string, unknown>): FormatError {
  return new FormatError(`odim.${code}`, messageFr, { details })
}

function missing(name: string): FormatError {
  return refuse(
    'badHeader',
    `L'attribut « ${name} » manque dans le fichier ODIM ou n'a pas de sens. Demandez au fournisseur un fichier complet.`,
    { attribute: name },
  )
}

/** Attributes are looked for near the data first, then upwards, as ODIM inherits them. */
interface Layer {
  quantity: string
  data: Dataset
  what: (Group | undefined)[]
  where: (Group | undefined)[]
  how: (Group | undefined)[]
}

/**
 * Reads the rain picture of an ODIM HDF5 file: RATE before ACRR before reflectivity where there are several. The HDF5 of the
 * Dutch weather service, which is older than ODIM, is read as well.
 * This runs to its end whatever the file does: bytes from outside go through `readOdimInWorker`.
 * @throws FormatError with a code `odim.*`
 */
export async function readOdim(bytes: Uint8Array, options: OdimOptions = {}): Promise<OdimImage> {
  await hdf5Ready()
  return withHdf5('odim', bytes, (root) => readImage(root, options))
}

function readImage(root: Group, options: OdimOptions): OdimImage {
  if (isKnmi(root)) {
    const { gain, offset, nodata, codes, ...about } = readKnmi(root)
    const rate = toRate(about.quantity, about.accumulationHours, options.law ?? DEFAULT_LAW)
    const rateMmH = ratesOf(codes, (code) =>
      code === 0 ? 0 : nodata.includes(code) ? Number.NaN : plausible(rate(gain * code + offset)),
    )
    return { ...about, rateMmH }
  }
  const what = group(root, 'what')
  if (!what) throw missing('what')
  const object = textAttribute('object', what) ?? ''
  if (!['COMP', 'IMAGE', 'CVOL'].includes(object))
    throw refuse(
      'unsupported',
      `Le fichier ODIM contient un objet « ${object.slice(0, 20)} », seuls les composites et les images le sont. Déposez un produit cartésien (COMP ou IMAGE).`,
      { object },
    )
  const datetime = readTime(textAttribute('date', what), textAttribute('time', what))
  const layer = chooseLayer(root)
  const [nrows, ncols] = readShape(layer)
  const geometry = placeGrid(layer.where, ncols, nrows)
  if (!geometry)
    throw refuse(
      'badHeader',
      "La projection ou les coins du fichier ODIM n'ont pas de sens ou ne sont pas lus. Demandez au fournisseur un fichier dont l'attribut « projdef » est une définition PROJ.",
      { projdef: textAttribute('projdef', ...layer.where)?.slice(0, 200) },
    )
  const quantity = layer.quantity as OdimQuantity
  const accumulation = quantity === 'ACRR' ? readAccumulation(layer.what) : null
  const accumulationHours = accumulation?.hours ?? null
  return {
    kind: 'odim',
    conventions: textAttribute('Conventions', root) ?? '',
    object,
    source: textAttribute('source', what) ?? '',
    datetime,
    quantity,
    accumulationHours,
    accumulationEnd: accumulation?.end ?? null,
    interval: readInterval(layer.what),
    bias: numberAttribute('bias', ...layer.how) ?? null,
    geometry,
    ncols,
    nrows,
    rateMmH: decode(layer, toRate(quantity, accumulationHours, lawOf(layer, options))),
  }
}

function chooseLayer(root: Group): Layer {
  const found: Layer[] = []
  for (let d = 1; d <= MAX_DATASETS; d++) {
    const set = group(root, `dataset${d}`)
    if (!set) break
    for (let i = 1; i <= MAX_DATASETS; i++) {
      const part = group(set, `data${i}`)
      if (!part) break
      const data = dataset(part, 'data')
      const chain = (name: string) => [group(part, name), group(set, name), group(root, name)]
      const what = chain('what')
      const quantity = textAttribute('quantity', ...what) ?? ''
      if (data) found.push({ quantity, data, what, where: chain('where'), how: chain('how') })
    }
  }
  const usable = found.filter((layer) => PREFERENCE.includes(layer.quantity))
  usable.sort((a, b) => PREFERENCE.indexOf(a.quantity) - PREFERENCE.indexOf(b.quantity))
  if (usable.length > 0) return usable[0]
  if (found.length === 0) throw missing('dataset1/data1/data')
  throw refuse(
    'notRain',
    'Le fichier ODIM ne contient ni intensité (RATE), ni cumul (ACRR), ni réflectivité (DBZH). Déposez un produit de pluie.',
    { quantities: found.map((layer) => layer.quantity.slice(0, 20)) },
  )
}

function readShape(layer: Layer): [number, number] {
  const shape = shapeOf(layer.data)
  const [nrows, ncols] = shape
  if (shape.length !== 2 || !(nrows >= 1 && ncols >= 1 && nrows * ncols <= MAX_CELLS))
    throw damaged('odim', `grille de ${shape.join(' x ')}`)
  const xsize = numberAttribute('xsize', ...layer.where) ?? ncols
  const ysize = numberAttribute('ysize', ...layer.where) ?? nrows
  if (xsize !== ncols || ysize !== nrows) throw missing('xsize')
  return [nrows, ncols]
}

/** `YYYYMMDD` and `HHmmss` as ISO 8601 UTC. */
function readTime(date: string | undefined, time: string | undefined): string {
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(date ?? '')
  const hour = /^(\d\d)(\d\d)(\d\d)?/.exec(time ?? '')
  if (!day || !hour) throw missing('date')
  const ms = Date.UTC(+day[1], +day[2] - 1, +day[3], +hour[1], +hour[2], +(hour[3] ?? 0))
  const iso = new Date(ms).toISOString()
  if (iso.slice(0, 10) !== `${day[1]}-${day[2]}-${day[3]}` || iso.slice(11, 13) !== hour[1])
    throw missing('date')
  return iso
}

function readInterval(what: (Group | undefined)[]): OdimImage['interval'] {
  const at = (name: string): string | null => {
    const [date, time] = [textAttribute(`${name}date`, ...what), textAttribute(`${name}time`, ...what)]
    try {
      return date === undefined || time === undefined ? null : readTime(date, time)
    } catch {
      return null
    }
  }
  const [start, end] = [at('start'), at('end')]
  return start !== null && end !== null && end > start ? { start, end } : null
}

/** End of an accumulation, and the hours since its start. */
function readAccumulation(what: (Group | undefined)[]): { hours: number; end: string } {
  const start = readTime(textAttribute('startdate', ...what), textAttribute('starttime', ...what))
  const end = readTime(textAttribute('enddate', ...what), textAttribute('endtime', ...what))
  const hours = (Date.parse(end) - Date.parse(start)) / 3_600_000
  if (!(hours > 0 && hours <= 24 * 31)) throw missing('startdate')
  return { hours, end }
}

function lawOf(layer: Layer, options: OdimOptions): { a: number; b: number } {
  const a = numberAttribute('zr_a', ...layer.how) ?? 0
  const b = numberAttribute('zr_b', ...layer.how) ?? 0
  return a > 0 && b > 0 ? { a, b } : (options.law ?? DEFAULT_LAW)
}

function toRate(
  quantity: OdimQuantity,
  hours: number | null,
  { a, b }: { a: number; b: number },
): (value: number) => number {
  if (quantity === 'RATE') return (value) => value
  if (quantity === 'ACRR') return (value) => value / hours!
  return (value) => (10 ** (value / 10) / a) ** (1 / b)
}

/** Stored codes to mm/h: value = gain x code + offset; the code `nodata` is NaN, `undetect` is 0. */
function decode(layer: Layer, rate: (value: number) => number): Float32Array {
  // Left out, values are what they are; said and no number, they are not known.
  const scale = (name: string, unsaid: number): number => {
    const value = numberAttribute(name, ...layer.what)
    if (value === undefined && hasAttribute(name, ...layer.what)) throw missing(name)
    return value ?? unsaid
  }
  const [gain, offset] = [scale('gain', 1), scale('offset', 0)]
  if (gain === 0) throw missing('gain')
  const codes = readNumbers('odim', layer.data)
  // Attributes are doubles: -999.9 is another number in data of 32 bits, and would be read as no rain.
  const mark = (name: string): number => {
    const value = numberAttribute(name, ...layer.what) ?? Number.NaN
    return codes instanceof Float32Array ? Math.fround(value) : value
  }
  const [nodata, undetect] = [mark('nodata'), mark('undetect')]
  const one = (code: number): number => {
    if (code === nodata) return Number.NaN
    if (code === undetect) return 0
    return plausible(rate(gain * code + offset))
  }
  return ratesOf(codes, one)
}

const plausible = (rate: number): number => (rate < 1e6 ? Math.max(0, rate) : Number.NaN)

function ratesOf(codes: TypedValues, one: (code: number) => number): Float32Array {
  const rates = new Float32Array(codes.length)
  if (codes instanceof Uint8Array || codes instanceof Uint16Array) {
    const table = Float32Array.from({ length: 2 ** (8 * codes.BYTES_PER_ELEMENT) }, (_, code) => one(code))
    for (let i = 0; i < codes.length; i++) rates[i] = table[codes[i]]
  } else for (let i = 0; i < codes.length; i++) rates[i] = one(codes[i])
  return rates
}
