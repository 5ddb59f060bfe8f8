import type { RadarSweep } from '@radx/contracts/radar-volume'
import type { Tuning } from './bands.ts'
import { mapped } from './fields.ts'
import { type FileKdp, judgeFileKdp } from './file-kdp.ts'
import { type PhaseProfile, phaseProfile, roughPhase, systemPhase, wrapped } from './phase.ts'
import { rainFromAttenuation, rainFromKdp, rainFromReflectivity } from './rain.ts'
import { type AlphaSearch, type Zphi, type ZphiInput, zphi, zphiSelf } from './zphi.ts'

/** What was done to one sweep, step by step; fields are `[ray * nbins + bin]`, NaN where there is nothing. */
export interface SweepSteps {
  /** Reflectivity where the echo is rain, dBZ. */
  dbz: Float32Array
  /** Measured phase where the echo is rain, degrees within [-180, 180). */
  phidpRain: Float64Array | null
  systemPhaseDeg: number
  profile: PhaseProfile | null
  /** The KDP of the file, where it has one that can be judged. */
  fileKdp: FileKdp | null
  /** Null, as what follows from them, where the wavelength is not known. */
  zphiFixed: Zphi | null
  zphiSelf: (Zphi & AlphaSearch) | null
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
 * @param tuning coefficients of the radar's band; null leaves out what needs them
 */
export function sweepSteps(sweep: RadarSweep, tuning: Tuning | null): SweepSteps {
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
  const dbz = new Float32Array(measured.length)
  for (let k = 0; k < dbz.length; k++)
    dbz[k] = Number.isFinite(measured[k]) && (!rho || rho[k] > 0.9) ? measured[k] : Number.NaN
  const phase = moments.PHIDP?.values
  if (!phase) {
    notes.push('PHIDP manque : ni KDP ni correction de l’atténuation par la phase.')
    const none = { phidpRain: null, profile: null, fileKdp: null, rainKdp: null }
    const made = { dbz, notes, ...none, ...NO_ATTENUATION, systemPhaseDeg: Number.NaN }
    return whenAsked(made, { rainZ: () => mapped(dbz, (value) => rainFromReflectivity(value)) })
  }
  const gateKm = sweep.rangeStepM / 1000
  const phidpRain = new Float64Array(phase.length)
  for (let k = 0; k < phase.length; k++)
    phidpRain[k] = Number.isFinite(dbz[k]) ? wrapped(phase[k]) : Number.NaN
  const { centred, shift } = awayFromFold(phidpRain, nbins)
  if (shift !== 0) notes.push(`PHIDP du radar près du repli (${french(shift + QUIET[0])}°), recentrée.`)
  const systemPhaseDeg = wrapped(systemPhase(centred, nbins) + shift)
  const profile = phaseProfile(centred, { nbins, gateKm, window: windowOf(gateKm, nbins) })
  if (profile.folded > 0)
    notes.push(`PHIDP chute d’un tour (repli, ou bruit) sur ${profile.folded} rayon(s), dépliée.`)
  const fileKdp = moments.KDP ? judgeFileKdp(moments.KDP.values, profile.kdp, dbz) : null
  if (fileKdp?.isNoise)
    notes.push(
      `KDP du fichier : du bruit (corrélation ${french(fileKdp.correlation)}, écart ${french(fileKdp.rms)} °/km avec celui de la phase), laissé de côté.`,
    )
  const made = { dbz, phidpRain, systemPhaseDeg, profile, fileKdp, notes }
  const later = { rainZ: () => mapped(dbz, (value) => rainFromReflectivity(value)) }
  if (!tuning) return whenAsked({ ...made, ...NO_ATTENUATION, rainKdp: null }, later)
  const offset = Number.isFinite(systemPhaseDeg) ? systemPhaseDeg : 0
  const unfolded = new Float64Array(phidpRain.length)
  for (let k = 0; k < unfolded.length; k++) unfolded[k] = aboveSystem(phidpRain[k] - offset)
  const input = { dbz, phidp: unfolded, nbins, gateKm, b: tuning.band.b }
  const self = zphiSelf(input, { fixed: tuning.band.alpha })
  const note = searchNote(self, tuning.band.alpha)
  if (note) notes.push(note)
  return whenAsked(
    { ...made, zphiSelf: self },
    {
      ...later,
      ...attenuationSteps(input, self, tuning),
      rainKdp: () =>
        mapped(profile.kdp, (value, k) =>
          Number.isFinite(dbz[k]) ? Math.max(0, rainFromKdp(value, tuning.frequencyGHz)) : Number.NaN,
        ),
    },
  )
}

/** Makes a value once, when it is first asked for. */
function lazy<T>(make: () => T): () => T {
  let kept: { value: T } | null = null
  return () => {
    kept ??= { value: make() }
    return kept.value
  }
}

/** What of an object is made when somebody asks for it, and then kept: live rain needs few of the steps that people look at. */
function whenAsked<T extends object, L extends Record<string, () => unknown>>(
  object: T,
  later: L,
): T & { [K in keyof L]: ReturnType<L[K]> } {
  for (const [key, make] of Object.entries(later)) {
    Object.defineProperty(object, key, { enumerable: true, get: lazy(make) })
  }
  return object as T & { [K in keyof L]: ReturnType<L[K]> }
}

const NO_ATTENUATION = {
  zphiFixed: null,
  zphiSelf: null,
  dbzFixed: null,
  dbzSelf: null,
  rainZCorrected: null,
  rainA: null,
}

/** Attenuation by the band's own alpha, and reflectivity and rain by both. */
function attenuationSteps(input: ZphiInput, self: Zphi, { band }: Tuning) {
  const { dbz } = input
  const fixed = lazy(() => zphi(input, band.alpha))
  const dbzSelf = lazy(() => mapped(dbz, (value, k) => value + self.pia[k]))
  return {
    zphiFixed: fixed,
    dbzFixed: () => mapped(dbz, (value, k) => value + fixed().pia[k]),
    dbzSelf,
    rainZCorrected: () => mapped(dbzSelf(), (value) => rainFromReflectivity(value)),
    rainA: () =>
      mapped(self.ah, (value, k) =>
        Number.isFinite(dbz[k]) ? rainFromAttenuation(value, band.rainOfA) : Number.NaN,
      ),
  }
}

/** Says where the search of alpha ended without an answer. */
function searchNote({ searched, found }: AlphaSearch, fixed: number): string | null {
  if (searched === 0)
    return `α propre : la phase ne monte de 10° sur aucun rayon, α fixe (${french(fixed)} dB/°) partout.`
  return found < searched
    ? `α propre : sans réponse entre ses bornes sur ${searched - found} des ${searched} rayons cherchés, α fixe (${french(fixed)} dB/°) pour ceux-là.`
    : null
}

/** Where the phase of the radar may lie so that neither its noise nor rain soon crosses +-180 degrees. */
const QUIET = [-60, 60] as const

/** The phase turned by `shift` degrees where the radar's own lies so near the fold that noise crosses it. */
function awayFromFold(phase: Float64Array, nbins: number): { centred: Float64Array; shift: number } {
  const rough = roughPhase(phase, nbins)
  if (Number.isNaN(rough) || (rough >= -120 && rough <= QUIET[1])) return { centred: phase, shift: 0 }
  const shift = rough - QUIET[0]
  return { centred: mapped(phase, (value) => wrapped(value - shift)), shift }
}

const french = (value: number): string => value.toFixed(2).replace('.', ',')

/** Phase within [-90, 270) degrees: rain raises it, so that a rise beyond half a turn is no fold. */
const aboveSystem = (degrees: number): number => wrapped(degrees - 90) + 90

/** Some 3 km, odd. */
function windowOf(gateKm: number, nbins: number): number {
  const gates = Math.round(3 / gateKm) | 1
  return Math.max(3, Math.min(gates, ((nbins - 1) >> 1) | 1))
}
