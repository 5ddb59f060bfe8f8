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
}

/** Steps of five minutes joined by `count`, counting only what both know. */
export function pairedSteps(
  { gauge, radar }: Pick<GaugeBeside, 'gauge' | 'radar'>,
  startMs: number,
  count: number,
): PairedSteps {
  const { steps, skip, isKnown, startMs: first } = joinedSteps(gauge.length, startMs, count)
  const joinedGauge = new Float64Array(steps).fill(Number.NaN)
  const joinedRadar = new Float64Array(steps).fill(Number.NaN)
  for (let k = 0, from = skip; k < steps; k++, from += count) {
    let g = 0
    let r = 0
    let known = 0
    for (let i = from; i < from + count; i++) {
      if (Number.isNaN(gauge[i]) || Number.isNaN(radar[i])) continue
      g += gauge[i]
      r += radar[i]
      known++
    }
    if (!isKnown(known)) continue
    joinedGauge[k] = g
    joinedRadar[k] = r
  }
  return { startMs: first, stepMs: count * BIN_MS, gauge: joinedGauge, radar: joinedRadar }
}

/** Depths over what both know of [from, to), and how many steps that is. */
export interface CommonDepth {
  gaugeMm: number
  radarMm: number
  lowMm: number
  highMm: number
  steps: number
}

/** Steps that both know in which any of the four has rain, and how many are known before each step. */
interface WetSteps {
  at: Int32Array
  known: Int32Array
}

/** Made once for a period: it is looked at by event and by month, and most of it is dry. */
const wetSteps = new WeakMap<GaugeBeside, WetSteps>()

function wetStepsOf(beside: GaugeBeside): WetSteps {
  const made = wetSteps.get(beside)
  if (made) return made
  const { gauge, radar, low, high } = beside
  const at = new Int32Array(gauge.length)
  const known = new Int32Array(gauge.length + 1)
  let count = 0
  for (let i = 0; i < gauge.length; i++) {
    const isKnown = !Number.isNaN(gauge[i]) && !Number.isNaN(radar[i])
    known[i + 1] = known[i] + (isKnown ? 1 : 0)
    if (isKnown && (gauge[i] !== 0 || radar[i] !== 0 || low[i] !== 0 || high[i] !== 0)) at[count++] = i
  }
  const found = { at: at.subarray(0, count), known }
  wetSteps.set(beside, found)
  return found
}

/** The first of rising steps that is not before `step`. */
function firstFrom(at: Int32Array, step: number): number {
  let [low, high] = [0, at.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (at[middle] < step) low = middle + 1
    else high = middle
  }
  return low
}

/** @param beside whose series do not change any more */
export function commonDepth(beside: GaugeBeside, from = 0, to = beside.gauge.length): CommonDepth {
  const { gauge, radar, low, high } = beside
  const { at, known } = wetStepsOf(beside)
  let [gaugeMm, radarMm, lowMm, highMm] = [0, 0, 0, 0]
  for (let k = firstFrom(at, from); k < at.length && at[k] < to; k++) {
    const i = at[k]
    gaugeMm += gauge[i]
    radarMm += radar[i]
    lowMm += low[i]
    highMm += high[i]
  }
  return { gaugeMm, radarMm, lowMm, highMm, steps: known[to] - known[from] }
}

const TOLD_MM = 0.5

/** Whether there is rain enough for gauge over radar to say anything: a tip or two of a bucket are chance. */
export const isRatioTold = ({ gaugeMm, radarMm }: Pick<CommonDepth, 'gaugeMm' | 'radarMm'>): boolean =>
  Math.max(gaugeMm, radarMm) >= TOLD_MM

/** Scores over the steps in which gauge or radar had rain: dry agreement would drown the rest. */
export function wetScores(steps: readonly Pick<PairedSteps, 'gauge' | 'radar'>[]): GaugeScores {
  const most = steps.reduce((sum, { gauge }) => sum + gauge.length, 0)
  const g = new Float64Array(most)
  const r = new Float64Array(most)
  let count = 0
  for (const { gauge, radar } of steps)
    for (let i = 0; i < gauge.length; i++)
      if (gauge[i] > 0 || radar[i] > 0) {
        g[count] = gauge[i]
        r[count++] = radar[i]
      }
  return gaugeScores(g.subarray(0, count), r.subarray(0, count))
}

/**
 * Running totals of both over the steps that both know, thinned to at most `most` points that keep both ends.
 * @param beside whose series do not change any more
 */
export function doubleMass(beside: GaugeBeside, most: number): [radarMm: number, gaugeMm: number][] {
  const { gauge, radar } = beside
  const { at } = wetStepsOf(beside)
  const g = new Float64Array(at.length + 1)
  const r = new Float64Array(at.length + 1)
  let last = 0
  for (let k = 0; k < at.length; k++) {
    const i = at[k]
    if (!(gauge[i] > 0 || radar[i] > 0)) continue
    g[last + 1] = g[last] + gauge[i]
    r[last + 1] = r[last] + radar[i]
    last++
  }
  const count = Math.min(most, last + 1)
  const point = (k: number) => (count > last ? k : Math.round((k * last) / (count - 1)))
  return Array.from({ length: count }, (_, k) => [r[point(k)], g[point(k)]])
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
