import { FOOT_M, ZERO } from './constants.ts'

/** Soil that takes water in by Green and Ampt (1911) with Mein and Larson's (1973) way to saturation. */
export interface GreenAmptSoil {
  /** m/s over a step; `factor` on the conductivity and `recovery` on how fast it dries. */
  take(dt: number, inflow: number, depthM: number, factor: number, recovery: number): number
  /** `GREEN_AMPT_STATE` values: what it is, and how it stands. */
  readonly figures: Float64Array
}

/** Below this a Newton step is small enough, m (1e-5 ft). */
const CLOSE_M = 1e-5 * FOOT_M

// Places of a soil's figures in an array of many: what it is, and how it stands.
const SUCTION = 2
const CONDUCTIVITY = 3
const DEFICIT = 4
const ZONE_FT = 5
const MODIFIED = 6
const ROOM = 7
const EVENT = 8
const UPPER = 9
const SATURATED = 10
const NEW_EVENT = 11
/** The zone for the month's factor on the conductivity. */
const ZONE_OF = 12
const ZONE = 13
export const GREEN_AMPT_STATE = ZONE + 1

interface GreenAmptFigures {
  suctionM: number
  conductivity: number
  deficit: number
}

/**
 * Manual I, 4.3. The upper zone that fills and dries has a depth of 4 sqrt(conductivity in in/h) inches.
 * @param modified small rain does not use up the deficit of the next event
 */
export function greenAmpt(figures: GreenAmptFigures, modified: boolean): GreenAmptSoil {
  const s = new Float64Array(GREEN_AMPT_STATE)
  fillGreenAmpt(s, 0, figures, modified)
  return {
    figures: s,
    take: (dt, inflow, depthM, factor, recovery) => takeGreenAmpt(s, 0, dt, inflow, depthM, factor, recovery),
  }
}

/** Puts dry soil at a place of an array. */
export function fillGreenAmpt(
  s: Float64Array,
  o: number,
  { suctionM, conductivity, deficit }: GreenAmptFigures,
  modified: boolean,
): void {
  const zoneFt = (4 * Math.sqrt((conductivity / 0.0254) * 3600)) / 12
  s[o + SUCTION] = suctionM
  s[o + CONDUCTIVITY] = conductivity
  s[o + DEFICIT] = deficit
  s[o + ZONE_FT] = zoneFt
  s[o + MODIFIED] = modified ? 1 : 0
  s[o + ROOM] = deficit
  s[o + ZONE_OF] = 1
  s[o + ZONE] = zoneFt
}

/** What the soil at a place of an array takes over a step: `GreenAmptSoil.take`. */
export function takeGreenAmpt(
  s: Float64Array,
  o: number,
  dt: number,
  inflow: number,
  depthM: number,
  factor: number,
  recovery: number,
): number {
  if (factor !== s[o + ZONE_OF]) {
    s[o + ZONE_OF] = factor
    s[o + ZONE] = s[o + ZONE_FT] * Math.sqrt(factor)
  }
  const zone = s[o + ZONE]
  const mostM = s[o + DEFICIT] * zone * FOOT_M
  const k = s[o + CONDUCTIVITY] * factor
  s[o + NEW_EVENT] -= dt
  let available = inflow + depthM / dt
  if (available < ZERO) available = 0
  if (s[o + SATURATED] !== 0) {
    if (available === 0) return 0
    s[o + NEW_EVENT] = 5400 / zone / recovery
    return fromSaturated(s, o, dt, available, depthM, k, mostM)
  }
  if (available === 0) {
    if (s[o + UPPER] > 0) dry(s, o, (zone / 90_000) * recovery * mostM * dt, mostM, zone)
    return 0
  }
  if (available <= k) {
    add(s, o, available * dt, mostM)
    if (s[o + MODIFIED] === 0 && s[o + NEW_EVENT] <= 0) startEvent(s, o, mostM, zone)
    return available
  }
  s[o + NEW_EVENT] = 5400 / zone / recovery
  const pull = (s[o + SUCTION] + depthM) * s[o + ROOM]
  const toSaturate = (k * (s[o + SUCTION] + depthM) * s[o + ROOM]) / (available - k)
  if (s[o + EVENT] > toSaturate) {
    s[o + SATURATED] = 1
    return fromSaturated(s, o, dt, available, depthM, k, mostM)
  }
  if (s[o + EVENT] + available * dt < toSaturate) {
    add(s, o, available * dt, mostM)
    return available
  }
  const leftS = Math.max(0, dt - (toSaturate - s[o + EVENT]) / available)
  const end = Math.min(cumulative(toSaturate, pull, k, leftS), toSaturate + available * leftS)
  const volume = end - s[o + EVENT]
  add(s, o, volume, mostM)
  s[o + SATURATED] = 1
  return volume / dt
}

function startEvent(s: Float64Array, o: number, mostM: number, zone: number): void {
  s[o + ROOM] = zone > 0 ? (mostM - s[o + UPPER]) / (zone * FOOT_M) : 0
  s[o + EVENT] = 0
}

function add(s: Float64Array, o: number, volumeM: number, mostM: number): void {
  s[o + EVENT] += volumeM
  s[o + UPPER] = Math.min(s[o + UPPER] + volumeM, mostM)
}

function dry(s: Float64Array, o: number, driedM: number, mostM: number, zone: number): void {
  s[o + EVENT] -= driedM
  s[o + UPPER] -= driedM
  if (s[o + UPPER] <= 0) {
    s[o + UPPER] = 0
    s[o + EVENT] = 0
    s[o + ROOM] = s[o + DEFICIT]
  } else if (s[o + NEW_EVENT] <= 0) startEvent(s, o, mostM, zone)
}

function fromSaturated(
  s: Float64Array,
  o: number,
  dt: number,
  available: number,
  depthM: number,
  k: number,
  mostM: number,
): number {
  let volumeM = cumulative(s[o + EVENT], (s[o + SUCTION] + depthM) * s[o + ROOM], k, dt) - s[o + EVENT]
  if (volumeM > available * dt) {
    volumeM = available * dt
    s[o + SATURATED] = 0
  }
  add(s, o, volumeM, mostM)
  return volumeM / dt
}

/** What saturated soil has taken after `dt`, from `f1`: F - c ln(F + c) grows by k dt. */
function cumulative(f1: number, c: number, k: number, dt: number): number {
  const least = f1 + k * dt
  if (c === 0) return least
  if (dt < 10 && f1 > 0.01 * c) return Math.max(f1 + k * (1 + c / f1) * dt, least)
  const c2 = c * Math.log(f1 + c) - k * dt
  let f2 = f1
  for (let i = 0; i < 20; i++) {
    const move = (f2 - f1 - c * Math.log(f2 + c) + c2) / (1 - c / (f2 + c))
    if (Math.abs(move) < CLOSE_M) return Math.max(f2, least)
    f2 -= move
  }
  return least
}
