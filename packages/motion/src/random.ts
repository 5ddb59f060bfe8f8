/** Numbers that look random and follow from a seed: xoshiro128** (Blackman and Vigna 2021), seeded by splitmix32. */
export interface Random {
  /** 32 bits, as an unsigned number. */
  bits(): number
  /** Above 0, below 1. */
  uniform(): number
}

/** @param parts whole numbers; each set of them gives its own stream */
export function createRandom(...parts: number[]): Random {
  let mixed = 0x9e3779b9
  const splitmix = (add: number) => {
    mixed = (mixed + 0x9e3779b9 + add) | 0
    let z = mixed
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return z ^ (z >>> 15)
  }
  // A seed such as a moment in ms has more than 32 bits.
  for (const part of parts) {
    splitmix(part | 0)
    splitmix(Math.floor(part / 2 ** 32) | 0)
  }
  let [a, b, c, d] = [splitmix(0), splitmix(0), splitmix(0), splitmix(0) | 1]
  const bits = () => {
    const five = Math.imul(b, 5)
    const out = Math.imul((five << 7) | (five >>> 25), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return out
  }
  return { bits, uniform: () => (bits() + 0.5) / 2 ** 32 }
}

const TABLE_BITS = 12
/** Quantiles of the normal distribution at the middles of 4096 equal shares, of variance 1. */
export const NORMAL_TABLE = normalTable(1 << TABLE_BITS)

function normalTable(size: number): Float32Array {
  // Newton's method on the distribution function, from the centre outwards; the other half mirrors it.
  const table = new Float64Array(size)
  let x = 0
  for (let k = size / 2; k < size; k++) {
    const share = (k + 0.5) / size
    for (let round = 0; round < 40; round++) {
      const step = (normalShare(x) - share) / (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI))
      x -= Math.min(0.5, Math.max(-0.5, step))
      if (Math.abs(step) < 1e-12) break
    }
    table[k] = x
    table[size - 1 - k] = -x
  }
  const variance = table.reduce((sum, value) => sum + value * value, 0) / size
  return Float32Array.from(table, (value) => value / Math.sqrt(variance))
}

/** Share of a normal distribution below x >= 0, by the series of its density (Abramowitz and Stegun 26.2.11). */
function normalShare(x: number): number {
  let term = x
  let sum = x
  for (let k = 1; k < 200 && term > 1e-17 * sum; k++) {
    term *= (x * x) / (2 * k + 1)
    sum += term
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)
}

/** One number of a Laplace distribution of variance 1. */
export function laplace(random: Random): number {
  const share = random.uniform() - 0.5
  return (-Math.sign(share) * Math.log(1 - 2 * Math.abs(share))) / Math.SQRT2
}
