import type { RadarSweep } from '@radx/contracts/radar-volume'

/** Added to rates, so that traces of rain are no cliffs, mm/h. */
const FLOOR_MM_H = 0.2
/** Over this far along the ray and across, m. */
const REACH_M = 500

/**
 * How steep rain is around each gate: change of the logarithm of its rate a km, along the ray and across, over the
 * distance to gates half a km away on both sides; a side that is not known tells nothing.
 * @returns `[ray * nbins + bin]`, 0 where nothing is known there or around
 */
export function rainSlope(
  rate: Float32Array,
  { nrays, nbins, rangeStartM, rangeStepM }: RadarSweep,
  beamWidthDeg: number,
): Float32Array {
  const out = new Float32Array(rate.length)
  const none = Math.fround(Math.log(FLOOR_MM_H))
  const logs = new Float32Array(rate.length)
  for (let k = 0; k < logs.length; k++) logs[k] = rate[k] === 0 ? none : Math.log(rate[k] + FLOOR_MM_H)
  // By the gate's distance: how many rays lie half a km to the side, and how far that is.
  const across = new Int32Array(nbins)
  const acrossKm = new Float64Array(nbins)
  const along = Math.max(1, Math.round(REACH_M / rangeStepM))
  const alongKm = (along * rangeStepM) / 1000
  const turn = (Math.max(beamWidthDeg, 360 / nrays) * Math.PI) / 180
  for (let bin = 0; bin < nbins; bin++) {
    const range = rangeStartM + (bin + 0.5) * rangeStepM
    across[bin] = Math.max(1, Math.min(nrays >> 2, Math.round(REACH_M / (range * turn))))
    acrossKm[bin] = (range * across[bin] * 2 * Math.PI) / nrays / 1000
  }
  for (let ray = 0; ray < nrays; ray++)
    for (let bin = 0; bin < nbins; bin++) {
      const k = ray * nbins + bin
      const own = logs[k]
      if (Number.isNaN(own)) continue
      let right = ray + across[bin]
      if (right >= nrays) right %= nrays
      let left = ray - across[bin]
      if (left < 0) left = (left + nrays) % nrays
      // A difference that is not known is above nothing.
      let alongTheRay = 0
      if (bin >= along) alongTheRay = greater(Math.abs(logs[k - along] - own), alongTheRay)
      if (bin + along < nbins) alongTheRay = greater(Math.abs(logs[k + along] - own), alongTheRay)
      const toTheSide = greater(
        Math.abs(logs[right * nbins + bin] - own),
        greater(Math.abs(logs[left * nbins + bin] - own), 0),
      )
      out[k] = Math.max(alongTheRay / alongKm, toTheSide / acrossKm[bin])
    }
  return out
}

const greater = (value: number, other: number): number => (value > other ? value : other)
