import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './log.ts'

const FAILED_PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 60_000]

export interface RoundOptions {
  signal: AbortSignal
  /** From the end of a round to the start of the next. */
  pauseMs: number
  log: Logger
  /** French: what a failed round means to the operator. */
  failed: string
  /** Why a failure is expected just now, such as an absent database; then it is not logged as an error. */
  excuse?: () => string | null
  /** Pauses after the first, second... failure in a row, at least `pauseMs`. */
  pausesMs?: readonly number[]
}

/**
 * Does a round of background work over and over until the signal. A round that fails is logged, and the next one
 * comes after a pause that grows with each failure in a row: it never rejects and never ends by itself.
 */
export async function keepDoing(round: () => Promise<void>, options: RoundOptions): Promise<void> {
  const { signal, pauseMs, log, failed, excuse = () => null, pausesMs = FAILED_PAUSES_MS } = options
  let failures = 0
  while (!signal.aborted) {
    let pause = pauseMs
    try {
      await round()
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      const reason = excuse()
      if (reason === null) log.error({ err: error }, failed)
      else log.debug({ error: (error as Error).message, reason }, failed)
      pause = Math.max(pauseMs, pausesMs[Math.min(failures++, pausesMs.length - 1)])
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
}
