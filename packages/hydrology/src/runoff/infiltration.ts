import type { RunoffInfiltration } from '@radx/contracts/runoff'
import { DAY_S, FOOT_M, ZERO } from './constants.ts'
import { fillGreenAmpt, takeGreenAmpt } from './green-ampt.ts'

/** Ground of a subcatchment that takes water in. */
export interface Ground {
  /**
   * Rate at which water goes in over a step, m/s, never more than there is.
   * @param rain m/s
   * @param runon from other ground, m/s
   * @param depthM water standing on it, m
   */
  take(dt: number, rain: number, runon: number, depthM: number): number
  /** Factors of the month: on conductivity, and on how fast ground dries. */
  conductivity: number
  recovery: number
}

/** Figures of one ground in an array of all. */
export const GROUND_SIZE = 16

// Places of a ground's figures: the month's factors, what it is, and how it stands. Green and Ampt's are in green-ampt.ts.
const CONDUCTIVITY = 0
const RECOVERY = 1

const [MAX_RATE, MIN_RATE, DECAY, REGROWTH, MAX_VOLUME] = [2, 3, 4, 5, 6]
/** Where on Horton's curve the ground is, s, or what it took above the least rate, m. */
const WHERE = 7
/** What it has taken, m, and dry time that it has not been brought forward by, s. */
const TAKEN = 8
const DRY_S = 9

const [CN_MOST, CN_REGROWTH, CN_NEW_EVENT, CN_ROOM, CN_EVENT_ROOM, CN_RAIN] = [2, 3, 4, 5, 6, 7]
const [CN_TAKEN, CN_DRY_S, CN_LAST] = [8, 9, 10]

const HORTON = 0
const MODIFIED_HORTON = 1
const GREEN_AMPT = 2
const CURVE_NUMBER = 3

/** Puts dry ground at a place of an array. @returns its law, for `takeWater` */
export function fillGround(s: Float64Array, o: number, kind: RunoffInfiltration): number {
  s[o + CONDUCTIVITY] = 1
  s[o + RECOVERY] = 1
  switch (kind.type) {
    case 'horton':
    case 'modified-horton':
      s[o + MAX_RATE] = kind.maxRate
      s[o + MIN_RATE] = kind.minRate
      s[o + DECAY] = kind.decay
      s[o + REGROWTH] = regeneration(kind.dryingS)
      s[o + MAX_VOLUME] = kind.maxVolumeM
      return kind.type === 'horton' ? HORTON : MODIFIED_HORTON
    case 'curve-number': {
      const number = Math.min(99, Math.max(10, kind.curveNumber))
      const mostM = ((1000 / number - 10) / 12) * FOOT_M
      s[o + CN_MOST] = s[o + CN_ROOM] = s[o + CN_EVENT_ROOM] = mostM
      s[o + CN_REGROWTH] = 1 / kind.dryingS
      s[o + CN_NEW_EVENT] = 0.06 / s[o + CN_REGROWTH]
      return CURVE_NUMBER
    }
    default:
      fillGreenAmpt(s, o, kind, kind.type === 'modified-green-ampt')
      return GREEN_AMPT
  }
}

/** What the ground at a place of an array takes over a step: `Ground.take`. */
export function takeWater(
  law: number,
  s: Float64Array,
  o: number,
  dt: number,
  rain: number,
  runon: number,
  depthM: number,
): number {
  if (law === GREEN_AMPT)
    return takeGreenAmpt(s, o, dt, rain + runon, depthM, s[o + CONDUCTIVITY], s[o + RECOVERY])
  if (law === CURVE_NUMBER) return curveNumber(s, o, dt, rain, runon, depthM)
  return law === HORTON
    ? horton(s, o, dt, rain + runon + depthM / dt)
    : modifiedHorton(s, o, dt, rain + runon + depthM / dt)
}

/** A ground at a place of an array of many, or by itself. */
export function createGround(
  kind: RunoffInfiltration,
  s: Float64Array = new Float64Array(GROUND_SIZE),
  o = 0,
): Ground & { law: number } {
  const law = fillGround(s, o, kind)
  return {
    law,
    take: (dt, rain, runon, depthM) => takeWater(law, s, o, dt, rain, runon, depthM),
    get conductivity() {
      return s[o + CONDUCTIVITY]
    },
    set conductivity(factor) {
      s[o + CONDUCTIVITY] = factor
    },
    get recovery() {
      return s[o + RECOVERY]
    },
    set recovery(factor) {
      s[o + RECOVERY] = factor
    },
  }
}

/** Dry to 98 % after the drying time, along an exponential: 1/s. */
const regeneration = (dryingS: number) => -Math.log(0.02) / Math.max(dryingS, 1e-6 * DAY_S)

/** Takes water at a rate that neither rain nor time changes. */
const steady = (rate: number, available: number) => Math.max(0, Math.min(rate, available))

const onHorton = (t: number, least: number, fall: number, decay: number) =>
  least * t + (fall / decay) * (t >= 16 / decay ? 1 : 1 - Math.exp(-decay * t))

