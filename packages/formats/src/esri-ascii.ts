import type { CodeOf } from '@radx/contracts/errors'
import { FormatError } from '@radx/contracts/errors'

/** An ESRI ASCII grid. `data` is `[row * ncols + col]`, row 0 north; NODATA cells are NaN. */
export interface EsriGrid {
  ncols: number
  nrows: number
  /** Lower-left corner of the lower-left cell. */
  xll: number
  yll: number
  cellSize: number
  /** The value that stood for no data; NaN when the file named none. */
  noData: number
  data: Float64Array
}

const MAX_CELLS = 64e6
const HEADER_KEYS = new Set([
  'ncols',
  'nrows',
  'xllcorner',
  'yllcorner',
  'xllcenter',
  'yllcenter',
  'cellsize',
  'nodata_value',
])

/** How programs write NaN. */
const NAN = /^[-+]?nan$/i

function refuse(code: CodeOf<'esriascii'>, file: string, line: number, message: string): never {
  throw new FormatError(`esriascii.${code}`, `${file}, ligne ${line} : ${message}`, {
    details: { file, line },
  })
}

/** What to do about a number as it is written in French. */
const commaHint = (word: string): string =>
  /^[-+]?\d+,\d+$/.test(word) ? ` Le séparateur décimal est le point : ${word.replace(',', '.')}.` : ''

interface Header {
  values: Map<string, number>
  /** Where the data begin. */
  offset: number
  line: number
}

function readHeader(text: string, file: string): Header {
  const values = new Map<string, number>()
  let offset = 0
  let line = 1
  while (offset < text.length) {
    const end = text.indexOf('\n', offset)
    const row = text.slice(offset, end < 0 ? text.length : end).trim()
    if (row !== '' && !/^[a-z]/i.test(row)) break
    if (row === '' && values.size > 0) break
    const [key, value, ...rest] = row.split(/\s+/)
    if (row !== '') {
      const name = key.toLowerCase()
      // nan begins with a letter as well, but is data.
      if (!HEADER_KEYS.has(name)) {
        if (/^nan/.test(name)) break
        refuse('header', file, line, `« ${key.slice(0, 40)} » n’est pas un mot d’en-tête ESRI ASCII.`)
      }
      const number = Number(value)
      const nanForNoData = name === 'nodata_value' && NAN.test(value)
      if (rest.length > 0 || !(Number.isFinite(number) || nanForNoData))
        refuse('header', file, line, `${key} attend une valeur numérique.${commaHint(value ?? '')}`)
      values.set(name, number)
    }
    offset = end < 0 ? text.length : end + 1
    line++
  }
  return { values, offset, line }
}

function wholeNumber(values: Map<string, number>, key: string, file: string): number {
  const value = values.get(key)
  if (value === undefined) refuse('header', file, 1, `il manque ${key} dans l’en-tête.`)
  if (!Number.isInteger(value) || value < 1)
    refuse('header', file, 1, `${key} vaut ${value} : il faut un entier positif.`)
  return value
}

function corner(values: Map<string, number>, axis: 'x' | 'y', cellSize: number, file: string): number {
  const at = values.get(`${axis}llcorner`)
  if (at !== undefined) return at
  const centre = values.get(`${axis}llcenter`)
  if (centre === undefined) refuse('header', file, 1, `il manque ${axis}llcorner dans l’en-tête.`)
  return centre - cellSize / 2
}

/**
 * Reads an ESRI ASCII grid.
 *
 * @param file name for messages
 * @throws FormatError `esriascii.header`, `esriascii.size`, `esriascii.value`, `esriascii.count`, each with file and
 * line
 */
export function readEsriAscii(text: string, file: string): EsriGrid {
  const { values, offset, line } = readHeader(text, file)
  const ncols = wholeNumber(values, 'ncols', file)
  const nrows = wholeNumber(values, 'nrows', file)
  if (ncols * nrows > MAX_CELLS)
    refuse('size', file, 1, `${ncols} x ${nrows} mailles dépassent la limite de ${MAX_CELLS / 1e6} millions.`)
  const cellSize = values.get('cellsize')
  if (!(cellSize !== undefined && cellSize > 0))
    refuse('header', file, 1, `cellsize doit être un nombre positif.`)
  const noData = values.get('nodata_value') ?? Number.NaN
  // A value takes two characters: a short text under a large header is counted, not given room for what it lacks.
  const room = Math.ceil((text.length - offset) / 2)
  const grid: EsriGrid = {
    ncols,
    nrows,
    xll: corner(values, 'x', cellSize, file),
    yll: corner(values, 'y', cellSize, file),
    cellSize,
    noData,
    data: new Float64Array(Math.min(ncols * nrows, room)),
  }
  readCells(text, offset, line, grid, file)
  return grid
}

const SPACE = 32
const MINUS = 45
const POINT = 46
const ZERO = 48
/** So many digits are a whole number that a binary64 holds, whatever they are. */
const EXACT_DIGITS = 15
/** Powers of ten that a binary64 holds. */
const TENS = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => Number(`1e${power}`))

