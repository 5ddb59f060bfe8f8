import { RadxError } from '@radx/contracts/errors'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { Boundary } from '@radx/hydrology/surface/boundaries'
import type { RaisedFace } from '@radx/hydrology/surface/types'
import proj4 from 'proj4'
import { readBoundaries } from './boundaries.ts'
import type { FollowedPoint } from './extras.ts'
import { readPoints, readStart } from './extras.ts'
import { projectionOf } from './projection.ts'
import { readWalls } from './walls.ts'

/** What a package brings for a run, all of it optional. Grids are `[row * ncols + col]`, NaN for nothing. */
export interface RunStart {
  /** Water at the start: depth, m, and speed to the east and to the north, m/s. */
  depthM?: Float64Array
  eastMS?: Float64Array
  northMS?: Float64Array
  boundaries: Boundary[]
  points: FollowedPoint[]
  /** Faces that walls and breaklines raise; missing without `walls.geojson`. */
  raised?: RaisedFace[]
}

/** Houses of the default land use. */
const HOUSE_CODE = 4

/**
 * Reads `initial-depth.asc`, `initial-velocity-x.asc` and `-y.asc`, `boundaries.geojson` with `boundaries.csv`, and
 * `points.csv` and `walls.geojson`, as far as they are there.
 *
 * @param optional text of a file, null when there is none
 * @returns what there is, and everything that is wrong with it
 */
export async function readRunStart(
  optional: (name: string) => Promise<string | null>,
  elevation: EsriGrid,
  landUse: EsriGrid,
  crs: string,
): Promise<{ start: RunStart; problems: string[]; warnings: string[] }> {
  const start: RunStart = { boundaries: [], points: [] }
  const problems: string[] = []
  const warnings: string[] = []
  const attempt = async (name: string, read: (text: string) => void | Promise<void>) => {
    const text = await optional(name)
    if (text === null) return
    try {
      await read(text)
    } catch (error) {
      if (!(error instanceof RadxError)) throw error
      problems.push(error.message)
    }
  }
  const field = (key: 'depthM' | 'eastMS' | 'northMS', name: string, least: number) =>
    attempt(name, (text) => {
      start[key] = readStart(text, name, elevation, least)
    })
  await field('depthM', 'initial-depth.asc', 0)
  await field('eastMS', 'initial-velocity-x.asc', Number.NEGATIVE_INFINITY)
  await field('northMS', 'initial-velocity-y.asc', Number.NEGATIVE_INFINITY)
  await attempt('points.csv', (text) => {
    start.points = readPoints(text, elevation)
  })
  await attempt('boundaries.geojson', async (text) => {
    const csv = await optional('boundaries.csv')
    const read = readBoundaries(text, csv, elevation, toGridOf(crs))
    start.boundaries = read.boundaries
    warnings.push(...read.warnings, ...checkPlaces(read.boundaries, elevation, landUse))
  })
  await attempt('walls.geojson', (text) => {
    const read = readWalls(text, elevation, toGridOf(crs))
    start.raised = read.raised
    warnings.push(...read.warnings)
  })
  return { start, problems, warnings }
}

/** From longitude and latitude to the coordinates of a package. */
export function toGridOf(crs: string): (lng: number, lat: number) => [number, number] {
  const { forward } = proj4('WGS84', projectionOf(crs))
  return (lng, lat) => forward([lng, lat]) as [number, number]
}

/** Levels that stand under the bed, and water that comes in on a house. */
function checkPlaces(boundaries: readonly Boundary[], elevation: EsriGrid, landUse: EsriGrid): string[] {
  const place = (cell: number) =>
    `ligne ${Math.floor(cell / elevation.ncols) + 1} de la grille, colonne ${(cell % elevation.ncols) + 1}`
  return boundaries.flatMap(({ name, kind, series, faces, cells }) => {
    const all = [...faces.map(({ cell }) => cell), ...cells]
    if (kind === 'level' && series) {
      const lowest = all.reduce((low, cell) => (elevation.data[cell] < elevation.data[low] ? cell : low))
      const bed = elevation.data[lowest]
      const dry = Array.from(series.values).findIndex((value) => value < bed)
      if (dry >= 0)
        return [
          `la limite « ${name} » descend à ${series.values[dry]} m à ${series.timesS[dry]} s, sous le fond le plus bas de ses mailles (${bed} m, ${place(lowest)}) : l’eau y sort en chute libre. Relever le niveau dans boundaries.csv, ou déplacer la limite.`,
        ]
    }
    const house = kind === 'discharge' ? all.find((cell) => landUse.data[cell] === HOUSE_CODE) : undefined
    if (house !== undefined)
      return [
        `la limite « ${name} » fait entrer l’eau sur un bâtiment (${place(house)}). La déplacer dans boundaries.geojson.`,
      ]
    return []
  })
}

/** Series that end before the run does: their last value goes on. */
export function shortSeries(boundaries: readonly Boundary[], endS: number): string[] {
  return boundaries.flatMap(({ name, series }) => {
    if (!series || series.timesS.length < 2) return []
    const last = series.timesS[series.timesS.length - 1]
    if (last >= endS - 1e-9) return []
    return [
      `la série de la limite « ${name} » s’arrête à ${last} s, avant la fin du calcul (${endS} s) : sa dernière valeur (${series.values[series.values.length - 1]}) est gardée. Prolonger boundaries.csv, ou raccourcir la pluie.`,
    ]
  })
}
