import type { SoilState } from '@radx/contracts/simulation-constants'

/** Depths of five days in mm from which soil is mean and wet. */
const LIMITS_MM = {
  dormant: { mean: 12.7, wet: 27.9 },
  growing: { mean: 35.6, wet: 53.3 },
} as const
/** Months in which plants dry the soil, 1 to 12. */
const GROWING = { from: 4, to: 10 } as const

/**
 * Wetness of the soil from the rain of the five days before: classes of antecedent moisture of the Soil Conservation
 * Service (National Engineering Handbook 4, 1972), whose limits differ with the season.
 * @param month 1 to 12, of the northern hemisphere
 */
export function soilStateAfter(depthMm: number, month: number): SoilState {
  const limits = LIMITS_MM[month >= GROWING.from && month <= GROWING.to ? 'growing' : 'dormant']
  return depthMm < limits.mean ? 'dry' : depthMm <= limits.wet ? 'mean' : 'wet'
}

/** Pore space that drains in soils from sand to clay, m3/m3 (Rawls et al. 1983, effective porosity 0.31 to 0.49). */
const MOST_DEFICIT = 0.4
const FACTOR: Record<SoilState, number> = { dry: 1.4, mean: 1, wet: 0.427 }

/**
 * Moisture deficit before the rain from that of the land-use table, which is a drained soil's: less by the ratio of
 * retentions of the wet class (Hawkins et al. 1985), more where plants have drawn on it, up to what soil can hold.
 */
export const deficitBefore = (soilmd: number, state: SoilState): number =>
  Math.min(Math.max(MOST_DEFICIT, soilmd), soilmd * FACTOR[state])
