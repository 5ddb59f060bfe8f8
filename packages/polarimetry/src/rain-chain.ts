import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { BANDS, type Tuning } from './bands.ts'
import { BLOCKED, blockageLoss } from './blockage.ts'
import { type SweepSteps, sweepSteps } from './chain.ts'
import { classify } from './classes.ts'
import { type Clutter, type ClutterMap, findClutter, mapOf } from './clutter.ts'
import { bestRain, type Estimate, FILLED_CODE, fillLeftOut } from './estimate.ts'
import { gateHeights, ramp } from './geometry.ts'
import { type MeltingLayer, meltingLayerOf, temperatureAt } from './melting.ts'
import { attenuationWithoutPhase, type NoPhaseMethod } from './no-phase.ts'
import { profileOffset, type VerticalProfile, verticalProfile } from './profile.ts'
import { BLOCKAGE_DOUBT, CALIBRATION_DB, gateQuality, PIA_DOUBT, PIA_DOUBT_DB } from './quality.ts'
import { rainSlope } from './slope.ts'
import { meanZdr, type ZdrBias, zdrBias } from './zdr.ts'

export interface ChainOptions {
  /** Coefficients of the band; null corrects no attenuation. */
  tuning: Tuning | null
  clutter?: readonly ClutterMap[]
  /** What is known of the melting layer from elsewhere; else it is looked for in the volume. */
  melting?: MeltingLayer | null
  /** What other instruments know of it, where the volume shows none. */
  meltingElse?: MeltingLayer | null
  /** @default 'modified-kraemer' */
  noPhase?: NoPhaseMethod
  /** Width of the beam, degrees. @default 1 */
  beamWidthDeg?: number
  /** Share of the beam that ground hides in a sweep, `[ray * nbins + bin]`; null where no terrain is known. */
  blockage?: (sweep: RadarSweep) => ArrayLike<number> | null
}

/** A sweep's way to rain; fields are `[ray * nbins + bin]`. */
export interface SweepRain {
  sweep: RadarSweep
  steps: SweepSteps
  clutter: Clutter
  /** Two-way attenuation put back, dB, and by what it was found. */
  pia: Float64Array
  piaBy: 'phase' | NoPhaseMethod | 'none'
  blockage: ArrayLike<number> | null
  /** Less clutter, corrected for attenuation and blockage, dBZ. */
  dbz: Float64Array
  /** The same, brought down to rain by the vertical profile where the beam is above the melting layer's bottom. */
  dbzGround: Float64Array
  /** Calibrated, corrected for differential attenuation, dB; null without ZDR or where its bias is not known. */
  zdr: Float64Array | null
  /** Codes of `CLASSES`. */
  classes: Uint8Array
  /** mm/h, NaN no data. */
  rate: Float32Array
  /** Codes of `METHODS`. */
  method: Uint8Array
  /** 0 to 1, NaN where there is no rate. */
  quality: Float32Array
}

export interface VolumeRain {
  sweeps: SweepRain[]
  bias: ZdrBias | null
  melting: MeltingLayer | null
  profile: VerticalProfile | null
  notes: string[]
}

/** Takes a volume from moments to rain with its quality, in the order of the stages. Never throws for odd moments. */
export function rainOfVolume(volume: RadarVolume, options: ChainOptions): VolumeRain {
  const { tuning } = options
  const altitudeM = volume.site.altitudeM ?? 0
  const notes: string[] = []
  // ZDR of light rain differs by no more than 0.03 dB from band to band.
  const bias = zdrBias(volume.sweeps, tuning?.band ?? BANDS[1])
  notes.push(...zdrNotes(volume, bias))
  const measured = options.melting ? null : meltingLayerOf(volume.sweeps, altitudeM)
  const melting = options.melting ?? measured ?? options.meltingElse ?? null
  notes.push(meltingNote(melting))
  const half = volume.sweeps.map((sweep, i) => {
    const made = cleaned(sweep, options, bias)
    const where = `balayage ${i + 1}, ${String(Math.round(sweep.elevationDeg * 100) / 100).replace('.', ',')}°`
    notes.push(...made.steps.notes.map((note) => `${where} : ${note}`))
    return made
  })
  const profile = melting && verticalProfile(half, melting, altitudeM)
  const sweeps = half.map((made) => estimated(made, { options, melting, profile, altitudeM }))
  notes.push(...clutterNotes(half), ...attenuationNotes(half))
  return { sweeps, bias, melting, profile, notes }
}

