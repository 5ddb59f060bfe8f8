import { median } from './phase.ts'

/**
 * Attenuation constrained by differential phase: ZPHI of Testud et al. (2000), J. Atmos. Oceanic Technol. 17,
 * 332-356, and with the coefficient that each ray's own phase fits best, Bringi et al. (2001), IEEE Trans. Geosci.
 * Remote Sens. 39, 1906-1915.
 */
export interface ZphiInput {
  /** dBZ, `[ray * nbins + bin]`; what is not finite has no echo. */
  dbz: ArrayLike<number>
  /** Unfolded phase, degrees, NaN where not known or not rain. */
  phidp: ArrayLike<number>
  nbins: number
  gateKm: number
  /** Length over which the phase at both ends of the rain is taken, km. @default 2 */
  endsKm?: number
  /** Exponent of Z in attenuation. @default 0.78, X band */
  b?: number
}

export interface Zphi {
  /** Specific attenuation, dB a km, one way. */
  ah: Float64Array
  /** Two-way attenuation from the radar to the gate, dB. */
  pia: Float64Array
  /** Rise of the phase along each ray, degrees; NaN for a ray without two ends. */
  deltaPhidp: Float64Array
  /** dB a degree, each ray; NaN for a ray without two ends. */
  alpha: Float64Array
  /** First and last gate of the rain that the phase bounds, each ray; 0 and the last gate for a ray without two ends. */
  first: Int32Array
  last: Int32Array
}

/** What the search of each ray's own alpha came to, in rays. */
export interface AlphaSearch {
  /** Whose phase rises enough to tell. */
  searched: number
  /** Whose best alpha lies within the range searched; the others have their best at its edge, which is no answer. */
  found: number
}

interface Ends {
  first: number
  last: number
  rise: number
}

/** @param alpha dB a degree, 0.28 at X band */
export function zphi(input: ZphiInput, alpha = 0.28): Zphi {
  return rays(input, boundsOf(input), () => alpha)
}

/**
 * Each ray with the alpha whose rebuilt phase lies nearest to the measured one, searched from 0.36 to 1.8 times
 * `fixed` (0.1 to 0.5 dB a degree at X band) in 41 values. A ray whose best value lies at the edge takes `fixed`; one
 * whose phase rises less than `minRise` degrees cannot tell, and takes the median of those found, else `fixed`.
 */
export function zphiSelf(input: ZphiInput, { fixed = 0.28, minRise = 10 } = {}): Zphi & AlphaSearch {
  const { nbins, dbz } = input
  const range = Array.from({ length: 41 }, (_, k) => (fixed * (10 + k)) / 28)
  const best = new Map<number, number>()
  const hits: number[] = []
  const bounds = boundsOf(input)
  const ah = new Float64Array(nbins)
  for (let start = 0; start + nbins <= dbz.length; start += nbins) {
    const ends = bounds[start / nbins]
    if (!ends || ends.rise < minRise) continue
    const base = baseOf(input, start, ends)
    const rain = rainOf(input, start, ends)
    const at = bestOf(range.map((alpha) => misfit(input, start, rain, { base, alpha, ah })))
    const isHit = at > 0 && at < range.length - 1
    best.set(start, isHit ? range[at] : fixed)
    if (isHit) hits.push(range[at])
  }
  const common = hits.length > 0 ? median(hits) : fixed
  return {
    ...rays(input, bounds, (start) => best.get(start) ?? common),
    searched: best.size,
    found: hits.length,
  }
}

/** Index of the least value, 0 where none is below another. */
const bestOf = (values: readonly number[]): number =>
  values.reduce((best, value, k) => (value < values[best] ? k : best), 0)

interface Trial {
  /** Phase at the first end, degrees. */
  base: number
  alpha: number
  /** Room for the attenuation of a ray. */
  ah: Float64Array
}

/** Sum of the differences between measured and rebuilt phase, degrees. */
function misfit(input: ZphiInput, start: number, rain: Rain, { base, alpha, ah }: Trial): number {
  const { nbins, phidp, gateKm } = input
  const { first, last } = rain.ends
  ah.fill(0)
  attenuation(ah, input.b, rain, alpha)
  let phase = 0
  let sum = 0
  for (let bin = 1; bin <= last && bin < nbins; bin++) {
    phase += ((ah[bin - 1] + ah[bin]) * gateKm) / alpha
    const measured = phidp[start + bin]
    if (bin > first && Number.isFinite(measured)) sum += Math.abs(measured - base - phase)
  }
  return sum
}

