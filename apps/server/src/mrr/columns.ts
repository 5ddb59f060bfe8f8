import type { MrrColumn } from '@radx/contracts'
import type { Span } from '../store/frame-index.ts'
import type { Profile } from './profiles.ts'
import { significant } from './significant.ts'

/** Profiles come every 10 s: finer columns would be empty. */
const FINEST_SECONDS = 10
/** As wide as a graph on a large screen needs. */
const MOST_COLUMNS = 480
/** The two lowest gates stand too near to the instrument to be trusted (METEK, MRR-PRO manual). */
const RATE_GATE = 2

/** Seconds of a column, so that a period has at most 480 of them. */
export function columnSeconds({ startMs, endMs }: Span): number {
  const needed = (endMs - startMs) / 1000 / MOST_COLUMNS
  return Math.max(1, Math.ceil(needed / FINEST_SECONDS)) * FINEST_SECONDS
}

interface Sum {
  profiles: number
  lwc: Float64Array
  rateMmH: number
  rated: number
}

/**
 * Takes the profiles of a period together in columns of equal length from its start on. All columns have the
 * gates of the first profile; profiles with other gates give what they have at those heights.
 */
export class ColumnSums {
  private readonly span: Span
  private readonly seconds: number
  private readonly sums = new Map<number, Sum>()
  private heights: readonly number[] = []

  constructor(span: Span) {
    this.span = span
    this.seconds = columnSeconds(span)
  }

  get heightsM(): readonly number[] {
    return this.heights
  }

  get rateHeightM(): number {
    return this.heights[Math.min(RATE_GATE, this.heights.length - 1)] ?? 0
  }

  add({ timeMs, heightsM, values }: Profile): void {
    if (this.heights.length === 0) this.heights = heightsM
    const index = Math.floor((timeMs - this.span.startMs) / (this.seconds * 1000))
    let sum = this.sums.get(index)
    if (sum === undefined) {
      sum = { profiles: 0, lwc: new Float64Array(this.heights.length), rateMmH: 0, rated: 0 }
      this.sums.set(index, sum)
    }
    const gateOf = this.gates(heightsM)
    sum.profiles++
    for (let gate = 0; gate < sum.lwc.length; gate++) {
      const value = values.LWC[gateOf ? gateOf[gate] : gate]
      if (value > 0) sum.lwc[gate] += value
    }
    if (values.RR === undefined) return
    const near = Math.min(RATE_GATE, this.heights.length - 1)
    const rate = values.RR[gateOf ? gateOf[near] : near]
    if (rate > 0) sum.rateMmH += rate
    sum.rated++
  }

  columns(): MrrColumn[] {
    return [...this.sums]
      .sort(([a], [b]) => a - b)
      .map(([index, { profiles, lwc, rateMmH, rated }]) => ({
        datetime: new Date(this.span.startMs + index * this.seconds * 1000).toISOString(),
        lwc: lwc.some((value) => value > 0) ? Array.from(lwc, (value) => rounded(value / profiles)) : [0],
        rateMmH: rated === 0 ? null : rounded(rateMmH / rated),
      }))
  }

  /** What was found for the gates seen last: each hour brings its own array of heights. */
  private last: { heightsM: readonly number[]; gateOf: Int32Array | null } | null = null

  /** Gate of a profile at each height of ours, -1 without one; null when they are the same. */
  private gates(heightsM: readonly number[]): Int32Array | null {
    if (this.last?.heightsM !== heightsM) this.last = { heightsM, gateOf: this.match(heightsM) }
    return this.last.gateOf
  }

  private match(heightsM: readonly number[]): Int32Array | null {
    const own = this.heights
    if (heightsM.length === own.length && heightsM.every((height, i) => height === own[i])) return null
    const half = heightsM.length > 1 ? (heightsM[1] - heightsM[0]) / 2 : 0
    return Int32Array.from(own, (height) =>
      heightsM.findIndex((candidate) => Math.abs(candidate - height) <= half),
    )
  }
}

/** Three significant digits are more than a colour shows. */
const rounded = (value: number) => significant(value, 3)
