/**
 * Rates in a byte, for members and their quantiles: 0 dry, 255 missing, 1 to 254 from 0.05 to 300 mm/h in equal ratios of
 * 3.5 %, so that a rate comes back within 1.8 %.
 */
export const LEVEL_MISSING = 255
const LEAST_MM_H = 0.05
const MOST_MM_H = 300
const STEPS = 253
const LOG_RATIO = Math.log(MOST_MM_H / LEAST_MM_H) / STEPS

export const levelRates = Float64Array.from({ length: 256 }, (_, level) =>
  level === 0 ? 0 : level === LEVEL_MISSING ? Number.NaN : LEAST_MM_H * Math.exp((level - 1) * LOG_RATIO),
)

function levelOf(rateMmH: number): number {
  if (Number.isNaN(rateMmH)) return LEVEL_MISSING
  // Below half of the least level is dry.
  if (rateMmH < LEAST_MM_H / 2) return 0
  return 1 + Math.min(STEPS, Math.max(0, Math.round(Math.log(rateMmH / LEAST_MM_H) / LOG_RATIO)))
}

/** By the upper half of a 32-bit float's bits, which hold it within 0.4 %: a logarithm a cell and member is too slow. */
let byUpperBits: Uint8Array | null = null

function levelsByUpperBits(): Uint8Array {
  const bits = new Uint32Array(1)
  const float = new Float32Array(bits.buffer)
  return Uint8Array.from({ length: 65_536 }, (_, upper) => {
    bits[0] = upper * 65_536 + 32_768
    return levelOf(float[0])
  })
}

/** Levels of rates in mm/h, NaN missing. */
export function encodeLevels(rateMmH: Float32Array, out: Uint8Array): void {
  byUpperBits ??= levelsByUpperBits()
  const bits = new Uint32Array(rateMmH.buffer, rateMmH.byteOffset, rateMmH.length)
  for (let i = 0; i < bits.length; i++) out[i] = byUpperBits[bits[i] >>> 16]
}
