import { NOWCAST_CHANCES_MM_H } from '@radx/contracts'
import type { NowcastStart } from '@radx/motion/nowcast/start'
import { forecastSteps } from '@radx/motion/nowcast/steps'
import { type CatchmentWeights, encodeRates } from '@radx/rainfall'
import { quantile } from '../../simulation/api.ts'
import { motionKernel } from '../../store/motion-kernel.ts'
import type { GridWindow } from '../kept/windows.ts'
import { standsFor } from './issue.ts'
import { encodeLevels, LEVEL_MISSING } from './rate-levels.ts'
import { zoneMean } from './zone-mean.ts'

/** Shares of members that lie below a quantile. */
export const QUANTILES = [0.1, 0.5, 0.9] as const
/** A probability that is not known; others are whole %. */
export const CHANCE_MISSING = 255

/** What is kept of an ensemble. */
export interface MemberSums {
  members: number
  /** Probability of so much rain or more, %, `[lead][threshold][cell]`. */
  chances: Uint8Array[][]
  /** Levels (rate-levels.ts) of the quantiles, `[lead][quantile][cell]`. */
  quantiles: Uint8Array[][]
  /** mm/h, `[lead][zone ordinal - 1][quantile]`; null where a member says nothing. */
  zoneQuantile: (number | null)[][][]
  /** Rate codes of each member over each window, means of the time that a lead stands for, `[window][member][lead][cell]`. */
  windows: Uint16Array[]
}

export interface MemberOptions {
  leadsMin: readonly number[]
  members: number
  seed: number
  kmPerCell: number
}

/** What is kept of some members, `first` to `end` (excluded), until all are there. */
export interface MemberPart {
  first: number
  end: number
  /** Levels (rate-levels.ts) of each cell, `[lead][member * cells + cell]`. */
  levels: Uint8Array[]
  /** Members with so much rain or more, `[lead][threshold][cell]`. */
  above: Uint8Array[][]
  /** mm/h, `[lead][zone ordinal - 1][member]`. */
  means: (number | null)[][][]
  /** As of `MemberSums`. */
  windows: Uint16Array[]
}

/** Buffers of a part, for who moves it to another thread. */
export const buffersOf = ({ levels, above, windows }: MemberPart): ArrayBuffer[] =>
  [...levels, ...above.flat(), ...windows].map(({ buffer }) => buffer as ArrayBuffer)

/**
 * Makes members and counts them as they come; none is kept but in levels of a byte.
 * @param first even: members come in pairs
 */
export function countMembers(
  start: NowcastStart,
  options: MemberOptions,
  zones: readonly CatchmentWeights[],
  windows: readonly GridWindow[] = [],
  [first, end]: readonly [number, number] = [0, options.members],
): MemberPart {
  const { leadsMin } = options
  const cells = start.shape.nrows * start.shape.ncols
  const count = end - first
  const levels = leadsMin.map(() => new Uint8Array(cells * count))
  const above = leadsMin.map(() => NOWCAST_CHANCES_MM_H.map(() => new Uint8Array(cells)))
  const means = leadsMin.map(() => zones.map(() => new Array<number | null>(count).fill(null)))
  const inside = windows.map((window) => cellsIn(window, start.shape.ncols))
  const kept = inside.map(({ length }) => new Uint16Array(count * leadsMin.length * length))
  const own = { ...options, from: first, members: end, wasm: motionKernel('fft') }
  forecastSteps(start, own, (made, lead, rateMmH, passing) => {
    const member = made - first
    encodeLevels(rateMmH, levels[lead].subarray(member * cells, (member + 1) * cells))
    NOWCAST_CHANCES_MM_H.forEach((threshold, t) => {
      const counts = above[lead][t]
      const at = Math.fround(threshold)
      for (let i = 0; i < cells; i++) if (rateMmH[i] >= at) counts[i]++
    })
    // A storm crosses a town between two leads: it would stand still there, and most of its way get nothing.
    inside.forEach((cells, w) => {
      const codes = encodeRates(passing(cells, standsFor(leadsMin, lead)))
      kept[w].set(codes, (member * leadsMin.length + lead) * cells.length)
    })
    zones.forEach((zone, z) => {
      means[lead][z][member] = zoneMean(rateMmH, zone)
    })
  })
  return { first, end, levels, above, means, windows: kept }
}

