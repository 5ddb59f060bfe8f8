import { LRUCache } from 'lru-cache'
import { inflateAll } from '../store/inflate-all.ts'

/**
 * Days as they were decoded last, for as long as their bytes stay the same: a month of 50 gauges is 3,000 short blocks,
 * and opening each takes longer than all that is done with what is in them.
 */
export class DecodedDays<T extends object> {
  readonly #mostBytes: number
  readonly #decode: (raw: Uint8Array) => T
  readonly #days: LRUCache<string, { packed: Uint8Array; day: T }>

  /**
   * @param most days to keep; those used longest ago go first
   * @param mostBytes that a day may hold
   * @param decode of what a day holds once it is opened
   */
  constructor(most: number, mostBytes: number, decode: (raw: Uint8Array) => T) {
    this.#mostBytes = mostBytes
    this.#decode = decode
    this.#days = new LRUCache({ max: most })
  }

  /**
   * Days in the order of their keys and bytes (zstd).
   * @returns what nobody may change
   */
  of(wanted: readonly { key: string; packed: Uint8Array }[]): Readonly<T>[] {
    const days = wanted.map(({ key, packed }) => {
      const known = this.#days.get(key)
      return known && Buffer.compare(known.packed, packed) === 0 ? known.day : null
    })
    const unknown = [...days.keys()].filter((k) => days[k] === null)
    const opened = inflateAll(
      unknown.map((k) => wanted[k].packed),
      this.#mostBytes,
    )
    for (const [i, k] of unknown.entries()) {
      const { key, packed } = wanted[k]
      const day = this.#decode(opened[i])
      days[k] = day
      this.#days.set(key, { packed, day })
    }
    return days as T[]
  }
}
