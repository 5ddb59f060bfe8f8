import { RadxError } from '@radx/contracts'
import type { ErrorCode } from '@radx/contracts/errors'

interface Waiting {
  rank: number
  enter(): void
  refuse(error: RadxError): void
}

/**
 * Lets a few tasks run at once and keeps a bounded queue, so that a flood cannot take every core, every connection
 * of the pool or all memory. Whoever has the lowest rank is next; in a full queue it takes the place of the highest.
 */
export class Gate {
  private readonly limit: number
  private readonly queueLimit: number
  private readonly busy: { code: ErrorCode; message: string }
  private running = 0
  /** By rank, and by arrival among equals. */
  private readonly waiting: Waiting[] = []

  /** @param busy French error (503) for those who come while the queue is full */
  constructor(limit: number, queueLimit: number, busy: { code: ErrorCode; message: string }) {
    this.limit = limit
    this.queueLimit = queueLimit
    this.busy = busy
  }

  /** @throws RadxError `busy` (503) when the queue is full of ranks as low */
  async run<T>(task: () => Promise<T>, rank = 0): Promise<T> {
    // Whoever ends hands its place on, so that running never counts a place twice.
    if (this.running >= this.limit)
      await new Promise<void>((enter, refuse) => this.wait({ rank, enter, refuse }))
    else this.running++
    try {
      return await task()
    } finally {
      const next = this.waiting.shift()
      if (next) next.enter()
      else this.running--
    }
  }

  private wait(newcomer: Waiting): void {
    const last = this.waiting.at(-1)
    if (this.waiting.length >= this.queueLimit) {
      const refused = last && last.rank > newcomer.rank ? this.waiting.pop()! : newcomer
      refused.refuse(new RadxError(this.busy.code, 503, this.busy.message))
      if (refused === newcomer) return
    }
    const at = this.waiting.findIndex(({ rank }) => rank > newcomer.rank)
    this.waiting.splice(at < 0 ? this.waiting.length : at, 0, newcomer)
  }
}