type Cleaned = Omit<SweepRain, 'dbzGround' | 'classes' | 'rate' | 'method' | 'quality'>

/** Clutter, attenuation, blockage and ZDR of one sweep. */
function cleaned(sweep: RadarSweep, options: ChainOptions, bias: ZdrBias | null): Cleaned {
  const { tuning } = options
  const { nbins, moments } = sweep
  const steps = sweepSteps(sweep, tuning)
  const clutter = findClutter(sweep, mapOf(options.clutter ?? [], sweep))
  const z = (moments.DBZH ?? moments.TH)?.values ?? new Float32Array(sweep.nrays * nbins).fill(Number.NaN)
  const clean = z.slice()
  for (let k = 0; k < clean.length; k++) if (clutter.isLeftOut[k]) clean[k] = Number.NaN
  const { pia, piaBy } = attenuationOf(clean, sweep, steps, options)
  const blockage = options.blockage?.(sweep) ?? null
  const dbz = new Float64Array(clean.length)
  for (let k = 0; k < dbz.length; k++)
    dbz[k] = clean[k] + pia[k] + (blockage && blockage[k] !== 0 ? blockageLoss(blockage[k]) : 0)
  return { sweep, steps, clutter, pia, piaBy, blockage, dbz, zdr: zdrOf(sweep, clean, pia, tuning, bias) }
}

function attenuationOf(
  clean: Float32Array,
  { nbins, rangeStepM }: RadarSweep,
  { zphiSelf }: SweepSteps,
  { tuning, noPhase = 'modified-kraemer' }: ChainOptions,
): Pick<SweepRain, 'pia' | 'piaBy'> {
  if (zphiSelf?.deltaPhidp.some(Number.isFinite)) return { pia: zphiSelf.pia, piaBy: 'phase' }
  if (!tuning) return { pia: new Float64Array(clean.length), piaBy: 'none' }
  return {
    pia: attenuationWithoutPhase(clean, nbins, rangeStepM / 1000, tuning.band, noPhase),
    piaBy: noPhase,
  }
}

/** Mean over a kilometre along the ray of calibrated ZDR, with the differential attenuation put back. */
function zdrOf(
  { nbins, rangeStepM, moments }: RadarSweep,
  clean: Float32Array,
  pia: Float64Array,
  tuning: Tuning | null,
  bias: ZdrBias | null,
): Float64Array | null {
  const zdr = moments.ZDR?.values
  if (!zdr || !bias) return null
  const share = tuning?.band.differential ?? 0
  const half = Math.max(1, Math.round(500 / rangeStepM))
  const out = new Float64Array(zdr.length)
  for (let start = 0; start < zdr.length; start += nbins) {
    let sum = 0
    let count = 0
    for (let bin = -half; bin < nbins; bin++) {
      const ahead = start + bin + half
      if (bin + half < nbins && Number.isFinite(zdr[ahead]) && Number.isFinite(clean[ahead])) {
        sum += zdr[ahead]
        count++
      }
      const behind = start + bin - half - 1
      if (behind >= start && Number.isFinite(zdr[behind]) && Number.isFinite(clean[behind])) {
        sum -= zdr[behind]
        count--
      }
      if (bin < 0) continue
      const k = start + bin
      out[k] =
        count > 0 && Number.isFinite(clean[k]) ? sum / count - bias.biasDb + share * pia[k] : Number.NaN
    }
  }
  return out
}

