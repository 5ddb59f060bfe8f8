import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import type { Kysely } from 'kysely'
import type { PgBoss, Job as QueueEntry } from 'pg-boss'
import type { Config } from '../config/config.ts'
import type { DatabaseHandle } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import { type FileStore, openFileStore } from '../store/file-store.ts'
import { sealFolder } from '../store/folder-checksums.ts'
import { CANCELLED, jobReference, unexpected, WORKER_LOST } from './errors.ts'
import type { JobFailure, JobKind } from './kind.ts'
import { listen } from './listener.ts'
import { jobOutput } from './output.ts'
import {
  abandon,
  CANCEL_CHANNEL,
  claim,
  findJob,
  finishDone,
  finishError,
  type JobRow,
  notifyProgress,
  saveLogs,
  saveProgress,
} from './queries.ts'
import { DEAD_LETTER_QUEUE, queueName, RETRIES } from './queue.ts'
import type { ThreadMessage, ThreadOrder } from './thread.ts'
import { JobThreads } from './threads.ts'

/** How often progress and logs are written at most, ms. */
const WRITE_EVERY_MS = 200
/** How often a running job looks whether it is still its own, ms. */
const CHECK_EVERY_MS = 1_000
/** How long cancelled work may take to end by itself, ms. */
const CANCEL_GRACE_MS = 3_000

interface Entry {
  jobId: string
}
type Outcome = { done: unknown } | { failure: JobFailure } | { lost: true }

export interface JobWorkerOptions {
  config: Config
  handle: DatabaseHandle
  boss: PgBoss
  kinds: readonly JobKind[]
  /** Module that exports `jobKinds`, for the threads. */
  kindsModule: string
  log: Logger
}

/**
 * Runs jobs of every kind, `config.workers` of a kind at a time or one a core, each try in a thread that has no other.
 * Several of them on several machines share one queue.
 */
export class JobWorker {
  private readonly options: JobWorkerOptions
  private readonly db: Kysely<Database>
  private readonly files: FileStore
  private readonly threads: JobThreads
  private readonly running = new Map<string, () => void>()
  private cancels: ReturnType<typeof listen> | null = null

  constructor(options: JobWorkerOptions) {
    this.options = options
    this.db = options.handle.db
    this.files = openFileStore(options.config)
    this.threads = new JobThreads(options.kindsModule)
  }

  async start(): Promise<void> {
    const { boss, kinds, config, handle, log } = this.options
    this.cancels = listen(handle, CANCEL_CHANNEL, log, (jobId) => this.running.get(jobId)?.())
    await boss.work<Entry>(DEAD_LETTER_QUEUE, { pollingIntervalSeconds: 2 }, async ([entry]) => {
      await this.sweep(entry.data.jobId)
      const row = await abandon(this.db, entry.data.jobId, WORKER_LOST)
      if (row) await notifyProgress(this.db, row)
    })
    for (const kind of kinds)
      await boss.work<Entry>(
        queueName(kind.name),
        {
          localConcurrency: atOnce(kind, config.workers),
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: 1,
          heartbeatRefreshSeconds: 2,
        },
        async ([entry]) => this.try(kind, entry),
      )
  }

  /** Lets running jobs go back to the queue; another worker, or this one later, starts them again. */
  async stop(): Promise<void> {
    for (const stop of this.running.values()) stop()
    await this.threads.close()
    await this.cancels?.close()
  }

  private async try(kind: JobKind, entry: QueueEntry<Entry>): Promise<void> {
    const { jobId } = entry.data
    const row = await claim(this.db, jobId)
    // A try whose process was killed could not take its files away.
    await this.sweep(jobId)
    if (!row) {
      const left = await abandon(this.db, jobId, CANCELLED)
      if (left) await notifyProgress(this.db, left)
      return
    }
    await notifyProgress(this.db, row)
    const outDir = join(this.home(jobId), `try-${row.attempt}`)
    try {
      await mkdir(outDir, { recursive: true })
      const outcome = await this.run(kind, row, outDir, entry.signal)
      await this.settle(row, outcome, outDir, jobOutput(jobId))
    } finally {
      await this.clear(jobId, outDir)
    }
  }

  /** Takes a try's files away, and the job's folder unless its result stands in it. */
  private async clear(jobId: string, outDir: string): Promise<void> {
    await rm(outDir, { recursive: true, force: true }).catch(() => undefined)
    await rmdir(this.home(jobId)).catch(() => undefined)
  }

  private home(jobId: string): string {
    return join(this.options.config.dataDir, 'jobs', jobId)
  }

  /** Removes what earlier tries of a job left on this machine; its result stays. */
  private async sweep(jobId: string): Promise<void> {
    const home = this.home(jobId)
    const names = await readdir(home).catch(() => [])
    for (const name of names)
      if (name !== basename(jobOutput(jobId)))
        await rm(join(home, name), { recursive: true, force: true }).catch(() => undefined)
    await rmdir(home).catch(() => undefined)
  }

