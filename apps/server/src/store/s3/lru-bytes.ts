/** Byte strings by name, the least recently used ones leave when there are too many bytes. */
export class LruBytes {
  readonly #limit: number
  readonly #entries = new Map<string, Buffer>()
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get(name: string): Buffer | undefined {
    const found = this.#entries.get(name)
    if (found) {
      this.#entries.delete(name)
      this.#entries.set(name, found)
    }
    return found
  }

  set(name: string, bytes: Buffer): void {
    if (this.#entries.has(name)) return
    // A slice would keep all that it was cut from in memory.
    const own = bytes.buffer.byteLength === bytes.length ? bytes : Buffer.from(bytes)
    this.#entries.set(name, own)
    this.#bytes += own.length
    for (const [oldest, gone] of this.#entries) {
      if (this.#bytes <= this.#limit) break
      this.#entries.delete(oldest)
      this.#bytes -= gone.length
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}
