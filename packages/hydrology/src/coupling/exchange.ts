import { GRAVITY } from '../surface/types.ts'

/** Coefficients measured by Rubinato et al. (2017, J. Hydrology 552), steady flow. */
export const FREE_WEIR = 0.54
export const SUBMERGED_WEIR = 0.056
export const ORIFICE = 0.167

/** An opening between surface and sewer. */
export interface Inlet {
  /** Ground of the cell: crest of the weir, m. */
  crestM: number
  /** Length of the crest, m; 0 for an opening that only gives back. */
  perimeterM: number
  /** m2. */
  areaM2: number
}

/** Inlet that a gully has when the catchment says nothing else: 0.5 m x 0.5 m. */
export const DEFAULT_INLET_SIDE_M = 0.5

/** Factor of h^(3/2) in the free weir's law (Rubinato et al. 2017, eq. 1). */
export function freeWeirFactor(perimeterM: number): number {
  return (2 / 3) * FREE_WEIR * perimeterM * Math.sqrt(2 * GRAVITY)
}

/**
 * Flow from the surface into the sewer, m3/s, >= 0 (Rubinato et al. 2017, eq. 1 to 3): a free weir while the head
 * stays under the crest; above it a submerged weir, or an orifice once the water is deep enough to fill the
 * opening (depth > area / perimeter). 0 when the head stands above the water: then the sewer gives, not takes.
 */
export function inletFlow(inlet: Inlet, depthM: number, headM: number): number {
  const { crestM, perimeterM, areaM2 } = inlet
  if (depthM <= 0 || perimeterM === 0) return 0
  if (headM <= crestM) return freeWeirFactor(perimeterM) * depthM * Math.sqrt(depthM)
  const drop = crestM + depthM - headM
  if (drop <= 0) return 0
  const speed = Math.sqrt(2 * GRAVITY * drop)
  return depthM < areaM2 / perimeterM
    ? SUBMERGED_WEIR * perimeterM * depthM * speed
    : ORIFICE * areaM2 * speed
}
