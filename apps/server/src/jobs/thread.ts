/** Entry of a thread in which tries of jobs run, one at a time. The worker beside it keeps the books. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../config/config.ts'
import { beNice, NICE } from '../threads/nice.ts'
import { failureOf, type JobFailure, type JobKind } from './kind.ts'

/** What a thread is made for. */
export interface ThreadData {
  /** Module that exports `jobKinds`. */
  kindsModule: string
  kind: string
}
/** A try. */
export interface ThreadOrder {
  jobId: string
  attempt: number
  input: unknown
  config: Config
  outDir: string
}
export type ThreadMessage =
  | { type: 'progress'; value: number; max: number; msg: string }
  | { type: 'log'; line: string }
  | { type: 'done'; result: unknown }
  | { type: 'failed'; failure: JobFailure }

if (parentPort) {
  beNice(NICE.jobs)
  const port = parentPort
  const { kindsModule, kind: name } = workerData as ThreadData
  const tell = (message: ThreadMessage) => port.postMessage(message)
  let abort = new AbortController()
  const work = async (order: ThreadOrder, signal: AbortSignal) => {
    try {
      const { jobKinds } = (await import(kindsModule)) as { jobKinds: readonly JobKind[] }
      const kind = jobKinds.find((k) => k.name === name)
      if (!kind) throw new Error(`unknown job kind ${name}`)
      const result = await kind.run({
        ...order,
        signal,
        progress: (value, max, msg) => tell({ type: 'progress', value, max, msg }),
        log: (line) => tell({ type: 'log', line }),
      })
      tell({ type: 'done', result })
    } catch (error) {
      tell({ type: 'failed', failure: failureOf(error) })
    }
  }
  port.on('message', (message: ThreadOrder | 'cancel') => {
    if (message === 'cancel') return abort.abort()
    abort = new AbortController()
    return void work(message, abort.signal)
  })
}
