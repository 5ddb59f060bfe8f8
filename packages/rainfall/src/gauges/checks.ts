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
  const beyond = impossible(gauge)
  // What is impossible is told as that, and not as cleaning too.
  const { mm } = gauge
  const own = beyond.length > 0 ? runningSums(mm.map((v) => (isImpossible(v) ? 0 : v))) : sumsOf(mm)
  return [...stuck(gauge), ...beyond, ...clogged(gauge, sumsOf), ...cleaning(gauge, own, sumsOf)]
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

const isImpossible = (mm: number) => mm > IMPOSSIBLE_MM || mm < 0

function impossible({ mm }: CheckedGauge): FaultSpan[] {
  const marks = new Uint8Array(mm.length)
  for (let i = 0; i < mm.length; i++) if (isImpossible(mm[i])) marks[i] = 1
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
  const [tips, rain] = [own.mm, seen.mm]
  const others = neighbours.map(sumsOf)
  for (const steps of CLOGGED_STEPS)
    for (let from = 0; from + steps <= mm.length; from += HOUR / 2) {
      const to = from + steps
      // Most windows are dry for the radar too, or wet for the gauge.
      if (rain[to] - rain[from] < SILENT_RADAR_MM || tips[to] - tips[from] > CLOGGED_GAUGE_MM) continue
      const has = within(own, from, to)
      const least = has === 0 ? SILENT_RADAR_MM : CLOGGED_RADAR_MM
      if (!(has <= CLOGGED_GAUGE_MM) || !(within(seen, from, to) >= least)) continue
      const around = others.map((sums) => within(sums, from, to)).filter((v) => !Number.isNaN(v))
      around.sort((a, b) => a - b)
      if (around.length === 0 || around[around.length >> 1] < CLOGGED_NEIGHBOUR_MM) continue
      const silent: [number, number][] = has === 0 ? [[from, to]] : silences(mm, from, to)
      for (const [a, b] of silent)
        if (rain[b] - rain[a] >= least / 3) marks.fill(1, ...rainWithin(radar, a, b))
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
function cleaning(
  { mm, radar, radarMost, neighbours }: CheckedGauge,
  own: Sums,
  sumsOf: SumsOf,
): FaultSpan[] {
  const marks = new Uint8Array(mm.length)
  let around: Sums[] | null = null
  for (let from = 0; from + CLEANING_STEPS <= mm.length; from++) {
    if (!(mm[from] > 0)) continue
    const to = from + CLEANING_STEPS
    if (!(within(own, from, to) >= CLEANING_MM)) continue
    const [a, b] = [Math.max(0, from - DRY_AROUND_STEPS), Math.min(mm.length, to + DRY_AROUND_STEPS)]
    // Where the radar saw nothing of the gauge it is not dry but unknown.
    around ??= [radarMost.map((most, i) => (Number.isNaN(radar[i]) ? Number.NaN : most)), ...neighbours].map(
      sumsOf,
    )
    const [seen, ...near] = around.map((sums) => within(sums, a, b))
    if (seen <= DRY_MM && near.every((v) => !(v > CLOGGED_GAUGE_MM))) marks.fill(1, from, to)
  }
  return spansOf(marks, 'cleaning')
}

interface Sums {
  mm: Float64Array
  /** How many are known; null where all are. */
  known: Uint32Array | null
}

function runningSums(mm: Float64Array): Sums {
  const sums = new Float64Array(mm.length + 1)
  let known: Uint32Array | null = null
  let sum = 0
  for (let i = 0; i < mm.length; i++) {
    const value = mm[i]
    const isKnown = !Number.isNaN(value)
    if (isKnown) sum += value
    else known ??= Uint32Array.from({ length: mm.length + 1 }, (_, k) => k)
    if (known !== null) known[i + 1] = known[i] + (isKnown ? 1 : 0)
    sums[i + 1] = sum
  }
  return { mm: sums, known }
}

/** Sum over [from, to), NaN where less than 80 % is known. */
const within = ({ mm, known }: Sums, from: number, to: number): number =>
  known === null || known[to] - known[from] >= 0.8 * (to - from) ? mm[to] - mm[from] : Number.NaN

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
