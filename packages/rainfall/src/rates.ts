/**
 * Rain rates as the store holds them: uint16 in steps of 0.01 mm/h. A wet cell stays wet (the smallest
 * code stands for everything above 0), and a cell without data is not a dry cell.
 */
/** Code of a cell without data. */
export const RATE_NO_DATA = 65535
/** Largest rate that a code can hold: 655.34 mm/h; higher rates are held at it. */
export const RATE_MAX_CODE = 65534

/** Code of a rate in mm/h. NaN (no data) gives RATE_NO_DATA, zero and below give 0. */
export function encodeRate(rateMmH: number): number {
  if (rateMmH > 0) {
    const code = Math.round(rateMmH * 100)
    return Math.max(1, Math.min(code, RATE_MAX_CODE))
  }
  return Number.isNaN(rateMmH) ? RATE_NO_DATA : 0
}

/** Rate in mm/h of a code; NaN for RATE_NO_DATA. */
export function decodeRate(code: number): number {
  return code === RATE_NO_DATA ? Number.NaN : code / 100
}

/** Codes of a whole field `[row * steps + col]`, row 0 north, rates in mm/h, NaN without data. */
export function encodeRates(
  ratesMmH: ArrayLike<number>,
  out = new Uint16Array(ratesMmH.length),
): Uint16Array {
  // encodeRate written out, since every frame taken in passes here: storing truncates, hence the half.
  for (let i = 0; i < ratesMmH.length; i++) {
    const rate = ratesMmH[i]
    if (rate > 0) {
      const scaled = rate * 100 + 0.5
      out[i] = scaled < 1 ? 1 : Math.min(scaled, RATE_MAX_CODE)
    } else out[i] = Number.isNaN(rate) ? RATE_NO_DATA : 0
  }
  return out
}

/** Rates in mm/h of a whole field or series of codes, NaN without data. */
export function decodeRates(codes: Uint16Array): Float32Array<ArrayBuffer>
export function decodeRates<A extends Float32Array | Float64Array>(codes: Uint16Array, out: A): A
export function decodeRates(
  codes: Uint16Array,
  out: Float32Array | Float64Array = new Float32Array(codes.length),
): Float32Array | Float64Array {
  for (let i = 0; i < codes.length; i++) out[i] = decodeRate(codes[i])
  return out
}
