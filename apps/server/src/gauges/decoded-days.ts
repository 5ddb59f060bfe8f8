import { LRUCache } from 'lru-cache'

/**
 * Days as they were decoded last, for as long as their bytes stay the same: a month of 50 gauges is 3,000 short blocks,
 * and opening each takes longer than all that is done with what is in them.
 */
export class DecodedDays<T extends object> {
  readonly #decode: (packed: Uint8Array) => T
  readonly #days: LRUCache<string, { packed: Uint8Array; day: T }>

  /** @param most days to keep; those used longest ago go first */
  constructor(most: number, decode: (packed: Uint8Array) => T) {
    this.#days = new LRUCache({ max: most })
    this.#decode = decode
  }

  /** @returns what nobody may change */
  of(key: string, packed: Uint8Array): Readonly<T> {
    const known = this.#days.get(key)
    if (known && Buffer.compare(known.packed, packed) === 0) return known.day
    const day = this.#decode(packed)
    this.#days.set(key, { packed, day })
    return day
  }
}