interface Known {
  options: ChainOptions
  melting: MeltingLayer | null
  profile: VerticalProfile | null
  altitudeM: number
}

/** Classes, rain and quality of one sweep. */
function estimated(made: Cleaned, { options, melting, profile, altitudeM }: Known): SweepRain {
  const { sweep, steps, clutter, dbz, zdr } = made
  const { nrays, nbins, moments, rangeStepM } = sweep
  const heights = gateHeights(sweep)
  const inRain = Uint8Array.from(heights, (height) =>
    !melting || altitudeM + height < melting.bottomM ? 1 : 0,
  )
  const dbzGround = groundReflectivity(
    dbz,
    heights.map((height) => (profile ? profileOffset(profile, altitudeM + height) : 0)),
  )
  const kdp = steps.profile?.kdp ?? null
  const rho = moments.RHOHV?.values ?? null
  const classes = classify({
    dbz,
    zdr,
    rho,
    kdp,
    temperature: melting && ((k) => temperatureAt(melting, altitudeM + heights[k % nbins])),
  })
  const measured = (moments.DBZH ?? moments.TH)?.values ?? new Float32Array(nrays * nbins).fill(Number.NaN)
  const rain = bestRain({
    tuning: options.tuning,
    measured,
    dbz: dbzGround,
    dbzDoubt: reflectivityDoubt(made),
    isLeftOut: clutter.isLeftOut,
    kdp,
    rho,
    zdr,
    sharedKdp: sharedPhase(steps, nbins, rangeStepM / 1000),
    rise: (k) => steps.zphiSelf?.deltaPhidp[Math.floor(k / nbins)] ?? 0,
    isHidden: hiddenRain(made, measured),
    classes,
    // Where it is still rain within the layer, it is a shower.
    isRain: (k) => inRain[k % nbins] === 1 || (dbz[k] >= CONVECTIVE_DBZ[1] && (rho?.[k] ?? 0) >= SHOWER_RHO),
  })
  fillLeftOut(rain, clutter.isLeftOut, nrays, nbins, Math.max(1, Math.round(300 / rangeStepM)))
  const layer = melting && ([melting.bottomM - altitudeM, melting.topM - altitudeM] as const)
  const quality = qualityOf(made, rain, { layer, heights, beamWidthDeg: options.beamWidthDeg ?? 1 })
  return { ...made, dbzGround, classes, rate: rain.rate, method: rain.method, quality }
}

/** Takes the vertical profile's offset of each `[bin]` off; showers stir the air: no bright band brightens them. */
function groundReflectivity(dbz: Float64Array, offsets: Float64Array): Float64Array {
  const nbins = offsets.length
  const out = dbz.slice()
  for (let bin = 0; bin < nbins; bin++) {
    const offset = offsets[bin]
    if (offset === 0) continue
    for (let k = bin; k < out.length; k += nbins)
      out[k] -= offset > 0 ? offset * ramp(out[k], CONVECTIVE_DBZ[1], CONVECTIVE_DBZ[0]) : offset
  }
  return out
}

/** Reflectivity around which rain is that of showers (Steiner et al. 1995, J. Appl. Meteor. 34, 1978-2007), dBZ. */
const CONVECTIVE_DBZ = [35, 45] as const
/** Correlation of rain without snow that melts. */
const SHOWER_RHO = 0.97

