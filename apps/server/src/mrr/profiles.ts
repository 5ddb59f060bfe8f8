import { MRR } from '@radx/contracts'
import { KEPT, type Kept, type MrrChunk } from './chunk-codec.ts'

const HOUR_MS = 3_600_000
const BIN_MS = MRR.binMinutes * 60_000

/** Profiles as an MRR-PRO file has them. */
export interface Profiles {
  timesMs: ArrayLike<number>
  heightsM: ArrayLike<number>
  variables: Partial<Record<Kept, Float32Array>> & { LWC: Float32Array }
}

/**
 * Cuts profiles into UTC hours. Within an hour times ascend and each instant is there once, whatever the
 * instrument did (a restart may repeat or go back).
 */
export function byHour(profiles: Profiles): { hourMs: number; chunk: MrrChunk }[] {
  const gates = profiles.heightsM.length
  const hours = new Map<number, number[]>()
  for (let i = 0; i < profiles.timesMs.length; i++) {
    const hour = Math.floor(profiles.timesMs[i] / HOUR_MS) * HOUR_MS
    const indices = hours.get(hour)
    if (indices) indices.push(i)
    else hours.set(hour, [i])
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hourMs, indices]) => {
      const seen = new Set<number>()
      const kept = indices
        .filter((i) => !seen.has(profiles.timesMs[i]) && seen.add(profiles.timesMs[i]))
        .sort((a, b) => profiles.timesMs[a] - profiles.timesMs[b])
      const variables: Partial<Record<Kept, Float32Array>> = {}
      for (const name of KEPT) {
        const source = profiles.variables[name]
        if (!source) continue
        variables[name] = rowsOf(source, kept, gates)
      }
      const chunk = {
        timesMs: kept.map((i) => profiles.timesMs[i]),
        heightsM: Array.from(profiles.heightsM),
        variables: variables as MrrChunk['variables'],
      }
      return { hourMs, chunk }
    })
}

/** Those rows one after another; a view of the source where they already are. */
function rowsOf(source: Float32Array, rows: number[], gates: number): Float32Array {
  if (rows.every((row, k) => row === rows[0] + k))
    return source.subarray(rows[0] * gates, (rows[0] + rows.length) * gates)
  const values = new Float32Array(rows.length * gates)
  rows.forEach((row, k) => {
    values.set(source.subarray(row * gates, (row + 1) * gates), k * gates)
  })
  return values
}

/** Largest LWC of each five minutes that have a profile, g/m3; a profile that saw nothing counts as 0. */
export function binMaxima({ timesMs, heightsM, variables }: MrrChunk): Map<number, number> {
  const gates = heightsM.length
  const { LWC } = variables
  const bins = new Map<number, number>()
  timesMs.forEach((time, i) => {
    const bin = Math.floor(time / BIN_MS) * BIN_MS
    let max = bins.get(bin) ?? 0
    for (let k = i * gates; k < (i + 1) * gates; k++) if (LWC[k] > max) max = LWC[k]
    bins.set(bin, max)
  })
  return bins
}

/** One instant of the instrument. */
export interface Profile {
  timeMs: number
  heightsM: number[]
  /** A value a gate; NaN = nothing seen. */
  values: Partial<Record<Kept, Float32Array>> & { LWC: Float32Array }
}

/** Profiles of overlapping chunks within [startMs, endMs), each instant once: the chunk that came first counts. */
export function mergeChunks(chunks: readonly MrrChunk[], startMs: number, endMs: number): Profile[] {
  const found = new Map<number, Profile>()
  for (const { timesMs, heightsM, variables } of chunks) {
    const gates = heightsM.length
    timesMs.forEach((timeMs, i) => {
      if (timeMs < startMs || timeMs >= endMs || found.has(timeMs)) return
      const cut = (values: Float32Array | undefined) => values?.subarray(i * gates, (i + 1) * gates)
      found.set(timeMs, {
        timeMs,
        heightsM,
        values: {
          LWC: cut(variables.LWC) as Float32Array,
          RR: cut(variables.RR),
          Ze: cut(variables.Ze),
          VEL: cut(variables.VEL),
        },
      })
    })
  }
  return [...found.values()].sort((a, b) => a.timeMs - b.timeMs)
}
