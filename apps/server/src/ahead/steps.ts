import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdjustedAtSource, RainMethod, Site } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { type JobContext, jobOutput } from '../jobs/api.ts'
import { CatchmentLibrary, type CatchmentPackage, type LiveSetup } from '../simulation/api.ts'
import { checkFolder } from '../store/folder-checksums.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import type { Store } from '../store/open-store.ts'

interface OfCycle {
  catchmentId: string
  catchmentHash: string
  product: string
  /** The frame that the cycle follows, and the last moment that it tells of. */
  issued: string
  until: string
  /** Start of the run that the state is of. */
  epoch: string
}

/** A forecast that can be held against this state. */
interface Scored {
  issued: string
  job: string
  stateJob: string
}

export type CycleInput = OfCycle &
  (
    | { step: 'state'; from: { job: string; issued: string } | null; scored: Scored[] }
    | { step: 'members'; stateJob: string; first: number; end: number }
    | {
        step: 'gather'
        stateJob: string
        memberJobs: string[]
        rainUntil: string
        method: RainMethod
        alike: boolean
      }
  )
export type InputOf<Step extends CycleInput['step']> = Extract<CycleInput, { step: Step }>

export interface StateResult {
  missingShare: number
  method: RainMethod
  adjusted: AdjustedAtSource
  /** The last wet picture of the period, ms; null when it was dry. */
  lastWetMs: number | null
}
export type StepResult = object

/** What a step has beside what every job has. */
export type StepContext = Omit<JobContext<CycleInput>, 'input'> & {
  input: CycleInput
  db: Kysely<Database>
  store: Store
  site: Site
}

/** From one moment that is looked at to the next, s. */
export const EVERY_S = 300
/** Rain is forecast for so long at most, and drains for so long after it, min. */
export const RAIN_MIN = 60
export const DRAIN_MIN = 60

const KEPT_PACKAGES = 3

/** The engine of live forecasts: local inertia, soil and drainage on, the catchment's own land use. */
export const liveSetup = (catchment: CatchmentPackage): LiveSetup => ({
  catchment,
  options: { soil: true, drainage: true },
  scheme: 'inertial',
})

/** Packages that stay in this thread, by their hashes. */
const packages = new Map<string, CatchmentPackage>()

/** @throws CatchmentNotFound, CatchmentVersionGone, CatchmentDamaged */
export async function catchmentOf(
  { db, config }: Pick<StepContext, 'db' | 'config'>,
  { catchmentId, catchmentHash }: OfCycle,
): Promise<CatchmentPackage> {
  const known = packages.get(catchmentHash)
  if (known) return known
  const read = await new CatchmentLibrary(db, config).version(catchmentId, catchmentHash)
  if (packages.size >= KEPT_PACKAGES) packages.clear()
  packages.set(catchmentHash, read)
  return read
}

export const sinceEpochS = ({ epoch }: Pick<OfCycle, 'epoch'>, instant: string): number =>
  (Date.parse(instant) - Date.parse(epoch)) / 1000

/** A file that another step left. @throws StoreCorruptError when it is gone */
export async function fileOf(
  { store }: Pick<StepContext, 'store'>,
  job: string,
  name: string,
): Promise<Buffer> {
  const dir = await store.files.folder(jobOutput(job))
  if (dir === null) throw new StoreCorruptError(`étape ${job} absente`)
  await checkFolder(dir, [name])
  return readFile(join(dir, name))
}
