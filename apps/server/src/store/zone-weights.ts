import { type CatchmentWeights, catchmentWeights, type ProductGrid } from '@radx/rainfall'
import type { StoredZone } from './catalog.ts'

const NOWHERE: CatchmentWeights = {
  cells: new Uint32Array(0),
  areasM2: new Float64Array(0),
  insideM2: 0,
  totalM2: 0,
}

/** Weights of every zone on a product's grid, `[zone ordinal - 1]`. */
export function zoneWeights(grid: ProductGrid, zones: StoredZone[]): CatchmentWeights[] {
  return zones.map(({ geometry }) => (geometry === null ? NOWHERE : catchmentWeights(grid, geometry)))
}
