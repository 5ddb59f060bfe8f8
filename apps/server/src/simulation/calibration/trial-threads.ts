import { Worker } from 'node:worker_threads'
import type { ParameterValue } from '@radx/contracts/calibration'
import type { EventSetup } from './trial.ts'

/** An event to compute, by its place in the list. */
export interface TrialOrder {
  event: number
  values: readonly ParameterValue[]
}

/** Of each series of the event its simulated values; or why the engine would not, French. */
export type TrialAnswer = { ok: true; simulated: Float64Array[] } | { ok: false; message: string }

/** Threads that compute events, each one at a time. The answers hang neither on their number nor on who takes what. */
export class TrialThreads {
  private readonly events: readonly EventSetup[]
  private readonly count: number
  private readonly free: Worker[] = []
  private readonly all: Worker[] = []

  constructor(events: readonly EventSetup[], threads: number) {
    this.events = events
    this.count = Math.max(1, threads)
  }

  /**
   * @returns answers in the order of the orders
   * @throws the signal's reason when aborted; the threads are good for nothing then
   */
  async run(orders: readonly TrialOrder[], signal?: AbortSignal): Promise<TrialAnswer[]> {
    signal?.throwIfAborted()
    const answers = new Array<TrialAnswer>(orders.length)
    let next = 0
    const stop = new AbortController()
    const stopped = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
    const share = async () => {
      while (next < orders.length) {
        const k = next++
        const thread = this.free.pop() ?? this.start()
        answers[k] = await ask(thread, orders[k], stopped)
        this.free.push(thread)
      }
    }
    const shares = Array.from({ length: Math.min(this.count, orders.length) }, () =>
      share().catch((error) => {
        stop.abort(error)
        throw error
      }),
    )
    const ended = await Promise.allSettled(shares)
    signal?.throwIfAborted()
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    return answers
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((thread) => thread.terminate()))
  }

  private start(): Worker {
    const thread = new Worker(new URL('./trial-worker.ts', import.meta.url), { workerData: this.events })
    this.all.push(thread)
    return thread
  }
}

function ask(thread: Worker, order: TrialOrder, signal: AbortSignal): Promise<TrialAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<TrialAnswer>()
  const abort = () => reject(signal.reason)
  const ended = (code: number) => reject(new Error(`a trial's thread ended (${code})`))
  thread.once('message', resolve).once('error', reject).once('exit', ended)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  else thread.postMessage(order)
  return promise.finally(() => {
    signal.removeEventListener('abort', abort)
    thread.off('message', resolve).off('error', reject).off('exit', ended)
  })
}
