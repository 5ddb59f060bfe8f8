import { NOWCAST_CHANCES_MM_H } from '@radx/contracts'
import type { NowcastStart } from '@radx/motion/nowcast/start'
import { forecastSteps } from '@radx/motion/nowcast/steps'
import { type CatchmentWeights, encodeRates } from '@radx/rainfall'
import { quantile } from '../../simulation/api.ts'
import { motionKernel } from '../../store/motion-kernel.ts'
import type { GridWindow } from '../kept/windows.ts'
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
  /** Rate codes of each member over each window, `[window][member][lead][cell]`. */
  windows: Uint16Array[]
}

export interface MemberOptions {
  leadsMin: readonly number[]
  members: number
  seed: number
  kmPerCell: number
}

/**
 * Counts members as they come; none is kept but in levels of a byte. A cell counts where at least half of the members
 * come from where something was seen, and probabilities and quantiles are among those.
 */
export function sumMembers(
  start: NowcastStart,
  options: MemberOptions,
  zones: readonly CatchmentWeights[],
  windows: readonly GridWindow[] = [],
): MemberSums {
  const { leadsMin, members } = options
  const cells = start.shape.nrows * start.shape.ncols
  const levels = leadsMin.map(() => new Uint8Array(cells * members))
  const above = leadsMin.map(() => NOWCAST_CHANCES_MM_H.map(() => new Uint8Array(cells)))
  const means = leadsMin.map(() => zones.map(() => new Array<number | null>(members).fill(null)))
  const kept = windows.map(({ nrows, ncols }) => new Uint16Array(members * leadsMin.length * nrows * ncols))
  forecastSteps(start, { ...options, wasm: motionKernel('fft') }, (member, lead, rateMmH) => {
    encodeLevels(rateMmH, levels[lead].subarray(member * cells, (member + 1) * cells))
    NOWCAST_CHANCES_MM_H.forEach((threshold, t) => {
      const counts = above[lead][t]
      const at = Math.fround(threshold)
      for (let i = 0; i < cells; i++) if (rateMmH[i] >= at) counts[i]++
    })
    windows.forEach((window, w) => {
      const size = window.nrows * window.ncols
      const codes = encodeRates(cut(rateMmH, start.shape.ncols, window))
      kept[w].set(codes, (member * leadsMin.length + lead) * size)
    })
    zones.forEach((zone, z) => {
      means[lead][z][member] = zoneMean(rateMmH, zone)
    })
  })
  const quantiles = levels.map((own, lead) => quantilesOf(own, members, above[lead]))
  return {
    members,
    chances: above,
    quantiles,
    zoneQuantile: means.map((lead) => lead.map(zoneQuantiles)),
    windows: kept,
  }
}

function cut(rateMmH: Float32Array, width: number, { row, col, nrows, ncols }: GridWindow): Float32Array {
  const out = new Float32Array(nrows * ncols)
  for (let r = 0; r < nrows; r++) {
    const from = (row + r) * width + col
    out.set(rateMmH.subarray(from, from + ncols), r * ncols)
  }
  return out
}

/** Quantiles by cell (nearest rank); turns counts into % on the way, as it knows how many members a cell has. */
function quantilesOf(levels: Uint8Array, members: number, counts: readonly Uint8Array[]): Uint8Array[] {
  const cells = levels.length / members
  const out = QUANTILES.map(() => new Uint8Array(cells))
  const sorted = new Uint8Array(members)
  for (let i = 0; i < cells; i++) {
    let known = 0
    for (let m = 0; m < members; m++) {
      const level = levels[m * cells + i]
      if (level === LEVEL_MISSING) continue
      // Insertion: a handful of values, most of them equal.
      let at = known++
      for (; at > 0 && sorted[at - 1] > level; at--) sorted[at] = sorted[at - 1]
      sorted[at] = level
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
