/** One foot, m: EPA SWMM's own constants are in feet. */
export const FOOT_M = 0.3048
/** Flows and depths below this count as none, m/s and m (1e-10 ft). */
export const ZERO = 1e-10 * FOOT_M
/** Rain and runoff below this count as dry weather, m/s (0.001 in/h). */
export const DRY_RATE = 0.0000254 / 3600
/** Manning's constant as EPA SWMM rounds it (1.49 in feet), m^(1/3)/s. */
export const MANNING = 1.49 * FOOT_M ** (1 / 3)
export const DAY_S = 86_400
