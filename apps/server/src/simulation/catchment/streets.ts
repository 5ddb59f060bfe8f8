import { FormatError } from '@radx/contracts/errors'
import { GULLY_CODE } from '@radx/contracts/landuse'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { z } from 'zod'
import { describeIssue } from '../../config/issue.ts'
import { geometrySchema } from './boundaries.ts'
import { linesOf } from './boundary-cells.ts'
import { cellsWithin, partsOf } from './polygons.ts'

/** Streets of a package by name. */
export interface Streets {
  names: string[]
  /** Place in `names` of the street that a cell belongs to, -1 without one. */
  ofCell: Int32Array
  /** Of each street its axes and the rings of its areas, in the coordinates of the grid. */
  shapes: StreetShape[]
}

export interface StreetShape {
  lines: [x: number, y: number][][]
  areas: [x: number, y: number][][][]
}

const FILE = 'streets.geojson'
const ROAD_CODE = 2
/** Of a street whose width nobody told, m. */
const USUAL_WIDTH_M = 10
const MOST_STREETS = 20_000

const collectionSchema = z.looseObject({
  features: z
    .array(
      z.looseObject({
        properties: z.looseObject({
          name: z.string().trim().max(200).nullish(),
          width: z.number().positive().max(200).nullish(),
        }),
        geometry: geometrySchema,
      }),
    )
    .max(MOST_STREETS),
})

/**
 * Reads `streets.geojson`: axes (lines with `name`, and `width` in m where it is known) or areas of streets, in the
 * coordinates of the grid or in longitude and latitude. A cell belongs to the street whose axis passes nearest: those that
 * the axis crosses, and those of road or gully within half its width. Features of one name are one street; those without a
 * name are left out.
 *
 * @throws FormatError `streets.*`
 */
export function readStreets(
  text: string,
  elevation: EsriGrid,
  landUse: EsriGrid,
  toGrid: (lng: number, lat: number) => [number, number],
): Streets {
  const places = new Map<string, number>()
  const shapes: StreetShape[] = []
  const ofCell = new Int32Array(elevation.data.length).fill(-1)
  const nearest = new Float32Array(elevation.data.length).fill(Number.POSITIVE_INFINITY)
  const take = (cell: number, street: number, awayM: number) => {
    if (Number.isNaN(elevation.data[cell]) || awayM >= nearest[cell]) return
    ofCell[cell] = street
    nearest[cell] = awayM
  }
  for (const { properties, geometry } of parse(text).features) {
    const name = properties.name ?? ''
    if (name === '') continue
    if (geometry.type === 'Point' || geometry.type === 'MultiPoint')
      throw refusal(`la rue « ${name} » est un point. Il faut une ligne ou une surface.`)
    const street = places.get(name) ?? places.size
    places.set(name, street)
    shapes[street] ??= { lines: [], areas: [] }
    const lines = linesOf(geometry, elevation, toGrid)
    if (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon') {
      shapes[street].areas.push(...partsOf(geometry, lines))
      cellsWithin(lines, elevation, (cell) => take(cell, street, 0))
    } else {
      shapes[street].lines.push(...lines)
      for (const line of lines)
        alongLine(line, elevation, landUse, (properties.width ?? USUAL_WIDTH_M) / 2, (cell, awayM) =>
          take(cell, street, awayM),
        )
    }
  }
  return { names: [...places.keys()], ofCell, shapes }
}

/** Tells each cell that an axis crosses, and each of road within reach of it, with its distance. */
function alongLine(
  line: readonly (readonly [number, number])[],
  { ncols, nrows, xll, yll, cellSize }: EsriGrid,
  landUse: EsriGrid,
  reachM: number,
  take: (cell: number, awayM: number) => void,
): void {
  const reach = Math.ceil(reachM / cellSize)
  for (let n = 1; n < line.length; n++) {
    const [[x0, y0], [x1, y1]] = [line[n - 1], line[n]]
    const lengthM = Math.hypot(x1 - x0, y1 - y0)
    const steps = Math.max(1, Math.ceil((2 * lengthM) / cellSize))
    // A line that leaves the grid far behind is not walked to its end.
    if (steps > 4 * (ncols + nrows)) continue
    for (let k = 0; k <= steps; k++) {
      const [x, y] = [x0 + (k / steps) * (x1 - x0), y0 + (k / steps) * (y1 - y0)]
      const [col, row] = [Math.floor((x - xll) / cellSize), Math.floor(nrows - (y - yll) / cellSize)]
      for (let r = Math.max(0, row - reach); r <= Math.min(nrows - 1, row + reach); r++)
        for (let c = Math.max(0, col - reach); c <= Math.min(ncols - 1, col + reach); c++) {
          const away = Math.hypot(xll + (c + 0.5) * cellSize - x, yll + (nrows - r - 0.5) * cellSize - y)
          const code = landUse.data[r * ncols + c]
          const road = code === ROAD_CODE || code === GULLY_CODE
          if ((r === row && c === col) || (road && away <= reachM)) take(r * ncols + c, away)
        }
    }
  }
}

const refusal = (message: string) => new FormatError('streets.feature', `${FILE} : ${message}`)

function parse(text: string): z.infer<typeof collectionSchema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw refusal(`ce n’est pas du JSON : ${(error as Error).message}`)
  }
  const parsed = collectionSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const { field, message } = describeIssue(parsed.error.issues[0])
  throw refusal(
    `${field || 'racine'} : ${message}. Il faut une FeatureCollection de lignes ou de surfaces dont la propriété name est le nom de la rue.`,
  )
}
