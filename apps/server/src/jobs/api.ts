/** What other features may use of the queue of long work; they import nothing else from this folder. */
export { JobNotFound } from '../http/catchment-rights.ts'
export type { JobContext, JobKind, RadarPeriod } from './kind.ts'
export { listen } from './listener.ts'
export { jobOutput } from './output.ts'
export {
  findJob,
  isCancelled,
  type JobBatchRow,
  type JobRow,
  PROGRESS_CHANNEL,
  queuePlace,
  toProgress,
} from './queries.ts'
export { createQueues, type JobUser, queueName, type Submission, startBoss } from './queue.ts'
export { removeJob } from './remove.ts'
export { type JobsSeam, QUEUE_STARTING } from './service.ts'
export { jobUser } from './user.ts'
