import { Worker } from 'node:worker_threads'
import { type ErrorCode, RadxError, type RadxErrorOptions } from '@radx/contracts'

/** An error as it crosses from a worker thread: classes do not survive the way. */
export interface WireError {
  code: string | null
  status: number
  message: string
  details: Record<string, unknown>
}

export function toWireError(error: unknown): WireError {
  if (error instanceof RadxError)
    return { code: error.code, status: error.status, message: error.message, details: error.details }
  // Some of the platform's own errors number their codes.
  const code = (error as { code?: unknown } | null)?.code
  const message = String((error as Error)?.stack ?? error)
  return { code: typeof code === 'string' ? code : null, status: 0, message, details: {} }
}

function fromWireError({ code, status, message, details }: WireError): Error {
  if (code !== null && status !== 0)
    // It was a RadxError on the other side.
    return new RadxError(code as ErrorCode, status, message, { details } satisfies RadxErrorOptions)
  return Object.assign(new Error(message), code === null ? {} : { code })
}

/** A task took longer than it may, or its thread died of it. */
export class WorkerFailure extends RadxError {
  override readonly name = 'WorkerFailure'
  constructor(code: 'timeout' | 'crash', cause?: unknown) {
    super(
      `thread.${code}`,
      422,
      code === 'timeout'
        ? 'Le traitement a duré trop longtemps et a été arrêté. Vérifiez le fichier puis réessayez.'
        : "Le traitement s'est arrêté brutalement. Vérifiez le fichier puis réessayez.",
      { cause },
    )
  }
}

interface Task {
  id: number
  message: unknown
  moved: readonly ArrayBuffer[]
  resolve(value: never): void
  reject(error: unknown): void
}

interface Slot {
  worker: Worker
  task: Task | null
  timer: NodeJS.Timeout | null
}

/**
 * Threads that run one task each at a time, first come first served; they start when there is work. A
 * thread that hangs or dies takes only its own task with it and is replaced.
 */
export class WorkerPool {
  private readonly script: URL
  private readonly data: unknown
  private readonly timeoutMs: number
  private readonly size: number
  private readonly slots: Slot[] = []
  private readonly queue: Task[] = []
  private nextId = 0
  private closed = false

  constructor(script: URL, data: unknown, size: number, timeoutMs = 60_000) {
    this.script = script
    this.data = data
    this.timeoutMs = timeoutMs
    this.size = size
  }

  /**
   * @param urgent goes ahead of what waits
   * @param moved buffers of the message that go over instead of being copied
   */
  run<Result>(message: object, urgent = false, moved: readonly ArrayBuffer[] = []): Promise<Result> {
    if (this.closed) return Promise.reject(new WorkerFailure('crash'))
    return new Promise<Result>((resolve, reject) => {
      const task = { id: this.nextId++, message, moved, resolve: resolve as Task['resolve'], reject }
      if (urgent) this.queue.unshift(task)
      else this.queue.push(task)
      this.dispatch()
    })
  }

  async close(): Promise<void> {
    this.closed = true
    for (const task of this.queue.splice(0)) task.reject(new WorkerFailure('crash'))
    await Promise.all(this.slots.map(({ worker }) => worker.terminate()))
  }

  private dispatch(): void {
    for (;;) {
      if (this.queue.length === 0) return
      let slot = this.slots.find(({ task }) => task === null)
      if (!slot) {
        if (this.slots.length >= this.size) return
        slot = this.spawn()
        this.slots.push(slot)
      }
      this.start(slot, this.queue.shift()!)
    }
  }

  private start(slot: Slot, task: Task): void {
    slot.task = task
    slot.timer = setTimeout(() => this.replace(slot, new WorkerFailure('timeout')), this.timeoutMs)
    slot.worker.ref()
    slot.worker.postMessage({ id: task.id, message: task.message }, task.moved)
  }

  private spawn(): Slot {
    const worker = new Worker(this.script, { workerData: this.data })
    const slot: Slot = { worker, task: null, timer: null }
    // An idle thread keeps no program alive.
    worker.unref()
    worker.on('message', ({ id, result, error }: { id: number; result?: never; error?: WireError }) => {
      const { task } = slot
      if (task === null || task.id !== id) return
      this.settle(slot)
      if (error) task.reject(fromWireError(error))
      else task.resolve(result as never)
      this.dispatch()
    })
    worker.on('error', (cause) => this.replace(slot, new WorkerFailure('crash', cause)))
    worker.on('exit', () => this.replace(slot, new WorkerFailure('crash')))
    return slot
  }

  private settle(slot: Slot): void {
    if (slot.timer) clearTimeout(slot.timer)
    slot.timer = null
    slot.task = null
    slot.worker.unref()
  }

  private replace(slot: Slot, error: WorkerFailure): void {
    const at = this.slots.indexOf(slot)
    if (at < 0) return
    const { task, worker } = slot
    this.settle(slot)
    this.slots.splice(at, 1)
    void worker.terminate()
    task?.reject(error)
    if (!this.closed) this.dispatch()
  }
}
