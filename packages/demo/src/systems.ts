import { HOUR_MS, unsettled, type WindVector, windAloft, winterness } from './climate.ts'
import { Draws, type Texture, wordSeed } from './noise.ts'

/**
 * The plane in which a weather system stands still: u ahead and v to the left of its front, km, moving
 * over the ground; `stretch` draws its texture out along v.
 */
export interface MovingFrame {
  /** Instant at which the frame's origin lies over the radar. */
  t0Ms: number
  /** Direction of u, radians anticlockwise from east. */
  angle: number
  uKmH: number
  vKmH: number
  stretch: number
}

interface SystemBase {
  frame: MovingFrame
  /** Strength grows and decays around `frame.t0Ms` over this half-width, hours. */
  halfLifeHours: number
  texture: Texture
  /** Spread of the logarithm of the rate within it. */
  sigma: number
  /** Level of the texture below which there is no rain. */
  threshold: number
}

/** A band of rain that passes: broad ahead of warm air, a narrow line with a wake on cold air. */
export interface Front extends SystemBase {
  kind: 'front'
  type: 'warm' | 'cold' | 'occluded'
  /** Broad rain from `rear` to `ahead` of the front, km. */
  rearKm: number
  aheadKm: number
  rateMmH: number
  /** Narrow line at the front: 0 for none. */
  lineRateMmH: number
  lineHalfWidthKm: number
  /** The front bends back by this many km at 100 km to the side. */
  bendKm: number
}

/** Showers or thunderstorms: cells that are born, move, grow and die. */
export interface Outbreak extends SystemBase {
  kind: 'outbreak'
  type: 'showers' | 'storms'
  /** Cells born in 1,000 km2 and an hour at full strength. */
  birthRate: number
  /** Median and spread (of the logarithm) of the peak rate. */
  peakMmH: number
  peakSpread: number
  radiusKm: number
  lifeMinutes: number
  /** Share of the area in which cells are born: the less, the more they stand in clusters. */
  clustering: number
  cellSeed: number
  /** Cells at places of their own, beside those that are drawn. */
  placed?: readonly PlacedCell[]
}

/** A cell of an outbreak that stands still in the outbreak's frame (km) through its life. */
export interface PlacedCell {
  u: number
  v: number
  /** Hours after the outbreak's central time at which it is born. */
  bornHours: number
  lifeHours: number
  peakMmH: number
  radiusKm: number
}

/** Thin rain out of low cloud. */
export interface Drizzle extends SystemBase {
  kind: 'drizzle'
  rateMmH: number
}

export type WeatherSystem = Front | Outbreak | Drizzle

/** A period in which rain is prescribed (an event of the site). */
export interface PrescribedRain {
  startMs: number
  endMs: number
}

const FRONT_SLOT_HOURS = 15
const OUTBREAK_SLOT_HOURS = 12
const DRIZZLE_SLOT_HOURS = 24
/** No system acts further than this from its central time. */
const REACH_HOURS = 26

const texture = (seed: number, finestKm: number, octaves: number, lifeHours: number): Texture => ({
  seed,
  finestKm,
  octaves,
  roughness: 0.42,
  lifeHours,
})

/** Strength of a system at an instant, 0 to 1: level in the middle, smooth at both ends. */
export function strength(system: WeatherSystem, instantMs: number): number {
  const x = Math.abs(instantMs - system.frame.t0Ms) / HOUR_MS / system.halfLifeHours
  if (x >= 1) return 0
  const s = Math.min(1, (1 - x) / 0.45)
  return s * s * (3 - 2 * s)
}

function frameAlong(
  wind: WindVector,
  t0Ms: number,
  turn: number,
  slowdown: number,
  stretch: number,
): MovingFrame {
  const speed = Math.hypot(wind.eastKmH, wind.northKmH)
  const angle = Math.atan2(wind.northKmH, wind.eastKmH) + turn
  return {
    t0Ms,
    angle,
    uKmH: speed * Math.cos(turn) * slowdown,
    vKmH: -speed * Math.sin(turn),
    stretch,
  }
}

export function makeFront(draws: Draws, t0Ms: number, seed: number, textureSeed: number): Front {
  const wind = windAloft(t0Ms, seed)
  const winter = winterness(t0Ms)
  const pick = draws.next()
  const type = pick < 0.42 ? 'warm' : pick < 0.8 ? 'cold' : 'occluded'
  const turn = ((type === 'cold' ? -18 : 12) + 16 * draws.normal()) * (Math.PI / 180)
  const vigour = Math.exp(0.38 * draws.normal())
  const cold = type === 'cold'
  const width = (cold ? 42 : 85) * Math.exp(0.3 * draws.normal())
  return {
    kind: 'front',
    type,
    frame: frameAlong(wind, t0Ms, Math.max(-0.8, Math.min(0.8, turn)), cold ? 0.95 : 0.85, 1.9),
    halfLifeHours: draws.between(9, 17),
    texture: texture(textureSeed, 0.75, 8, 1.1),
    sigma: cold ? 0.95 : 0.8,
    threshold: draws.between(0.3, 0.62),
    rearKm: cold ? -width : -width * 0.25,
    aheadKm: cold ? width * 0.15 : width,
    rateMmH: (cold ? 0.85 : type === 'warm' ? 1.15 + 0.12 * winter : 1.05) * vigour,
    lineRateMmH: cold ? (5.2 - 2 * winter) * vigour : type === 'occluded' ? 2 * vigour : 0,
    lineHalfWidthKm: draws.between(4, 8),
    bendKm: 8 + 14 * draws.next(),
  }
}

