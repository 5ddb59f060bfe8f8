const number = new Float64Array(1)
const words = new Uint32Array(number.buffer)

/** Upper bits of 1 / cbrt(1), so that the seed is within 4 % everywhere. */
const SEED = 0x553ef0ff

/**
 * h^(-1/3) within some roundings: its exponent divided by -3 as seed, corrected twice with the series of (1 - r)^(-1/3),
 * r = 1 - h y^3, to third order. assembly/full/vectors.ts has the same for two values at a time.
 *
 * @param h above 0
 */
export function inverseCubeRoot(h: number): number {
  number[0] = h
  const upper = SEED - Math.floor(words[1] / 3)
  words[0] = 0
  words[1] = upper
  return corrected(h, corrected(h, number[0]))
}

function corrected(h: number, y: number): number {
  const r = 1 - h * (y * (y * y))
  return y + y * (r * (1 / 3 + r * (2 / 9 + r * (14 / 81))))
}
