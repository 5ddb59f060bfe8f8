/** Contents by key within a number of bytes; what was asked for longest ago goes first. */
export class KeptBytes {
  readonly #most: number
  readonly #kept = new Map<string, Buffer>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  get(key: string): Buffer | undefined {
    const known = this.#kept.get(key)
    if (known === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, known)
    return known
  }

  set(key: string, content: Buffer): void {
    this.#bytes += content.length - (this.#kept.get(key)?.length ?? 0)
    this.#kept.delete(key)
    this.#kept.set(key, content)
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#most) return
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
  }
}