export function makeOutbreak(
  type: 'showers' | 'storms',
  draws: Draws,
  t0Ms: number,
  seed: number,
  own: number,
): Outbreak {
  const wind = windAloft(t0Ms, seed)
  const storms = type === 'storms'
  const summer = (1 - winterness(t0Ms)) / 2
  return {
    kind: 'outbreak',
    type,
    frame: frameAlong(wind, t0Ms, (storms ? 0.25 : 0.08) * draws.normal(), storms ? 0.75 : 0.9, 1),
    halfLifeHours: storms ? draws.between(3.5, 6.5) : draws.between(3.5, 9),
    texture: { ...texture(own, 0.75, 5, 0.5), roughness: 0.32 },
    sigma: 0.85,
    threshold: 0.2,
    birthRate: (storms ? 0.48 : 0.45) * Math.exp(0.5 * draws.normal()),
    peakMmH: storms ? 15 : 3.6 + 3.6 * summer,
    peakSpread: storms ? 0.62 : 0.65,
    radiusKm: storms ? 3.4 : 2.3,
    lifeMinutes: storms ? 62 : 42,
    clustering: draws.between(0.25, 0.8),
    cellSeed: wordSeed('cells', own),
  }
}

function makeDrizzle(draws: Draws, t0Ms: number, seed: number, own: number): Drizzle {
  const wind = windAloft(t0Ms, seed)
  return {
    kind: 'drizzle',
    frame: frameAlong(wind, t0Ms, 0.3 * draws.normal(), 0.6, 1.3),
    halfLifeHours: draws.between(3, 8),
    texture: texture(own, 0.75, 7, 0.8),
    sigma: 0.7,
    threshold: draws.between(0.6, 1.1),
    rateMmH: draws.between(0.07, 0.16),
  }
}

/** Every slot of `hours` whose system may act at the instant, with its own draws. */
function* slotsAround(word: string, hours: number, instantMs: number, seed: number) {
  const length = hours * HOUR_MS
  const own = wordSeed(word, seed)
  const first = Math.floor((instantMs - REACH_HOURS * HOUR_MS) / length)
  const last = Math.floor((instantMs + REACH_HOURS * HOUR_MS) / length)
  for (let slot = first; slot <= last; slot++) {
    const draws = new Draws(own, slot)
    yield { draws, startMs: slot * length, own: wordSeed(`${word}${slot}`, seed) }
  }
}

/** The front that brings the prescribed rain of an event: broad, lasting, over the whole product. */
function prescribedFront(event: PrescribedRain, seed: number): Front {
  const t0Ms = (event.startMs + event.endMs) / 2
  const hours = (event.endMs - event.startMs) / HOUR_MS
  const front = makeFront(new Draws(wordSeed('event', seed), Math.floor(event.startMs / 1000)), t0Ms, seed, 7)
  const reach = (front.frame.uKmH * (hours + 4)) / 2
  return {
    ...front,
    type: 'warm',
    halfLifeHours: hours / 2 + 5,
    // Without the widest octaves, which could leave most of the event dry.
    texture: { ...front.texture, seed: wordSeed('event-texture', seed), octaves: 6, lifeHours: 0.8 },
    sigma: 0.7,
    threshold: 0.25,
    rearKm: -reach,
    aheadKm: reach,
    rateMmH: 2.6,
    lineRateMmH: 4,
    lineHalfWidthKm: 9,
  }
}

/** Systems that act at an instant, found without looking at any other moment. */
export function systemsAt(
  instantMs: number,
  seed: number,
  prescribed: readonly PrescribedRain[],
): WeatherSystem[] {
  const found: WeatherSystem[] = []
  for (const { draws, startMs, own } of slotsAround('front', FRONT_SLOT_HOURS, instantMs, seed)) {
    const t0Ms = startMs + draws.next() * FRONT_SLOT_HOURS * HOUR_MS
    const likely = unsettled(t0Ms, seed) * (0.28 + 0.06 * winterness(t0Ms))
    if (draws.next() < likely) found.push(makeFront(draws, t0Ms, seed, own))
  }
  for (const { draws, startMs, own } of slotsAround('outbreak', OUTBREAK_SLOT_HOURS, instantMs, seed)) {
    const t0Ms = startMs + draws.next() * OUTBREAK_SLOT_HOURS * HOUR_MS
    if (draws.next() < 0.26 + 0.32 * unsettled(t0Ms, seed))
      found.push(makeOutbreak('showers', draws, t0Ms, seed, own))
  }
  // Thunderstorms: warm season, around four in the afternoon.
  for (const { draws, startMs, own } of slotsAround('storms', 24, instantMs, seed)) {
    const t0Ms = startMs + (15.7 + 1.6 * draws.normal()) * HOUR_MS
    const warm = Math.max(0, -winterness(t0Ms) + 0.35) / 1.35
    if (draws.next() < 0.11 * warm * (0.35 + 0.65 * unsettled(t0Ms, seed)))
      found.push(makeOutbreak('storms', draws, t0Ms, seed, own))
  }
  for (const { draws, startMs, own } of slotsAround('drizzle', DRIZZLE_SLOT_HOURS, instantMs, seed)) {
    const t0Ms = startMs + draws.next() * DRIZZLE_SLOT_HOURS * HOUR_MS
    if (draws.next() < 0.11 + 0.09 * winterness(t0Ms)) found.push(makeDrizzle(draws, t0Ms, seed, own))
  }
  for (const event of prescribed) found.push(prescribedFront(event, seed))
  return found.filter((system) => strength(system, instantMs) > 0)
}
