import type { LatLng } from '@radx/contracts/site'
import { HOUR_MS, windAloft } from './climate.ts'
import { Draws, wordSeed } from './noise.ts'
import {
  type Front,
  type MovingFrame,
  makeFront,
  makeOutbreak,
  type Outbreak,
  type PrescribedRain,
  type WeatherSystem,
} from './systems.ts'

/**
 * Weather that does not leave to chance what somebody sees who starts the demonstration: from a few hours before a
 * moment on, fronts and showers cross the radar in turn; a storm passes over a place some hours before it, and each
 * day after. What was before that stays as it comes, dry days among it.
 */
export interface Anchor {
  /** When the demonstration was first started, ms since the epoch. */
  atMs: number
  /** Where the storm passes; null for none. */
  storm: LatLng | null
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * HOUR_MS

/** A front or showers this often, the first passing the radar shortly before the moment. */
const TURN_HOURS = 5
const FIRST_HOURS = -0.2
/** No turn acts further than this from its central time. */
const TURN_REACH_HOURS = 6
const FRONT_KM_H = 33
const SHOWERS_KM_H = 32

/** The storm's middle over its place, after the moment and each day after. */
const STORM_HOURS = -6.5
const STORM_KM_H = 18
const STORM_HALF_LIFE_HOURS = 3.2

/** Air at sea level: neither frost down to the ground nor a melting layer above what the instrument sees, °C. */
const AIR_C = { least: 7.5, most: 18 }
/** From this long before the moment on, reached over six hours. */
const AIR_FROM_HOURS = -30
const AIR_OVER_HOURS = 6

/** Frames that are missing, and one whose file comes late, after the moment and at the same time of each day after. */
const GAP = { fromMs: -102 * MINUTE_MS, toMs: -90 * MINUTE_MS }
const LATE_AFTER_MS = 5 * MINUTE_MS
/** How late a file can come. */
export const LATEST_MS = 9 * MINUTE_MS

/** Systems of an anchor that may act at an instant. `stormKm` is where its storm passes, east and north of the radar. */
export function anchoredSystems(
  instantMs: number,
  seed: number,
  { atMs }: Anchor,
  stormKm: { x: number; y: number } | null,
): WeatherSystem[] {
  const found: WeatherSystem[] = []
  const hours = (instantMs - atMs) / HOUR_MS
  const turn = (h: number) => (h - FIRST_HOURS) / TURN_HOURS
  const last = Math.floor(turn(hours + TURN_REACH_HOURS))
  for (let k = Math.max(0, Math.ceil(turn(hours - TURN_REACH_HOURS))); k <= last; k++) {
    const t0Ms = atMs + (FIRST_HOURS + k * TURN_HOURS) * HOUR_MS
    found.push(k % 2 === 0 ? front(t0Ms, k, seed) : showers(t0Ms, k, seed))
  }
  if (stormKm) {
    const day = Math.max(0, Math.round((hours - STORM_HOURS) / 24))
    found.push(storm(atMs + (STORM_HOURS + 24 * day) * HOUR_MS, day, seed, stormKm))
  }
  return found
}

/** Carried by the wind of its own time, as fast as asked for. */
function carried(t0Ms: number, seed: number, kmH: number, stretch: number): MovingFrame {
  const { eastKmH, northKmH } = windAloft(t0Ms, seed)
  return { t0Ms, angle: Math.atan2(northKmH, eastKmH), uKmH: kmH, vKmH: 0, stretch }
}

/** Broad rain, then a line: never so thin that it could be missed. */
function front(t0Ms: number, turn: number, seed: number): Front {
  const own = wordSeed(`anchored front ${turn}`, seed)
  const made = makeFront(new Draws(own, turn), t0Ms, seed, own)
  return {
    ...made,
    type: 'occluded',
    frame: carried(t0Ms, seed, FRONT_KM_H, 1.9),
    halfLifeHours: 5.2,
    // Without the widest octaves, which could leave most of it dry.
    texture: { ...made.texture, octaves: 6, lifeHours: 0.8 },
    sigma: 0.75,
    threshold: 0.34,
    rearKm: -34,
    aheadKm: 66,
    rateMmH: 1.2,
    lineRateMmH: 3.6,
    lineHalfWidthKm: 5,
  }
}

function showers(t0Ms: number, turn: number, seed: number): Outbreak {
  const own = wordSeed(`anchored showers ${turn}`, seed)
  return {
    ...makeOutbreak('showers', new Draws(own, turn), t0Ms, seed, own),
    frame: carried(t0Ms, seed, SHOWERS_KM_H, 1),
    halfLifeHours: 5.5,
    birthRate: 1.2,
    peakMmH: 7,
    clustering: 0.6,
  }
}

/** A storm of which the strongest cell passes over the place, a second one behind it. */
function storm(t0Ms: number, day: number, seed: number, { x, y }: { x: number; y: number }): Outbreak {
  const own = wordSeed(`anchored storm ${day}`, seed)
  const frame = carried(t0Ms, seed, STORM_KM_H, 1)
  const u = x * Math.cos(frame.angle) + y * Math.sin(frame.angle)
  const v = -x * Math.sin(frame.angle) + y * Math.cos(frame.angle)
  return {
    ...makeOutbreak('storms', new Draws(own, day), t0Ms, seed, own),
    frame,
    halfLifeHours: STORM_HALF_LIFE_HOURS,
    sigma: 0.5,
    threshold: 0.1,
    placed: [
      { u, v, bornHours: -0.8, lifeHours: 2, peakMmH: 90, radiusKm: 4.4 },
      { u: u - 9, v: v + 3, bornHours: -0.3, lifeHours: 1.6, peakMmH: 34, radiusKm: 3.6 },
      { u: u + 10, v: v - 7, bornHours: -1.2, lifeHours: 1.8, peakMmH: 40, radiusKm: 3.8 },
    ],
  }
}

/** From before the anchor's first storm to after it. */
export const stormPeriod = ({ atMs }: Anchor): PrescribedRain => ({
  startMs: atMs + (STORM_HOURS - 1.5) * HOUR_MS,
  endMs: atMs + (STORM_HOURS + 1.5) * HOUR_MS,
})

/** Temperature at sea level, held within bounds around and after the anchor's moment. */
export function anchoredAirC(airC: number, instantMs: number, anchor: Anchor | undefined): number {
  if (!anchor) return airC
  const since = (instantMs - anchor.atMs) / HOUR_MS - AIR_FROM_HOURS
  const share = Math.min(1, Math.max(0, since / AIR_OVER_HOURS))
  return airC + share * (Math.min(AIR_C.most, Math.max(AIR_C.least, airC)) - airC)
}

/** In these hours, from before the storm on, nothing else is missing. */
export const completeAround = ({ atMs }: Anchor): PrescribedRain => ({
  startMs: atMs + (STORM_HOURS - 2) * HOUR_MS,
  endMs: atMs + 3 * HOUR_MS,
})

export function isAnchoredGap(instantMs: number, { atMs }: Anchor): boolean {
  const since = instantMs - atMs - GAP.fromMs
  return since >= 0 && since % DAY_MS < GAP.toMs - GAP.fromMs
}

/** How much later than its instant the file of a frame comes, ms. */
export function latenessMs(instantMs: number, frameSeconds: number, anchor: Anchor | undefined): number {
  if (!anchor) return 0
  const since = instantMs - anchor.atMs - LATE_AFTER_MS
  return since >= 0 && since % DAY_MS < frameSeconds * 1000 ? LATEST_MS : 0
}
