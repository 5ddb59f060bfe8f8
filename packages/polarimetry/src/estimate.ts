import type { Tuning } from './bands.ts'
import { HAIL_CODES } from './classes.ts'
import { rainFromKdp, rainFromReflectivity } from './rain.ts'

/** By what the rain of a gate was estimated most of all, in the order of their codes, from 1 on; 0 is no estimate. */
export const METHODS = [
  { code: 1, name: 'none', label: 'aucun écho' },
  { code: 2, name: 'R(Z)', label: 'réflectivité' },
  { code: 3, name: 'R(Z,ZDR)', label: 'réflectivité et ZDR' },
  { code: 4, name: 'R(KDP)', label: 'phase spécifique' },
  { code: 5, name: 'R(A)', label: 'phase du rayon, répartie par l’atténuation spécifique' },
  { code: 6, name: 'filled', label: 'complété par les voisins' },
] as const

const [NONE, BY_Z, BY_ZDR, BY_KDP, BY_A, FILLED] = METHODS.map(({ code }) => code)
export const FILLED_CODE = FILLED

export interface EstimateInput {
  tuning: Tuning | null
  /** Measured reflectivity, dBZ; -Infinity no echo, NaN no data. */
  measured: ArrayLike<number>
  /** Corrected for attenuation, blockage and profile, dBZ. */
  dbz: ArrayLike<number>
  /** By how much that reflectivity may be wrong, dB. */
  dbzDoubt: (k: number) => number
  /** 1 where the echo is left out. */
  isLeftOut: ArrayLike<number>
  /** Degrees a km; null without phase. */
  kdp: ArrayLike<number> | null
  rho: ArrayLike<number> | null
  /** Calibrated and corrected, smoothed; null where it is not. */
  zdr: ArrayLike<number> | null
  /** Phase of the ray shared out by attenuation, degrees a km, NaN where it does not bound it; null without phase. */
  sharedKdp: ArrayLike<number> | null
  /** Rise of the phase along the ray of a gate, degrees. */
  rise: (k: number) => number
  /** Whether rain of note could hide in a gate without echo, behind what took the wave. */
  isHidden: (k: number) => boolean
  /** Codes of `CLASSES`. */
  classes: ArrayLike<number>
  /** Whether a gate lies in rain, below the melting layer. */
  isRain: (k: number) => boolean
}

/** Rain of each gate with its relative standard error. */
export interface Estimate {
  /** mm/h; NaN no data, 0 no echo. */
  rate: Float32Array
  /** Codes of `METHODS`. */
  method: Uint8Array
  /** Of the relation and of what it was fed with; 0 where there is no echo. */
  spread: Float32Array
}

/** Reflectivity from which the phase tells of rain, dBZ at 9.4 GHz. */
const PHASE_DBZ = 30
/** Reflectivity above which hail is taken for the excess, dBZ. */
const HAIL_CAP_DBZ = 53
/** KDP from which its noise over 3 km is small, degrees a km at 9.4 GHz; it goes with frequency. */
const SURE_KDP = 1
const KDP_NOISE = 0.2
const X_GHZ = 9.4
/** How surely the phase at both ends of a ray is known, degrees. */
const ENDS_NOISE_DEG = 1
/** How surely light rain calibrates ZDR (Ryzhkov and Zrnic 2019, p. 155), dB. */
const ZDR_DOUBT_DB = 0.2

/**
 * What drop sizes alone make of each relation, relative standard error (Bringi and Chandrasekar 2001, section 8.1); what a ray's
 * phase tells is shared out by reflectivity, and between that and KDP.
 */
const DROPS = { z: 0.35, zdr: 0.25, kdp: 0.15, a: 0.25 } as const

/**
 * Rain and reflectivity of central Europe, Z = 256 R^1.42 (Riedl 1986; DWD, RADOLAN 2004). Marshall and Palmer's law, of one
 * kind of drops, stays that of reflectivity without a chain.
 */
const LAW = { a: 256, b: 1.42 } as const
/** Natural logarithm of a ratio, a dB. */
const NEPER = Math.LN10 / 10

const ofReflectivity = (z: number): number => rainFromReflectivity(Math.min(z, HAIL_CAP_DBZ), LAW.a, LAW.b)

/**
 * Rain of each gate by all that tells of it there: reflectivity; with ZDR in moderate rain; KDP where it is sure, and alone in
 * hail; the phase of the ray where it rises, which neither calibration nor blockage spoils (order of Ryzhkov and Zrnic 2019,
 * chapter 10). Their logarithms are averaged by the inverse of their variances, as for errors that have nothing in
 * common. Attenuation is taken over the alpha that it was found with, that is as the ray's phase shared out over its
 * gates, and then as KDP: an alpha that is wrong cancels.
 */
