import type { GaugeFault } from '@radx/contracts/gauges'
import { BIN_MS } from './bins.ts'

/** A fault of a gauge in steps of five minutes, [from, to). */
export interface FaultSpan {
  fault: GaugeFault
  from: number
  to: number
}

/** A gauge in steps of five minutes beside what the radar and its neighbours say, mm, NaN = unknown. */
export interface CheckedGauge {
  mm: Float64Array
  /** The cell of the gauge. */
  radar: Float64Array
  /** The wettest of the 3 x 3 cells around. */
  radarMost: Float64Array
  neighbours: readonly Float64Array[]
  /** Steps between its readings. @default 1 */
  readingSteps?: number
}

const HOUR = 3_600_000 / BIN_MS
/** No gauge in France ever had more in five minutes: 300 mm/h. */
const IMPOSSIBLE_MM = 25
/** Equal rain for so long is no rain. */
const STUCK_STEPS = HOUR
/** Light rain tells only over longer. */
const CLOGGED_STEPS = [3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]
const CLOGGED_GAUGE_MM = 0.2
const CLOGGED_RADAR_MM = 3
const CLOGGED_NEIGHBOUR_MM = 2
/** Of a gauge that says nothing at all. */
const SILENT_RADAR_MM = 2
const CLEANING_MM = 2
const CLEANING_STEPS = 3
const DRY_AROUND_STEPS = 6
const DRY_MM = 0.1

/** Running sums of series that several gauges are checked by, made once for those who share this. */
export type KnownSums = Map<Float64Array, Sums>

/**
 * Faults of a gauge, in the order of time by kind; spans of one kind do not overlap.
 * @param known shared by the checks of gauges that are each other's neighbours; their series must not change meanwhile
 */
export function gaugeFaults(gauge: CheckedGauge, known: KnownSums = new Map()): FaultSpan[] {
  const sumsOf = (mm: Float64Array): Sums => {
    const sums = known.get(mm) ?? runningSums(mm)
    known.set(mm, sums)
    return sums
  }
  return [...stuck(gauge), ...impossible(gauge), ...clogged(gauge, sumsOf), ...cleaning(gauge, sumsOf)]
}

type SumsOf = (mm: Float64Array) => Sums

function stuck({ mm, readingSteps = 1 }: CheckedGauge): FaultSpan[] {
  // A reading of an hour makes twelve equal steps by itself.
  const least = Math.max(STUCK_STEPS, 6 * readingSteps)
  const spans: FaultSpan[] = []
  let from = 0
  for (let i = 1; i <= mm.length; i++) {
    if (i < mm.length && Math.abs(mm[i] - mm[from]) < 1e-9) continue
    if (i - from >= least && mm[from] > 0) spans.push({ fault: 'stuck', from, to: i })
    from = i
  }
  return spans
}

function impossible({ mm }: CheckedGauge): FaultSpan[] {
  const marks = new Uint8Array(mm.length)
  mm.forEach((v, i) => {
    if (v > IMPOSSIBLE_MM || v < 0) marks[i] = 1
  })
  return spansOf(marks, 'impossible')
}

/**
 * Dry for three hours to a day in which the radar and most neighbours had rain: of the stretches in which it said nothing
 * those with much of that rain, each from the first to the last of it.
 */
function clogged({ mm, radar, neighbours }: CheckedGauge, sumsOf: SumsOf): FaultSpan[] {
  const marks = new Uint8Array(mm.length)
  if (neighbours.length === 0) return []
  const own = sumsOf(mm)
  const seen = sumsOf(radar)
  const others = neighbours.map(sumsOf)
  for (const steps of CLOGGED_STEPS)
    for (let from = 0; from + steps <= mm.length; from += HOUR / 2) {
      const to = from + steps
      const has = within(own, from, to)
      const least = has === 0 ? SILENT_RADAR_MM : CLOGGED_RADAR_MM
      if (!(has <= CLOGGED_GAUGE_MM) || !(within(seen, from, to) >= least)) continue
      const around = others.map((sums) => within(sums, from, to)).filter((v) => !Number.isNaN(v))
      around.sort((a, b) => a - b)
      if (around.length === 0 || around[around.length >> 1] < CLOGGED_NEIGHBOUR_MM) continue
      for (const [a, b] of silences(mm, from, to))
        if (seen.mm[b] - seen.mm[a] >= least / 3) marks.fill(1, ...rainWithin(radar, a, b))
    }
  return spansOf(marks, 'clogged')
}

/** Stretches of [from, to) without a reading above zero. */
function silences(mm: Float64Array, from: number, to: number): [number, number][] {
  const found: [number, number][] = []
  let first = from
  for (let i = from; i <= to; i++) {
    if (i < to && !(mm[i] > 0)) continue
    if (i > first) found.push([first, i])
    first = i + 1
  }
  return found
}

/** From the first to the last step with rain in [from, to). */
function rainWithin(mm: Float64Array, from: number, to: number): [number, number] {
  let [first, last] = [from, to]
  while (first < to && !(mm[first] > 0)) first++
  while (last > first && !(mm[last - 1] > 0)) last--
  return [first, last]
}

/** Tips within a quarter of an hour while the radar and every neighbour were dry for half an hour around. */
function cleaning({ mm, radarMost, neighbours }: CheckedGauge, sumsOf: SumsOf): FaultSpan[] {
  const marks = new Uint8Array(mm.length)
  // What is impossible is told as that.
  const isImpossible = (v: number) => v > IMPOSSIBLE_MM || v < 0
  const own = mm.some(isImpossible) ? runningSums(mm.map((v) => (isImpossible(v) ? 0 : v))) : sumsOf(mm)
  const around = [radarMost, ...neighbours].map(sumsOf)
  for (let from = 0; from + CLEANING_STEPS <= mm.length; from++) {
    const to = from + CLEANING_STEPS
    if (!(within(own, from, to) >= CLEANING_MM) || !(mm[from] > 0)) continue
    const [a, b] = [Math.max(0, from - DRY_AROUND_STEPS), Math.min(mm.length, to + DRY_AROUND_STEPS)]
    const [seen, ...near] = around.map((sums) => within(sums, a, b))
    if (seen <= DRY_MM && near.every((v) => !(v > CLOGGED_GAUGE_MM))) marks.fill(1, from, to)
  }
  return spansOf(marks, 'cleaning')
}

interface Sums {
  mm: Float64Array
  known: Uint32Array
}

function runningSums(mm: Float64Array): Sums {
  const sums: Sums = { mm: new Float64Array(mm.length + 1), known: new Uint32Array(mm.length + 1) }
  for (let i = 0; i < mm.length; i++) {
    const has = !Number.isNaN(mm[i])
    sums.mm[i + 1] = sums.mm[i] + (has ? mm[i] : 0)
    sums.known[i + 1] = sums.known[i] + (has ? 1 : 0)
  }
  return sums
}

/** Sum over [from, to), NaN where less than 80 % is known. */
const within = ({ mm, known }: Sums, from: number, to: number): number =>
  known[to] - known[from] >= 0.8 * (to - from) ? mm[to] - mm[from] : Number.NaN

function spansOf(marks: Uint8Array, fault: GaugeFault): FaultSpan[] {
  const spans: FaultSpan[] = []
  for (let i = 0; i < marks.length; i++) {
    if (marks[i] === 0) continue
    const last = spans[spans.length - 1]
    if (last?.to === i) last.to = i + 1
    else spans.push({ fault, from: i, to: i + 1 })
  }
  return spans
}
