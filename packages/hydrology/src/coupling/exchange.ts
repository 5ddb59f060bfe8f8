import { GRAVITY } from '@radx/contracts/constants'
import type { Drain } from '../surface/drains.ts'

/** Coefficients measured by Rubinato et al. (2017, J. Hydrology 552), steady flow. */
export const FREE_WEIR = 0.54
export const SUBMERGED_WEIR = 0.056
export const ORIFICE = 0.167

/** Inlet that a gully has when the catchment says nothing else: 0.5 m x 0.5 m. */
export const DEFAULT_INLET_SIDE_M = 0.5

type InletLaw = Pick<Drain, 'freeWeir' | 'submergedWeir' | 'orifice' | 'fullM'>

/**
 * The law of an inlet as the surface's drains know it (Rubinato et al. 2017, eq. 1 to 3).
 * @param efficiency share of it that an inlet takes which leaves and mud partly block
 */
export function inletLaw(widthM: number, lengthM: number, efficiency = 1): InletLaw {
  const perimeterM = 2 * (widthM + lengthM)
  const areaM2 = widthM * lengthM
  return {
    freeWeir: efficiency * (2 / 3) * FREE_WEIR * perimeterM * Math.sqrt(2 * GRAVITY),
    submergedWeir: efficiency * SUBMERGED_WEIR * perimeterM,
    orifice: efficiency * ORIFICE * areaM2,
    fullM: areaM2 / perimeterM,
  }
}
