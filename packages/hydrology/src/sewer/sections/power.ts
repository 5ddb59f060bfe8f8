/** Parts that [1, 2) is cut into, and values of each: 1 / its middle, and the power of its middle. */
const PARTS = 256
const EXPONENTS = 2048

/** Bytes that the tables take at most. */
export const POWER_BYTES = 8 * (EXPONENTS + 2 * PARTS) + 128

/** Tables by which a power is found without `Math.pow`, in the kernel (assembly/sections/power.ts) as here. */
export interface PowerTable {
  exponent: number
  /** By the exponent of a double, as its bits have it; 0 for the smallest, which are no speeds. */
  scales: Float64Array
  /** Pairs by the leading eight bits of a double's fraction. */
  middles: Float64Array
}

export function powerTable(exponent: number): PowerTable {
  const middles = new Float64Array(2 * PARTS)
  for (let j = 0; j < PARTS; j++) {
    const middle = 1 + (j + 0.5) / PARTS
    middles[2 * j] = 1 / middle
    middles[2 * j + 1] = middle ** exponent
  }
  const scales = Float64Array.from({ length: EXPONENTS }, (_, k) =>
    k === 0 ? 0 : 2 ** (exponent * (k - 1023)),
  )
  return { exponent, scales, middles }
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** Where the half with sign and exponent stands. */
const HIGH = new Uint8Array(Float64Array.of(1).buffer)[7] === 0x3f ? 1 : 0

/** A power of x >= 0, to 3e-13 of itself: by the middle of the part that x lies in, and four terms of the binomial series. */
export function powerOf({ exponent, scales, middles }: PowerTable, x: number): number {
  double[0] = x
  const high = words[HIGH]
  words[HIGH] = (high & 0xfffff) | 0x3ff00000
  const part = (high >>> 11) & 0x1fe
  const d = double[0] * middles[part] - 1
  const square = (exponent * (exponent - 1)) / 2
  const cube = (square * (exponent - 2)) / 3
  return scales[high >>> 20] * (middles[part + 1] * (1 + d * (exponent + d * (square + d * cube))))
}
