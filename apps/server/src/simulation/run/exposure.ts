import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HazardMaps } from '@radx/hydrology/surface/hazard'
import { DURATION_DEPTHS_M } from '@radx/hydrology/surface/hazard'
import { csvText } from '@radx/locale/csv'
import proj4 from 'proj4'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import type { Ring } from '../catchment/polygons.ts'
import { projectionOf } from '../catchment/projection.ts'
import { OUTPUT } from './outputs.ts'

/** Maps of a run, `[row * ncols + col]`, row 0 north: largest depth, m, and largest speed, m/s. */
export interface Largest {
  depthM: ArrayLike<number>
  speedMS: ArrayLike<number>
}

type Value = string | number | null
type Row = Record<string, Value>

interface Place {
  row: Row
  geometry: { type: string; coordinates: unknown } | null
}

const CENTIMETRES = DURATION_DEPTHS_M.map((depth) => Math.round(100 * depth))
const CLASSES = [1, 2, 3, 4]

/** What places are told of: the ground, what the run left on it, and how positions are written. */
interface Ground {
  town: CatchmentPackage
  maps: HazardMaps
  largest: Largest
  cellM2: number
  toWgs84: (ring: Ring) => number[][]
}

/**
 * Writes what water does to streets, buildings and communes, each as CSV and as GeoJSON (RFC 7946, WGS 84), as far as the
 * package tells them, and a summary of all. Without communes the whole catchment is one.
 *
 * A street has the water of its cells, a building the worst of those under it and those that touch it: grounds often have
 * houses raised, or left out.
 */
export function writeExposure(dir: string, town: CatchmentPackage, maps: HazardMaps, largest: Largest): void {
  const { forward } = proj4(projectionOf(town.catchment.crs), 'WGS84')
  const ground: Ground = {
    town,
    maps,
    largest,
    cellM2: town.elevation.cellSize ** 2,
    toWgs84: (ring) =>
      ring.map(([x, y]) => (forward([x, y]) as [number, number]).map((value) => round(value, 7))),
  }
  const write = (csv: string, geojson: string, places: Place[]) => {
    const columns = Object.keys(places[0]?.row ?? {})
    const rows = places.map(({ row }) => columns.map((column) => row[column]))
    writeFileSync(join(dir, csv), csvText([columns, ...rows]))
    writeFileSync(join(dir, geojson), collection(places))
  }
  const streets = streetPlaces(ground)
  const buildings = buildingPlaces(ground)
  if (streets) write(OUTPUT.streets, OUTPUT.streetsMap, streets)
  if (buildings) write(OUTPUT.buildings, OUTPUT.buildingsMap, buildings)
  write(OUTPUT.communes, OUTPUT.communesMap, communePlaces(ground))
  const summary = [
    ...(streets ? [counted('streets', '', streets)] : []),
    ...(buildings ? countedBuildings(buildings) : []),
  ]
  const heads = ['what', 'use', 'count', ...CENTIMETRES.map((depth) => `over_${depth}cm`), 'max_depth_m']
  if (streets || buildings) writeFileSync(join(dir, OUTPUT.exposure), csvText([heads, ...summary]))
}

function streetPlaces({ town: { streets }, maps, largest, cellM2, toWgs84 }: Ground): Place[] | null {
  if (!streets) return null
  const cells = cellsByStreet(streets.ofCell, streets.names.length)
  return streets.names.map((name, k): Place => {
    const { lines, areas } = streets.shapes[k]
    return {
      row: { name, ...areasOver(cells[k], largest, cellM2), ...worstOf(cells[k], maps, largest) },
      geometry: lines.length
        ? { type: 'MultiLineString', coordinates: lines.map(toWgs84) }
        : { type: 'MultiPolygon', coordinates: areas.map((rings) => rings.map(toWgs84)) },
    }
  })
}

function buildingPlaces({ town: { buildings }, maps, largest, toWgs84 }: Ground): Place[] | null {
  return (
    buildings?.map(
      ({ id, use, heightM, areas, cells }): Place => ({
        row: { id, use, height_m: heightM, ...worstOf(cells, maps, largest) },
        geometry: { type: 'MultiPolygon', coordinates: areas.map((rings) => rings.map(toWgs84)) },
      }),
    ) ?? null
  )
}

