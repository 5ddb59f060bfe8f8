import type { Tuning } from './bands.ts'
import { HAIL_CODES } from './classes.ts'
import { rainFromKdp, rainFromReflectivity } from './rain.ts'

/** By what the rain of a gate was estimated, in the order of their codes, from 1 on; 0 is no estimate. */
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
  /** 1 where the echo is left out. */
  isLeftOut: ArrayLike<number>
  /** Degrees a km; null without phase. */
  kdp: ArrayLike<number> | null
  rho: ArrayLike<number> | null
  /** Calibrated and corrected, smoothed; null where it is not. */
  zdr: ArrayLike<number> | null
  /** Phase of the ray shared out by attenuation, degrees a km, NaN where it does not bound it; null without phase. */
  sharedKdp: ArrayLike<number> | null
  /** Whether rain of note could hide in a gate without echo, behind what took the wave. */
  isHidden: (k: number) => boolean
  /** Codes of `CLASSES`. */
  classes: ArrayLike<number>
  /** Whether a gate lies in rain, below the melting layer. */
  isRain: (k: number) => boolean
}

/** Reflectivity from which the phase of the ray tells rain better than reflectivity, dBZ at 9.4 GHz. */
const PHASE_DBZ = 30
/** Reflectivity above which hail is taken for the excess, dBZ. */
const HAIL_CAP_DBZ = 53
/** KDP from which its noise, some 0.2 degrees a km over 3 km, is small, degrees a km at 9.4 GHz; it goes with frequency. */
const SURE_KDP = 1
const X_GHZ = 9.4

/**
 * Rain of each gate by the moment that is best there (order after Ryzhkov and Zrnic 2019, chapter 10): attenuation
 * where a ray's phase bounds it, which neither calibration nor blockage spoils and drop sizes hardly change; KDP in hail
 * and where it is strong; Z with ZDR in moderate rain; else Z. Attenuation is taken over the alpha that it was found
 * with, that is as the ray's phase shared out over its gates, and then as KDP: an alpha that is wrong cancels.
 * @returns mm/h (NaN no data, 0 no echo) and codes of `METHODS`
 */
export function bestRain(input: EstimateInput): { rate: Float32Array; method: Uint8Array } {
  const { measured, dbz, isLeftOut, tuning, kdp, sharedKdp, zdr, rho, classes, isRain } = input
  const rate = new Float32Array(measured.length).fill(Number.NaN)
  const method = new Uint8Array(measured.length)
  const sureKdp = SURE_KDP * ((tuning?.frequencyGHz ?? X_GHZ) / X_GHZ)
  for (let k = 0; k < rate.length; k++) {
    if (Number.isNaN(measured[k])) continue
    if (measured[k] === Number.NEGATIVE_INFINITY) {
      if (input.isHidden(k)) continue
      rate[k] = 0
      method[k] = NONE
      continue
    }
    const z = dbz[k]
    if (isLeftOut[k] || !Number.isFinite(z)) continue
    const hail = HAIL_CODES.includes(classes[k]) && z > 45
    const wet = isRain(k) && (!rho || rho[k] > 0.9 || Number.isNaN(rho[k]))
    const phase = kdp && tuning && wet ? kdp[k] : Number.NaN
    if (hail || !wet || !tuning) {
      const useKdp = hail && phase > 0.3 * sureKdp
      rate[k] = useKdp
        ? rainFromKdp(phase, tuning!.frequencyGHz)
        : rainFromReflectivity(Math.min(z, HAIL_CAP_DBZ))
      method[k] = useKdp ? BY_KDP : BY_Z
    } else if (sharedKdp && sharedKdp[k] > 0 && z >= PHASE_DBZ) {
      rate[k] = rainFromKdp(sharedKdp[k], tuning.frequencyGHz)
      method[k] = BY_A
    } else if (phase >= sureKdp && z > 35) {
      rate[k] = rainFromKdp(phase, tuning.frequencyGHz)
      method[k] = BY_KDP
    } else if (zdr && z >= 30 && z <= 50 && zdr[k] >= 0.2 && zdr[k] <= 3) {
      const { c, a, b } = tuning.band.rainOfZZdr
      rate[k] = c * 10 ** (0.1 * (a * z + b * zdr[k]))
      method[k] = BY_ZDR
    } else {
      rate[k] = rainFromReflectivity(Math.min(z, HAIL_CAP_DBZ))
      method[k] = BY_Z
    }
  }
  return { rate, method }
}

/**
 * Fills what clutter hid by the mean of what is known within a ray and `gates` gates around, no rain counting as such;
 * what has nothing around stays without a value.
 */
export function fillLeftOut(
  { rate, method }: { rate: Float32Array; method: Uint8Array },
  isLeftOut: ArrayLike<number>,
  nrays: number,
  nbins: number,
  gates: number,
): void {
  const filled = new Map<number, number>()
  for (let k = 0; k < rate.length; k++) {
    if (!isLeftOut[k]) continue
    const bin = k % nbins
    const ray = (k - bin) / nbins
    let sum = 0
    let count = 0
    for (const row of [(ray + nrays - 1) % nrays, ray, (ray + 1) % nrays])
      for (let at = Math.max(0, bin - gates); at <= Math.min(nbins - 1, bin + gates); at++) {
        const i = row * nbins + at
        if (isLeftOut[i] || Number.isNaN(rate[i])) continue
        sum += rate[i]
        count++
      }
    if (count > 0) filled.set(k, sum / count)
  }
  for (const [k, value] of filled) {
    rate[k] = value
    method[k] = FILLED
  }
}
