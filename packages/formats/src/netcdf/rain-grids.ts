import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import {
  type Dataset,
  dataset,
  type Group,
  hdf5Ready,
  numberAttribute,
  readNumbers,
  shapeOf,
  type TypedValues,
  textAttribute,
  withHdf5,
} from '../hdf5/file.ts'
import { MAX_CELLS } from '../limits.ts'
import { classicAsHdf5, isClassicNetcdf } from './classic.ts'
import { placeOfGrid } from './grid-place.ts'

/** Rain pictures of one netCDF-4 file. */
export interface NetcdfRain {
  nrows: number
  ncols: number
  /** null where the file does not say in which plane its axes are. */
  geometry: GridGeometry | null
  /** Side of a cell, m; null in degrees and where the axes have no unit of length. */
  cellM: number | null
  /** ms UTC, rising; null where the times of the file have no date: pictures then are in its order. */
  timesMs: number[] | null
  /** mm/h, `[row * ncols + col]`, row 0 north; NaN = missing. */
  rateMmH: Float32Array[]
  /** Hours that each picture's depth fell in; null of rates and reflectivity. */
  depthHours: number | null
  /** Variable that was read. */
  variable: string
  /** Factor that the file says its rain was multiplied with, or null. */
  bias: number | null
  /** The file says when it was forecast: nobody has seen this rain. */
  forecast: boolean
}

/** Values of all pictures of a file, at most: half a gigabyte. */
const MOST_VALUES = 128_000_000
/** No rain is this much, mm/h: values that nobody wrote are 1e37 in netCDF. */
const TOO_MUCH_MM_H = 1e9
/** Reflectivity up to this is no echo, dBZ. */
const NO_ECHO_DBZ = -30
/** Marshall, Langille and Palmer (1947), as for ODIM reflectivity. */
const LAW = { a: 200, b: 1.6 }

const refuse = (code: CodeOf<'netcdf'>, message: string) => new FormatError(`netcdf.${code}`, message)

/** Names of variables whose units are known where the file gives none: those of CF and of RADOLAN. */
const KNOWN: [RegExp, string][] = [
  [/^(rainfall|precipitation)_amount$/, 'mm'],
  [/^(ry|rw|yw)$/i, 'mm'],
]
const RAIN = /rain|precip|^r[ywr]$|^rr\d*$|^acrr$|^rate$|intensity|reflectiv|dbz/i

/** What a value of a unit is in mm/h; `depth` is divided by the hours of its interval. */
type Scale = { factor: number; depth: boolean } | 'dbz'

function scaleOf(units: string): Scale | undefined {
  const plain = units
    .toLowerCase()
    .replace(/\*\*|\^/g, '')
    .replace(/[\s_.]/g, '')
  if (/^(mm\/?h(r|our)?(-?1)?|mmperhour)$/.test(plain)) return { factor: 1, depth: false }
  if (/^(mm\/?min(-?1)?)$/.test(plain)) return { factor: 60, depth: false }
  if (/^((mm|kgm-2|kg\/m2)\/?s(-?1)?)$/.test(plain)) return { factor: 3600, depth: false }
  if (/^(m\/?s(-?1)?)$/.test(plain)) return { factor: 3.6e6, depth: false }
  if (/^(mm|millimet(er|re)s?|kgm-2|kg\/m2)$/.test(plain)) return { factor: 1, depth: true }
  if (/^dbz$/.test(plain)) return 'dbz'
  return undefined
}

/**
 * Reads the rain of a netCDF file (4 or classic) whose last two dimensions are rows and columns: rates, depths of the intervals
 * between its times, or reflectivity. As `readOdim` it runs to its end: bytes from outside go through `Hdf5Reader`.
 * @throws FormatError `netcdf.*`, or `odim.*` for a file that is damaged or too large
 */
export async function readNetcdfRain(bytes: Uint8Array): Promise<NetcdfRain> {
  await hdf5Ready()
  return withHdf5('odim', isClassicNetcdf(bytes) ? await classicAsHdf5(bytes) : bytes, (root) => {
    const { name, data, scale } = variableOf(root)
    const shape = shapeOf(data)
    const [nrows, ncols] = shape.slice(-2)
    const place = placeOfGrid(root, data)
    if (!place)
      throw refuse(
        'place',
        `La grille de « ${name} » (${nrows} x ${ncols}) n’a pas de place lisible : il faut latitude et longitude, ou x et y (avec leur projection, grid_mapping, pour les situer), les deux dernières dimensions étant y et x.`,
      )
    const timesMs = timesOf(root, data)
    const count = picturesIn(data)
    if (!(nrows * ncols <= MAX_CELLS && nrows * ncols * count <= MOST_VALUES))
      throw refuse('size', `« ${name} » a trop de valeurs : donner moins de temps par fichier.`)
    const depthHours = scale !== 'dbz' && scale.depth ? intervalHours(root, data, timesMs ?? []) : null
    const read = readerOf(data, scale, depthHours ?? 1)
    const order = Array.from({ length: count }, (_, k) => k)
    if (timesMs) order.sort((a, b) => timesMs[a] - timesMs[b])
    return {
      nrows,
      ncols,
      geometry: place.geometry,
      cellM: place.cellM,
      timesMs: timesMs && order.map((k) => timesMs[k]),
      rateMmH: order.map((k) => turned(read(k), { nrows, ncols }, place)),
      depthHours,
      variable: name,
      bias: numberAttribute('gauge_adjustment_factor', data, root) ?? null,
      forecast: dataset(root, 'forecast_reference_time') !== undefined,
    }
  })
}

