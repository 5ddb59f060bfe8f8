import { BadRequest } from '../../http/errors.ts'
import { isCivil } from '../../http/rain-requests.ts'

/** Corners of a geometry that a call may give. */
const CORNERS_MAX = 2_000

/** A place or outline in longitude and latitude, degrees. */
export type Geometry =
  | { type: 'points'; points: [number, number][] }
  /** With the moment of each point, s since 1970, where the text gives one (LINESTRINGM, LINESTRINGZM). */
  | { type: 'line'; points: [number, number][]; secondsOf: number[] | null; hasHeights: boolean }
  /** Polygons of rings; the first ring of each is its outline, the others holes. */
  | { type: 'polygons'; polygons: [number, number][][][] }

const wrong = (words: string) => new BadRequest('coords', 'coords', words)

/**
 * What well-known text (OGC 06-103, 7) describes: POINT, MULTIPOINT, LINESTRING (with Z, M or ZM), POLYGON, MULTIPOLYGON.
 * Heights say nothing here. @throws BadRequest
 */
export function parseWkt(text: string): Geometry {
  const found =
    /^\s*(POINT|MULTIPOINT|LINESTRING(?:\s*(?:ZM|Z|M))?|POLYGON|MULTIPOLYGON)\s*(\(.*\))\s*$/is.exec(text)
  if (!found)
    throw wrong(
      'coords attend un texte WKT en longitude et latitude : POINT(2.65 48.54), MULTIPOINT, LINESTRING, POLYGON ou MULTIPOLYGON.',
    )
  const kind = found[1].toUpperCase().replace(/\s/g, '')
  const nested = nestedList(found[2])
  if (kind === 'POINT') return { type: 'points', points: positions(nested, 1) }
  if (kind === 'MULTIPOINT') return { type: 'points', points: positions(nested.flatMap(unwrapped), 1) }
  if (kind.startsWith('LINESTRING')) return lineOf(nested, kind.slice('LINESTRING'.length))
  if (kind === 'POLYGON') return { type: 'polygons', polygons: [rings(nested)] }
  return { type: 'polygons', polygons: nested.map((polygon) => rings(asList(polygon))) }
}

/** @param dimensions beside longitude and latitude: none, `Z`, `M` or `ZM` */
function lineOf(list: Nested[], dimensions: string): Geometry {
  const points = positions(list, 2)
  const numbers = list.map((item) => String(item).split(/\s+/).map(Number))
  if (!numbers.every((parts) => parts.length === 2 + dimensions.length))
    throw wrong(`LINESTRING${dimensions} attend ${2 + dimensions.length} nombres par point.`)
  const secondsOf = dimensions.endsWith('M') ? numbers.map((parts) => parts[parts.length - 1]) : null
  if (secondsOf?.some((seconds, k) => k > 0 && seconds < secondsOf[k - 1]))
    throw wrong('Les instants de coords vont en croissant (secondes depuis 1970).')
  if (secondsOf?.some((seconds) => !isCivil(seconds * 1000)))
    throw wrong('Les instants de coords sont des secondes depuis 1970.')
  return { type: 'line', points, secondsOf, hasHeights: dimensions.startsWith('Z') }
}

/** Pairs of numbers as text, in as many lists as there were brackets. */
type Nested = string | Nested[]

function nestedList(text: string): Nested[] {
  const root: Nested[] = []
  const open: Nested[][] = [root]
  let corners = 0
  for (const [part] of text.matchAll(/[(),]|[^(),]+/g)) {
    if (part === '(') {
      const list: Nested[] = []
      open.at(-1)?.push(list)
      open.push(list)
      if (open.length > 5) throw wrong('coords a trop de parenthèses.')
    } else if (part === ')') {
      open.pop()
      if (open.length === 0) throw wrong('Les parenthèses de coords ne se ferment pas.')
    } else if (part !== ',' && part.trim() !== '') {
      if (++corners > CORNERS_MAX) throw wrong(`coords a plus de ${CORNERS_MAX} points.`)
      open.at(-1)?.push(part.trim())
    }
  }
  if (open.length !== 1 || root.length !== 1) throw wrong('Les parenthèses de coords ne se ferment pas.')
  return asList(root[0])
}

const asList = (nested: Nested): Nested[] => (typeof nested === 'string' ? [nested] : nested)
/** Points of a MULTIPOINT stand in brackets of their own or not. */
const unwrapped = (nested: Nested): Nested[] => asList(nested)

function positions(list: Nested[], least: number): [number, number][] {
  const points = list.map((item): [number, number] => {
    const parts = typeof item === 'string' ? item.split(/\s+/).map(Number) : []
    const [lng, lat] = parts
    if (parts.length < 2 || parts.length > 4 || !parts.every(Number.isFinite))
      throw wrong('Chaque point de coords attend une longitude et une latitude.')
    if (Math.abs(lng) > 180 || Math.abs(lat) > 90)
      throw wrong('coords : longitude de -180 à 180, puis latitude de -90 à 90.')
    return [lng, lat]
  })
  if (points.length < least) throw wrong('coords a trop peu de points.')
  return points
}

function rings(list: Nested[]): [number, number][][] {
  const all = list.map((ring) => positions(asList(ring), 4))
  if (all.length === 0) throw wrong('coords a trop peu de points.')
  for (const ring of all) {
    const [first, last] = [ring[0], ring[ring.length - 1]]
    if (first[0] !== last[0] || first[1] !== last[1])
      throw wrong('Le contour de coords doit finir où il commence.')
  }
  return all
}

/**
 * What lies in the polygons at a latitude, by the even-odd rule; an edge counts to one side of it. Edges are looked at once
 * for all places of a latitude: thousands of them at each place take seconds.
 */
export function insideAt(polygons: [number, number][][][], lat: number): (lng: number) => boolean {
  const crossed: number[] = []
  for (const ring of polygons.flat())
    for (let k = 1; k < ring.length; k++) {
      const [x1, y1] = ring[k - 1]
      const [x2, y2] = ring[k]
      if (y1 > lat !== y2 > lat) crossed.push(x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1))
    }
  return (lng) => {
    let inside = false
    for (const x of crossed) if (lng < x) inside = !inside
    return inside
  }
}

/** A box; west of it may be greater than east, then it crosses 180 degrees (RFC 7946, 5.2). */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** `west,south,east,north`, or with heights between, which say nothing here. @throws BadRequest */
export function parseBox(text: string): Box {
  const refuse = (words: string) => new BadRequest('bbox', 'bbox', words)
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if ((parts.length !== 4 && parts.length !== 6) || !parts.every(Number.isFinite))
    throw refuse('bbox attend quatre nombres : ouest,sud,est,nord.')
  const [west, south, east, north] = parts.length === 4 ? parts : [parts[0], parts[1], parts[3], parts[4]]
  if (Math.abs(west) > 180 || Math.abs(east) > 180 || Math.abs(south) > 90 || Math.abs(north) > 90)
    throw refuse('bbox : longitudes de -180 à 180, latitudes de -90 à 90.')
  if (south > north) throw refuse('bbox est à l’envers : le sud d’abord, puis le nord.')
  return { west, south, east, north }
}

export const inBox = ({ west, south, east, north }: Box, lng: number, lat: number): boolean =>
  lat >= south && lat <= north && (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east)
