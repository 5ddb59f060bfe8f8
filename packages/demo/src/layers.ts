/** Where rain forms: what the micro rain radar and the weather radar see aloft, by one rule. */

/** Middle of the bright band below the height of melting, and its half-width, m. */
const BAND_BELOW_M = 210
const BAND_WIDTH_M = 130

/** Share of heavy showers in rain, 0 to 1: they stir the air, and have no bright band. */
export const convectiveShare = (rateMmH: number): number => Math.min(1, Math.max(0, (rateMmH - 5) / 10))

/** Share of what falls that is snow at a height, 0 to 1. @param meltingM height at which snow starts to melt */
export const snowShare = (heightM: number, meltingM: number): number =>
  1 / (1 + Math.exp((meltingM - 170 - heightM) / 55))

/** How much of the bright band shows at a height in widespread rain, 0 to 1. */
export const bandShare = (heightM: number, meltingM: number): number =>
  Math.exp(-(((heightM - meltingM + BAND_BELOW_M) / BAND_WIDTH_M) ** 2))

/** What falls at a height against what reaches the ground: snow takes up water, thin rain comes out of low clouds. */
export function growthAt(heightM: number, meltingM: number, groundMmH: number): number {
  const above = Math.max(0, heightM - Math.max(0, meltingM))
  const thickness = 900 + 900 * Math.log1p(2 * groundMmH)
  return Math.exp(-above / 2100) / (1 + Math.exp((heightM - 1.6 * thickness) / 260))
}

/** What the bright band adds to reflectivity, and what snow takes from it, dB. */
export const BAND_DB = 7.5
export const SNOW_DB = 5.5
