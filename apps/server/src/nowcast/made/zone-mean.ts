import type { CatchmentWeights } from '@radx/rainfall'

/** Share of a zone that must be known. */
const KNOWN = 0.9

/** Mean rain over a zone by area, mm/h; null where more than a tenth of it is missing. @param rateMmH NaN missing */
export function zoneMean(
  rateMmH: Float32Array,
  { cells, areasM2, totalM2 }: CatchmentWeights,
): number | null {
  let known = 0
  let sum = 0
  for (let k = 0; k < cells.length; k++) {
    const rate = rateMmH[cells[k]]
    if (!(rate >= 0)) continue
    known += areasM2[k]
    sum += areasM2[k] * rate
  }
  return totalM2 > 0 && known >= KNOWN * totalM2 ? sum / known : null
}
