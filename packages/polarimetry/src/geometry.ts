import { EARTH_RADIUS_M } from '@radx/rainfall/grid'

/** Radius of the earth times 4/3, as standard refraction bends the beam (Doviak and Zrnic 1993, section 2.2.3), m. */
const EFFECTIVE_RADIUS_M = (4 / 3) * EARTH_RADIUS_M
const RAD = Math.PI / 180

/** Height of the middle of the beam above the antenna, m (Doviak and Zrnic 1993, equation 2.28b). */
export function beamHeight(rangeM: number, elevationDeg: number): number {
  const r = EFFECTIVE_RADIUS_M
  return Math.sqrt(rangeM ** 2 + r ** 2 + 2 * rangeM * r * Math.sin(elevationDeg * RAD)) - r
}

/** Height of each gate's middle above the antenna, m, `[bin]`. */
export function gateHeights(sweep: {
  nbins: number
  rangeStartM: number
  rangeStepM: number
  elevationDeg: number
}): Float64Array {
  const { nbins, rangeStartM, rangeStepM, elevationDeg } = sweep
  return Float64Array.from({ length: nbins }, (_, bin) =>
    beamHeight(rangeStartM + (bin + 0.5) * rangeStepM, elevationDeg),
  )
}

/** 0 up to `from`, 1 from `to` on (or falling, where `to` is below `from`), a line between. NaN gives NaN. */
export const ramp = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))
