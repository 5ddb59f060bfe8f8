import type { Reprocessed } from '@radx/contracts'
import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import { findJob, type JobContext, type JobKind } from '../jobs/api.ts'
import { createLogger } from '../log.ts'
import { openStore } from '../store/open-store.ts'
import { reprocess } from './reprocess.ts'
import type { Making } from './under-way.ts'

export const REPROCESSING_JOB = 'reprocessing'

export type ReprocessingInput = Omit<Making, 'jobId'>

/** Kept volumes of a period through the chain again, by other settings, into a product of its own. */
export const reprocessingJob: JobKind<ReprocessingInput, Reprocessed> = {
  name: REPROCESSING_JOB,
  perUser: 1,
  // The queue allows no more than a day.
  timeoutSeconds: 12 * 3_600,
  memoryMb: 1_000,
  visibility: 'owner',
  radarPeriod: ({ start, end }) => ({ start: new Date(start), end: new Date(end) }),
  run,
}

async function run(context: JobContext<ReprocessingInput>): Promise<Reprocessed> {
  const { config, input, jobId, signal, progress, log } = context
  const { site, catchments } = await loadSite(config.siteDir, config.demo)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 4 })
  const { db } = database
  try {
    const store = await openStore({ db, config, site, catchments })
    try {
      // Whoever stops a server lets the job go on later.
      const goesOn = async () => (await findJob(db, jobId))?.cancel_requested === false
      return await reprocess({ config, site, store, signal, progress, log, goesOn }, { ...input, jobId })
    } finally {
      await store.threads.close()
    }
  } finally {
    await database.close()
  }
}
