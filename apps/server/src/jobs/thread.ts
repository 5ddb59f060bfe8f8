/** Entry of the thread in which one try of a job runs. The worker beside it keeps the books. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../config/config.ts'
import { beNice, NICE } from '../threads/nice.ts'
import { failureOf, type JobFailure, type JobKind } from './kind.ts'

export interface ThreadData {
  /** Module that exports `jobKinds`. */
  kindsModule: string
  kind: string
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
  const tell = (message: ThreadMessage) => port.postMessage(message)
  const data = workerData as ThreadData
  const abort = new AbortController()
  port.on('message', (message) => message === 'cancel' && abort.abort())
  try {
    const { jobKinds } = (await import(data.kindsModule)) as { jobKinds: readonly JobKind[] }
    const kind = jobKinds.find((k) => k.name === data.kind)
    if (!kind) throw new Error(`unknown job kind ${data.kind}`)
    const result = await kind.run({
      jobId: data.jobId,
      attempt: data.attempt,
      input: data.input,
      config: data.config,
      outDir: data.outDir,
      signal: abort.signal,
      progress: (value, max, msg) => tell({ type: 'progress', value, max, msg }),
      log: (line) => tell({ type: 'log', line }),
    })
    tell({ type: 'done', result })
  } catch (error) {
    tell({ type: 'failed', failure: failureOf(error) })
  }
  port.close()
}
