import { LRUCache } from 'lru-cache'
import type { DayFrames, RadarBins } from './nine-bins.ts'

interface Kept {
  days: readonly Readonly<DayFrames>[]
  bins: RadarBins
}

/**
 * What the radar had over gauges in the periods that were asked for last: who looks at a period looks at it again, in
 * other steps or at another gauge.
 */
export class KeptBins {
  readonly #kept: LRUCache<string, Kept>

  /** @param most steps of five minutes to keep, 24 bytes each */
  constructor(most: number) {
    this.#kept = new LRUCache({
      maxSize: most,
      sizeCalculation: ({ bins }) => Math.max(1, bins.radar.length),
    })
  }

  /**
   * @param key product, cells, span, and when the frames of its days begin and end
   * @param days frames of each day, the objects themselves: a day that is read anew is another one
   * @returns what nobody may change
   */
  of(key: string, days: Kept['days'], make: () => RadarBins): RadarBins {
    const known = this.#kept.get(key)
    if (known?.days.length === days.length && known.days.every((day, i) => day === days[i])) return known.bins
    const bins = make()
    this.#kept.set(key, { days, bins })
    return bins
  }
}
