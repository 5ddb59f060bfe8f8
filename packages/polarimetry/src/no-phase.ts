import type { SitePolarimetry } from '@radx/contracts/site'
import type { Band } from './bands.ts'
import { constrained, hitschfeldBordan } from './gate-by-gate.ts'

export type NoPhaseMethod = SitePolarimetry['noPhase']

/** Most that reflectivity alone may add, two-way, dB (Jacobi and Heistermann 2016). */
const MAX_PIA_DB = 20
/** Corrected reflectivity may not pass it, dBZ. */
const MAX_DBZ = 59

/**
 * Two-way attenuation from reflectivity alone, dB, `[ray * nbins + bin]`, for sweeps without phase.
 *
 * Modified Krämer holds every ray below 59 dBZ and 20 dB by coefficients that fall until it does; Krämer without the
 * second bound; Hitschfeld and Bordan by the band's law as it is, NaN from where it diverges. A band whose attenuation
 * is too small to be read from reflectivity (S) gives zeros.
 */
export function attenuationWithoutPhase(
  dbz: ArrayLike<number>,
  nbins: number,
  gateKm: number,
  { attenuationOfZ: law }: Band,
  method: NoPhaseMethod = 'modified-kraemer',
): Float64Array {
  if (!law) return new Float64Array(dbz.length)
  if (method === 'hitschfeld-bordan')
    return hitschfeldBordan(dbz, nbins, { a: law.a, b: law.b, gateKm }, MAX_DBZ)
  const { aMin, bMin } = law
  const pia = constrained(dbz, nbins, {
    aMax: law.a,
    aMin,
    aSteps: 20,
    bMax: law.b,
    bMin,
    bSteps: 3,
    gateKm,
    maxDbz: MAX_DBZ,
    ...(method === 'modified-kraemer' && { maxPia: MAX_PIA_DB }),
  })
  if (method === 'kraemer') return pia
  // A ray that breaks its bounds even with the least coefficients is held at the bound.
  return pia.map((value) => (value <= MAX_PIA_DB ? value : MAX_PIA_DB))
}
