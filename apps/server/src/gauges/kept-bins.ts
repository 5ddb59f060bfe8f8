import type { DayFrames, RadarBins } from './nine-bins.ts'

/** What bins were made of: another one makes others. */
export interface BinsOrigin {
  /** Product, cells, span, and when the frames of its days begin and end. */
  key: string
  /** Frames of each day, the objects themselves: a day that is read anew is another one. */
  days: readonly Readonly<DayFrames>[]
}

interface Kept {
  days: BinsOrigin['days']
  bins: RadarBins
}

/**
 * What the radar had over gauges in the periods that were asked for last: who looks at a period looks at it again, in
 * other steps or at another gauge. Those used longest ago go first.
 */
export class KeptBins {
  readonly #most: number
  readonly #kept = new Map<string, Kept>()
  #steps = 0

  /** @param most steps of five minutes to keep, 24 bytes each */
  constructor(most: number) {
    this.#most = most
  }

  /** @returns what nobody may change; null where it is not known */
  find({ key, days }: BinsOrigin): RadarBins | null {
    const kept = this.#kept.get(key)
    if (!kept || kept.days.length !== days.length || kept.days.some((day, i) => day !== days[i])) return null
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.bins
  }

  keep({ key, days }: BinsOrigin, bins: RadarBins): void {
    this.#drop(key)
    this.#kept.set(key, { days, bins })
    this.#steps += bins.radar.length
    for (const oldest of this.#kept.keys()) {
      if (this.#steps <= this.#most) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#steps -= this.#kept.get(key)?.bins.radar.length ?? 0
    this.#kept.delete(key)
  }
}
