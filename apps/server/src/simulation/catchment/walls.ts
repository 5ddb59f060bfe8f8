import { FormatError } from '@radx/contracts/errors'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { RaisedFace } from '@radx/hydrology/surface/types'
import { z } from 'zod'
import { describeIssue } from '../../config/issue.ts'
import { geometrySchema } from './boundaries.ts'
import { linesOf } from './boundary-cells.ts'
import { someOf } from './package-network.ts'

const WALLS_FILE = 'walls.geojson'

const collectionSchema = z.looseObject({
  features: z.array(
    z.looseObject({
      properties: z.looseObject({
        name: z.union([z.string(), z.number()]).transform(String).nullish(),
        crest: z.number().nullish(),
        height: z.number().nullish(),
      }),
      geometry: geometrySchema,
    }),
  ),
})

/** Share of a cell by which lines are moved, so that none runs through the centre of a cell. */
const ASIDE = { x: 1e-7, y: 1.7e-7 }

/**
 * Reads walls and breaklines: lines (or outlines of polygons), in the coordinates of the grid or in longitude and latitude,
 * with the level of their `crest` or their `height` above the higher ground beside them, m. A face is raised where the line
 * parts the centres of its two cells, so that nothing passes round a wall by its steps.
 *
 * @param toGrid turns longitude and latitude into coordinates of the grid
 * @throws FormatError `boundaries.feature` with what is wrong
 */
export function readWalls(
  text: string,
  elevation: EsriGrid,
  toGrid: (lng: number, lat: number) => [number, number],
): { raised: RaisedFace[]; warnings: string[] } {
  const raised = new Map<string, RaisedFace>()
  const warnings: string[] = []
  /** Walls that part no two cells. */
  const astray: string[] = []
  const { features } = parseCollection(text)
  for (const [k, { properties, geometry }] of features.entries()) {
    const label = properties.name ? `le mur « ${properties.name} »` : `le mur n° ${k + 1}`
    const crestOf = crestRule(label, properties)
    if (geometry.type === 'Point' || geometry.type === 'MultiPoint')
      throw refusal(`${label} est fait de points. Le donner comme ligne (LineString).`)
    let faces = 0
    let above = 0
    for (const line of linesOf(geometry, elevation, isInDegrees(geometry.coordinates) ? toGrid : asGiven))
      for (const { cell, other, side } of facesAcross(line, elevation)) {
        faces++
        const ground = Math.max(elevation.data[cell], elevation.data[other])
        const crestM = crestOf(ground)
        if (!(crestM > ground)) continue
        above++
        const key = `${cell}:${side}`
        if ((raised.get(key)?.crestM ?? Number.NEGATIVE_INFINITY) < crestM)
          raised.set(key, { cell, side, crestM })
      }
    if (faces === 0) astray.push(label)
    else if (above === 0)
      warnings.push(
        `${WALLS_FILE} : la crête de ${label} (${properties.crest} m) est partout sous le terrain : il ne retient rien. Donner crest comme altitude, ou height comme hauteur.`,
      )
  }
  if (astray.length > 0) {
    const remedy =
      'Donner des lignes dans le modèle, dans les coordonnées de la grille ou en longitude et latitude ; une ligne plus courte qu’une maille peut ne rien séparer.'
    const told = `${someOf(astray)} : rien à relever, aucune paire de mailles n’est séparée. ${remedy}`
    if (astray.length === features.length) throw refusal(told)
    warnings.push(`${WALLS_FILE} : ${told}`)
  }
  return { raised: [...raised.values()], warnings }
}

const asGiven = (x: number, y: number): [number, number] => [x, y]

/** Whether coordinates can be longitude and latitude. A wall right across a model has both its ends outside. */
function isInDegrees(coordinates: readonly unknown[]): boolean {
  const [x, y] = coordinates
  if (typeof x === 'number') return Math.abs(x) <= 180 && Math.abs(y as number) <= 90
  return coordinates.every((inner) => isInDegrees(inner as unknown[]))
}

const refusal = (message: string) => new FormatError('boundaries.feature', `${WALLS_FILE} : ${message}`)

/** The crest over the higher ground beside a face, m. */
function crestRule(
  label: string,
  { crest, height }: { crest?: number | null; height?: number | null },
): (groundM: number) => number {
  const given = [crest, height].filter((value) => value !== undefined && value !== null)
  if (given.length !== 1)
    throw refusal(
      `${label} a ${given.length === 0 ? 'ni crest ni height' : 'crest et height à la fois'}. Donner l’un des deux : crest (altitude de la crête, m) ou height (hauteur au-dessus du terrain, m).`,
    )
  if (typeof height === 'number') {
    if (!(height > 0 && height <= 100))
      throw refusal(`${label} : height ${height} m. Donner une hauteur de plus de 0 et d’au plus 100 m.`)
    return (groundM) => groundM + height
  }
  if (!(Math.abs(crest!) <= 9000)) throw refusal(`${label} : crest ${crest} m n’est pas une altitude.`)
  return () => crest!
}

function parseCollection(text: string): z.infer<typeof collectionSchema> {
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
    `${field || 'racine'} : ${message}. Il faut une FeatureCollection de lignes avec la propriété crest ou height (nombre, m).`,
  )
}

/** Faces between cells of the model whose centres a line parts. */
function facesAcross(
  line: readonly [number, number][],
  { ncols, nrows, xll, yll, cellSize, data }: EsriGrid,
) {
  const found: { cell: number; other: number; side: RaisedFace['side'] }[] = []
  const add = (row: number, col: number, side: RaisedFace['side']) => {
    const south = side === 'south'
    if (row < 0 || col < 0 || row + (south ? 1 : 0) >= nrows || col + (south ? 0 : 1) >= ncols) return
    const cell = row * ncols + col
    const other = cell + (south ? ncols : 1)
    if (!Number.isNaN(data[cell]) && !Number.isNaN(data[other])) found.push({ cell, other, side })
  }
  // In cells, centres at whole numbers, rows to the south.
  const places = line.map(([x, y]) => [
    (x - xll) / cellSize - 0.5 + ASIDE.x,
    nrows - (y - yll) / cellSize - 0.5 + ASIDE.y,
  ])
  for (let k = 1; k < places.length; k++) {
    const [u0, v0] = places[k - 1]
    const [u1, v1] = places[k]
    for (const row of between(v0, v1, nrows))
      add(row, Math.floor(u0 + ((row - v0) / (v1 - v0)) * (u1 - u0)), 'east')
    for (const col of between(u0, u1, ncols))
      add(Math.floor(v0 + ((col - u0) / (u1 - u0)) * (v1 - v0)), col, 'south')
  }
  return found
}

/** Whole numbers from 0 to `count` (exclusive) above the one and up to the other of two. */
function* between(a: number, b: number, count: number) {
  const last = Math.min(count - 1, Math.floor(Math.max(a, b)))
  for (let at = Math.max(0, Math.floor(Math.min(a, b)) + 1); at <= last; at++) yield at
}
