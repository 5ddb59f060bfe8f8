import { medianOf } from './field.ts'

/** A gauge and the radar over it in steps of five minutes, mm, NaN = unknown. */
export interface BiasPlace {
  gauge: Float64Array
  radar: Float64Array
}

export interface RollingBias {
  /** Factors are held inside. */
  limits: readonly [number, number]
  /** Steps of five minutes whose hourly factors make the median. */
  windowSteps: number
  /** Gauges that an hour needs. */
  minGauges: number
  /** The window ends at the moment (live), or lies around it (in hindsight). */
  mode: 'live' | 'hindsight'
}

const HOUR_STEPS = 12
/** Radar rain over all gauges without which an hour tells no factor, mm. */
const LEAST_MM = 0.5

/** Factor gauge over radar of each hour, from its first step on; NaN where gauges or rain are too few. */
export function hourlyFactors(places: readonly BiasPlace[], minGauges: number): Float64Array {
  const steps = places[0]?.gauge.length ?? 0
  const hours = new Float64Array(Math.ceil(steps / HOUR_STEPS)).fill(Number.NaN)
  for (let hour = 0; hour < hours.length; hour++) {
    let [g, r, count] = [0, 0, 0]
    for (const { gauge, radar } of places) {
      let known = 0
      for (let i = hour * HOUR_STEPS; i < Math.min(steps, (hour + 1) * HOUR_STEPS); i++) {
        if (Number.isNaN(gauge[i]) || Number.isNaN(radar[i])) continue
        g += gauge[i]
        r += radar[i]
        known++
      }
      if (known > 0) count++
    }
    if (count >= minGauges && r >= LEAST_MM && g > 0) hours[hour] = g / r
  }
  return hours
}

/**
 * The factor of a mean field bias at a step: the median of the hourly factors in a window, within limits. 1 where no
 * hour of the window tells one.
 */
export function rollingFactor(
  hours: Float64Array,
  step: number,
  { limits, windowSteps, mode }: RollingBias,
): number {
  const from = mode === 'live' ? step - windowSteps : step - windowSteps / 2
  const to = mode === 'live' ? step : step + windowSteps / 2
  const factors: number[] = []
  for (let hour = 0; hour < hours.length; hour++) {
    const [start, end] = [hour * HOUR_STEPS, (hour + 1) * HOUR_STEPS]
    // An hour in which the moment lies is not over: live, it tells what it has so far.
    if (end > from && start < to && !Number.isNaN(hours[hour])) factors.push(hours[hour])
  }
  const median = medianOf(factors)
  return Number.isNaN(median) ? 1 : Math.min(limits[1], Math.max(limits[0], median))
}
