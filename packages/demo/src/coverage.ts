import type { Site } from '@radx/contracts/site'
import { cellCentre, type ProductGrid } from '@radx/rainfall/grid'

/** Directions in which something stands in the radar's beam: from north clockwise, from a distance on. */
const BLOCKED_SECTORS = [
  { fromDeg: 37.2, toDeg: 38.6, beyondKm: 14 },
  { fromDeg: 117.4, toDeg: 118.5, beyondKm: 31 },
  { fromDeg: 291.3, toDeg: 293.1, beyondKm: 22 },
] as const

/**
 * Cells that the radar does not see: beyond its range, and behind obstacles.
 * @returns ascending `row * steps + col`
 */
export function unseenCells(grid: ProductGrid, radar: Site['radar']): Uint32Array {
  const unseen: number[] = []
  const kmPerDegree = 111.195
  const shrink = Math.cos((radar.position.lat * Math.PI) / 180)
  for (let row = 0; row < grid.steps; row++)
    for (let col = 0; col < grid.steps; col++) {
      const { lat, lng } = cellCentre(grid, row, col)
      const x = (lng - radar.position.lng) * kmPerDegree * shrink
      const y = (lat - radar.position.lat) * kmPerDegree
      const km = Math.hypot(x, y)
      const azimuth = ((Math.atan2(x, y) * 180) / Math.PI + 360) % 360
      const blocked = BLOCKED_SECTORS.some(
        (s) => km > s.beyondKm && azimuth >= s.fromDeg && azimuth < s.toDeg,
      )
      if (blocked || km > radar.rangeKm) unseen.push(row * grid.steps + col)
    }
  return Uint32Array.from(unseen)
}
