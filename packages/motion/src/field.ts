/** Size of a grid of square cells. Fields are `[row * ncols + col]`, row 0 north. */
export interface Shape {
  nrows: number
  ncols: number
}

/** A picture of rain at an instant. */
export interface RainFrame {
  /** Instant, ms since 1970 UTC. */
  timeMs: number
  /** mm/h, `[row * ncols + col]`, row 0 north; NaN is missing, 0 is dry. */
  rateMmH: Float32Array
}

/** Rain below this counts as dry, mm/h. */
export const WET_MM_H = 0.1
/** What dry and missing cells are in dBR. */
export const DRY_DBR = -15

/** 10 log10 of a rate; dry and missing cells are `DRY_DBR` (Pulkkinen et al. 2019, section 2). */
export function toDecibels(rateMmH: Float32Array): Float32Array {
  const out = new Float32Array(rateMmH.length)
  for (let i = 0; i < out.length; i++) {
    const rate = rateMmH[i]
    out[i] = rate >= WET_MM_H ? 10 * Math.log10(rate) : DRY_DBR
  }
  return out
}

/** 1 where known. */
export function knownCells(rateMmH: Float32Array): Uint8Array {
  const out = new Uint8Array(rateMmH.length)
  for (let i = 0; i < out.length; i++) if (rateMmH[i] >= 0) out[i] = 1
  return out
}

/** Cells that are known, and of these those with rain. */
export function countCells(rateMmH: Float32Array): { known: number; wet: number } {
  let known = 0
  let wet = 0
  for (const rate of rateMmH) {
    if (rate >= 0) known++
    if (rate >= WET_MM_H) wet++
  }
  return { known, wet }
}
