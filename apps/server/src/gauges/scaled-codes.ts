import { RATE_MAX_CODE, RATE_NO_DATA } from '@radx/rainfall'

/** Adjusted over original rain of each cell, within limits; 1 where the radar is dry or unknown. */
export function ratioOf(
  field: Float64Array,
  radar: Float64Array,
  [least, most]: readonly [number, number],
): Float64Array {
  return field.map((v, i) => (radar[i] > 0 ? Math.min(most, Math.max(least, v / radar[i])) : 1))
}

/** Rate codes times one factor: what is unknown or dry stays so, what is wet stays wet. */
export function scaleByFactor(codes: Uint16Array, factor: number, out: Uint16Array): void {
  for (let i = 0; i < out.length; i++) out[i] = isLeft(codes[i]) ? codes[i] : scale(codes[i], factor)
}

/** The same with a factor a cell, in the order of the codes. */
export function scaleByCell(codes: Uint16Array, ratio: Float64Array, out: Uint16Array): void {
  for (let i = 0; i < out.length; i++) out[i] = isLeft(codes[i]) ? codes[i] : scale(codes[i], ratio[i])
}

const isLeft = (code: number) => code === RATE_NO_DATA || code === 0
const scale = (code: number, factor: number) =>
  Math.max(1, Math.min(RATE_MAX_CODE, Math.round(code * factor)))
