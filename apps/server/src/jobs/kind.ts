import type { RadxError } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import { isDiskFull } from '../db/errors.ts'
import type { Database } from '../db/schema.ts'
import { DISK_FULL } from './errors.ts'

/** What a job's work gets. It runs in a thread that has no other, away from the requests. */
export interface JobContext<Input> {
  jobId: string
  /** 1 on the first try; a try after a worker's death counts on. */
  attempt: number
  input: Input
  config: Config
  /** Empty folder of this try; what it holds becomes the job's output folder when the job is done. */
  outDir: string
  /** Aborted when the job is cancelled, has lost its place to another worker, or the worker stops. */
  signal: AbortSignal
  progress(value: number, max: number, msg: string): void
  log(line: string): void
}

/** Time [start, end) of radar data. */
export interface RadarPeriod {
  start: Date
  end: Date
}

/**
 * One kind of long work. A feature declares it beside its routes; `job-kinds.ts` lists them all.
 * The work must give the same files for the same input: after a worker's death it runs again.
 */
export interface JobKind<Input = unknown, Result = unknown> {
  name: string
  /** Jobs of this kind that one user may have open at a time. */
  perUser: number
  /** Longest time a try may take, s. */
  timeoutSeconds: number
  /** Heap of the thread, MB: a runaway job ends as an error and the worker lives on. */
  memoryMb: number
  /** Who may look at a job of somebody else: nobody but managers, or every signed-in user. */
  visibility: 'owner' | 'signed-in'
  /** Short parts of something that is waited for: a process that runs jobs takes one on each core of its machine. */
  everyCore?: true
  /** Its thread stays so long for the next one of its kind, s: what it has loaded serves that too. */
  staysSeconds?: number
  /** Quota and retention that its jobs count towards; none without. */
  keep?: 'runs' | 'exports'
  /** Whether a job stays however old it is. */
  isKept?(db: Kysely<Database>, id: string): Promise<boolean>
  /** Deletes what was made for a job alone, in the transaction that deletes it. */
  removeDerived?(trx: Kysely<Database>, input: Input): Promise<void>
  /** Radar data that the result shows something of, held against the reader's dates; null for none. */
  radarPeriod?(input: Input): RadarPeriod | null
  /** The input without what it tells of radar data, for readers whose dates leave those out. */
  withheldInput?(input: Record<string, unknown>): Record<string, unknown>
  /** The input as calls answer it, when part of it is kept elsewhere. */
  wholeInput?(db: Kysely<Database>, input: Input): Promise<Record<string, unknown>>
  /** Throw a RadxError for what a new try would not mend; anything else is tried again. */
  run(context: JobContext<Input>): Promise<Result>
}

/** Reason of a failure as it travels between thread and worker. */
export interface JobFailure {
  /** French where the reason is known; otherwise what the failure said itself, which is for the log only. */
  message: string
  /** Whether a new try makes sense. */
  retry: boolean
  known: boolean
  /** Where it happened, for the log. */
  stack?: string
}

export function failureOf(error: unknown): JobFailure {
  // Trying again at once would only fill it again.
  if (isDiskFull(error)) return { message: DISK_FULL, retry: false, known: true }
  const radx = error as Partial<RadxError>
  if (typeof radx?.code === 'string' && typeof radx.status === 'number')
    return { message: String(radx.message), retry: radx.status >= 500, known: true }
  if (!(error instanceof Error)) return { message: String(error), retry: true, known: false }
  return { message: error.message, retry: true, known: false, stack: error.stack }
}
