import type { ZoneStats } from '@radx/contracts/radar'
import { EARTH_RADIUS_M, type ProductGrid } from './grid.ts'
import { RATE_NO_DATA } from './rates.ts'

/** GeoJSON positions are [longitude, latitude] in degrees; the first ring is the outline, others are holes. */
export type Ring = readonly (readonly number[])[]
export type AreaGeometry =
  | { type: 'Polygon'; coordinates: readonly Ring[] }
  | { type: 'MultiPolygon'; coordinates: readonly (readonly Ring[])[] }

/** The part of each grid cell that lies inside an area; only cells with a part inside are listed. */
export interface CatchmentWeights {
  /** `row * steps + col`, ascending. */
  cells: Uint32Array
  /** m2 inside, one a listed cell. */
  areasM2: Float64Array
  /** Area inside the grid, m2: the sum of `areasM2`. */
  insideM2: number
  /** Area of the whole geometry, m2; larger than `insideM2` when part of it lies outside the grid. */
  totalM2: number
}

/** Flat vertices x0, y0, x1, y1, ... of a ring; the first may stand again at the end. */
type FlatRing = number[]

/**
 * Lambert's cylindrical equal-area projection of the sphere (m): grid cells stay rectangles and plane
 * areas are areas on the ground.
 */
const projectX = (lng: number) => EARTH_RADIUS_M * lng * (Math.PI / 180)
const projectY = (lat: number) => EARTH_RADIUS_M * Math.sin(lat * (Math.PI / 180))

const flatRing = (ring: Ring): FlatRing => ring.flatMap(([lng, lat]) => [projectX(lng), projectY(lat)])

function ringArea(ring: FlatRing): number {
  const n = ring.length
  // Relative to the first vertex: coordinates of millions of metres would cost digits of a small area.
  const x0 = ring[0]
  const y0 = ring[1]
  let twice = 0
  for (let i = 2; i + 3 < n; i += 2)
    twice += (ring[i] - x0) * (ring[i + 3] - y0) - (ring[i + 2] - x0) * (ring[i + 1] - y0)
  return Math.abs(twice) / 2
}

/** Part of a ring on one side of a line (Sutherland and Hodgman 1974); `axis` 0 is x, `sign` 1 keeps >= at. */
function clip(ring: FlatRing, axis: 0 | 1, sign: 1 | -1, at: number): FlatRing {
  const out: FlatRing = []
  const n = ring.length
  let px = ring[n - 2]
  let py = ring[n - 1]
  let pd = sign * ((axis === 0 ? px : py) - at)
  for (let i = 0; i < n; i += 2) {
    const x = ring[i]
    const y = ring[i + 1]
    const d = sign * ((axis === 0 ? x : y) - at)
    if (d >= 0 !== pd >= 0) {
      const t = pd / (pd - d)
      out.push(axis === 0 ? at : px + t * (x - px), axis === 1 ? at : py + t * (y - py))
    }
    if (d >= 0) out.push(x, y)
    px = x
    py = y
    pd = d
  }
  return out
}

function extent(ring: FlatRing, axis: 0 | 1): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let i = axis; i < ring.length; i += 2) {
    if (ring[i] < low) low = ring[i]
    if (ring[i] > high) high = ring[i]
  }
  return [low, high]
}

/** Adds `sign` times the area of the ring inside each cell to `areas` (cell index -> m2). */
function addRing(
  ring: FlatRing,
  sign: 1 | -1,
  edgesX: number[],
  edgesY: number[],
  areas: Map<number, number>,
) {
  const steps = edgesX.length - 1
  const [yLow, yHigh] = extent(ring, 1)
  for (let row = 0; row < steps; row++) {
    const north = edgesY[row]
    const south = edgesY[row + 1]
    if (north <= yLow || south >= yHigh) continue
    const band = clip(clip(ring, 1, 1, south), 1, -1, north)
    const [xLow, xHigh] = extent(band, 0)
    for (let col = 0; col < steps; col++) {
      if (edgesX[col + 1] <= xLow) continue
      if (edgesX[col] >= xHigh) break
      const area = ringArea(clip(clip(band, 0, 1, edgesX[col]), 0, -1, edgesX[col + 1]))
      const index = row * steps + col
      areas.set(index, (areas.get(index) ?? 0) + sign * area)
    }
  }
}

/**
 * Exact area weights of the grid's cells inside a polygon or multipolygon with holes: each cell is
 * clipped against each ring. Ring orientation does not matter; the first ring of a polygon is its outline.
 */
export function catchmentWeights(grid: ProductGrid, geometry: AreaGeometry): CatchmentWeights {
  const { ul, lr } = grid.bounds
  const edgesX: number[] = []
  const edgesY: number[] = []
  for (let i = 0; i <= grid.steps; i++) {
    edgesX.push(projectX(ul.lng + (i / grid.steps) * (lr.lng - ul.lng)))
    edgesY.push(projectY(ul.lat - (i / grid.steps) * (ul.lat - lr.lat)))
  }
  const areas = new Map<number, number>()
  let totalM2 = 0
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  for (const rings of polygons) {
    rings.forEach((ring, i) => {
      const sign = i === 0 ? 1 : -1
      const flat = flatRing(ring)
      totalM2 += sign * ringArea(flat)
      addRing(flat, sign, edgesX, edgesY, areas)
    })
  }
  // What rounding leaves of a cell that a hole swallows (under a square centimetre) is no part of the area.
  const listed = [...areas].filter(([, area]) => area > 1e-4).sort((a, b) => a[0] - b[0])
  const areasM2 = Float64Array.from(listed, ([, area]) => area)
  return {
    cells: Uint32Array.from(listed, ([index]) => index),
    areasM2,
    insideM2: areasM2.reduce((sum, area) => sum + area, 0),
    totalM2,
  }
}

/** Area-weighted means over a catchment. Areas in m2. */
export interface CatchmentStatistics {
  validM2: number
  wetM2: number
  /** Area-weighted mean over cells with data, mm/h; null without any. */
  meanMmH: number | null
  /** Area-weighted mean over cells with rain, mm/h; 0 when dry, null without data. */
  wetMeanMmH: number | null
  /** Wet over valid area, %; null without data. */
  wetPct: number | null
  /** Valid over whole area inside the grid, %. */
  validPct: number
}

/** Statistics of a frame of rate codes `[row * steps + col]` over a catchment. */
export function catchmentStatistics(codes: Uint16Array, weights: CatchmentWeights): CatchmentStatistics {
  const { cells, areasM2 } = weights
  let validM2 = 0
  let wetM2 = 0
  let sum = 0
  for (let k = 0; k < cells.length; k++) {
    const code = codes[cells[k]]
    if (code === RATE_NO_DATA) continue
    const area = areasM2[k]
    validM2 += area
    if (code === 0) continue
    wetM2 += area
    sum += area * code
  }
  const some = validM2 > 0
  return {
    validM2,
    wetM2,
    meanMmH: some ? sum / validM2 / 100 : null,
    wetMeanMmH: some ? (wetM2 > 0 ? sum / wetM2 / 100 : 0) : null,
    wetPct: some ? (100 * wetM2) / validM2 : null,
    validPct: weights.insideM2 > 0 ? (100 * validM2) / weights.insideM2 : 0,
  }
}

/** The three means that calls answer for a catchment. */
export function catchmentZoneStats(s: CatchmentStatistics): ZoneStats {
  return { mean: s.meanMmH, nonzerosmean: s.wetMeanMmH, nonzerospc: s.wetPct }
}
