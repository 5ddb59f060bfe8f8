import type { Shape } from '../field.ts'

/** Scales of rain: Gaussian bands in the logarithm of the wavenumber (Pulkkinen et al. 2019, section 2.2). */
export interface Levels {
  count: number
  /** Wavenumber of each coefficient in units of 1/`PER_WAVE`, `[row * ncols + col]` of the transform. */
  radius: Uint16Array
  /** Weight of level k at a radius, `[radius * count + k]`; they sum to 1. */
  weights: Float32Array
}

/** Steps of the radius a wavenumber: finer than the bands by far. */
const PER_WAVE = 4
/** Width of a band, in levels. */
const WIDTH = 0.5

/**
 * Bands of a transform. Wavenumbers count waves over the longer side L; with q = (L/2)^(1/n) level k, from 0, is centred
 * at (q^k + q^(k+1)) / 2.
 * @param waves number of levels
 */
export function levelsOf({ nrows, ncols }: Shape, waves = 6): Levels {
  const side = Math.max(nrows, ncols)
  const base = (side / 2) ** (1 / waves)
  const log = (x: number) => (x > 0 ? Math.log(x) / Math.log(base) : 0)
  const radius = new Uint16Array(nrows * ncols)
  for (let row = 0; row < nrows; row++) {
    const fy = (Math.min(row, nrows - row) * side) / nrows
    for (let col = 0; col < ncols; col++) {
      const fx = (Math.min(col, ncols - col) * side) / ncols
      radius[row * ncols + col] = Math.round(PER_WAVE * Math.sqrt(fx * fx + fy * fy))
    }
  }
  const most = Math.ceil(PER_WAVE * Math.hypot(side / 2, side / 2)) + 1
  const weights = new Float32Array((most + 1) * waves)
  for (let r = 0; r <= most; r++) {
    const at = log(r / PER_WAVE)
    const raw = Array.from({ length: waves }, (_, k) => {
      const centre = log((base ** k + base ** (k + 1)) / 2)
      return Math.exp(-((at - centre) ** 2) / (2 * WIDTH * WIDTH))
    })
    const sum = raw.reduce((a, b) => a + b, 0)
    raw.forEach((weight, k) => {
      weights[r * waves + k] = weight / sum
    })
  }
  return { count: waves, radius, weights }
}

/** A factor for each radius: the levels' factors, weighted. The mean of the field keeps `ofMean`. */
export function radialFactor(
  { count, weights }: Levels,
  factors: ArrayLike<number>,
  ofMean: number,
): Float32Array {
  const out = new Float32Array(weights.length / count)
  for (let r = 0; r < out.length; r++)
    for (let k = 0; k < count; k++) out[r] += weights[r * count + k] * factors[k]
  out[0] = ofMean
  return out
}
