import { Worker } from 'node:worker_threads'
import type { ErrorCode } from '@radx/contracts/errors'
import { RadxError } from '@radx/contracts/errors'
import type { RunState } from '../state/run-state.ts'
import type { Horizon, LiveSetup, MemberCourse } from './engine.ts'
import type { RainData } from './rain-data.ts'

export interface MembersTask {
  setup: LiveSetup
  /** What all members go on from. */
  state: RunState
  /** The rain of each. */
  rains: readonly RainData[]
  horizon: Horizon
  /** How many threads share them out. */
  threads: number
  signal?: AbortSignal
}

/** What a thread is made with. */
export type MemberThread = Pick<MembersTask, 'setup' | 'state' | 'horizon'>

export type MemberAnswer =
  | { ok: true; course: MemberCourse }
  | {
      ok: false
      error: { code: ErrorCode; status: number; message: string; details: Record<string, unknown> }
    }

/**
 * Runs members from one state, each with its rain, in threads that take one after the other. The answer hangs neither on their
 * number nor on who takes what.
 *
 * @returns what each does, in the order of the rains
 * @throws what a member throws, and the signal's reason when aborted; no thread is left then
 */
export async function runMembers(task: MembersTask): Promise<MemberCourse[]> {
  const { rains, threads, signal } = task
  const courses = new Array<MemberCourse>(rains.length)
  let next = 0
  const stop = new AbortController()
  const stopped = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const share = async () => {
    const thread = new MemberRunner(task, stopped)
    try {
      while (next < rains.length) {
        const k = next++
        courses[k] = await thread.run(rains[k])
      }
    } catch (error) {
      stop.abort(error)
      throw error
    } finally {
      await thread.end()
    }
  }
  signal?.throwIfAborted()
  const shares = Array.from({ length: Math.max(1, Math.min(threads, rains.length)) }, share)
  const ended = await Promise.allSettled(shares)
  signal?.throwIfAborted()
  if (stop.signal.aborted) throw stop.signal.reason
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return courses
}

/** A thread with an engine of its own. */
class MemberRunner {
  private readonly worker: Worker
  private readonly signal: AbortSignal
  /** Who waits for the answer under way. */
  private waiting: PromiseWithResolvers<MemberCourse> | null = null

  constructor({ setup, state, horizon }: MemberThread, signal: AbortSignal) {
    this.signal = signal
    this.worker = new Worker(new URL('./member-worker.ts', import.meta.url), {
      workerData: { setup, state, horizon } satisfies MemberThread,
    })
    this.worker.on('message', (answer: MemberAnswer) => this.take(answer))
    this.worker.on('error', (error) => this.waiting?.reject(error))
    this.worker.on('exit', (code) => this.waiting?.reject(new Error(`a member's thread ended (${code})`)))
    signal.addEventListener('abort', this.abort, { once: true })
  }

  run(rain: RainData): Promise<MemberCourse> {
    this.waiting = Promise.withResolvers()
    if (this.signal.aborted) this.abort()
    else this.worker.postMessage(rain)
    return this.waiting.promise
  }

  async end(): Promise<void> {
    this.signal.removeEventListener('abort', this.abort)
    await this.worker.terminate()
  }

  private readonly abort = () => this.waiting?.reject(this.signal.reason)

  private take(answer: MemberAnswer): void {
    if (answer.ok) {
      this.waiting?.resolve(answer.course)
      return
    }
    const { code, status, message, details } = answer.error
    this.waiting?.reject(new RadxError(code, status, message, { details }))
  }
}
