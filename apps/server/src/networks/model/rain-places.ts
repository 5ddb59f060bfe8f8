import type { InpResult } from '@radx/formats/inp/read'
import { catchmentWeights, cellIndexOf, type ProductGrid, type Ring } from '@radx/rainfall'
import { inDegrees, ringsOf } from './geometry.ts'
import { toDegrees } from './place.ts'

type Place = [number, number]

/** Cells of a radar's image, and the share of each; the shares sum to 1. */
export interface RainCells {
  cells: number[]
  shares: number[]
}

/** Where the subcatchments of a network take radar rain from. */
export interface RainPlaces {
  /** [subcatchment]; null where it lies outside the image. */
  of: (RainCells | null)[]
  /** The box of all positions; null outside the image. */
  box: RainCells | null
  /** How many lie by their outline, and by the place of the node that they drain to. */
  byOutline: number
  byOutlet: number
  /** Names of those that have neither, and take the mean of the box; and of those outside the image. */
  byBox: string[]
  outside: string[]
}

/** Whether positions of a file can be set beside an image: a system is told for them, or they are degrees. */
export const isPlaced = ({ document, network }: InpResult, crs: string | null): boolean =>
  crs !== null || inDegrees(document, network)

/**
 * Finds the radar cells of each subcatchment: those under its outline in [POLYGONS] with the area that lies in each, else
 * the one of the node that its water reaches, else those of the box round all positions.
 * @param crs system of the positions where the file does not say that they are degrees; null for degrees
 * @returns null where not one position is a place on Earth
 * @throws NetworkCrsUnknown
 */
export function rainPlaces(model: InpResult, crs: string | null, grid: ProductGrid): RainPlaces | null {
  const { network, runoff, document } = model
  const convert = crs === null || inDegrees(document, network) ? (at: Place) => at : toDegrees(crs)
  const onEarth = (at: Place): Place | null => {
    const place = convert(at)
    return Math.abs(place[0]) <= 180 && Math.abs(place[1]) <= 85 ? [place[0], place[1]] : null
  }
  const nodes = network.nodes.map(({ x, y }) => (x === undefined || y === undefined ? null : onEarth([x, y])))
  const isPlace = (at: Place | null): at is Place => at !== null
  const rings = new Map(
    [...ringsOf(document)].map(([name, ring]) => [name.toLowerCase(), ring.map(onEarth).filter(isPlace)]),
  )
  const box = boxOf([...nodes.filter(isPlace), ...[...rings.values()].flat()])
  if (box === null) return null
  const places: RainPlaces = {
    of: [],
    box: cellsUnder(grid, box),
    byOutline: 0,
    byOutlet: 0,
    byBox: [],
    outside: [],
  }
  const catchments = runoff?.subcatchments ?? []
  catchments.forEach(({ name }, i) => {
    const ring = rings.get(name.toLowerCase()) ?? []
    const node = nodes[nodeBelow(catchments, i)] ?? null
    let cells: RainCells | null = null
    if (ring.length > 2) cells = cellsUnder(grid, ring)
    if (ring.length > 2) places.byOutline++
    else if (node) {
      cells = cellAt(grid, node)
      places.byOutlet++
    } else {
      cells = places.box
      places.byBox.push(name)
    }
    if (cells === null) places.outside.push(name)
    places.of.push(cells)
  })
  return places
}

/** Node that the water of a subcatchment reaches, by way of others; -1 for none. */
function nodeBelow(catchments: NonNullable<InpResult['runoff']>['subcatchments'], from: number): number {
  let at = from
  for (let n = 0; n <= catchments.length; n++) {
    const { outlet } = catchments[at]
    if (outlet === null) return -1
    if ('node' in outlet) return outlet.node
    at = outlet.subcatchment
  }
  return -1
}

function boxOf(places: readonly Place[]): Place[] | null {
  if (places.length === 0) return null
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [lng, lat] of places) {
    west = Math.min(west, lng)
    east = Math.max(east, lng)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
}

/** Cells under a ring; where it has no area, the one of its middle. */
function cellsUnder(grid: ProductGrid, ring: Ring): RainCells | null {
  const { cells, areasM2, insideM2 } = catchmentWeights(grid, { type: 'Polygon', coordinates: [ring] })
  if (insideM2 > 0) return { cells: [...cells], shares: Array.from(areasM2, (area) => area / insideM2) }
  const middle = [0, 1].map((axis) => ring.reduce((sum, at) => sum + at[axis], 0) / ring.length) as Place
  return cellAt(grid, middle)
}

function cellAt(grid: ProductGrid, [lng, lat]: Place): RainCells | null {
  const cell = cellIndexOf(grid, { lng, lat })
  return cell < 0 ? null : { cells: [cell], shares: [1] }
}