/** Ends of each ray. */
function boundsOf(input: ZphiInput): (Ends | null)[] {
  const { dbz, nbins } = input
  return Array.from({ length: Math.floor(dbz.length / nbins) }, (_, ray) => endsOf(input, ray * nbins))
}

function rays(input: ZphiInput, bounds: readonly (Ends | null)[], alphaOf: (start: number) => number): Zphi {
  const { dbz, nbins, gateKm } = input
  const nrays = Math.floor(dbz.length / nbins)
  const out: Zphi = {
    ah: new Float64Array(dbz.length),
    pia: new Float64Array(dbz.length),
    deltaPhidp: new Float64Array(nrays).fill(Number.NaN),
    alpha: new Float64Array(nrays).fill(Number.NaN),
    first: new Int32Array(nrays),
    last: new Int32Array(nrays).fill(nbins - 1),
  }
  for (let ray = 0; ray < nrays; ray++) {
    const start = ray * nbins
    const ends = bounds[ray]
    if (!ends) continue
    out.deltaPhidp[ray] = ends.rise
    out.first[ray] = ends.first
    out.last[ray] = ends.last
    out.alpha[ray] = alphaOf(start)
    // Where the phase does not rise nothing is lost.
    if (!(ends.rise > 0)) continue
    const ah = out.ah.subarray(start, start + nbins)
    attenuation(ah, input.b, rainOf(input, start, ends), out.alpha[ray])
    let lost = 0
    for (let bin = 1; bin < nbins; bin++) {
      lost += (ah[bin - 1] + ah[bin]) * gateKm
      out.pia[start + bin] = lost
    }
  }
  return out
}

const baseOf = ({ phidp, gateKm, endsKm = 2 }: ZphiInput, start: number, { first }: Ends): number =>
  median(known(phidp, start + first, start + first + Math.round(endsKm / gateKm)))

function known(values: ArrayLike<number>, from: number, to: number): number[] {
  const out: number[] = []
  for (let k = from; k <= to && k < values.length; k++) if (Number.isFinite(values[k])) out.push(values[k])
  return out
}

/** The first and the last window with most known gates, and how far the phase rises from one to the other. */
function endsOf({ phidp, nbins, gateKm, endsKm = 2 }: ZphiInput, start: number): Ends | null {
  const width = Math.min(nbins, Math.max(3, Math.round(endsKm / gateKm)))
  let count = 0
  let most = 0
  let first = -1
  let last = -1
  for (let bin = 0; bin < nbins; bin++) {
    if (Number.isFinite(phidp[start + bin])) count++
    if (bin >= width && Number.isFinite(phidp[start + bin - width])) count--
    if (bin < width - 1) continue
    if (count > most) {
      most = count
      first = bin - width + 1
    }
    if (count === most) last = bin
  }
  if (most < 2) return null
  const begin = median(known(phidp, start + first, start + first + width - 1))
  const end = median(known(phidp, start + last - width + 1, start + last))
  return { first, last, rise: end - begin }
}

/** Rain between both ends of a ray, as the equations want it, whatever alpha is. */
interface Rain {
  ends: Ends
  /** Z^b, 0 where there is no rain. */
  za: Float64Array
  /** Integral of it from a gate to the last one. */
  rest: Float64Array
}

function rainOf({ dbz, nbins, gateKm, b = 0.78 }: ZphiInput, start: number, ends: Ends): Rain {
  const za = new Float64Array(nbins)
  const rest = new Float64Array(nbins)
  for (let bin = nbins - 1; bin >= ends.first; bin--) {
    const z = bin <= ends.last ? dbz[start + bin] : Number.NaN
    if (Number.isFinite(z)) za[bin] = 10 ** (0.1 * b * z)
    if (bin < nbins - 1) rest[bin] = rest[bin + 1] + 0.46 * b * gateKm * ((za[bin] + za[bin + 1]) / 2)
  }
  return { ends, za, rest }
}

/**
 * Equations 8 to 10 of Testud et al. (2000), the integral over the rain between both ends.
 * @param out one ray, zeros
 */
function attenuation(
  out: Float64Array,
  b = 0.78,
  { ends: { first, last, rise }, za, rest }: Rain,
  alpha: number,
): void {
  const f = 10 ** (0.1 * b * alpha * Math.max(0, rise)) - 1
  const whole = rest[first]
  if (!(f > 0 && whole > 0)) return
  for (let bin = first; bin <= last; bin++)
    if (za[bin] > 0) out[bin] = (za[bin] * f) / (whole + f * rest[bin])
}
