import type { RunoffInfiltration } from '@radx/contracts/runoff'
import { DAY_S, FOOT_M, ZERO } from './constants.ts'
import { greenAmpt } from './green-ampt.ts'

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

export function createGround(kind: RunoffInfiltration): Ground {
  switch (kind.type) {
    case 'horton':
      return horton(kind)
    case 'modified-horton':
      return modifiedHorton(kind)
    case 'curve-number':
      return curveNumber(kind)
    default:
      return greenAmptGround(kind)
  }
}

type Horton = Extract<RunoffInfiltration, { decay: number }>

/** Dry to 98 % after the drying time, along an exponential: 1/s. */
const regeneration = (dryingS: number) => -Math.log(0.02) / Math.max(dryingS, 1e-6 * DAY_S)

/** Takes water at a rate that neither rain nor time changes. */
const steady = (rate: number, available: number) => Math.max(0, Math.min(rate, available))

/** Horton (1940), integrated along its own curve so that slow rain uses it up slowly: Manual I, 4.2.2. */
function horton({ maxRate, minRate, decay, dryingS, maxVolumeM }: Horton): Ground {
  const regrowth = regeneration(dryingS)
  /** Where on the curve the ground is, s, and what it has taken, m. */
  let onCurve = 0
  let taken = 0
  /** Dry time that the ground has not been brought forward by, s. */
  let drySinceS = 0
  const cumulative = (t: number, least: number, fall: number) =>
    least * t + (fall / decay) * (t >= 16 / decay ? 1 : 1 - Math.exp(-decay * t))
  return {
    conductivity: 1,
    recovery: 1,
    take(dt, rain, runon, depthM) {
      const least = minRate * this.conductivity
      const fall = maxRate * this.conductivity - least
      const available = rain + runon + depthM / dt
      if (fall < 0 || decay < 0) return 0
      if (fall === 0 || decay === 0) return steady(least + fall, available)
      if (!(available > ZERO)) {
        drySinceS += dt * this.recovery
        return 0
      }
      if (drySinceS > 0) dryOut(least, fall)
      const before = cumulative(onCurve, least, fall)
      const after = onCurve + dt
      const able = Math.max((cumulative(after, least, fall) - before) / dt, least)
      let rate = Math.min(able, available)
      if (after > 16 / decay || rate < available) onCurve = after
      else onCurve = timeOf(before + rate * dt, onCurve, dt, least, fall)
      if (maxVolumeM > 0) {
        rate = Math.max(0, Math.min(rate, (maxVolumeM - taken) / dt))
        taken += rate * dt
      }
      return rate
    },
  }

  /** Ground regains what it can take, for the dry time until now. */
  function dryOut(least: number, fall: number): void {
    const dryness = onCurve === 0 ? 0 : Math.exp(-regrowth * drySinceS) * (1 - Math.exp(-decay * onCurve))
    onCurve = dryness > 1e-9 ? -Math.log(1 - dryness) / decay : 0
    if (maxVolumeM > 0) taken = cumulative(onCurve, least, fall)
    drySinceS = 0
  }

  /** When the curve has taken in `volume`, between `from` and a step later, by Newton. */
  function timeOf(volume: number, from: number, dt: number, least: number, fall: number): number {
    let t = from + dt / 2
    for (let k = 0; k < 20; k++) {
      const e = Math.exp(-Math.min(60, decay * t))
      const move = (least * t + (fall / decay) * (1 - e) - volume) / (least + fall * e)
      t = Math.min(from + dt, Math.max(from, t - move))
      if (Math.abs(move) <= 0.001 * dt) break
    }
    return t
  }
}

/** Horton by what went in above the least rate (Akan 1992): Manual I, 4.2.3. */
function modifiedHorton({ maxRate, minRate, decay, dryingS, maxVolumeM }: Horton): Ground {
  const regrowth = regeneration(dryingS)
  let excess = 0
  let taken = 0
  /** Dry time that it has not been brought forward by, s. */
  let drySinceS = 0
  return {
    conductivity: 1,
    recovery: 1,
    take(dt, rain, runon, depthM) {
      const most = maxRate * this.conductivity
      const least = minRate * this.conductivity
      const available = rain + runon + depthM / dt
      if (most < least || decay < 0) return 0
      if (most === least || decay === 0) return steady(most, available)
      if (!(available > ZERO)) {
        drySinceS += dt * this.recovery
        return 0
      }
      if (drySinceS > 0) {
        const dry = Math.exp(-regrowth * drySinceS)
        excess *= dry
        taken *= dry
        drySinceS = 0
      }
      if (maxVolumeM > 0 && taken >= maxVolumeM) return 0
      let rate = Math.min(available, Math.max(most - decay * excess, least))
      if (maxVolumeM > 0) {
        rate = Math.max(0, Math.min(rate, (maxVolumeM - taken) / dt))
        taken += rate * dt
      }
      excess += Math.max(rate - least, 0) * dt
      return rate
    },
  }
}

function greenAmptGround(kind: Extract<RunoffInfiltration, { suctionM: number }>): Ground {
  const soil = greenAmpt(kind, kind.type === 'modified-green-ampt')
  return {
    conductivity: 1,
    recovery: 1,
    take(dt, rain, runon, depthM) {
      return soil.take(dt, rain + runon, depthM, this.conductivity, this.recovery)
    },
  }
}

/** Water that lies deeper than this still goes in after the rain (0.05 in), m. */
const STANDING_M = 0.004167 * FOOT_M

/** The curve number as a rate: what the event's rain has lost by now less what it had lost before: Manual I, 4.4. */
function curveNumber(kind: Extract<RunoffInfiltration, { curveNumber: number }>): Ground {
  const number = Math.min(99, Math.max(10, kind.curveNumber))
  const mostM = ((1000 / number - 10) / 12) * FOOT_M
  const regrowth = 1 / kind.dryingS
  const newEventS = 0.06 / regrowth
  let roomM = mostM
  let eventRoomM = mostM
  let rainM = 0
  let takenM = 0
  let drySinceS = 0
  let lastRate = 0
  return {
    conductivity: 1,
    recovery: 1,
    take(dt, rain, runon, depthM) {
      const standing = depthM + runon * dt
      const available = rain + standing / dt
      let rate = 0
      if (rain > ZERO) {
        if (drySinceS >= newEventS) {
          rainM = 0
          takenM = 0
          lastRate = 0
          eventRoomM = roomM
        }
        drySinceS = 0
        rainM += rain * dt
        const lost = rainM * (1 - rainM / (rainM + eventRoomM))
        rate = roomM > 0 ? Math.max(0, (lost - takenM) / dt) : 0
      } else if (standing > STANDING_M && roomM > 0) rate = Math.min(lastRate, roomM / dt)
      else drySinceS += dt
      if (rate > 0) {
        rate = Math.max(0, Math.min(rate, available))
        takenM += rate * dt
        roomM = Math.max(0, roomM - rate * dt)
      } else roomM = Math.min(mostM, roomM + regrowth * mostM * dt * this.recovery)
      lastRate = rate
      return rate
    },
  }
}