/** By how much corrected reflectivity may be wrong, dB, as errors that have nothing in common. */
function reflectivityDoubt({ sweep, steps, pia, piaBy, blockage }: Cleaned): (k: number) => number {
  const { nbins } = sweep
  const share = Float64Array.from({ length: sweep.nrays }, (_, ray) =>
    piaBy !== 'phase'
      ? PIA_DOUBT.reflectivity
      : (steps.zphiSelf?.deltaPhidp[ray] ?? 0) >= 10
        ? PIA_DOUBT.own
        : PIA_DOUBT.usual,
  )
  return (k) => {
    // Nobody knows what an unknown band lost.
    const attenuation = piaBy === 'none' ? UNKNOWN_BAND_DB : share[Math.floor(k / nbins)] * pia[k]
    const hidden = blockage ? BLOCKAGE_DOUBT * blockageLoss(blockage[k]) : 0
    return Math.hypot(CALIBRATION_DB, PIA_DOUBT_DB, attenuation, hidden)
  }
}

const UNKNOWN_BAND_DB = 3

/** Rise of the phase, degrees, from which it tells a ray's attenuation well. */
const SURE_RISE = 5

/**
 * Phase shared out by attenuation where it rises enough, degrees a km, NaN elsewhere; null without phase. Its rise is that
 * between the middles of the windows at both ends, so that the share between them is made to bear it.
 */
function sharedPhase({ zphiSelf }: SweepSteps, nbins: number, gateKm: number): Float64Array | null {
  if (!zphiSelf) return null
  const { ah, alpha, deltaPhidp, first, last } = zphiSelf
  const out = new Float64Array(ah.length).fill(Number.NaN)
  const half = Math.round(ENDS_KM / gateKm / 2)
  for (let ray = 0; ray < deltaPhidp.length; ray++) {
    if (!(deltaPhidp[ray] >= SURE_RISE)) continue
    const start = ray * nbins
    let borne = 0
    for (let bin = first[ray] + half; bin <= last[ray] - half; bin++)
      borne += (2 * gateKm * ah[start + bin]) / alpha[ray]
    const scale = borne > 0 ? Math.min(1.5, Math.max(1, deltaPhidp[ray] / borne)) : 1
    for (let bin = first[ray]; bin <= last[ray]; bin++)
      out[start + bin] = (scale * ah[start + bin]) / alpha[ray]
  }
  return out
}

/** Length of the windows that `zphi` takes the phase at both ends from. */
const ENDS_KM = 2

/** Rain of note, 0.2 mm/h, dBZ. */
const NOTABLE_DBZ = 12

/**
 * Whether a gate without echo may hold rain of note that attenuation hides: its weakest visible echo, by the weakest
 * that the sweep has anywhere and the square of distance, with what was lost on the way.
 */
function hiddenRain({ sweep, pia, clutter }: Cleaned, measured: ArrayLike<number>): (k: number) => boolean {
  const { nbins, rangeStartM, rangeStepM } = sweep
  const distance = Float64Array.from(
    { length: nbins },
    (_, bin) => 20 * Math.log10(Math.max(100, rangeStartM + (bin + 0.5) * rangeStepM)),
  )
  let weakest = Number.POSITIVE_INFINITY
  for (let k = 0; k < measured.length; k++)
    if (Number.isFinite(measured[k]) && !clutter.isLeftOut[k])
      weakest = Math.min(weakest, measured[k] - distance[k % nbins])
  return (k) => pia[k] > 3 && weakest + distance[k % nbins] + pia[k] > NOTABLE_DBZ
}

/** Likelihood of clutter that is taken where correlation is missing, and where neighbours filled what it hid. */
const CLUTTER_UNKNOWN = 0.2
const CLUTTER_FILLED = 0.5

interface Surroundings {
  /** Bottom and top of the melting layer above the antenna, m. */
  layer: readonly [number, number] | null
  /** Of gates above the antenna, m. */
  heights: Float64Array
  beamWidthDeg: number
}

