import type { LatLng } from '@radx/contracts/site'
import { meltingHeightM } from './ground.ts'
import { BAND_DB, bandShare, convectiveShare, growthAt, SNOW_DB, snowShare } from './layers.ts'
import { hash, LatticeNoise, wordSeed } from './noise.ts'
import type { Weather } from './weather.ts'

export const GATES = 128
export const GATE_SPACING_M = 35
export const PROFILE_MS = 10_000

/** Fall speeds that carry what is seen aloft down to the ground, m/s. */
const RAIN_FALL_MS = 6.5
const SNOW_FALL_MS = 1.6
/** Longest fall from the top gate that is followed. */
const LONGEST_FALL_S = 2400

/** What a vertically pointing radar sees, `[profile * GATES + gate]`, gate 0 lowest. */
export interface Column {
  timesMs: Float64Array
  heightsM: Float32Array
  /** dBZ, corrected and uncorrected for attenuation; NaN where nothing is detected. */
  Z: Float32Array
  Za: Float32Array
  /** mm/h and g/m3, 0 where nothing is detected. */
  RR: Float32Array
  LWC: Float32Array
  /** Downwards, m/s, and its spread; NaN where nothing is detected. */
  VEL: Float32Array
  WIDTH: Float32Array
  /** Two-way attenuation up to the gate, dB. */
  PIA: Float32Array
  SNR: Float32Array
  /** 1 in the melting layer. */
  ML: Float32Array
}

const ARRAYS = ['Z', 'Za', 'RR', 'LWC', 'VEL', 'WIDTH', 'PIA', 'SNR', 'ML'] as const

const noise = new LatticeNoise()

/**
 * The column above a place in [startMs, startMs + profiles x 10 s): rain that will reach the ground later
 * is seen aloft now (fall streaks), snow above the melting layer, a bright band in widespread rain, none in
 * heavy showers.
 * @param altitudeM of the instrument
 */
export function columnAbove(
  weather: Weather,
  place: LatLng,
  altitudeM: number,
  startMs: number,
  profiles: number,
): Column {
  const { seed } = weather.options
  const size = profiles * GATES
  const column = {
    timesMs: Float64Array.from({ length: profiles }, (_, k) => startMs + k * PROFILE_MS),
    heightsM: Float32Array.from({ length: GATES }, (_, gate) => (gate + 1) * GATE_SPACING_M),
    ...(Object.fromEntries(ARRAYS.map((name) => [name, new Float32Array(size)])) as Record<
      (typeof ARRAYS)[number],
      Float32Array
    >),
  }
  const ground = groundSeries(
    weather,
    place,
    startMs,
    startMs + profiles * PROFILE_MS + LONGEST_FALL_S * 1000,
  )
  const first = Math.round(startMs / PROFILE_MS)
  const streaks = noise.fill(first, first + profiles - 1, 0, GATES - 1, 0, {
    seed: wordSeed('streaks', seed),
    finestKm: 1,
    octaves: 5,
    roughness: 0.35,
    lifeHours: 1,
  })
  for (let k = 0; k < profiles; k++) {
    const instantMs = startMs + k * PROFILE_MS
    const melting = meltingHeightM(weather, instantMs) - altitudeM
    profile(column, k, melting, ground, streaks, first + k, wordSeed('gates', seed))
  }
  return column
}

function profile(
  column: Column,
  k: number,
  meltingM: number,
  ground: GroundSeries,
  streaks: Float32Array,
  tick: number,
  seed: number,
): void {
  let pia = 0
  for (let gate = 0; gate < GATES; gate++) {
    const at = k * GATES + gate
    const h = column.heightsM[gate]
    const speckle = hash(tick, gate, 0, seed) / 2_147_483_648
    const rainPath = Math.min(h, Math.max(0, meltingM))
    const fallS = Math.min(LONGEST_FALL_S, rainPath / RAIN_FALL_MS + (h - rainPath) / SNOW_FALL_MS)
    const below = sampled(ground, column.timesMs[k] + fallS * 1000)
    const rate = below * growthAt(h, meltingM, below) * Math.exp(0.32 * streaks[at] + 0.12 * speckle)
    const convective = convectiveShare(below)
    const snow = snowShare(h, meltingM)
    const band = (1 - convective) * bandShare(h, meltingM)

    // Rain: Z = 200 R^1.6 and M = 0.072 R^0.88 (Marshall and Palmer 1948); snow has a lower reflectivity.
    const z =
      10 * Math.log10(200 * Math.max(rate, 1e-6) ** 1.6) + BAND_DB * band - SNOW_DB * snow * (1 - convective)
    const fallMs =
      (1 - snow) * 3.8 * 10 ** ((0.072 * Math.min(z, 50)) / 10) + snow * (1.1 + 0.25 * Math.sqrt(rate))
    const detectable = -9 + 20 * Math.log10(Math.max(h, 100) / 1000)
    const seen = rate > 0.005 && z - pia > detectable
    column.SNR[at] = seen ? z - pia - detectable - 6 : -25 + 2.5 * Math.abs(speckle)
    column.PIA[at] = pia
    if (!seen) {
      column.Z[at] = Number.NaN
      column.Za[at] = Number.NaN
      column.VEL[at] = Number.NaN
      column.WIDTH[at] = Number.NaN
      continue
    }
    column.Z[at] = z
    column.Za[at] = z - pia
    column.VEL[at] = Math.min(11.8, Math.max(0.05, fallMs + 0.25 * speckle + 0.4 * convective * streaks[at]))
    column.WIDTH[at] = 0.25 + 0.75 * (1 - snow) + 0.8 * band + 0.5 * convective + 0.08 * speckle
    // The instrument takes everything for rain: the bright band passes for more water than there is.
    column.RR[at] = rate * (1 + 1.6 * band) * (1 - 0.45 * snow)
    column.LWC[at] = 0.072 * rate ** 0.88 * (1 + 2.4 * band) * (1 - 0.35 * snow)
    column.ML[at] = band > 0.25 ? 1 : 0
    // Attenuation by rain at 24 GHz, dB/km one way: 0.11 R^1.04 (ITU-R P.838-3).
    pia += ((2 * GATE_SPACING_M) / 1000) * 0.11 * rate ** 1.04 * (1 - snow)
  }
}

/** Rain at the ground, mm/h, on whole steps since the epoch, so that every file sees the same. */
interface GroundSeries {
  firstStep: number
  rateMmH: Float32Array
}

const GROUND_STEP_MS = 30_000

function groundSeries(weather: Weather, place: LatLng, fromMs: number, toMs: number): GroundSeries {
  const firstStep = Math.floor(fromMs / GROUND_STEP_MS)
  const count = Math.ceil(toMs / GROUND_STEP_MS) - firstStep + 1
  return {
    firstStep,
    rateMmH: Float32Array.from({ length: count }, (_, k) =>
      weather.rateAt(place, (firstStep + k) * GROUND_STEP_MS),
    ),
  }
}

function sampled({ firstStep, rateMmH }: GroundSeries, instantMs: number): number {
  const step = instantMs / GROUND_STEP_MS - firstStep
  const i = Math.min(rateMmH.length - 2, Math.floor(step))
  return rateMmH[i] + (rateMmH[i + 1] - rateMmH[i]) * (step - i)
}
