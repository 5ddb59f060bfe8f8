import { z } from 'zod'
import { list, longText, shortText } from './bounds.ts'

export const JOB_STATUSES = ['pending', 'running', 'done', 'error'] as const
export const jobStatusSchema = z.enum(JOB_STATUSES)
export type JobStatus = z.infer<typeof jobStatusSchema>

/** What a person reads for a status. */
export const JOB_STATUS_LABELS: Record<JobStatus, string> = {
  pending: 'En attente',
  running: 'En cours de traitement',
  done: 'Terminé',
  error: 'Erreur',
}
/** In place of 'Erreur' for a run that somebody cancelled. */
export const CANCELLED_LABEL = 'Annulée'

/** Header of a submission: sent again with the same key, it is the job that it became the first time. */
export const SUBMISSION_KEY_HEADER = 'idempotency-key'
export const submissionKeySchema = z.string().trim().min(1).max(128)

/** Socket event `job-progress`. */
export const jobProgressSchema = z.object({
  jobId: shortText(),
  status: jobStatusSchema,
  value: z.number(),
  max: z.number(),
  msg: longText(),
  /** Instant of the message. */
  msgDate: z.iso.datetime(),
})
export type JobProgress = z.infer<typeof jobProgressSchema>

/** Payload of `job-join` and `job-leave`. */
export const jobJoinSchema = z.object({ socketId: shortText(), jobId: z.uuid() })
/** What the server acknowledges a `job-join` with; `error` is a French message. */
export type JobJoinAnswer = { ok: true; progress: JobProgress } | { ok: false; error: string }

/** `GET /api/job/{id}`: every kind of job. */
export const jobSchema = z.object({
  id: z.uuid(),
  _id: z.uuid(),
  kind: shortText(),
  username: shortText(),
  /** Instant of submission. */
  date: z.iso.datetime(),
  status: jobStatusSchema,
  input: z.record(shortText(), z.unknown()),
  /** What the job made, once done; its form depends on the kind. */
  result: z.unknown(),
  progress: z.object({ value: z.number(), max: z.number() }),
  msg: longText(),
  msgDate: z.iso.datetime().nullable(),
  logs: list(z.object({ at: z.iso.datetime(), line: longText() })),
  /** French reason when the status is error. */
  error: longText().nullable(),
  output: z.object({ error: longText().nullable() }),
  /** Computation time so far in ms; null before it starts. */
  delay: z.number().nullable(),
  cancelled: z.boolean(),
  attempts: z.int(),
  /** Place among the jobs of its kind that wait, 1 for the next one; null once it waits no longer. */
  queuePlace: z.int().nullable(),
})
export type Job = z.infer<typeof jobSchema>