/** Horton (1940), integrated along its own curve so that slow rain uses it up slowly: Manual I, 4.2.2. */
function horton(s: Float64Array, o: number, dt: number, available: number): number {
  const decay = s[o + DECAY]
  const least = s[o + MIN_RATE] * s[o + CONDUCTIVITY]
  const fall = s[o + MAX_RATE] * s[o + CONDUCTIVITY] - least
  if (fall < 0 || decay < 0) return 0
  if (fall === 0 || decay === 0) return steady(least + fall, available)
  if (!(available > ZERO)) {
    s[o + DRY_S] += dt * s[o + RECOVERY]
    return 0
  }
  if (s[o + DRY_S] > 0) dryOut(s, o, least, fall)
  const from = s[o + WHERE]
  const before = onHorton(from, least, fall, decay)
  const after = from + dt
  const able = Math.max((onHorton(after, least, fall, decay) - before) / dt, least)
  let rate = Math.min(able, available)
  if (after > 16 / decay || rate < available) s[o + WHERE] = after
  else s[o + WHERE] = timeOf(before + rate * dt, from, dt, least, fall, decay)
  const most = s[o + MAX_VOLUME]
  if (most > 0) {
    rate = Math.max(0, Math.min(rate, (most - s[o + TAKEN]) / dt))
    s[o + TAKEN] += rate * dt
  }
  return rate
}

/** Ground regains what it can take, for the dry time until now. */
function dryOut(s: Float64Array, o: number, least: number, fall: number): void {
  const decay = s[o + DECAY]
  const where = s[o + WHERE]
  const dryness = where === 0 ? 0 : Math.exp(-s[o + REGROWTH] * s[o + DRY_S]) * (1 - Math.exp(-decay * where))
  s[o + WHERE] = dryness > 1e-9 ? -Math.log(1 - dryness) / decay : 0
  if (s[o + MAX_VOLUME] > 0) s[o + TAKEN] = onHorton(s[o + WHERE], least, fall, decay)
  s[o + DRY_S] = 0
}

/** When the curve has taken in `volume`, between `from` and a step later, by Newton. */
function timeOf(
  volume: number,
  from: number,
  dt: number,
  least: number,
  fall: number,
  decay: number,
): number {
  let t = from + dt / 2
  for (let k = 0; k < 20; k++) {
    const e = Math.exp(-Math.min(60, decay * t))
    const move = (least * t + (fall / decay) * (1 - e) - volume) / (least + fall * e)
    t = Math.min(from + dt, Math.max(from, t - move))
    if (Math.abs(move) <= 0.001 * dt) break
  }
  return t
}

/** Horton by what went in above the least rate (Akan 1992): Manual I, 4.2.3. */
function modifiedHorton(s: Float64Array, o: number, dt: number, available: number): number {
  const decay = s[o + DECAY]
  const most = s[o + MAX_RATE] * s[o + CONDUCTIVITY]
  const least = s[o + MIN_RATE] * s[o + CONDUCTIVITY]
  if (most < least || decay < 0) return 0
  if (most === least || decay === 0) return steady(most, available)
  if (!(available > ZERO)) {
    s[o + DRY_S] += dt * s[o + RECOVERY]
    return 0
  }
  if (s[o + DRY_S] > 0) {
    const dry = Math.exp(-s[o + REGROWTH] * s[o + DRY_S])
    s[o + WHERE] *= dry
    s[o + TAKEN] *= dry
    s[o + DRY_S] = 0
  }
  const room = s[o + MAX_VOLUME]
  if (room > 0 && s[o + TAKEN] >= room) return 0
  let rate = Math.min(available, Math.max(most - decay * s[o + WHERE], least))
  if (room > 0) {
    rate = Math.max(0, Math.min(rate, (room - s[o + TAKEN]) / dt))
    s[o + TAKEN] += rate * dt
  }
  s[o + WHERE] += Math.max(rate - least, 0) * dt
  return rate
}

/** Water that lies deeper than this still goes in after the rain (0.05 in), m. */
const STANDING_M = 0.004167 * FOOT_M

/** The curve number as a rate: what the event's rain has lost by now less what it had lost before: Manual I, 4.4. */
function curveNumber(
  s: Float64Array,
  o: number,
  dt: number,
  rain: number,
  runon: number,
  depthM: number,
): number {
  const standing = depthM + runon * dt
  const room = s[o + CN_ROOM]
  let rate = 0
  if (rain > ZERO) {
    if (s[o + CN_DRY_S] >= s[o + CN_NEW_EVENT]) {
      s[o + CN_RAIN] = 0
      s[o + CN_TAKEN] = 0
      s[o + CN_LAST] = 0
      s[o + CN_EVENT_ROOM] = room
    }
    s[o + CN_DRY_S] = 0
    const fallen = s[o + CN_RAIN] + rain * dt
    s[o + CN_RAIN] = fallen
    const lost = fallen * (1 - fallen / (fallen + s[o + CN_EVENT_ROOM]))
    rate = room > 0 ? Math.max(0, (lost - s[o + CN_TAKEN]) / dt) : 0
  } else if (standing > STANDING_M && room > 0) rate = Math.min(s[o + CN_LAST], room / dt)
  else s[o + CN_DRY_S] += dt
  if (rate > 0) {
    rate = Math.max(0, Math.min(rate, rain + standing / dt))
    s[o + CN_TAKEN] += rate * dt
    s[o + CN_ROOM] = Math.max(0, room - rate * dt)
  } else {
    const most = s[o + CN_MOST]
    s[o + CN_ROOM] = Math.min(most, room + s[o + CN_REGROWTH] * most * dt * s[o + RECOVERY])
  }
  s[o + CN_LAST] = rate
  return rate
}