  /** Writes how a try ended. Throws to have the queue try again. */
  private async settle(row: JobRow, outcome: Outcome, from: string, to: string): Promise<void> {
    if ('lost' in outcome) return
    if ('done' in outcome) {
      // The files are in place before the job counts as done; a crash in between repeats the job.
      const bytes = await sizeOf(from)
      await sealFolder(from)
      await this.files.putFolder(from, to)
      const done = await finishDone(this.db, row, outcome.done, bytes)
      if (done) await notifyProgress(this.db, done)
      return
    }
    const now = await findJob(this.db, row.id)
    const { message, retry, known, stack } = outcome.failure
    const about = {
      jobId: row.id,
      reference: jobReference(row.id),
      attempt: row.attempt,
      reason: message,
      err: stack === undefined ? undefined : { message, stack },
    }
    if (retry && !now?.cancel_requested && row.attempt <= RETRIES) {
      this.options.log.warn(about, 'calcul à reprendre')
      const told = known ? message : 'erreur inattendue'
      await saveLogs(this.db, row, [`Essai ${row.attempt} interrompu : ${told}`])
      throw new Error(message)
    }
    const told = known ? message : unexpected(row.id)
    if (!known && !now?.cancel_requested) this.options.log.error(about, 'calcul abandonné')
    // Whoever sees that it is over finds nothing half-written.
    await this.clear(row.id, from)
    const ended = await finishError(this.db, row, now?.cancel_requested ? CANCELLED : told)
    if (ended) await notifyProgress(this.db, ended)
  }

  private async run(kind: JobKind, row: JobRow, outDir: string, claimLost: AbortSignal): Promise<Outcome> {
    const { config, log } = this.options
    const thread = this.threads.take(kind)
    const outcome = Promise.withResolvers<Outcome>()
    let progress: { value: number; max: number; msg: string } | null = null
    let lines: string[] = []
    let writing: Promise<void> = Promise.resolve()
    let owned = true
    /** Whether the thread told its result, and whether it was asked to stop. */
    let [isWhole, isStopped, isOver] = [false, false, false]

    const stop = () => {
      // It may do another job already.
      if (isOver) return
      isStopped = true
      thread.postMessage('cancel')
      setTimeout(() => void thread.terminate(), CANCEL_GRACE_MS).unref()
    }
    const write = async () => {
      const [p, l] = [progress, lines]
      progress = null
      lines = []
      await saveLogs(this.db, row, l)
      if (p === null) return
      const saved = await saveProgress(this.db, row, p)
      if (saved) await notifyProgress(this.db, saved)
    }
    const check = async () => {
      const now = await findJob(this.db, row.id)
      if (now?.status !== 'running' || now.attempt !== row.attempt) owned = false
      if (!owned || now?.cancel_requested) stop()
    }
    const inTurn = (step: () => Promise<void>) => {
      // The database may be away for a moment; the work itself goes on.
      writing = writing
        .then(step)
        .catch((error) => log.debug({ error: error.message }, 'état du calcul non écrit'))
      return writing
    }
    const writer = setInterval(() => (progress || lines.length) && void inTurn(write), WRITE_EVERY_MS)
    const checker = setInterval(() => void inTurn(check), CHECK_EVERY_MS)
    const deadline = setTimeout(() => {
      outcome.resolve({
        failure: {
          message: `Le calcul a dépassé ${kind.timeoutSeconds} s et a été arrêté.`,
          retry: false,
          known: true,
        },
      })
      void thread.terminate()
    }, kind.timeoutSeconds * 1_000)

    thread.on('message', (message: ThreadMessage) => {
      if (message.type === 'progress') progress = message
      else if (message.type === 'log') lines.push(message.line)
      else if (message.type === 'done') {
        isWhole = true
        outcome.resolve({ done: message.result })
      } else outcome.resolve({ failure: message.failure })
    })
    thread.on('error', (error: NodeJS.ErrnoException) =>
      outcome.resolve({
        failure:
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? {
                message: `Le calcul demande plus de ${kind.memoryMb} Mo de mémoire.`,
                retry: false,
                known: true,
              }
            : { message: error.message, retry: true, known: false, stack: error.stack },
      }),
    )
    thread.on('exit', () =>
      outcome.resolve({ failure: { message: 'the thread ended', retry: true, known: false } }),
    )
    claimLost.addEventListener('abort', stop)
    this.running.set(row.id, () => void inTurn(check).then(stop))
    const { id: jobId, attempt, input } = row
    thread.postMessage({ jobId, attempt, input, config, outDir } satisfies ThreadOrder)
    try {
      const ended = await outcome.promise
      await inTurn(write)
      return owned ? ended : { lost: true }
    } finally {
      this.running.delete(row.id)
      clearInterval(writer)
      clearInterval(checker)
      clearTimeout(deadline)
      claimLost.removeEventListener('abort', stop)
      isOver = true
      await this.threads.give(kind, thread, isWhole && !isStopped)
    }
  }
}

/** How many jobs of a kind a process runs at a time. */
const atOnce = ({ everyCore }: JobKind, workers: number): number =>
  everyCore ? Math.max(workers, availableParallelism()) : workers

/** Bytes of all files below a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
