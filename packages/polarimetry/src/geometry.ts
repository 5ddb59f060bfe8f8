import { beamHeight } from '@radx/rainfall/polar'

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