/**
 * Puts parts together. A cell counts where at least half of the members come from where something was seen, and
 * probabilities and quantiles are among those.
 * @param parts in their order, without a gap
 */
export function joinMembers(parts: readonly MemberPart[]): MemberSums {
  const members = parts.reduce((sum, { first, end }) => sum + end - first, 0)
  const [{ above: firstAbove }] = parts
  const chances = firstAbove.map((byThreshold, lead) =>
    byThreshold.map((_, t) => {
      const counts = parts.map(({ above }) => above[lead][t])
      const sum = new Uint8Array(counts[0].length)
      for (const one of counts) for (let i = 0; i < sum.length; i++) sum[i] += one[i]
      return sum
    }),
  )
  const quantiles = chances.map((counts, lead) =>
    quantilesOf(
      parts.map(({ first, end, levels }) => ({ levels: levels[lead], count: end - first })),
      members,
      counts,
    ),
  )
  const zoneQuantile = parts[0].means.map((zones, lead) =>
    zones.map((_, z) => zoneQuantiles(parts.flatMap(({ means }) => means[lead][z]))),
  )
  const windows = parts[0].windows.map((_, w) => {
    const all = parts.map((part) => part.windows[w])
    const joined = new Uint16Array(all.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const own of all) {
      joined.set(own, at)
      at += own.length
    }
    return joined
  })
  return { members, chances, quantiles, zoneQuantile, windows }
}

/** An ensemble made here, as a whole. */
export const sumMembers = (
  start: NowcastStart,
  options: MemberOptions,
  zones: readonly CatchmentWeights[],
  windows: readonly GridWindow[] = [],
): MemberSums => joinMembers([countMembers(start, options, zones, windows)])

const cellsIn = ({ row, col, nrows, ncols }: GridWindow, width: number): Int32Array =>
  Int32Array.from(
    { length: nrows * ncols },
    (_, k) => (row + Math.floor(k / ncols)) * width + col + (k % ncols),
  )

/** Quantiles by cell (nearest rank); turns counts into % on the way, as it knows how many members a cell has. */
function quantilesOf(
  parts: readonly { levels: Uint8Array; count: number }[],
  members: number,
  counts: readonly Uint8Array[],
): Uint8Array[] {
  const cells = parts[0].levels.length / parts[0].count
  const out = QUANTILES.map(() => new Uint8Array(cells))
  const sorted = new Uint8Array(members)
  for (let i = 0; i < cells; i++) {
    let known = 0
    for (let p = 0; p < parts.length; p++) {
      const { levels, count } = parts[p]
      for (let m = 0; m < count; m++) {
        const level = levels[m * cells + i]
        if (level === LEVEL_MISSING) continue
        // Insertion: a handful of values, most of them equal.
        let at = known++
        for (; at > 0 && sorted[at - 1] > level; at--) sorted[at] = sorted[at - 1]
        sorted[at] = level
      }
    }
    const isKnown = 2 * known >= members
    for (let q = 0; q < out.length; q++)
      out[q][i] = isKnown ? sorted[Math.round(QUANTILES[q] * (known - 1))] : LEVEL_MISSING
    for (const count of counts) count[i] = isKnown ? Math.round((100 * count[i]) / known) : CHANCE_MISSING
  }
  return out
}

function zoneQuantiles(means: readonly (number | null)[]): (number | null)[] {
  const known = means.filter((mean) => mean !== null).sort((a, b) => a - b)
  return QUANTILES.map((share) => (2 * known.length < means.length ? null : quantile(known, share)))
}
