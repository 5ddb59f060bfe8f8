import { availableParallelism } from 'node:os'
import type { CatchmentCollection } from '@radx/contracts'
import { RadxError } from '@radx/contracts/errors'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Catchments } from '../config/catchments.ts'
import type { Config } from '../config/config.ts'
import type { App, Deps } from '../http/app.ts'
import type { Store } from '../store/open-store.ts'
import { Busy, FairQueue } from './fair-queue.ts'
import { WorkerFailure, WorkerPool } from './worker-pool.ts'

/** What a kind of answer finds in its thread. */
export interface AnswerContext extends Pick<Deps, 'config' | 'site' | 'db'> {
  catchments: Catchments
  store: Store
  /** When it was asked for, ms. */
  nowMs: number
}

/**
 * A call whose answer takes long enough to hold others up: made in a thread. Input and output cross threads, so
 * they are plain data; `run` checks no rights, its route did.
 */
export interface AnswerKind<Input, Output> {
  name: string
  run(context: AnswerContext, input: Input): Promise<Output>
}

/** What a thread is started with. */
export interface AnswerThreadData {
  config: Config
  site: Deps['site']
  catchments: CatchmentCollection
}

export interface AnswerMessage {
  kind: string
  input: unknown
  nowMs: number
  /** Where the database is now; our own may move to another port. */
  connection: pg.ClientConfig
}

const LIMITS = { runningOfUser: 2, waiting: 400, waitingOfUser: 24 }
/** Calls of a user whose answers are looked up, wait or are made: a few more than the line takes of one. */
const UNDER_WAY_OF_USER = 32
const TIMEOUT_MS = 120_000
/** Who is no user, in the line. */
const UNASKED = '\0'

type AnswerDeps = Pick<Deps, 'config' | 'site' | 'catchments' | 'database' | 'clock'>

/** Threads that make answers, and the line before them: fair by user, the same answer made once. */
export class Answers {
  private readonly deps: AnswerDeps
  private readonly pool: WorkerPool
  private readonly queue: FairQueue
  private readonly underWay = new Map<string, number>()

  constructor(deps: AnswerDeps) {
    this.deps = deps
    const threads = Math.min(4, Math.max(2, availableParallelism()))
    const data: AnswerThreadData = {
      config: deps.config,
      site: deps.site,
      catchments: deps.catchments.collection(),
    }
    this.pool = new WorkerPool(new URL('./answer.worker.ts', import.meta.url), data, threads, TIMEOUT_MS)
    this.queue = new FairQueue({ ...LIMITS, running: threads })
  }

  /**
   * Runs what looks things up and then makes an answer. Who asks for more than the line takes of one is refused before
   * anything is looked up for him: hundreds of look-ups at once hold the others up longer than what comes of them.
   * @throws Busy, or what the work throws
   */
  async prepare<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const user = userOf(request)
    const others = this.underWay.get(user) ?? 0
    if (others >= UNDER_WAY_OF_USER) throw new Busy()
    this.underWay.set(user, others + 1)
    try {
      return await work()
    } finally {
      const left = this.underWay.get(user)! - 1
      if (left === 0) this.underWay.delete(user)
      else this.underWay.set(user, left)
    }
  }

  /** Makes the answer to a request. @throws Busy, or what the kind throws */
  async make<Input, Output>(
    kind: AnswerKind<Input, Output>,
    input: Input,
    request: FastifyRequest,
  ): Promise<Output> {
    const gone = new AbortController()
    const leave = () => gone.abort()
    const { socket } = request.raw
    socket.once('close', leave)
    if (socket.destroyed) leave()
    try {
      return await this.queue.run(
        userOf(request),
        `${kind.name} ${JSON.stringify(input)}`,
        () => this.run(kind.name, input),
        gone.signal,
      )
    } catch (error) {
      if (!(error instanceof WorkerFailure)) throw error
      throw new RadxError(
        'answer.failed',
        503,
        'Le calcul a été interrompu. Choisir une période plus courte, ou réessayer dans un instant.',
        { cause: error },
      )
    } finally {
      socket.off('close', leave)
    }
  }

  /** Makes an answer that nobody asked for, in turn with those of the users. @throws Busy, or what the kind throws */
  makeUnasked<Input, Output>(kind: AnswerKind<Input, Output>, input: Input): Promise<Output> {
    const never = new AbortController()
    return this.queue.run(
      UNASKED,
      `${kind.name} ${JSON.stringify(input)}`,
      () => this.run(kind.name, input),
      never.signal,
    )
  }

  close(): Promise<void> {
    return this.pool.close()
  }

  private run<Output>(kind: string, input: unknown): Promise<Output> {
    const { clock, database } = this.deps
    const message: AnswerMessage = {
      kind,
      input,
      nowMs: clock.now(),
      connection: database.connection(),
    }
    return this.pool.run<Output>(message)
  }
}

/** Whose part of the line a call takes; a caller that has gone has no address any more. */
const userOf = (request: FastifyRequest): string => request.session?.name ?? request.ip ?? ''

const opened = new WeakMap<AnswerDeps, Answers>()

/** The threads of a server, shared by its features; they start with the first answer and end with the server. */
export function answersOf(app: App, deps: AnswerDeps): Answers {
  let answers = opened.get(deps)
  if (!answers) {
    const own = new Answers(deps)
    answers = own
    opened.set(deps, own)
    app.addHook('onClose', () => {
      opened.delete(deps)
      return own.close()
    })
  }
  return answers
}
