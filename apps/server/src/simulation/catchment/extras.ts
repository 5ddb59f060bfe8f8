import { FormatError } from '@radx/contracts/errors'
import type { LandUseClass } from '@radx/contracts/landuse'
import { DEFAULT_LAND_USE } from '@radx/contracts/landuse'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { gridMismatch, readEsriAscii } from '@radx/formats/esri-ascii'
import { z } from 'zod'
import { describeIssue } from '../../config/issue.ts'
import { numberOf, readTable } from './table.ts'

/** A place whose depth, level and speed are followed. */
export interface FollowedPoint {
  name: string
  cell: number
}

const number = (most: number) => z.number().min(0).max(most)
const parametersSchema = z.record(
  z.string().regex(/^\d+$/),
  z.object({
    n: number(2).optional(),
    khMS: number(0.1).optional(),
    capshM: number(10).optional(),
    soilmd: number(1).optional(),
    interceptionM: number(0.1).optional(),
  }),
)

/**
 * Land-use classes as `parameters.json` has them: what it names replaces the default, and a code that has no default gets
 * what is not named as 0.
 *
 * @throws FormatError `parameters.*`
 */
export function readParameters(text: string): LandUseClass[] {
  const file = 'parameters.json'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new FormatError('parameters.json', `${file} n’est pas du JSON : ${(error as Error).message}`)
  }
  const parsed = parametersSchema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    // The code is a key of the file, not a place in a list: "2.n".
    throw new FormatError(
      'parameters.value',
      `${file} : ${issue.path.join('.') || 'racine'} : ${describeIssue(issue).message}. Il faut {"CODE": {"n": 0.03, "khMS": 0, "capshM": 0, "soilmd": 0, "interceptionM": 0}}.`,
    )
  }
  const classes = new Map(DEFAULT_LAND_USE.map((entry) => [entry.code, entry]))
  for (const [key, given] of Object.entries(parsed.data)) {
    const code = Number(key)
    const base = classes.get(code) ?? newClass(code)
    if (!classes.has(code) && given.n === undefined)
      throw new FormatError('parameters.value', `${file} : le code ${code} n’a pas de coefficient n.`)
    classes.set(code, {
      ...base,
      nmanningov: given.n ?? base.nmanningov,
      kh: given.khMS ?? base.kh,
      capsh: given.capshM ?? base.capsh,
      soilmd: given.soilmd ?? base.soilmd,
      interceptionclass:
        given.interceptionM === undefined ? base.interceptionclass : given.interceptionM * 1000,
    })
  }
  return [...classes.values()]
}

function newClass(code: number): LandUseClass {
  const title = `Code ${code}`
  return {
    code,
    title,
    color: '#808080',
    kh: 0,
    capsh: 0,
    soilmd: 0,
    nmanningov: 0,
    interceptionclass: 0,
    desc: title,
    descFull: title,
  }
}

/** Reads `points.csv`: name, x, y in the coordinates of the grid. @throws FormatError `points.*` */
export function readPoints(text: string, grid: EsriGrid): FollowedPoint[] {
  const file = 'points.csv'
  const { header, rows } = readTable(text, file)
  const missing = ['name', 'x', 'y'].filter((name) => !header.some((column) => column.toLowerCase() === name))
  if (missing.length > 0)
    throw new FormatError('points.header', `${file}, ligne 1 : il manque la colonne ${missing.join(', ')}.`)
  const seen = new Set<string>()
  return rows.map((row) => {
    const name = row.cell('name')
    if (name === '' || seen.has(name))
      throw new FormatError(
        'points.name',
        `${file}, ligne ${row.line} : ${name === '' ? 'le point n’a pas de nom' : `le nom « ${name} » est déjà pris`}. Donner à chaque point un nom à lui.`,
      )
    seen.add(name)
    const x = numberOf(row, 'x', file)
    const y = numberOf(row, 'y', file)
    const cell = pointCell(grid, x, y)
    if (cell < 0)
      throw new FormatError(
        'points.outside',
        `${file}, ligne ${row.line} : le point « ${name} » (${x}, ${y}) n’est pas sur une maille active de la grille.`,
      )
    return { name, cell }
  })
}

/** On the eastern and southern border of the grid: the last cell before it. */
function pointCell({ ncols, nrows, xll, yll, cellSize, data }: EsriGrid, x: number, y: number): number {
  const at = (place: number, count: number) => (place === count ? count - 1 : Math.floor(place))
  const col = at((x - xll) / cellSize, ncols)
  const row = at(nrows - (y - yll) / cellSize, nrows)
  if (!(col >= 0 && col < ncols && row >= 0 && row < nrows)) return -1
  return Number.isNaN(data[row * ncols + col]) ? -1 : row * ncols + col
}

/**
 * Reads a field at the start of a run.
 *
 * @param least smallest value that can be
 * @throws FormatError `catchment.field` when it does not lie on the model's grid or has an impossible value
 */
export function readStart(text: string, file: string, model: EsriGrid, least: number): Float64Array {
  const grid = readEsriAscii(text, file)
  const mismatch = gridMismatch(model, grid)
  if (mismatch)
    throw new FormatError('catchment.field', `${file} n’est pas calé sur elevation.asc : ${mismatch}.`)
  const wrong = grid.data.findIndex((value) => value < least)
  if (wrong >= 0)
    throw new FormatError(
      'catchment.field',
      `${file} : valeur ${grid.data[wrong]} à la ligne ${Math.floor(wrong / model.ncols) + 1} de la grille, colonne ${(wrong % model.ncols) + 1} ; une hauteur d’eau n’est pas négative.`,
    )
  return grid.data
}