function qualityOf(
  { sweep, clutter, blockage, pia }: Cleaned,
  { rate, method, spread }: Estimate,
  { layer, heights, beamWidthDeg }: Surroundings,
): Float32Array {
  const { nbins, rangeStartM, rangeStepM, moments } = sweep
  const least = moments.RHOHV ? 0 : CLUTTER_UNKNOWN
  const slope = rainSlope(rate, sweep, beamWidthDeg)
  const widths = heights.map(
    (_, bin) => ((rangeStartM + (bin + 0.5) * rangeStepM) * beamWidthDeg * Math.PI) / 180,
  )
  const out = new Float32Array(rate.length)
  // Most gates are dry with nothing around and before them: their quality is that of their distance.
  const dry = new Float32Array(nbins).fill(-1)
  for (let k = 0; k < out.length; k++) {
    const value = rate[k]
    if (Number.isNaN(value)) {
      out[k] = Number.NaN
      continue
    }
    const bin = k % nbins
    const blocked = blockage?.[k] ?? 0
    const isFilled = method[k] === FILLED_CODE
    const isPlain =
      value === 0 &&
      slope[k] === 0 &&
      !(pia[k] > 0) &&
      blocked <= BLOCKED &&
      !isFilled &&
      clutter.likelihood[k] === 0
    if (isPlain && dry[bin] >= 0) {
      out[k] = dry[bin]
      continue
    }
    out[k] = gateQuality({
      rateMmH: value,
      // Behind what takes the wave, rain too weak to be seen is left.
      spread: value > 0 ? spread[k] : PIA_DOUBT.own * Math.max(0, pia[k]),
      blockage: blocked > BLOCKED ? 1 : blocked,
      heightM: heights[bin],
      beamM: widths[bin],
      layer,
      slope: slope[k],
      clutter: isFilled ? CLUTTER_FILLED : Math.max(least, clutter.likelihood[k]),
    })
    if (isPlain) dry[bin] = out[k]
  }
  return out
}

const french = (value: number): string => value.toFixed(2).replace('.', ',')

/** What became of ZDR, in French. */
function zdrNotes({ sweeps }: RadarVolume, bias: ZdrBias | null): string[] {
  if (!sweeps.some(({ moments }) => moments.ZDR)) return []
  if (!bias) {
    const mean = meanZdr(sweeps) ?? 0
    const said = mean < -0.2 ? ` non étalonnée (moyenne ${french(mean)} dB)` : ''
    return [`ZDR${said} : pas assez de pluie légère reconnue pour l’étalonner, laissée comme mesurée.`]
  }
  return [
    `${Math.abs(bias.biasDb) > 0.2 ? 'ZDR non étalonnée' : 'ZDR'} : biais de ${french(bias.biasDb)} dB dans la pluie légère (${bias.gates} portes), retiré (étape zdr ; moments garde l’original).`,
  ]
}

const SOURCES: Record<MeltingLayer['source'], string> = {
  volume: 'creux de RHOHV dans le volume',
  temperature: 'température au sol',
  'freezing-level': 'altitude de l’isotherme 0 °C donnée',
  'micro-rain-radar': 'micro radar de pluie',
}

function meltingNote(melting: MeltingLayer | null): string {
  return melting
    ? `bande brillante de ${Math.round(melting.bottomM)} à ${Math.round(melting.topM)} m (${SOURCES[melting.source]}) : profil vertical corrigé au-dessus de sa base.`
    : 'bande brillante : non reconnue dans le volume, aucun profil vertical corrigé (donnez --freezing-level ou --temperature).'
}

function clutterNotes(sweeps: readonly Cleaned[]): string[] {
  const gates = sweeps.reduce((sum, { clutter }) => sum + clutter.gates, 0)
  const speckles = sweeps.reduce((sum, { clutter }) => sum + clutter.speckles, 0)
  return [`échos fixes : ${gates} porte(s) écartée(s), ${speckles} isolée(s).`]
}

function attenuationNotes(sweeps: readonly Cleaned[]): string[] {
  const without = sweeps.filter(({ piaBy }) => piaBy !== 'phase' && piaBy !== 'none').length
  return without > 0
    ? [
        `atténuation : sans phase sur ${without} balayage(s), estimée par la réflectivité seule, qualité abaissée.`,
      ]
    : []
}
