import type { RandomSource } from './random.ts'

/**
 * Draws extremal Lévy-stable variables, skewed to the left, such that
 * `E[exp(q x)] = exp(sign(alpha - 1) q^alpha)` for q >= 0 (Chambers, Mallows and Stuck 1976; the normalisation of
 * universal multifractals, Schertzer and Lovejoy 1987). alpha = 2 gives normal variables of variance 2.
 * @param alpha multifractality index, 0 < alpha <= 2, not 1
 * @throws RangeError for any other alpha
 */
export function extremalLevy(alpha: number, random: RandomSource): () => number {
  if (!(alpha > 0 && alpha <= 2) || alpha === 1)
    throw new RangeError(`alpha is ${alpha}: extremal Lévy variables take ]0, 1[ and ]1, 2]`)
  if (alpha === 2) return () => Math.SQRT2 * random.normal()
  const shift = (-Math.PI / 2) * ((1 - Math.abs(1 - alpha)) / alpha)
  const sign = Math.sign(alpha - 1)
  return () => {
    const phi = Math.PI * (random.uniform() - 0.5)
    const w = random.exponential()
    const turned = alpha * (phi - shift)
    return (
      ((sign * Math.sin(turned)) / Math.cos(phi) ** (1 / alpha)) *
      (Math.cos(phi - turned) / w) ** ((1 - alpha) / alpha)
    )
  }
}

/**
 * Amplitude of the generator over one step of scale ratio 2, so that a cascade of such steps has codimension c1:
 * `<exp(q x)> = exp(s (c q)^alpha)` and `K(q) = c1 / (alpha - 1) (q^alpha - q)`.
 */
export function stepAmplitude(alpha: number, c1: number): number {
  return ((c1 * Math.LN2) / Math.abs(alpha - 1)) ** (1 / alpha)
}
