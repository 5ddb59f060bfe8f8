import { RadxError } from '@radx/contracts'

/**
 * Lets a few tasks run at once and keeps a bounded queue, so that a flood cannot take every core, every connection
 * of the pool or all memory.
 */
export class Gate {
  readonly #limit: number
  readonly #queueLimit: number
  readonly #busy: { code: string; message: string }
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** @param busy French error (503) for those who come while the queue is full */
  constructor(limit: number, queueLimit: number, busy: { code: string; message: string }) {
    this.#limit = limit
    this.#queueLimit = queueLimit
    this.#busy = busy
  }

  /** @throws RadxError `busy` (503) when the queue is full */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) {
      if (this.#waiting.length >= this.#queueLimit)
        throw new RadxError(this.#busy.code, 503, this.#busy.message)
      // Whoever ends hands its place on, so that #running never counts a place twice.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running++
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
