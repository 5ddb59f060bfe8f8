/** Numbers drawn one after the other from a seed; the same seed gives the same numbers on every machine. */
export interface RandomSource {
  /** Uniform in ]0, 1[. */
  uniform(): number
  /** Exponential of mean 1. */
  exponential(): number
  /** Standard normal. */
  normal(): number
}

/**
 * Small fast counting generator of 128 bits (Doty-Humphrey 2010, sfc32), seeded by splitmix32.
 * @param seed any integer; what exceeds 32 bits is folded in
 */
export function seededRandom(seed: number): RandomSource {
  let mix = (seed >>> 0) ^ Math.imul(Math.floor(seed / 2 ** 32) >>> 0, 0x9e3779b9)
  const splitmix = (): number => {
    mix = (mix + 0x9e3779b9) | 0
    let z = mix ^ (mix >>> 16)
    z = Math.imul(z, 0x21f0aaad)
    z ^= z >>> 15
    z = Math.imul(z, 0x735a2d97)
    return z ^ (z >>> 15)
  }
  let [a, b, c, counter] = [splitmix(), splitmix(), splitmix(), 1]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let i = 0; i < 12; i++) next()
  // The middle of each of 2^32 intervals: neither 0 nor 1, whose logarithms and tangents have no value.
  const uniform = (): number => (next() + 0.5) / 2 ** 32
  return {
    uniform,
    exponential: () => -Math.log(uniform()),
    normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  }
}
