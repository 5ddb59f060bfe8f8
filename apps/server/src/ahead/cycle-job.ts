import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import type { JobContext, JobKind } from '../jobs/api.ts'
import { createLogger } from '../log.ts'
import { openStore } from '../store/open-store.ts'
import { gather } from './gather.ts'
import { runMembersOf } from './members.ts'
import { carryState } from './state.ts'
import type { CycleInput, StepContext, StepResult } from './steps.ts'

export const CYCLE_JOB = 'flood-cycle'

/** A step of a cycle: any worker takes it, and another one when that dies. */
export const cycleJob: JobKind<CycleInput, StepResult> = {
  name: CYCLE_JOB,
  // Those of all catchments together, all in the program's own name.
  perUser: 1_000,
  timeoutSeconds: 600,
  memoryMb: 2_000,
  visibility: 'owner',
  // The town waits for the members, and another frame comes soon.
  everyCore: true,
  // Until the next frame's: program, package and engine are there then.
  staysSeconds: 240,
  radarPeriod: ({ issued, until }) => ({ start: new Date(issued), end: new Date(until) }),
  run,
}

export function runStep(context: StepContext): Promise<StepResult> {
  const { input } = context
  if (input.step === 'state') return carryState(context, input)
  if (input.step === 'members') return runMembersOf(context, input)
  return gather(context, input)
}

async function run(context: JobContext<CycleInput>): Promise<StepResult> {
  const { config, input } = context
  const { site, catchments } = await loadSite(config.siteDir, config.demo)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  const store = await openStore({ db: database.db, config, site, catchments })
  try {
    return await runStep({ ...context, input, db: database.db, store, site })
  } finally {
    await store.threads.close()
    await database.close()
  }
}
