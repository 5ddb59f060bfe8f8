import { FOOT_M, ZERO } from './constants.ts'

/** Soil that takes water in by Green and Ampt (1911) with Mein and Larson's (1973) way to saturation. */
export interface GreenAmptSoil {
  /** m/s over a step; `factor` on the conductivity and `recovery` on how fast it dries. */
  take(dt: number, inflow: number, depthM: number, factor: number, recovery: number): number
}

/** Below this a Newton step is small enough, m (1e-5 ft). */
const CLOSE_M = 1e-5 * FOOT_M

/**
 * Manual I, 4.3. The upper zone that fills and dries has a depth of 4 sqrt(conductivity in in/h) inches.
 * @param modified small rain does not use up the deficit of the next event
 */
export function greenAmpt(
  { suctionM, conductivity, deficit }: { suctionM: number; conductivity: number; deficit: number },
  modified: boolean,
): GreenAmptSoil {
  const zoneFt = (4 * Math.sqrt((conductivity / 0.0254) * 3600)) / 12
  let room = deficit
  let eventM = 0
  let zoneM = 0
  let saturated = false
  let newEventS = 0
  /** The zone for the month's factor on the conductivity. */
  let zoneOf = 1
  let zone = zoneFt

  function startEvent(mostM: number, zone: number) {
    room = zone > 0 ? (mostM - zoneM) / (zone * FOOT_M) : 0
    eventM = 0
  }

  function add(volumeM: number, mostM: number) {
    eventM += volumeM
    zoneM = Math.min(zoneM + volumeM, mostM)
  }

  function fromSaturated(dt: number, available: number, depthM: number, k: number, mostM: number): number {
    let volumeM = cumulative(eventM, (suctionM + depthM) * room, k, dt) - eventM
    if (volumeM > available * dt) {
      volumeM = available * dt
      saturated = false
    }
    add(volumeM, mostM)
    return volumeM / dt
  }

  return {
    take(dt, inflow, depthM, factor, recovery) {
      if (factor !== zoneOf) {
        zoneOf = factor
        zone = zoneFt * Math.sqrt(factor)
      }
      const mostM = deficit * zone * FOOT_M
      const k = conductivity * factor
      newEventS -= dt
      let available = inflow + depthM / dt
      if (available < ZERO) available = 0
      if (saturated) {
        if (available === 0) return 0
        newEventS = 5400 / zone / recovery
        return fromSaturated(dt, available, depthM, k, mostM)
      }
      if (available === 0) {
        if (zoneM <= 0) return 0
        const dried = (zone / 90_000) * recovery * mostM * dt
        eventM -= dried
        zoneM -= dried
        if (zoneM <= 0) {
          zoneM = 0
          eventM = 0
          room = deficit
        } else if (newEventS <= 0) startEvent(mostM, zone)
        return 0
      }
      if (available <= k) {
        add(available * dt, mostM)
        if (!modified && newEventS <= 0) startEvent(mostM, zone)
        return available
      }
      newEventS = 5400 / zone / recovery
      const toSaturate = (k * (suctionM + depthM) * room) / (available - k)
      if (eventM > toSaturate) {
        saturated = true
        return fromSaturated(dt, available, depthM, k, mostM)
      }
      if (eventM + available * dt < toSaturate) {
        add(available * dt, mostM)
        return available
      }
      const leftS = Math.max(0, dt - (toSaturate - eventM) / available)
      const end = Math.min(
        cumulative(toSaturate, (suctionM + depthM) * room, k, leftS),
        toSaturate + available * leftS,
      )
      const volume = end - eventM
      add(volume, mostM)
      saturated = true
      return volume / dt
    },
  }
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
