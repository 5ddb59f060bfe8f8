/**
 * Days as they were decoded last, for as long as their bytes stay the same: a month of 50 gauges is 3,000 short blocks,
 * and opening each takes longer than all that is done with what is in them. Those used longest ago go first.
 */
export class DecodedDays<T extends object> {
  readonly #decode: (packed: Uint8Array) => T
  readonly #most: number
  readonly #days = new Map<string, { packed: Uint8Array; day: T }>()

  /** @param most days to keep */
  constructor(most: number, decode: (packed: Uint8Array) => T) {
    this.#most = most
    this.#decode = decode
  }

  /** @returns what nobody may change */
  of(key: string, packed: Uint8Array): Readonly<T> {
    const known = this.#days.get(key)
    const day = known && Buffer.compare(known.packed, packed) === 0 ? known.day : this.#decode(packed)
    this.#days.delete(key)
    this.#days.set(key, { packed, day })
    if (this.#days.size > this.#most) this.#days.delete(this.#days.keys().next().value!)
    return day
  }
}
