import type { PgBoss } from 'pg-boss'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { Deps } from '../http/app.ts'
import type { JobKind } from './kind.ts'
import { createQueues, JobQueue, startBoss } from './queue.ts'
import { JobWorker } from './worker.ts'

/** The queue as features see it. Before the database is there, every use answers 503. */
export interface JobsSeam {
  queue(): JobQueue
  /** Whether the queue is still to come; a server that is ready has it. */
  starting(): boolean
}

export const QUEUE_STARTING = 'file de calculs en cours de démarrage'

export const noJobs: JobsSeam = {
  queue: () => {
    throw new DatabaseUnavailable(QUEUE_STARTING)
  },
  starting: () => false,
}

export interface JobsOptions {
  deps: Pick<Deps, 'config' | 'database' | 'db' | 'log' | 'clock'>
  kinds: readonly JobKind[]
  /** Module that exports `jobKinds`, for the threads. */
  kindsModule: string
  /** false only submits and shows; the work is done by `radx worker` processes. */
  work: boolean
}

/** Brings the queue up as soon as the database answers, and takes it down again. */
export class Jobs implements JobsSeam {
  private readonly options: JobsOptions
  private readonly stopping = new AbortController()
  private openQueue: JobQueue | null = null
  private boss: PgBoss | null = null
  private worker: JobWorker | null = null
  private started: Promise<void> = Promise.resolve()

  constructor(options: JobsOptions) {
    this.options = options
  }

  start(): void {
    this.started = this.connect()
  }

  private async connect(): Promise<void> {
    const { deps, kinds, kindsModule, work } = this.options
    while (!this.stopping.signal.aborted) {
      try {
        await deps.database.whenReady()
        if (this.stopping.signal.aborted) return
        this.boss = await startBoss(deps.database, deps.log)
        await createQueues(this.boss, kinds)
        if (work) {
          this.worker = new JobWorker({
            config: deps.config,
            handle: deps.database,
            boss: this.boss,
            kinds,
            kindsModule,
            log: deps.log,
          })
          await this.worker.start()
        }
        this.openQueue = new JobQueue(
          deps.db,
          this.boss,
          kinds,
          () => new Date(deps.clock.now()),
          deps.config.quotas,
        )
        return
      } catch (error) {
        deps.log.warn({ error: (error as Error).message }, 'file de calculs : nouvel essai')
        await this.boss?.stop({ graceful: false }).catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    }
  }

  /** Resolves when jobs can be submitted. */
  async ready(): Promise<void> {
    await this.started
  }

  queue(): JobQueue {
    return this.openQueue ?? noJobs.queue()
  }

  starting(): boolean {
    return this.openQueue === null
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.race([this.started, new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
    await this.worker?.stop()
    await this.boss?.stop({ graceful: true, timeout: 5_000 }).catch(() => undefined)
  }
}
