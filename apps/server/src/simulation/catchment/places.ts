import { FormatError } from '@radx/contracts/errors'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { z } from 'zod'
import { describeIssue } from '../../config/issue.ts'
import { geometrySchema } from './boundaries.ts'
import { linesOf } from './boundary-cells.ts'
import { cellsWithin, partsOf, type Ring } from './polygons.ts'

type ToGrid = (lng: number, lat: number) => [number, number]

/** A building of a package. */
export interface Building {
  id: string
  /** m, and what it is used for, where the package tells them. */
  heightM: number | null
  use: string | null
  /** Rings of each part, in the coordinates of the grid. */
  areas: Ring[][]
  /** A cell under it. */
  cell: number
  /** Cells of the model where its water is looked for: those under it, and those that touch them. */
  cells: Int32Array
}

/** A commune of a package, or a part of one. */
export interface Commune {
  name: string
  /** Its code, where the package tells it. */
  code: string | null
  areas: Ring[][]
  /** Cells of the model whose middle lies within. */
  cells: Int32Array
}

const MOST_BUILDINGS = 200_000
const MOST_COMMUNES = 2_000

const word = z.union([z.string().trim().max(200), z.number()]).transform(String)
const buildingSchema = z.looseObject({
  id: word.nullish(),
  height: z.number().min(0).max(1000).nullish(),
  use: word.nullish(),
})
const communeSchema = z.looseObject({
  name: word.nullish(),
  nom: word.nullish(),
  code: word.nullish(),
  insee: word.nullish(),
})

/**
 * Reads `footprints.geojson`: outlines of buildings with `id`, `height` (m) and `use`, in the coordinates of the grid or in
 * longitude and latitude. Without an id a building is called by its number in the file. Those off the model are left out.
 *
 * @throws FormatError `footprints.feature`
 */
export function readFootprints(text: string, elevation: EsriGrid, toGrid: ToGrid): Building[] {
  const file = 'footprints.geojson'
  return readAreas(
    text,
    file,
    'footprints.feature',
    buildingSchema,
    MOST_BUILDINGS,
    elevation,
    toGrid,
  ).flatMap(({ properties, areas }, k) => {
    const under = cellsUnder(areas, elevation)
    const cells = withNeighbours(under, elevation)
    if (cells.length === 0) return []
    const { id, height, use } = properties
    const [cell] = under
    return [{ id: id || String(k + 1), heightM: height ?? null, use: use || null, areas, cell, cells }]
  })
}

/**
 * Reads `communes.geojson`: areas with `name` (or `nom`) and `code` (or `insee`). Features of one name are one commune.
 *
 * @throws FormatError `communes.feature`
 */
export function readCommunes(text: string, elevation: EsriGrid, toGrid: ToGrid): Commune[] {
  const file = 'communes.geojson'
  const found = new Map<string, { code: string | null; areas: Ring[][]; cells: Set<number> }>()
  for (const { properties, areas } of readAreas(
    text,
    file,
    'communes.feature',
    communeSchema,
    MOST_COMMUNES,
    elevation,
    toGrid,
  )) {
    const name = properties.name || properties.nom
    if (!name)
      throw new FormatError('communes.feature', `${file} : une commune n’a pas de nom (propriété name).`)
    const commune = found.get(name) ?? {
      code: properties.code || properties.insee || null,
      areas: [],
      cells: new Set(),
    }
    found.set(name, commune)
    commune.areas.push(...areas)
    for (const cell of cellsOf(areas, elevation)) commune.cells.add(cell)
  }
  return [...found].flatMap(([name, { code, areas, cells }]) =>
    cells.size === 0 ? [] : [{ name, code, areas, cells: Int32Array.from(cells) }],
  )
}

function readAreas<Properties>(
  text: string,
  file: string,
  code: 'footprints.feature' | 'communes.feature',
  properties: z.ZodType<Properties>,
  most: number,
  elevation: EsriGrid,
  toGrid: ToGrid,
): { properties: Properties; areas: Ring[][] }[] {
  const refuse = (message: string): never => {
    throw new FormatError(code, `${file} : ${message}`)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return refuse(`ce n’est pas du JSON : ${(error as Error).message}`)
  }
  const schema = z.looseObject({
    features: z.array(z.looseObject({ properties, geometry: geometrySchema })).max(most),
  })
  const parsed = schema.safeParse(json)
  if (!parsed.success) {
    const { field, message } = describeIssue(parsed.error.issues[0])
    return refuse(`${field || 'racine'} : ${message}. Il faut une FeatureCollection de surfaces.`)
  }
  return parsed.data.features.map((feature, k) => {
    const { geometry } = feature
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')
      return refuse(
        `l’objet ${k + 1} est du genre ${geometry.type}. Il faut des surfaces (Polygon, MultiPolygon).`,
      )
    return {
      properties: feature.properties as Properties,
      areas: partsOf(geometry, linesOf(geometry, elevation, toGrid)),
    }
  })
}

/** Cells whose middle lies within areas, of the model or not; of what is smaller than a cell those where its outline begins. */
function cellsUnder(areas: readonly Ring[][], grid: EsriGrid): Set<number> {
  const cells = new Set<number>()
  for (const rings of areas) cellsWithin(rings, grid, (cell) => cells.add(cell))
  if (cells.size === 0) for (const [ring] of areas) cellAt(ring[0], grid, (cell) => cells.add(cell))
  return cells
}

function cellsOf(areas: readonly Ring[][], elevation: EsriGrid): Set<number> {
  const cells = new Set<number>()
  for (const rings of areas)
    cellsWithin(rings, elevation, (cell) => {
      if (!Number.isNaN(elevation.data[cell])) cells.add(cell)
    })
  return cells
}

function cellAt(
  [x, y]: Ring[number],
  { ncols, nrows, xll, yll, cellSize }: EsriGrid,
  take: (cell: number) => void,
) {
  const col = Math.floor((x - xll) / cellSize)
  const row = Math.floor(nrows - (y - yll) / cellSize)
  if (col >= 0 && row >= 0 && col < ncols && row < nrows) take(row * ncols + col)
}

/** Cells and those that touch them, of the model. */
function withNeighbours(cells: ReadonlySet<number>, { ncols, nrows, data }: EsriGrid): Int32Array {
  const all = new Set<number>()
  for (const cell of cells) {
    const row = Math.floor(cell / ncols)
    const col = cell % ncols
    for (let r = Math.max(0, row - 1); r <= Math.min(nrows - 1, row + 1); r++)
      for (let c = Math.max(0, col - 1); c <= Math.min(ncols - 1, col + 1); c++)
        if (!Number.isNaN(data[r * ncols + c])) all.add(r * ncols + c)
  }
  return Int32Array.from(all)
}
