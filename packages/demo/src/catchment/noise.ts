/** Hash noise: the same numbers on every machine, no state. */

/** 0 to 1 from integers. */
export function hash(a: number, b: number, seed: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77) ^ Math.imul(seed, 0xc2b2ae3d)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296
}

/** Smooth value noise between -1 and 1 with features of about one unit. */
export function noise(x: number, y: number, seed: number): number {
  const i = Math.floor(x)
  const j = Math.floor(y)
  const fade = (t: number) => t * t * t * (t * (t * 6 - 15) + 10)
  const u = fade(x - i)
  const v = fade(y - j)
  const low = hash(i, j, seed) * (1 - u) + hash(i + 1, j, seed) * u
  const high = hash(i, j + 1, seed) * (1 - u) + hash(i + 1, j + 1, seed) * u
  return 2 * (low * (1 - v) + high * v) - 1
}

/** A repeatable sequence of numbers from 0 to 1. */
export function sequence(seed: number): () => number {
  let n = 0
  return () => hash(++n, 17, seed)
}
