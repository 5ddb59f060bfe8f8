import { setTimeout as sleep } from 'node:timers/promises'
import { isDiskFull, unavailableReason } from '../db/errors.ts'
import type { Logger } from '../log.ts'
import { ObjectStoreUnavailable } from '../store/s3/errors.ts'

/** Why an operation can be asked again later, in French; null when the error is about the operation itself. */
export function pauseReason(error: unknown): string | null {
  if (isDiskFull(error)) return 'disque plein'
  if (error instanceof ObjectStoreUnavailable) return `stockage absent (${error.details.reason})`
  const reason = unavailableReason(error)
  return reason === null ? null : `base de données absente (${reason})`
}

export interface PatienceOptions {
  log: Logger
  signal: AbortSignal
  /** Pause between two attempts, ms. */
  pauseMs?: number
}

/**
 * Runs an operation until it does not meet a full disk, an absent database or an absent bucket. Says once that it waits
 * and once that it goes on, however many operations are waiting.
 */
export class Patience {
  private readonly log: Logger
  private readonly signal: AbortSignal
  private readonly pauseMs: number
  private waiting: string | null = null

  constructor({ log, signal, pauseMs = 2_000 }: PatienceOptions) {
    this.log = log
    this.signal = signal
    this.pauseMs = pauseMs
  }

  /** Reason for which work is paused now; null when it runs. */
  get paused(): string | null {
    return this.waiting
  }

  async run<T>(operation: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await operation()
        if (this.waiting !== null) {
          this.log.info(`Ingestion reprise après : ${this.waiting}`)
          this.waiting = null
        }
        return result
      } catch (error) {
        const reason = pauseReason(error)
        if (reason === null || this.signal.aborted) throw error
        if (this.waiting !== reason) {
          this.waiting = reason
          this.log.error(
            `Ingestion en pause : ${reason}. Elle reprendra d'elle-même ; aucun fichier n'est perdu.`,
          )
        }
        await sleep(this.pauseMs, undefined, { signal: this.signal })
      }
    }
  }
}
