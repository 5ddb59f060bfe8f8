import type { RadarSweep } from '@radx/contracts/radar-volume'
import { type PhaseProfile, phaseProfile, systemPhase, wrapped } from './phase.ts'
import { rainFromAttenuation, rainFromKdp, rainFromReflectivity } from './rain.ts'
import { type Zphi, zphi, zphiSelf } from './zphi.ts'

/** Speed of light in GHz m. */
const LIGHT_GHZ_M = 0.299792458

/** What was done to one sweep, step by step; fields are `[ray * nbins + bin]`, NaN where there is nothing. */
export interface SweepSteps {
  /** Reflectivity where the echo is rain, dBZ. */
  dbz: Float64Array
  /** Measured phase where the echo is rain, degrees within [-180, 180). */
  phidpRain: Float64Array | null
  systemPhaseDeg: number
  profile: PhaseProfile | null
  zphiFixed: Zphi | null
  zphiSelf: Zphi | null
  /** Reflectivity after each of the two, dBZ. */
  dbzFixed: Float64Array | null
  dbzSelf: Float64Array | null
  /** mm/h. */
  rainZ: Float64Array
  rainZCorrected: Float64Array | null
  rainKdp: Float64Array | null
  rainA: Float64Array | null
  /** What was recognised, in French. */
  notes: string[]
}

/**
 * Runs the steps that a sweep's moments allow. Reflectivity alone gives only `rainZ`.
 * @param wavelengthM metres; null is taken as 0.032 (X band)
 */
export function sweepSteps(sweep: RadarSweep, wavelengthM: number | null): SweepSteps {
  const { nbins, moments } = sweep
  const notes: string[] = []
  const measured =
    (moments.DBZH ?? moments.TH)?.values ?? new Float32Array(sweep.nrays * nbins).fill(Number.NaN)
  if (!moments.DBZH)
    notes.push(
      moments.TH ? 'DBZH manque, TH le remplace.' : 'ni DBZH ni TH : aucune pluie ne peut être estimée.',
    )
  const rho = moments.RHOHV?.values
  if (!rho) notes.push('RHOHV manque : les échos qui ne sont pas de pluie ne sont pas écartés.')
  const isRain = (k: number): boolean => Number.isFinite(measured[k]) && (!rho || rho[k] > 0.9)
  const dbz = Float64Array.from(measured, (value, k) => (isRain(k) ? value : Number.NaN))
  const z = zdrNote(sweep, isRain)
  if (z) notes.push(z)
  const rainZ = dbz.map((value) => rainFromReflectivity(value))
  const none = {
    phidpRain: null,
    profile: null,
    zphiFixed: null,
    zphiSelf: null,
    dbzFixed: null,
    dbzSelf: null,
  }
  const empty = { ...none, rainZCorrected: null, rainKdp: null, rainA: null, systemPhaseDeg: Number.NaN }
  const phase = moments.PHIDP?.values
  if (!phase) {
    notes.push('PHIDP manque : ni KDP ni correction de l’atténuation par la phase.')
    return { dbz, rainZ, notes, ...empty }
  }
  const gateKm = sweep.rangeStepM / 1000
  const phidpRain = Float64Array.from(phase, (value, k) => (isRain(k) ? wrapped(value) : Number.NaN))
  const systemPhaseDeg = systemPhase(phidpRain, nbins)
  const profile = phaseProfile(phidpRain, { nbins, gateKm, window: windowOf(gateKm, nbins) })
  if (profile.folded > 0)
    notes.push(`PHIDP chute d’un tour (repli, ou bruit) sur ${profile.folded} rayon(s), dépliée.`)
  const offset = Number.isFinite(systemPhaseDeg) ? systemPhaseDeg : 0
  const input = { dbz, phidp: phidpRain.map((value) => aboveSystem(value - offset)), nbins, gateKm }
  const fixed = zphi(input)
  const self = zphiSelf(input)
  const dbzFixed = dbz.map((value, k) => value + fixed.pia[k])
  const dbzSelf = dbz.map((value, k) => value + self.pia[k])
  const frequencyGHz = LIGHT_GHZ_M / (wavelengthM ?? 0.032)
  return {
    dbz,
    phidpRain,
    systemPhaseDeg,
    profile,
    zphiFixed: fixed,
    zphiSelf: self,
    dbzFixed,
    dbzSelf,
    rainZ,
    rainZCorrected: dbzSelf.map((value) => rainFromReflectivity(value)),
    rainKdp: profile.kdp.map((value, k) =>
      isRain(k) ? Math.max(0, rainFromKdp(value, frequencyGHz)) : Number.NaN,
    ),
    rainA: self.ah.map((value, k) => (isRain(k) ? rainFromAttenuation(value) : Number.NaN)),
    notes,
  }
}

/** Phase within [-90, 270) degrees: rain raises it, so that a rise beyond half a turn is no fold. */
const aboveSystem = (degrees: number): number => wrapped(degrees - 90) + 90

/** Some 3 km, odd. */
function windowOf(gateKm: number, nbins: number): number {
  const gates = Math.round(3 / gateKm) | 1
  return Math.max(3, Math.min(gates, ((nbins - 1) >> 1) | 1))
}

/** Rain has a positive mean ZDR; one well below 0 tells that it was not calibrated. */
function zdrNote({ moments }: RadarSweep, isRain: (k: number) => boolean): string | null {
  const zdr = moments.ZDR?.values
  if (!zdr) return null
  let sum = 0
  let count = 0
  for (let k = 0; k < zdr.length; k++)
    if (isRain(k) && Number.isFinite(zdr[k])) {
      sum += zdr[k]
      count++
    }
  const mean = sum / count
  return count > 100 && mean < -0.2
    ? `ZDR non étalonnée : moyenne ${mean.toFixed(2).replace('.', ',')} dB dans la pluie.`
    : null
}
