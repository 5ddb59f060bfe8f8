import { BIN_MS, joinedSteps } from './bins.ts'
import { type GaugeScores, gaugeScores } from './scores.ts'

/** A gauge and the radar over it in steps of five minutes, mm, NaN = unknown. */
export interface GaugeBeside {
  gauge: Float64Array
  /** The cell of the gauge, and the least and most of the 3 x 3 cells around it. */
  radar: Float64Array
  low: Float64Array
  high: Float64Array
}

/** Both in steps of some length, where both are known; NaN elsewhere. */
export interface PairedSteps {
  startMs: number
  stepMs: number
  gauge: Float64Array
  radar: Float64Array
  low: Float64Array
  high: Float64Array
}

/** Steps of five minutes joined by `count`, counting only what both know. */
export function pairedSteps(
  { gauge, radar, low, high }: GaugeBeside,
  startMs: number,
  count: number,
): PairedSteps {
  const { steps, skip, isKnown, startMs: first } = joinedSteps(gauge.length, startMs, count)
  const unknown = () => new Float64Array(steps).fill(Number.NaN)
  const out = { gauge: unknown(), radar: unknown(), low: unknown(), high: unknown() }
  for (let k = 0, from = skip; k < steps; k++, from += count) {
    let [g, r, least, most, known] = [0, 0, 0, 0, 0]
    for (let i = from; i < from + count; i++) {
      if (Number.isNaN(gauge[i]) || Number.isNaN(radar[i])) continue
      g += gauge[i]
      r += radar[i]
      least += low[i]
      most += high[i]
      known++
    }
    if (!isKnown(known)) continue
    out.gauge[k] = g
    out.radar[k] = r
    out.low[k] = least
    out.high[k] = most
  }
  return { startMs: first, stepMs: count * BIN_MS, ...out }
}

/** Depths over what both know of [from, to), and how many steps that is. */
export interface CommonDepth {
  gaugeMm: number
  radarMm: number
  lowMm: number
  highMm: number
  steps: number
}

export function commonDepth(
  { gauge, radar, low, high }: GaugeBeside,
  from = 0,
  to = gauge.length,
): CommonDepth {
  const sum = { gaugeMm: 0, radarMm: 0, lowMm: 0, highMm: 0, steps: 0 }
  for (let i = from; i < to; i++) {
    if (Number.isNaN(gauge[i]) || Number.isNaN(radar[i])) continue
    sum.gaugeMm += gauge[i]
    sum.radarMm += radar[i]
    sum.lowMm += low[i]
    sum.highMm += high[i]
    sum.steps++
  }
  return sum
}

const TOLD_MM = 0.5

/** Whether there is rain enough for gauge over radar to say anything: a tip or two of a bucket are chance. */
export const isRatioTold = ({ gaugeMm, radarMm }: Pick<CommonDepth, 'gaugeMm' | 'radarMm'>): boolean =>
  Math.max(gaugeMm, radarMm) >= TOLD_MM

/** Scores over the steps in which gauge or radar had rain: dry agreement would drown the rest. */
export function wetScores(steps: readonly Pick<PairedSteps, 'gauge' | 'radar'>[]): GaugeScores {
  const g: number[] = []
  const r: number[] = []
  for (const { gauge, radar } of steps)
    for (let i = 0; i < gauge.length; i++)
      if (gauge[i] > 0 || radar[i] > 0) {
        g.push(gauge[i])
        r.push(radar[i])
      }
  return gaugeScores(g, r)
}

/** Running totals of both over the steps that both know, thinned to at most `most` points that keep both ends. */
export function doubleMass(
  { gauge, radar }: GaugeBeside,
  most: number,
): [radarMm: number, gaugeMm: number][] {
  const points: [number, number][] = [[0, 0]]
  let [g, r] = [0, 0]
  for (let i = 0; i < gauge.length; i++) {
    if (!(gauge[i] > 0 || radar[i] > 0) || Number.isNaN(gauge[i] + radar[i])) continue
    g += gauge[i]
    r += radar[i]
    points.push([r, g])
  }
  if (points.length <= most) return points
  return Array.from({ length: most }, (_, k) => points[Math.round((k * (points.length - 1)) / (most - 1))])
}

/** A spell of rain in steps of five minutes, [from, to). */
export interface RainSpell {
  from: number
  to: number
}

const DRY_STEPS = (6 * 3_600_000) / BIN_MS
const WET_MM = 0.01
const LEAST_MM = 1

/** Spells of rain at any of the places, apart by six dry hours, in which some place had a millimetre. */
export function rainSpells(places: readonly GaugeBeside[]): RainSpell[] {
  const steps = places[0]?.gauge.length ?? 0
  const wet = new Uint8Array(steps)
  for (const { gauge, radar } of places)
    for (let i = 0; i < steps; i++) if (gauge[i] > WET_MM || radar[i] > WET_MM) wet[i] = 1
  const spells: RainSpell[] = []
  for (let i = 0; i < steps; i++) {
    if (wet[i] === 0) continue
    const last = spells[spells.length - 1]
    if (last && i - last.to < DRY_STEPS) last.to = i + 1
    else spells.push({ from: i, to: i + 1 })
  }
  return spells.filter(({ from, to }) =>
    places.some((place) => {
      const { gaugeMm, radarMm } = commonDepth(place, from, to)
      return gaugeMm >= LEAST_MM || radarMm >= LEAST_MM
    }),
  )
}