export function bestRain(input: EstimateInput): Estimate {
  const { measured, dbz, isLeftOut } = input
  const rate = new Float32Array(measured.length).fill(Number.NaN)
  const method = new Uint8Array(measured.length)
  const spread = new Float32Array(measured.length)
  const mean = new WeighedMean()
  for (let k = 0; k < rate.length; k++) {
    if (Number.isNaN(measured[k])) continue
    if (measured[k] === Number.NEGATIVE_INFINITY) {
      if (input.isHidden(k)) continue
      rate[k] = 0
      method[k] = NONE
      continue
    }
    if (isLeftOut[k] || !Number.isFinite(dbz[k])) continue
    mean.clear()
    tell(input, k, mean)
    rate[k] = mean.value
    method[k] = mean.method
    spread[k] = mean.spread
  }
  return { rate, method, spread }
}

/** Adds all that tells of the rain of one gate. */
function tell(input: EstimateInput, k: number, mean: WeighedMean): void {
  const { dbz, tuning, kdp, sharedKdp, zdr, rho, classes } = input
  const z = dbz[k]
  const doubt = NEPER * input.dbzDoubt(k)
  const byZ = Math.hypot(DROPS.z, doubt / LAW.b)
  const wet = input.isRain(k) && (!rho || rho[k] > 0.9 || Number.isNaN(rho[k]))
  if (!tuning) {
    mean.add(BY_Z, ofReflectivity(z), byZ)
    return
  }
  const { rainOfKdp, rainOfZZdr } = tuning.band
  const ofPhase = (value: number): number =>
    rainOfKdp ? rainOfKdp.a * value ** rainOfKdp.b : rainFromKdp(value, tuning.frequencyGHz)
  const scale = tuning.frequencyGHz / X_GHZ
  const phase = kdp && wet ? kdp[k] : Number.NaN
  const byKdp = (): void =>
    mean.add(BY_KDP, ofPhase(phase), Math.hypot(DROPS.kdp, (KDP_NOISE * scale) / phase))
  if (HAIL_CODES.includes(classes[k]) && z > 45) {
    if (phase > 0.3 * SURE_KDP * scale) byKdp()
    else mean.add(BY_Z, ofReflectivity(z), 2 * byZ)
    return
  }
  mean.add(BY_Z, ofReflectivity(z), byZ)
  if (!wet || z < PHASE_DBZ) return
  if (sharedKdp && sharedKdp[k] > 0)
    mean.add(BY_A, ofPhase(sharedKdp[k]), Math.hypot(DROPS.a, ENDS_NOISE_DEG / input.rise(k)))
  if (phase >= SURE_KDP * scale) byKdp()
  if (zdr && z <= 50 && zdr[k] >= 0.2 && zdr[k] <= 3) {
    const { c, a, b } = rainOfZZdr
    const value = c * 10 ** (0.1 * (a * z + b * zdr[k]))
    mean.add(BY_ZDR, value, Math.hypot(DROPS.zdr, a * doubt, b * NEPER * ZDR_DOUBT_DB))
  }
}

/** Mean of logarithms by the inverse of their variances. */
class WeighedMean {
  private sum = 0
  private weight = 0
  private best = 0
  method = 0

  clear(): void {
    this.sum = 0
    this.weight = 0
    this.best = 0
    this.method = 0
  }

  /** @param error relative standard error of the value */
  add(method: number, value: number, error: number): void {
    const weight = 1 / error ** 2
    this.sum += weight * Math.log(value)
    this.weight += weight
    if (weight <= this.best) return
    this.best = weight
    this.method = method
  }

  get value(): number {
    return Math.exp(this.sum / this.weight)
  }

  get spread(): number {
    return Math.sqrt(1 / this.weight)
  }
}

/** What a value that neighbours lend may be wrong by, beside their own error. */
const LENT = 0.4

/**
 * Fills what clutter hid by the mean of what is known within a ray and `gates` gates around, no rain counting as such;
 * what has nothing around stays without a value.
 */
export function fillLeftOut(
  { rate, method, spread }: Estimate,
  isLeftOut: ArrayLike<number>,
  nrays: number,
  nbins: number,
  gates: number,
): void {
  const filled = new Map<number, { value: number; error: number }>()
  for (let k = 0; k < rate.length; k++) {
    if (!isLeftOut[k]) continue
    const bin = k % nbins
    const ray = (k - bin) / nbins
    let [sum, error, count] = [0, 0, 0]
    for (const row of [(ray + nrays - 1) % nrays, ray, (ray + 1) % nrays])
      for (let at = Math.max(0, bin - gates); at <= Math.min(nbins - 1, bin + gates); at++) {
        const i = row * nbins + at
        if (isLeftOut[i] || Number.isNaN(rate[i])) continue
        sum += rate[i]
        error += spread[i]
        count++
      }
    if (count > 0) filled.set(k, { value: sum / count, error: Math.hypot(LENT, error / count) })
  }
  for (const [k, { value, error }] of filled) {
    rate[k] = value
    method[k] = FILLED
    spread[k] = error
  }
}
