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
  return Float64Array.from({ length: Math.ceil(steps / HOUR_STEPS) }, (_, hour) =>
    factorOver(places, hour * HOUR_STEPS, Math.min(steps, (hour + 1) * HOUR_STEPS), minGauges),
  )
}

/** Factor gauge over radar of the steps [from, to). */
function factorOver(places: readonly BiasPlace[], from: number, to: number, minGauges: number): number {
  let [g, r, count] = [0, 0, 0]
  for (const { gauge, radar } of places) {
    let known = 0
    for (let i = from; i < to; i++) {
      if (Number.isNaN(gauge[i]) || Number.isNaN(radar[i])) continue
      g += gauge[i]
      r += radar[i]
      known++
    }
    if (known > 0) count++
  }
  return count >= minGauges && r >= LEAST_MM && g > 0 ? g / r : Number.NaN
}

/** Steps [from, to) that tell a factor. */
interface ToldSpan {
  from: number
  to: number
  factor: number
}

/** The hours that tell a factor in the window of a step; live, the one in which it lies tells what it has before it. */
function toldIn(
  places: readonly BiasPlace[],
  hours: Float64Array,
  step: number,
  { windowSteps, mode, minGauges }: RollingBias,
): ToldSpan[] {
  const first = mode === 'live' ? step - windowSteps : step - windowSteps / 2
  const last = mode === 'live' ? step : step + windowSteps / 2
  const told: ToldSpan[] = []
  for (let hour = 0; hour < hours.length; hour++) {
    const [from, end] = [hour * HOUR_STEPS, (hour + 1) * HOUR_STEPS]
    if (end <= first || from >= last) continue
    const isUnderWay = mode === 'live' && end > last
    const to = isUnderWay ? Math.floor(last) : end
    const factor = isUnderWay ? factorOver(places, from, to, minGauges) : hours[hour]
    if (!Number.isNaN(factor)) told.push({ from, to, factor })
  }
  return told
}

/**
 * The factor of a mean field bias at a step: the median of the hourly factors in a window, within limits. 1 where no
 * hour of the window tells one.
 * @param hours of the places; live, the hour in which the step lies tells what it has before it
 * @param step may lie within a step
 */
export function rollingFactor(
  places: readonly BiasPlace[],
  hours: Float64Array,
  step: number,
  rule: RollingBias,
): number {
  const median = medianOf(toldIn(places, hours, step, rule).map(({ factor }) => factor))
  return Number.isNaN(median) ? 1 : Math.min(rule.limits[1], Math.max(rule.limits[0], median))
}

/** How many of the places the factors at some steps were made of. */
export function placesTold(
  places: readonly BiasPlace[],
  hours: Float64Array,
  steps: readonly number[],
  rule: RollingBias,
): number {
  const spans = new Map<string, ToldSpan>()
  for (const step of steps)
    for (const span of toldIn(places, hours, step, rule)) spans.set(`${span.from} ${span.to}`, span)
  const knows = ({ gauge, radar }: BiasPlace) =>
    [...spans.values()].some(({ from, to }) => {
      for (let i = from; i < to; i++) if (!Number.isNaN(gauge[i]) && !Number.isNaN(radar[i])) return true
      return false
    })
  return places.filter(knows).length
}