/** A place in a text. */
interface Cursor {
  at: number
}

/**
 * A number of few digits, to the bit what `Number` makes of it, in less than half its time: two exact numbers divided are
 * rounded once.
 * @param cursor where it begins; then where it ends
 * @returns NaN for any other word, the cursor then where it was
 */
function plainNumber(text: string, cursor: Cursor): number {
  let { at } = cursor
  const negative = text.charCodeAt(at) === MINUS
  if (negative) at++
  let whole = 0
  let digits = 0
  let places = -1
  for (; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO
    if (digit >= 0 && digit <= 9) {
      whole = 10 * whole + digit
      digits++
      if (places >= 0) places++
    } else if (digit === POINT - ZERO && places < 0) places = 0
    else if (digit <= SPACE - ZERO) break
    else return Number.NaN
  }
  if (digits === 0 || digits > EXACT_DIGITS) return Number.NaN
  cursor.at = at
  const size = places > 0 ? whole / TENS[places] : whole
  return negative ? -size : size
}

/** The word that begins at a cursor, which then stands at its end. */
function wordAt(text: string, cursor: Cursor): string {
  const from = cursor.at
  while (cursor.at < text.length && text.charCodeAt(cursor.at) > SPACE) cursor.at++
  return text.slice(from, cursor.at)
}

/** Values are separated by any white space: rows of the file need not be rows of the grid. */
function readCells(text: string, start: number, fromLine: number, grid: EsriGrid, file: string): void {
  const { data, noData, ncols } = grid
  const cells = ncols * grid.nrows
  const cursor = { at: start }
  let line = fromLine
  let count = 0
  while (cursor.at < text.length) {
    const code = text.charCodeAt(cursor.at)
    if (code <= SPACE) {
      if (code === 10) line++
      cursor.at++
      continue
    }
    if (count === cells)
      refuse('count', file, line, `trop de valeurs : l’en-tête en annonce ${cells}. Vérifier ncols et nrows.`)
    const plain = plainNumber(text, cursor)
    if (!Number.isNaN(plain)) {
      data[count++] = plain === noData ? Number.NaN : plain
      continue
    }
    const word = wordAt(text, cursor)
    const value = Number(word)
    if (value === noData) data[count++] = Number.NaN
    else if (Number.isFinite(value)) data[count++] = value
    else if (NAN.test(word)) data[count++] = Number.NaN
    else
      refuse(
        'value',
        file,
        line,
        `« ${word.slice(0, 40)} » (maille ${(count % ncols) + 1} de la rangée ${Math.floor(count / ncols) + 1}) n’est pas un nombre.${commaHint(word)}`,
      )
  }
  if (count < cells)
    refuse(
      'count',
      file,
      line,
      `${count} valeurs lues, l’en-tête en annonce ${cells}. Le fichier est tronqué ou l’en-tête est faux.`,
    )
}

/**
 * Writes an ESRI ASCII grid, a line a row. NaN becomes `noData` (-9999 when the grid has none).
 *
 * @param decimals digits after the point; trailing zeros are dropped
 */
export function writeEsriAscii(
  grid: Omit<EsriGrid, 'data'> & { data: ArrayLike<number> },
  decimals: number,
): string {
  const noData = Number.isNaN(grid.noData) ? -9999 : grid.noData
  const lines = [
    `ncols ${grid.ncols}`,
    `nrows ${grid.nrows}`,
    `xllcorner ${grid.xll}`,
    `yllcorner ${grid.yll}`,
    `cellsize ${grid.cellSize}`,
    `NODATA_value ${noData}`,
  ]
  const scale = 10 ** decimals
  for (let row = 0; row < grid.nrows; row++) {
    const cells = new Array<string>(grid.ncols)
    for (let col = 0; col < grid.ncols; col++) {
      const value = grid.data[row * grid.ncols + col]
      cells[col] = Number.isNaN(value) ? String(noData) : String(Math.round(value * scale) / scale)
    }
    lines.push(cells.join(' '))
  }
  return `${lines.join('\n')}\n`
}

/** Why two grids do not cover the same cells, or null. French, for a list of what is wrong. */
export function gridMismatch(a: EsriGrid, b: EsriGrid): string | null {
  if (a.ncols !== b.ncols || a.nrows !== b.nrows)
    return `${b.nrows} lignes x ${b.ncols} colonnes au lieu de ${a.nrows} x ${a.ncols}`
  if (Math.abs(a.cellSize - b.cellSize) > 1e-9 * a.cellSize)
    return `taille de maille ${b.cellSize} au lieu de ${a.cellSize}`
  const tolerance = 1e-3 * a.cellSize
  if (Math.abs(a.xll - b.xll) > tolerance || Math.abs(a.yll - b.yll) > tolerance)
    return `coin inférieur gauche (${b.xll}, ${b.yll}) au lieu de (${a.xll}, ${a.yll})`
  return null
}
