import { insideAt } from '../edr/geometry.ts'

export type Position = [number, number]

/** Where a feature lies, longitude and latitude (RFC 7946). */
export type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }

/** A box of a plane; west is never greater than east. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** The same geometry with other positions. */
export function moved(geometry: Geometry, move: (at: Position) => Position): Geometry {
  switch (geometry.type) {
    case 'Point':
      return { type: 'Point', coordinates: move(geometry.coordinates) }
    case 'LineString':
      return { type: 'LineString', coordinates: geometry.coordinates.map(move) }
    case 'Polygon':
      return { type: 'Polygon', coordinates: geometry.coordinates.map((ring) => ring.map(move)) }
    case 'MultiPolygon':
      return {
        type: 'MultiPolygon',
        coordinates: geometry.coordinates.map((polygon) => polygon.map((ring) => ring.map(move))),
      }
  }
}

/** Whether anything of a geometry lies in one of the boxes, whose edges belong to them. */
export const meets = (geometry: Geometry, boxes: readonly Box[]): boolean =>
  boxes.some((box) => meetsBox(geometry, box))

function meetsBox(geometry: Geometry, box: Box): boolean {
  if (geometry.type === 'Point') return holds(box, geometry.coordinates)
  if (geometry.type === 'LineString') return lineMeets(geometry.coordinates, box)
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  if (polygons.some((rings) => rings.some((ring) => lineMeets(ring, box)))) return true
  // No edge enters the box: it lies inside, or nothing of it does.
  return insideAt(polygons, box.south)(box.west)
}

const holds = ({ west, south, east, north }: Box, [x, y]: Position): boolean =>
  x >= west && x <= east && y >= south && y <= north

function lineMeets(line: readonly Position[], box: Box): boolean {
  for (let k = 0; k < line.length; k++)
    if (holds(box, line[k]) || (k > 0 && segmentMeets(line[k - 1], line[k], box))) return true
  return false
}

/** Whether a segment crosses a box: what is left of it between the four edges (Liang and Barsky, 1984). */
function segmentMeets([x0, y0]: Position, [x1, y1]: Position, { west, south, east, north }: Box): boolean {
  let [from, to] = [0, 1]
  for (const [step, room] of [
    [x0 - x1, x0 - west],
    [x1 - x0, east - x0],
    [y0 - y1, y0 - south],
    [y1 - y0, north - y0],
  ]) {
    if (step === 0 && room < 0) return false
    if (step < 0) from = Math.max(from, room / step)
    if (step > 0) to = Math.min(to, room / step)
  }
  return from <= to
}
