import type { Pair } from '@radx/rainfall/gauges/field'
import {
  type BiasPlace,
  hourlyFactors,
  type RollingBias,
  rollingFactor,
} from '@radx/rainfall/gauges/rolling-bias'

/** Share of the window's time, and of the rain that the radar had in it, that a gauge is to know. */
const KNOWN_SHARE = 0.8
const KNOWN_RAIN_SHARE = 0.5
const HOUR_STEPS = 12

/**
 * Depth at a gauge over the steps [from, to) in which the radar knows something, mm. What the gauge does not know of them
 * is filled by the radar, as the two compare over what both know: readings come later than frames, so that in live use the
 * newest rain is missing. NaN where the gauge knows too little.
 */
export function filledDepth({ gauge, radar }: BiasPlace, from: number, to: number): number {
  let [mm, radarBoth, radarSeen, both, seen] = [0, 0, 0, 0, 0]
  for (let i = from; i < to; i++) {
    if (Number.isNaN(radar[i])) continue
    seen++
    radarSeen += radar[i]
    if (Number.isNaN(gauge[i])) continue
    both++
    radarBoth += radar[i]
    mm += gauge[i]
  }
  const isKnown = both > 0 && both >= KNOWN_SHARE * seen && radarBoth >= KNOWN_RAIN_SHARE * radarSeen
  if (!isKnown) return Number.NaN
  return radarBoth > 0 ? (mm * radarSeen) / radarBoth : mm
}

/**
 * What the mean field bias that frames get makes of the radar at each pair when its gauge is left out, mm.
 * @param places all gauges, as the pairs name them
 * @param window steps of the depths
 */
export function leftOutByRolling(
  places: readonly BiasPlace[],
  pairs: readonly Pair[],
  [from, to]: readonly [number, number],
  rule: RollingBias,
): Float64Array {
  return Float64Array.from(pairs, ({ gauge, radar: depth }) => {
    const others = places.filter((_, k) => k !== gauge)
    const hours = hourlyFactors(others, rule.minGauges)
    if (hours.every(Number.isNaN)) return Number.NaN
    let [after, before] = [0, 0]
    for (let first = from; first < to; first += HOUR_STEPS) {
      const last = Math.min(to, first + HOUR_STEPS)
      let mm = 0
      for (let i = first; i < last; i++) if (places[gauge].radar[i] > 0) mm += places[gauge].radar[i]
      if (mm === 0) continue
      before += mm
      after += mm * rollingFactor(others, hours, (first + last) / 2, rule)
    }
    return before > 0 ? (depth * after) / before : depth
  })
}
