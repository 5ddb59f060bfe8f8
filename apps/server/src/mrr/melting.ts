import type { Profile } from './profiles.ts'

/** Heights above the instrument between which snow melts, m. */
export interface MeltingLayer {
  bottomM: number
  topM: number
}

/** Below is rain, above is snow: what both fall at, at least and at most, and how much they differ, m/s. */
const RAIN_MS = 3.5
const SNOW_MS = 2.8
const LEAST_DROP_MS = 1.5
/** Means are taken this far below and above, but not nearer than a part of it, m. */
const REACH_M = 450
const NEAR_M = 100
/** The bright band is that much brighter than the snow above and the rain below, dB. */
const LEAST_BRIGHT_DB = 2
const LEAST_ABOVE_RAIN_DB = 0.5
/** Share of the change in speed at which the layer begins and ends. */
const EDGE = 0.25

/**
 * The melting layer of a profile, from the speed at which particles fall and from reflectivity: snow falls slowly,
 * rain fast, and in between wet flakes are bright. null where the profile shows none (convection, no rain, a layer
 * at the ground or above the column, no fall speeds).
 */
export function meltingLayer({
  heightsM,
  values,
}: Pick<Profile, 'heightsM' | 'values'>): MeltingLayer | null {
  const { VEL: fall, Ze: bright } = values
  if (!fall || !bright) return null
  // Most profiles need no more than this look.
  let slowest = Number.POSITIVE_INFINITY
  let fastest = Number.NEGATIVE_INFINITY
  for (const speed of fall) {
    if (speed < slowest) slowest = speed
    if (speed > fastest) fastest = speed
  }
  if (!(fastest >= RAIN_MS && slowest <= SNOW_MS)) return null
  const fallMean = meansOf(heightsM, fall)
  let best: { heightM: number; rain: number; snow: number } | null = null
  for (const heightM of heightsM) {
    const rain = fallMean(heightM - REACH_M, heightM - NEAR_M)
    const snow = fallMean(heightM + NEAR_M, heightM + REACH_M)
    if (!(rain >= RAIN_MS && snow <= SNOW_MS && rain - snow >= LEAST_DROP_MS)) continue
    if (best === null || rain - snow > best.rain - best.snow) best = { heightM, rain, snow }
  }
  if (best === null) return null
  const { heightM, rain, snow } = best
  let peak = Number.NEGATIVE_INFINITY
  let peakAt = 0
  for (let k = 0; k < heightsM.length; k++)
    if (Math.abs(heightsM[k] - heightM) <= REACH_M && bright[k] > peak) {
      peak = bright[k]
      peakAt = k
    }
  const brightMean = meansOf(heightsM, bright)
  const above = brightMean(heightM + NEAR_M, heightM + REACH_M)
  const below = brightMean(heightM - REACH_M - NEAR_M, heightM - 2 * NEAR_M)
  if (!(peak - above >= LEAST_BRIGHT_DB && peak - below >= LEAST_ABOVE_RAIN_DB)) return null
  let bottomM = heightM
  let topM = heightM
  for (let k = 0; k < heightsM.length; k++) {
    if (heightsM[k] > heightM - REACH_M && heightsM[k] < heightM && fall[k] >= rain - EDGE * (rain - snow))
      bottomM = heightsM[k]
    if (topM === heightM && heightsM[k] > heightM && fall[k] <= snow + EDGE * (rain - snow))
      topM = heightsM[k]
  }
  // Flakes that fall like rain already may still be bright.
  const isBright = (k: number) => bright[k] - below >= Math.max(LEAST_ABOVE_RAIN_DB, EDGE * (peak - below))
  for (let k = peakAt; k >= 0 && heightM - heightsM[k] <= REACH_M && isBright(k); k--)
    bottomM = Math.min(bottomM, heightsM[k])
  if (bottomM === heightM) bottomM = heightM - NEAR_M
  if (topM === heightM) topM = heightM + NEAR_M
  return { bottomM: Math.round(bottomM), topM: Math.round(topM) }
}

/** Means between two heights, m, of what was seen there; NaN of fewer than three gates. */
function meansOf(heightsM: readonly number[], values: Float32Array): (fromM: number, toM: number) => number {
  const sums = new Float64Array(heightsM.length + 1)
  const counts = new Uint16Array(heightsM.length + 1)
  for (let k = 0; k < heightsM.length; k++) {
    const seen = !Number.isNaN(values[k])
    sums[k + 1] = sums[k] + (seen ? values[k] : 0)
    counts[k + 1] = counts[k] + (seen ? 1 : 0)
  }
  /** Gates below a height. */
  const below = (heightM: number): number => {
    let [low, high] = [0, heightsM.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (heightsM[middle] < heightM) low = middle + 1
      else high = middle
    }
    return low
  }
  return (fromM, toM) => {
    const from = below(fromM)
    let to = below(toM)
    if (to < heightsM.length && heightsM[to] === toM) to++
    const count = counts[to] - counts[from]
    return count < 3 ? Number.NaN : (sums[to] - sums[from]) / count
  }
}