function communePlaces({ town, maps, largest, cellM2, toWgs84 }: Ground): Place[] {
  const { elevation, catchment, buildings } = town
  const communes = town.communes ?? [
    { name: catchment.display, code: null, areas: [], cells: insideOf(elevation.data) },
  ]
  const ofCell = new Int32Array(elevation.data.length).fill(-1)
  for (const [k, { cells }] of communes.entries()) for (const cell of cells) ofCell[cell] = k
  const depths = communes.map((): number[] => [])
  for (const { cell, cells } of buildings ?? []) depths[ofCell[cell]]?.push(mostAt(cells, largest.depthM))
  const buildingsOver = (n: number) =>
    DURATION_DEPTHS_M.map((limit, k) => [
      `buildings_over_${CENTIMETRES[k]}cm`,
      depths[n].filter((depth) => depth > limit).length,
    ])
  return communes.map(
    ({ name, code, areas, cells }, n): Place => ({
      row: {
        name,
        code,
        ...areasOver(cells, largest, cellM2),
        ...areasByClass('defra', cells, maps.defra, cellM2),
        ...areasByClass('ppri', cells, maps.ppri, cellM2),
        max_depth_m: round(mostAt(cells, largest.depthM), 4),
        ...Object.fromEntries(buildings ? buildingsOver(n) : []),
      },
      geometry: areas.length
        ? { type: 'MultiPolygon', coordinates: areas.map((rings) => rings.map(toWgs84)) }
        : null,
    }),
  )
}

/** How many places there are, how many of them deeper than each limit, and the deepest water, m. */
function counted(kind: string, use: string, places: readonly Place[]): Value[] {
  const depths = places.map(({ row }) => Number(row.max_depth_m))
  return [
    kind,
    use,
    places.length,
    ...DURATION_DEPTHS_M.map((limit) => depths.filter((depth) => depth > limit).length),
    depths.reduce((most, depth) => Math.max(most, depth), 0),
  ]
}

function countedBuildings(places: readonly Place[]): Value[][] {
  const useOf = ({ row }: Place) => String(row.use ?? '')
  const uses = [...new Set(places.map(useOf))].sort()
  const byUse = uses.map((use) =>
    counted(
      'buildings',
      use || 'sans usage',
      places.filter((place) => useOf(place) === use),
    ),
  )
  return [counted('buildings', '', places), ...(uses.length > 1 ? byUse : [])]
}

/** Cells of each street; a map by cell is gone through once. */
function cellsByStreet(ofCell: Int32Array, count: number): number[][] {
  const cells = Array.from({ length: count }, (): number[] => [])
  for (let cell = 0; cell < ofCell.length; cell++) if (ofCell[cell] >= 0) cells[ofCell[cell]].push(cell)
  return cells
}

function insideOf(bed: Float64Array): number[] {
  const cells: number[] = []
  for (let cell = 0; cell < bed.length; cell++) if (!Number.isNaN(bed[cell])) cells.push(cell)
  return cells
}

/** The largest value of some cells, 0 where there is none. */
function mostAt(cells: ArrayLike<number>, values: ArrayLike<number>): number {
  let most = 0
  for (let k = 0; k < cells.length; k++) if (values[cells[k]] > most) most = values[cells[k]]
  return most
}

function areasOver(cells: ArrayLike<number>, { depthM }: Largest, cellM2: number): Row {
  const counts = DURATION_DEPTHS_M.map(() => 0)
  for (let k = 0; k < cells.length; k++)
    for (let d = 0; d < counts.length && depthM[cells[k]] > DURATION_DEPTHS_M[d]; d++) counts[d]++
  return {
    area_m2: round(cells.length * cellM2, 2),
    ...Object.fromEntries(
      counts.map((count, d) => [`over_${CENTIMETRES[d]}cm_m2`, round(count * cellM2, 2)]),
    ),
  }
}

function areasByClass(name: string, cells: ArrayLike<number>, classes: Uint8Array, cellM2: number): Row {
  const counts = [0, 0, 0, 0, 0]
  for (let k = 0; k < cells.length; k++) counts[classes[cells[k]]]++
  return Object.fromEntries(CLASSES.map((one) => [`${name}_${one}_m2`, round(counts[one] * cellM2, 2)]))
}

/** The worst of some cells: depth, speed, classes; the first arrival and the longest time, s. */
function worstOf(cells: ArrayLike<number>, maps: HazardMaps, { depthM, speedMS }: Largest): Row {
  let arrival = Number.POSITIVE_INFINITY
  for (let k = 0; k < cells.length; k++)
    if (maps.arrivalS[cells[k]] < arrival) arrival = maps.arrivalS[cells[k]]
  return {
    max_depth_m: round(mostAt(cells, depthM), 4),
    max_speed_m_s: round(mostAt(cells, speedMS), 3),
    arrival_s: Number.isFinite(arrival) ? round(arrival, 1) : null,
    ...Object.fromEntries(
      maps.durationsS.map((lasted, d) => [`over_${CENTIMETRES[d]}cm_s`, round(mostAt(cells, lasted), 1)]),
    ),
    defra: mostAt(cells, maps.defra),
    ppri: mostAt(cells, maps.ppri),
  }
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))

/** A feature a line, so that large files can be read piece by piece. */
function collection(places: readonly Place[]): string {
  const features = places.map(({ row, geometry }) =>
    JSON.stringify({ type: 'Feature', properties: row, geometry }),
  )
  return `{"type":"FeatureCollection","features":[\n${features.join(',\n')}\n]}\n`
}
