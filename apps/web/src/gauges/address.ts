import type { LatLng } from '@radx/contracts/site'
import { cellCentre, cellOf, type ProductGrid } from '@radx/rainfall/grid'
import { addPoint, type PixelPoint } from './points.ts'

/** A gauge as the address keeps it: where it was placed, and its colour. */
export type GaugePoint = PixelPoint<null>

/** Five decimals are a metre. */
const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5

/** Gauges in an address stand as `lat_lng_color`, newest first, joined by `*`. */
export function writeGauges(points: readonly GaugePoint[]): string | null {
  return points.length === 0
    ? null
    : points.map(({ pos, color }) => `${round(pos.lat)}_${round(pos.lng)}_${color}`).join('*')
}

/** Reads them back; what is no gauge is left out. Their cells are those of the given grid. */
export function readGauges(text: string | null, grid: ProductGrid): readonly GaugePoint[] {
  const places = (text ?? '').split('*').flatMap((part) => {
    const match = /^(-?\d+(?:\.\d+)?)_(-?\d+(?:\.\d+)?)_([0-2])$/.exec(part)
    return match ? [{ lat: Number(match[1]), lng: Number(match[2]), color: Number(match[3]) }] : []
  })
  // Oldest first, because each new one goes to the front.
  return places.reverse().reduce<readonly GaugePoint[]>((points, { lat, lng, color }) => {
    const added = addPoint(points, pointAt(grid, { lat, lng }))
    return added === points ? points : [{ ...added[0], color }, ...added.slice(1)]
  }, [])
}

/** Cell of a place; outside the grid it has none and cannot be taken for another's. */
export function pointAt(grid: ProductGrid, pos: LatLng): Omit<GaugePoint, 'color'> {
  const place = { lat: round(pos.lat), lng: round(pos.lng) }
  const cell = cellOf(grid, place)
  return {
    radarPixel: cell ?? { row: Number.NaN, col: Number.NaN },
    radarData: null,
    pos: place,
    posCenter: cell === null ? place : cellCentre(grid, cell.row, cell.col),
  }
}
