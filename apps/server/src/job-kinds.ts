import { cycleJob } from './ahead/cycle-job.ts'
import { alertReplayJob } from './alerts/replay-job.ts'
import { buildJob } from './builder/drafts/job.ts'
import { geotiffJob, gridJob } from './exports/grid-jobs.ts'
import type { JobKind } from './jobs/kind.ts'
import { networkJob } from './networks/job.ts'
import { momentJob, replayJob } from './nowcast/replay-job.ts'
import { reprocessingJob } from './reprocessing/job.ts'
import { calibrationJob } from './simulation/calibration/job.ts'
import { multihydro } from './simulation/multihydro.ts'

/** Every kind of long work; a feature adds its line. Threads load this module too. */
export const jobKinds: readonly JobKind[] = [
  multihydro,
  geotiffJob,
  gridJob,
  replayJob,
  momentJob,
  cycleJob,
  networkJob,
  alertReplayJob,
  buildJob,
  reprocessingJob,
  calibrationJob,
] as JobKind[]

export const JOB_KINDS_MODULE = import.meta.url
