import { RadxError } from '@radx/contracts'

/**
 * Lets a few tasks run at once and keeps a bounded queue, so that a flood of logins cannot take every
 * core and all memory (each password check holds 19 MiB).
 */
export class Gate {
  readonly #limit: number
  readonly #queueLimit: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(limit: number, queueLimit: number) {
    this.#limit = limit
    this.#queueLimit = queueLimit
  }

  /** @throws RadxError `accounts.busy` (503) when the queue is full */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) {
      if (this.#waiting.length >= this.#queueLimit)
        throw new RadxError(
          'accounts.busy',
          503,
          'Trop de connexions en cours. Réessayer dans quelques secondes.',
        )
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
