import { ApiError } from '../../app/api/errors.ts'
import { errorTexts } from '../../texts/shell.ts'
import type { FramesReply, FramesRequest, PackedFrame } from './protocol.ts'

interface Job {
  onFrames: (frames: PackedFrame[], steps: number) => void
  resolve: () => void
  reject: (error: Error) => void
}

let worker: Worker | null = null
let nextId = 1
const jobs = new Map<number, Job>()

function getWorker(): Worker {
  if (worker !== null) return worker
  worker = new Worker(new URL('./frames.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<FramesReply>) => {
    const job = jobs.get(data.id)
    if (job === undefined) return
    if (data.kind === 'frames') {
      job.onFrames(data.frames, data.steps)
      return
    }
    jobs.delete(data.id)
    if (data.kind === 'done') job.resolve()
    else job.reject(toError(data))
  }
  worker.onerror = (event) => {
    const waiting = [...jobs.values()]
    jobs.clear()
    worker?.terminate()
    worker = null
    for (const job of waiting) job.reject(new ApiError('unreadable', event.message || errorTexts.unreadable))
  }
  return worker
}

function toError({ status, message }: { status: number | null; message: string }): ApiError {
  return status === null
    ? new ApiError('network', errorTexts.network, { serverMessage: message })
    : new ApiError('http', errorTexts.failedStatus(status), { status, serverMessage: message })
}

/**
 * Loads one class bundle, handing over frames as they come in.
 * @throws ApiError when the server refuses or the bundle is damaged; an AbortError when `signal` aborts
 */
export function loadBundle(
  url: string,
  token: string | null,
  onFrames: Job['onFrames'],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const target = getWorker()
  const id = nextId++
  const post = (message: FramesRequest) => target.postMessage(message)
  return new Promise<void>((resolve, reject) => {
    const abort = () => {
      jobs.delete(id)
      post({ kind: 'cancel', id })
      reject(signal.reason)
    }
    const settled =
      <A extends unknown[]>(next: (...args: A) => void) =>
      (...args: A) => {
        signal.removeEventListener('abort', abort)
        next(...args)
      }
    signal.addEventListener('abort', abort, { once: true })
    jobs.set(id, { onFrames, resolve: settled(resolve), reject: settled(reject) })
    post({ kind: 'load', id, url, token })
  })
}
