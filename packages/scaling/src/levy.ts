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
  const { angle, wait } = tablesOf(alpha)
  return () => angle(random.uniform()) * wait(random.uniform())
}

/** A function of ]0, 1[, and how it is drawn from. */
type Drawn = (u: number) => number

/** Of the last alpha: members of an ensemble are made one after the other. */
let last: { alpha: number; angle: Drawn; wait: Drawn } | null = null

/**
 * The two factors of a draw, one of the angle and one of the exponential variable, each of its uniform variable: by
 * tables but for the ends, where they grow without bounds. A draw is most of what a cascade costs, and its logarithms,
 * sines and powers are most of a draw.
 */
function tablesOf(alpha: number): { angle: Drawn; wait: Drawn } {
  if (last?.alpha === alpha) return last
  const shift = (-Math.PI / 2) * ((1 - Math.abs(1 - alpha)) / alpha)
  const sign = Math.sign(alpha - 1)
  const power = (1 - alpha) / alpha
  const angle = (u: number) => {
    const phi = Math.PI * (u - 0.5)
    const turned = alpha * (phi - shift)
    return ((sign * Math.sin(turned)) / Math.cos(phi) ** (1 / alpha)) * Math.cos(phi - turned) ** power
  }
  last = { alpha, angle: tabulated(angle), wait: tabulated((u) => (-Math.log(u)) ** -power) }
  return last
}

const TABLE_STEPS = 8192
/** Parts at both ends, in steps of the table, that are computed. */
const TABLE_END = 128

function tabulated(exact: Drawn): Drawn {
  const values = new Float64Array(TABLE_STEPS + 1)
  for (let k = TABLE_END; k <= TABLE_STEPS - TABLE_END; k++) values[k] = exact(k / TABLE_STEPS)
  const end = TABLE_STEPS - TABLE_END
  return (u) => {
    const at = u * TABLE_STEPS
    if (!(at >= TABLE_END && at < end)) return exact(u)
    const k = at | 0
    return values[k] + (at - k) * (values[k + 1] - values[k])
  }
}

/**
 * Amplitude of the generator over one step of scale ratio 2, so that a cascade of such steps has codimension c1:
 * `<exp(q x)> = exp(s (c q)^alpha)` and `K(q) = c1 / (alpha - 1) (q^alpha - q)`.
 */
export function stepAmplitude(alpha: number, c1: number): number {
  return ((c1 * Math.LN2) / Math.abs(alpha - 1)) ** (1 / alpha)
}
