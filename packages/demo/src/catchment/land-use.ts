/** Land use of the demonstration catchment: streets, houses along them, two sites, woods, water. */
import { between, distance, inside, type Point } from './geometry.ts'
import { hash } from './noise.ts'
import { density, type StreetGraph, woodiness } from './streets.ts'
import { CELL, cellAt, cellCentre, NCOLS, NODATA, NROWS, PLACES, type Valley } from './terrain.ts'

export const CODE = { forest: 1, road: 2, grass: 3, house: 4, gully: 5, water: 6 } as const

/** A place in a four-cornered site: 0 to 1 along its first and its last side. */
function siteCoordinates([a, b, , d]: readonly Point[], p: Point): { u: number; v: number } {
  const ux = b.x - a.x
  const uy = b.y - a.y
  const vx = d.x - a.x
  const vy = d.y - a.y
  const det = ux * vy - uy * vx
  return {
    u: ((p.x - a.x) * vy - (p.y - a.y) * vx) / det,
    v: (ux * (p.y - a.y) - uy * (p.x - a.x)) / det,
  }
}

/** Long barrack-like buildings in rows, a yard in the middle and a road around. */
function siteCode(site: readonly Point[], p: Point): number {
  const { u, v } = siteCoordinates(site, p)
  const edge = Math.min(u, 1 - u, v, 1 - v)
  if (edge > 0.05 && edge < 0.085) return CODE.road
  if (edge < 0.1) return CODE.grass
  const bar = (x: number, from: number, to: number) => x > from && x < to
  const rows = bar(v, 0.16, 0.25) || bar(v, 0.74, 0.84)
  if (rows && (bar(u, 0.14, 0.34) || bar(u, 0.4, 0.6) || bar(u, 0.66, 0.86))) return CODE.house
  if (bar(u, 0.14, 0.22) && bar(v, 0.34, 0.66)) return CODE.house
  if (bar(u, 0.78, 0.86) && bar(v, 0.34, 0.5)) return CODE.house
  if (bar(u, 0.36, 0.62) && (bar(v, 0.4, 0.46) || bar(v, 0.56, 0.62))) return CODE.house
  if (bar(u, 0.28, 0.72) && bar(v, 0.49, 0.53)) return CODE.road
  return CODE.grass
}

/** 1 where a cell lies in the site and may be edited. */
export function siteMask(site: readonly Point[], active: Uint8Array): Uint8Array {
  const mask = new Uint8Array(active.length)
  for (let i = 0; i < mask.length; i++) {
    const p = cellCentre(Math.floor(i / NCOLS), i % NCOLS)
    if (active[i] && inside(site, p)) mask[i] = 1
  }
  return mask
}

function drawStreets(codes: Int16Array, valley: Valley, streets: StreetGraph): void {
  const set = (i: number) => {
    if (i >= 0 && valley.active[i] && !valley.water[i]) codes[i] = CODE.road
  }
  for (const { a, b, rank } of streets.edges) {
    const p = streets.nodes[a]
    const q = streets.nodes[b]
    const length = distance(p, q)
    const steps = Math.ceil(length / 3)
    const nx = -(q.y - p.y) / length
    const ny = (q.x - p.x) / length
    for (let k = 0; k <= steps; k++) {
      const m = between(p, q, k / steps)
      set(cellAt(m))
      if (rank === 2) for (const side of [-4.5, 4.5]) set(cellAt({ x: m.x + nx * side, y: m.y + ny * side }))
    }
  }
}

function drawHouses(codes: Int16Array, valley: Valley): void {
  const nearRoad = (row: number, col: number, reach: number): boolean => {
    for (let r = Math.max(0, row - reach); r <= Math.min(NROWS - 1, row + reach); r++)
      for (let c = Math.max(0, col - reach); c <= Math.min(NCOLS - 1, col + reach); c++)
        if (codes[r * NCOLS + c] === CODE.road) return true
    return false
  }
  for (let row = 0; row < NROWS; row++)
    for (let col = 0; col < NCOLS; col++) {
      const i = row * NCOLS + col
      if (codes[i] !== CODE.grass || valley.waterDistance[i] < 2 * CELL) continue
      const built = density(cellCentre(row, col))
      if (!nearRoad(row, col, built > 0.75 ? 3 : 2)) continue
      // Lots of two by two cells, most of them with a gap to the next house.
      const lot = hash(col >> 1, row >> 1, 51)
      const corner = hash(col, row, 52)
      const share = Math.max(0.16, Math.min(0.86, 0.2 + 0.68 * built))
      if (lot < share && corner < 0.55 + 0.4 * built) codes[i] = CODE.house
    }
}

/** Codes `[row * NCOLS + col]`, row 0 north; gullies are set later, by the sewer. */
export function makeLandUse(valley: Valley, streets: StreetGraph): Int16Array {
  const codes = new Int16Array(NCOLS * NROWS)
  for (let row = 0; row < NROWS; row++)
    for (let col = 0; col < NCOLS; col++) {
      const i = row * NCOLS + col
      const p = cellCentre(row, col)
      if (!valley.active[i]) codes[i] = NODATA
      else if (valley.water[i]) codes[i] = CODE.water
      else {
        codes[i] = woodiness(p) > 0 ? CODE.forest : CODE.grass
      }
    }
  for (const site of [PLACES.eogn, PLACES.oxygene])
    for (let i = 0; i < codes.length; i++) {
      const p = cellCentre(Math.floor(i / NCOLS), i % NCOLS)
      if (codes[i] > 0 && codes[i] !== CODE.water && inside(site, p)) codes[i] = siteCode(site, p)
    }
  drawStreets(codes, valley, streets)
  const masks = [PLACES.eogn, PLACES.oxygene].map((site) => siteMask(site, valley.active))
  const before = codes.slice()
  drawHouses(codes, valley)
  // The two sites keep their own buildings.
  for (let i = 0; i < codes.length; i++) if (masks.some((mask) => mask[i])) codes[i] = before[i]
  return codes
}