/** The variable that holds rain. */
function variableOf(root: Group): { name: string; data: Dataset; scale: Scale } {
  const grids = root.keys().flatMap((name) => {
    const data = dataset(root, name)
    if (!data || /bnds|bounds/.test(name)) return []
    const shape = shapeOf(data)
    return shape.length >= 2 && shape.slice(-2).every((n) => n >= 2) ? [{ name, data }] : []
  })
  const found = grids.flatMap(({ name, data }) => {
    const standard = textAttribute('standard_name', data) ?? ''
    const known = KNOWN.find(([pattern]) => pattern.test(name) || pattern.test(standard))?.[1]
    const scale = scaleOf(textAttribute('units', data) ?? '') ?? (known && scaleOf(known))
    return scale ? [{ name, data, scale, rain: RAIN.test(name) || RAIN.test(standard) }] : []
  })
  const rain = found.filter((one) => one.rain)
  const chosen = rain.length > 0 ? rain : found
  if (chosen.length === 1) return chosen[0]
  const names = (list: { name: string }[]) => list.map((one) => one.name).join(', ')
  throw chosen.length > 1
    ? refuse(
        'variables',
        `Plusieurs variables de pluie (${names(chosen)}) : n’en garder qu’une dans le fichier.`,
      )
    : refuse(
        'units',
        grids.length === 0
          ? 'Aucune grille : une variable dont les deux dernières dimensions sont y et x est attendue.'
          : `Aucune grille de pluie dont l’unité se lise (${names(grids)}) : l’attribut « units » doit dire mm/h, mm, kg m-2, kg m-2 s-1 ou dBZ.`,
      )
}

const UNIT_MS: [RegExp, number][] = [
  [/^milli/, 1],
  [/^(s|sec)/, 1000],
  [/^min/, 60_000],
  [/^(h|hr|hour)/, 3_600_000],
  [/^d/, 86_400_000],
]

const picturesIn = (data: Dataset): number =>
  shapeOf(data)
    .slice(0, -2)
    .reduce((product, n) => product * n, 1)

/** ms UTC of each picture (CF 1.11, section 4.4; Gregorian calendar); null where they count from no date. */
function timesOf(root: Group, data: Dataset): number[] | null {
  const count = picturesIn(data)
  const axis = ['time', 'Time', 'times', 'valid_time', 't'].map((name) => dataset(root, name)).find(Boolean)
  const [, unit, since] = /^(\w+)\s+since\s+(.+)$/i.exec(textAttribute('units', axis) ?? '') ?? []
  const unitMs = UNIT_MS.find(([pattern]) => pattern.test(unit?.toLowerCase() ?? ''))?.[1]
  if (axis && /^(s|sec|seconds?|min|minutes?|h|hours?)$/i.test(textAttribute('units', axis) ?? ''))
    return null
  const origin = Date.parse(utc(since ?? ''))
  if (!axis || unitMs === undefined || Number.isNaN(origin))
    throw refuse(
      'time',
      'Pas de temps lisible : une variable « time » en « minutes since AAAA-MM-JJ hh:mm » (UTC) est attendue.',
    )
  const values = Array.from(readNumbers('odim', axis), (v) => Math.round(origin + v * unitMs))
  if (values.length !== count || values.some((ms) => !Number.isFinite(ms)))
    throw refuse(
      'time',
      `${values.length} temps pour ${count} images : les dimensions attendues sont (time, y, x).`,
    )
  return values
}

/** A CF reference time as ISO 8601; without an offset it is UTC. */
function utc(text: string): string {
  const found =
    /^(\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2})(?::(\d{1,2}))?(?::(\d{1,2})(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d{1,2}(?::?\d{2})?)?$/i.exec(
      text.trim(),
    )
  if (!found) return ''
  const [, year, ...rest] = found
  const [month, day, hour = '0', minute = '0', second = '0'] = rest.slice(0, 5)
  const two = (part: string) => part.padStart(2, '0')
  const zone = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(rest[5] ?? '')
  const offset = zone ? `${zone[1]}${two(zone[2])}:${zone[3] ?? '00'}` : 'Z'
  return `${year.padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${offset}`
}

