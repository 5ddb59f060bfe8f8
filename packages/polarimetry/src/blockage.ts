import type { RadarSweep } from '@radx/contracts/radar-volume'
import type { SitePolarimetry } from '@radx/contracts/site'
import { beamHeight } from '@radx/rainfall/polar'

/**
 * Share of the beam's cross-section that ground within it hides (Bech et al. 2003, J. Atmos. Oceanic Technol. 20, 845-855,
 * appendix): 0 to 1.
 * @param aboveM ground less the middle of the beam, m
 * @param radiusM of the beam, half its width, m
 */
export function partialBlockage(aboveM: number, radiusM: number): number {
  if (!(aboveM > -radiusM)) return 0
  if (aboveM >= radiusM) return 1
  const y = aboveM / radiusM
  return (y * Math.sqrt(1 - y * y) + Math.asin(y) + Math.PI / 2) / Math.PI
}

/**
 * Blockage of each gate by all ground up to it, `[ray * nbins + bin]`, 0 to 1.
 * @param groundM ground above sea level under each gate, same order; NaN hides nothing
 * @param beam antenna above sea level (m), elevation and width of the beam (degrees)
 */
export function beamBlockage(
  groundM: ArrayLike<number>,
  gates: { nbins: number; rangeStartM: number; rangeStepM: number },
  beam: { altitudeM: number; elevationDeg: number; widthDeg: number },
): Float32Array {
  const out = new Float32Array(groundM.length)
  const { nbins, rangeStartM, rangeStepM } = gates
  for (let bin = 0; bin < nbins; bin++) {
    const range = rangeStartM + (bin + 0.5) * rangeStepM
    const middle = beam.altitudeM + beamHeight(range, beam.elevationDeg)
    const radius = range * Math.tan((beam.widthDeg * Math.PI) / 360)
    for (let k = bin; k < out.length; k += nbins)
      out[k] = Math.max(bin > 0 ? out[k - 1] : 0, partialBlockage(groundM[k] - middle, radius))
  }
  return out
}

/**
 * Blockage of each gate by what a survey of the horizon found, `[ray * nbins + bin]`, 0 to 1; null where it found nothing.
 * @param beamWidthDeg between half powers
 */
export function horizonBlockage(
  { nrays, nbins, rangeStartM, rangeStepM, azimuthDeg, elevationDeg }: RadarSweep,
  horizon: SitePolarimetry['horizon'],
  beamWidthDeg: number,
): Float32Array | null {
  if (horizon.length === 0) return null
  const out = new Float32Array(nrays * nbins)
  for (let ray = 0; ray < nrays; ray++)
    for (const { fromDeg, toDeg, distanceKm, topDeg } of horizon) {
      const inside = (azimuthDeg[ray] - fromDeg + 360) % 360 < (toDeg - fromDeg + 360) % 360
      const share = inside ? partialBlockage(topDeg - elevationDeg, beamWidthDeg / 2) : 0
      if (share === 0) continue
      const first = Math.max(0, Math.ceil((distanceKm * 1000 - rangeStartM) / rangeStepM - 0.5))
      for (let bin = first; bin < nbins; bin++) {
        const k = ray * nbins + bin
        out[k] = Math.max(out[k], share)
      }
    }
  return out
}

/** Beyond this a correction says nothing. */
export const BLOCKED = 0.7

/** What a blockage takes from reflectivity, dB; NaN beyond `BLOCKED`. */
export const blockageLoss = (share: number): number =>
  share > BLOCKED ? Number.NaN : -10 * Math.log10(1 - share)
