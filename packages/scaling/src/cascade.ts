import { extremalLevy, stepAmplitude } from './levy.ts'
import type { RandomSource } from './random.ts'

/** Parameters of a universal multifractal (Schertzer and Lovejoy 1987). */
export interface MultifractalParameters {
  /** Multifractality index, ]0, 2] without 1: 0 is a fractal set, 2 log-normal. */
  alpha: number
  /** Codimension of the mean: how sparse what carries the mean is. */
  c1: number
}

/**
 * A discrete cascade of ratio 2 a step and direction, of mean 1 over many draws.
 * @param steps the side is 2^steps
 * @param dimension 1: a series; 2: a square `[row * side + col]`
 */
export function discreteCascade(
  { alpha, c1 }: MultifractalParameters,
  steps: number,
  dimension: 1 | 2,
  random: RandomSource,
): Float64Array {
  const draw = extremalLevy(alpha, random)
  const c = stepAmplitude(alpha, c1)
  const shift = Math.sign(alpha - 1) * c ** alpha
  let side = 1
  let field = new Float64Array([1])
  for (let step = 0; step < steps; step++) {
    const half = side
    side *= 2
    const finer = new Float64Array(dimension === 1 ? side : side * side)
    for (let i = 0; i < finer.length; i++) {
      const parent = dimension === 1 ? i >> 1 : (Math.floor(i / side) >> 1) * half + ((i % side) >> 1)
      finer[i] = field[parent] * Math.exp(c * draw() - shift)
    }
    field = finer
  }
  return field
}
