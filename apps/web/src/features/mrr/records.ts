import type { MrrRecord } from '@radx/contracts/mrr'
import { hasRain, MRR, type MrrVariableName } from '@radx/contracts/mrr-constants'

/** An hour of profiles ready to draw. */
export interface Hour {
  startMs: number
  /** Instants of the records, ms. */
  timesMs: number[]
  gates: number
  gateM: number
  firstGateM: number
  /** `[record * gates + gate]`, gate 0 lowest; NaN where nothing was seen. */
  values: Float32Array
}

/** Liquid water of a record: a single element stands for a profile without any. */
export const lwcOf = (record: MrrRecord): (number | null)[] =>
  record.lwc.length === 1 ? new Array<number>(MRR.gates).fill(0) : record.lwc

/** Records of one hour as a field; an hour may hold fewer records, or other gates, than the instrument's own. */
export function toHour(records: readonly MrrRecord[], startMs: number, variable: MrrVariableName): Hour {
  const gates = records.reduce((most, r) => Math.max(most, r.values?.length ?? 0, lwcOf(r).length), 0)
  const values = new Float32Array(records.length * gates).fill(Number.NaN)
  records.forEach((record, i) => {
    const source = variable === 'LWC' ? lwcOf(record) : (record.values ?? [])
    source.forEach((value, gate) => {
      if (value !== null) values[i * gates + gate] = value
    })
  })
  const spaced = records.find((r) => r.meters_between_gates > 0)
  return {
    startMs,
    timesMs: records.map((r) => Date.parse(r.datetime)),
    gates,
    gateM: spaced?.meters_between_gates ?? MRR.gateM,
    firstGateM: spaced?.meters_to_first_gate ?? MRR.gateM,
    values,
  }
}

/** Whether an hour has nothing to draw: no water, no rain, or no echo at all. */
export const isDry = ({ values }: Hour, variable: MrrVariableName): boolean =>
  !values.some((value) => hasRain(variable, value))

/** Heights between which snow melts over an hour, m, and the share of profiles that show it. */
export interface Melting {
  bottomM: number
  topM: number
  share: number
}

/** Fewer profiles than this make no layer. */
const LEAST_SHARE = 0.1

/** The melting layer of an hour: the medians of what its profiles show; null without one. */
export function meltingOf(records: readonly MrrRecord[]): Melting | null {
  const found = records.flatMap(({ melting }) => (melting ? [melting] : []))
  const share = found.length / Math.max(1, records.length)
  if (share < LEAST_SHARE) return null
  const middle = (of: (layer: { bottomM: number; topM: number }) => number) =>
    found.map(of).toSorted((a, b) => a - b)[Math.floor(found.length / 2)]
  return { bottomM: middle(({ bottomM }) => bottomM), topM: middle(({ topM }) => topM), share }
}

/** The range that values span: all but the outermost hundredth, to round numbers; what a melting layer adds is left out. */
export function fittedRange(
  { values, gates, firstGateM, gateM }: Hour,
  melting: Melting | null,
  step: number,
): [number, number] | null {
  const seen: number[] = []
  values.forEach((value, i) => {
    const heightM = firstGateM + (i % gates) * gateM
    const inLayer = melting !== null && heightM >= melting.bottomM && heightM <= melting.topM
    if (!Number.isNaN(value) && !inLayer) seen.push(value)
  })
  const wet = seen.filter((value) => value !== 0).sort((a, b) => a - b)
  if (wet.length === 0) return null
  const at = (share: number) => wet[Math.min(wet.length - 1, Math.floor(share * wet.length))]
  const high = Math.ceil(at(0.99) / step) * step
  const low = Math.min(0, Math.floor(at(0.01) / step) * step)
  return [low, Math.max(high, low + step)]
}

export const WINDOW_MS = MRR.windowHours * 3_600_000

/** Seconds between two records of a full hour of n. */
export const secondsApart = (n: number): number => 3600 / n

export const heightOf = ({ firstGateM, gateM }: Hour, gate: number): number => firstGateM + gate * gateM

/** Record nearest to an instant, or -1 without any. */
export function nearestRecord({ timesMs }: Hour, ms: number): number {
  let best = -1
  timesMs.forEach((t, i) => {
    if (best < 0 || Math.abs(t - ms) < Math.abs(timesMs[best] - ms)) best = i
  })
  return best
}

export interface Strongest {
  fromMs: number
  profiles: number
  /** null = nothing seen. */
  most: number | null
  heightM: number | null
}

const PART_MS = MRR.binMinutes * 60_000

/** What each five minutes of the hour had at most, and at which height. */
export function strongestOf(hour: Hour): Strongest[] {
  return Array.from({ length: WINDOW_MS / PART_MS }, (_, part) => {
    const fromMs = hour.startMs + part * PART_MS
    const found: Strongest = { fromMs, profiles: 0, most: null, heightM: null }
    hour.timesMs.forEach((ms, i) => {
      if (ms < fromMs || ms >= fromMs + PART_MS) return
      found.profiles++
      for (let gate = 0; gate < hour.gates; gate++) {
        const value = hour.values[i * hour.gates + gate]
        if (Number.isNaN(value) || (found.most !== null && value <= found.most)) continue
        found.most = value
        found.heightM = heightOf(hour, gate)
      }
    })
    return found
  })
}