/**
 * Seconds that the times say a picture stands for: by their bounds (CF 1.11, section 7.1), else from `start_time` to
 * `valid_time`, as the Rainfields files of the Australian Bureau of Meteorology have it.
 */
function boundedSeconds(root: Group): number | undefined {
  const axis = ['time', 'Time', 'times', 'valid_time', 't'].map((name) => dataset(root, name)).find(Boolean)
  const seconds = (unit: string | undefined) => {
    const found = UNIT_MS.find(([pattern]) => pattern.test(unit?.toLowerCase() ?? ''))
    return found ? found[1] / 1000 : Number.NaN
  }
  const unitOf = (of: Dataset | undefined) => textAttribute('units', of)
  const named = textAttribute('bounds', axis)
  const bounds = named ? dataset(root, named) : undefined
  if (bounds) {
    const [from, to] = readNumbers('odim', bounds)
    return Math.abs(to - from) * seconds(unitOf(bounds) ?? unitOf(axis))
  }
  const [start, end] = ['start_time', 'valid_time'].map((name) => dataset(root, name))
  if (!start || !end || unitOf(start) !== unitOf(end)) return undefined
  return Math.abs(readNumbers('odim', end)[0] - readNumbers('odim', start)[0]) * seconds(unitOf(end))
}

/** Hours that each depth fell in: what the variable or its times say, else the usual distance of the times. */
function intervalHours(root: Group, data: Dataset, timesMs: readonly number[]): number {
  const said = numberAttribute('interval', data) ?? boundedSeconds(root)
  const steps = timesMs.slice(1).map((ms, k) => Math.abs(ms - timesMs[k]))
  const usual = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)]
  const hours = said === undefined ? (usual ?? 0) / 3_600_000 : said / 3600
  if (!(hours > 0))
    throw refuse(
      'interval',
      'Une hauteur de pluie à un seul temps : sa durée n’est pas connue. Donner plusieurs temps, leurs bornes (bounds), ou l’attribut « interval » en secondes.',
    )
  return hours
}

const fromDbz = (dbz: number): number => (dbz > NO_ECHO_DBZ ? (10 ** (dbz / 10) / LAW.a) ** (1 / LAW.b) : 0)

/** Reads one picture in mm/h. */
function readerOf(data: Dataset, scale: Scale, hours: number): (k: number) => Float32Array {
  const shape = shapeOf(data)
  const [nrows, ncols] = shape.slice(-2)
  const slope = numberAttribute('scale_factor', data) ?? 1
  const offset = numberAttribute('add_offset', data) ?? 0
  const { type, size } = data.metadata
  // Attributes are often doubles: -999.9 is another number in data of 32 bits.
  const stored = (value: number | undefined) =>
    value !== undefined && type === 1 && size === 4 ? Math.fround(value) : value
  const fills = ['_FillValue', 'missing_value'].map((name) => stored(numberAttribute(name, data)))
  const toRate = (raw: number): number => {
    const value = raw * slope + offset
    if (fills.includes(raw) || Number.isNaN(value)) return Number.NaN
    const rate = scale === 'dbz' ? fromDbz(value) : (value * scale.factor) / hours
    return rate >= 0 && rate < TOO_MUCH_MM_H ? rate : Number.NaN
  }
  // Chunks over time are inflated once where all fits, not once a picture.
  const whole = shape.reduce((product, n) => product * n, 1) <= MAX_CELLS ? readNumbers('odim', data) : null
  const cells = nrows * ncols
  if (whole)
    return (k) => Float32Array.from(whole.subarray(k * cells, (k + 1) * cells), (raw) => toRate(Number(raw)))
  // Dimensions before time have one entry; which of them is time does not matter then.
  const lead = shape.slice(0, -2)
  return (k) => {
    const ranges = [...lead.map((n) => (n > 1 ? [k, k + 1] : [0, 1])), [0, nrows], [0, ncols]] as Parameters<
      Dataset['slice']
    >[0]
    return Float32Array.from(data.slice(ranges) as TypedValues, (raw) => toRate(Number(raw)))
  }
}

/** A picture with its rows from the north and its columns from the west. */
function turned(
  values: Float32Array,
  { nrows, ncols }: { nrows: number; ncols: number },
  { flipRows, flipCols }: { flipRows: boolean; flipCols: boolean },
): Float32Array {
  if (!flipRows && !flipCols) return values
  const out = new Float32Array(values.length)
  for (let row = 0; row < nrows; row++) {
    const from = (flipRows ? nrows - 1 - row : row) * ncols
    const line = values.subarray(from, from + ncols)
    out.set(flipCols ? line.slice().reverse() : line, row * ncols)
  }
  return out
}
