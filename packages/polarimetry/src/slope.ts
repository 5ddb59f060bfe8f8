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
  const along = Math.max(1, Math.round(REACH_M / rangeStepM))
  const alongKm = (along * rangeStepM) / 1000
  const turn = (Math.max(beamWidthDeg, 360 / nrays) * Math.PI) / 180
  for (let ray = 0; ray < nrays; ray++)
    for (let bin = 0; bin < nbins; bin++) {
      const k = ray * nbins + bin
      if (Number.isNaN(rate[k])) continue
      const range = rangeStartM + (bin + 0.5) * rangeStepM
      const across = Math.max(1, Math.min(nrays >> 2, Math.round(REACH_M / (range * turn))))
      const acrossKm = (range * across * 2 * Math.PI) / nrays / 1000
      let steepest = 0
      const look = (other: number, km: number): void => {
        const change = Math.abs(logs[other] - logs[k]) / km
        if (change > steepest) steepest = change
      }
      if (bin >= along) look(k - along, alongKm)
      if (bin + along < nbins) look(k + along, alongKm)
      look(((ray + across) % nrays) * nbins + bin, acrossKm)
      look(((ray - across + nrays) % nrays) * nbins + bin, acrossKm)
      out[k] = steepest
    }
  return out
}
