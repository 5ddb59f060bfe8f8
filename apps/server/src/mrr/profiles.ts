import { MRR } from '@radx/contracts'
import { KEPT, type Kept, type MrrChunk } from './chunk-codec.ts'
import { meltingLookOf } from './melting.ts'

const HOUR_MS = 3_600_000
const BIN_MS = MRR.binMinutes * 60_000

/** Profiles as an MRR-PRO file has them. */
export interface Profiles {
  timesMs: ArrayLike<number>
  heightsM: ArrayLike<number>
  variables: Partial<Record<Kept, Float32Array>> & { LWC: Float32Array }
}

/** Rows of a file that lie in one UTC hour. */
export interface Hour {
  hourMs: number
  /** Times ascend, and each is there once. */
  timesMs: number[]
  /** The row of the file of each. */
  rows: number[]
}

/**
 * Cuts profiles into UTC hours. Within an hour times ascend and each instant is there once, whatever the
 * instrument did (a restart may repeat or go back).
 */
export function hoursOf(timesMs: ArrayLike<number>): Hour[] {
  const hours = new Map<number, number[]>()
  for (let i = 0; i < timesMs.length; i++) {
    const hour = Math.floor(timesMs[i] / HOUR_MS) * HOUR_MS
    const indices = hours.get(hour)
    if (indices) indices.push(i)
    else hours.set(hour, [i])
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hourMs, indices]) => {
      const seen = new Set<number>()
      const rows = indices
        .filter((i) => !seen.has(timesMs[i]) && seen.add(timesMs[i]))
        .sort((a, b) => timesMs[a] - timesMs[b])
      return { hourMs, timesMs: rows.map((i) => timesMs[i]), rows }
    })
}

/** Chunks of profiles, one a UTC hour. */
export function byHour(profiles: Profiles): { hourMs: number; chunk: MrrChunk }[] {
  const gates = profiles.heightsM.length
  const heightsM = Array.from(profiles.heightsM)
  return hoursOf(profiles.timesMs).map(({ hourMs, timesMs, rows }) => {
    const variables: Partial<Record<Kept, Float32Array>> = {}
    for (const name of KEPT) {
      const source = profiles.variables[name]
      if (source) variables[name] = rowsOf(source, rows, gates)
    }
    return { hourMs, chunk: { timesMs, heightsM, variables: variables as MrrChunk['variables'] } }
  })
}

/** Those rows one after another; a view of the source where they already are. */
export function rowsOf(source: Float32Array, rows: number[], gates: number): Float32Array {
  if (rows.every((row, k) => row === rows[0] + k))
    return source.subarray(rows[0] * gates, (rows[0] + rows.length) * gates)
  const values = new Float32Array(rows.length * gates)
  rows.forEach((row, k) => {
    values.set(source.subarray(row * gates, (row + 1) * gates), k * gates)
  })
  return values
}

/** Largest LWC of each five minutes that have a profile, g/m3; a profile that saw nothing counts as 0. */
export interface BinMaxima {
  all: Map<number, number>
  /**
   * Outside the melting layer: wet flakes echo like far more water than they hold, and a day of drizzle under them would
   * outshine every shower of a year.
   */
  rain: Map<number, number>
}

export function binMaxima({ timesMs, heightsM, variables: { LWC, VEL, Ze } }: MrrChunk): BinMaxima {
  const gates = heightsM.length
  const look = VEL && Ze ? meltingLookOf(heightsM) : null
  const maxima: BinMaxima = { all: new Map(), rain: new Map() }
  for (let i = 0; i < timesMs.length; i++) {
    const at = i * gates
    const layer = look ? look.layer(VEL!, Ze!, at) : null
    let most = 0
    let mostRain = 0
    for (let k = 0; k < gates; k++) {
      const water = LWC[at + k]
      if (water > most) most = water
      const melts = layer !== null && heightsM[k] >= layer.bottomM && heightsM[k] <= layer.topM
      if (water > mostRain && !melts) mostRain = water
    }
    const bin = Math.floor(timesMs[i] / BIN_MS) * BIN_MS
    maxima.all.set(bin, Math.max(maxima.all.get(bin) ?? 0, most))
    maxima.rain.set(bin, Math.max(maxima.rain.get(bin) ?? 0, mostRain))
  }
  return maxima
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
