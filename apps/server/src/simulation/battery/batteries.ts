import { createHash } from 'node:crypto'
import {
  BATTERY_LIMITS,
  type Battery,
  type BatteryOrder,
  type BatterySummary,
  type SimulationInput,
} from '@radx/contracts'
import { csvText } from '@radx/locale/csv'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Deps } from '../../http/app.ts'
import { NotFound } from '../../http/errors.ts'
import { isOutsideDates, type Session } from '../../http/sessions.ts'
import type { JobRow, JobUser } from '../../jobs/api.ts'
import { isCancelled } from '../../jobs/api.ts'
import { openFileStore } from '../../store/file-store.ts'
import { SimulationFormError } from '../errors.ts'
import { findLuseFile } from '../land-use/luse-files.ts'
import { MULTIHYDRO, type MultihydroResult } from '../multihydro.ts'
import { radarPeriodOf } from '../rain/rain-period.ts'
import { slimInput } from '../runs.ts'
import type { Submissions, Submitter } from '../submissions.ts'

/** What is kept of an order. */
interface About {
  title: string
  catchmentId: string
  rains: string[]
  landUses: { id: string; name: string }[]
}

/** A new form: what an order leaves out is as here. */
const NEW_FORM: Record<string, string> = {
  caseStudyId: '',
  barrier: 'false',
  barrierHeight: '0',
  bassin: 'false',
  bassinDepth: '0',
  greenRoof: 'false',
  soilModule: 'true',
  drainageModule: 'true',
  luseDesc: '',
  rainfallStart: '',
  rainfallEnd: '',
  simulationDuration: '0',
  virtualRainShape: 'simple',
  virtualParam: '{}',
  virtualData: '[]',
}

const RAIN_WITHHELD = 'Pluie hors des dates de votre compte'
const NAME_MAX = 80

/** Orders of every rain on every land use: each run is one like any other, submitted with all the checks of the form. */
export class Batteries {
  private readonly deps: Deps
  private readonly submissions: Submissions

  constructor(deps: Deps, submissions: Submissions) {
    this.deps = deps
    this.submissions = submissions
  }

  /**
   * All runs are checked before any is submitted: one that cannot be refuses the order, naming its rain and land use.
   * @returns the id of the order, that of before where it came with the same key
   * @throws SimulationFormError, Forbidden for rain outside the account's dates, QuotaReached, TooManyBatches
   */
  async order(order: BatteryOrder, by: Submitter, key: string | null): Promise<string> {
    const { rains, landUses } = order
    if (rains.length * landUses.length > BATTERY_LIMITS.runs)
      throw new SimulationFormError(
        'rains',
        `${rains.length} pluies sur ${landUses.length} cartes font ${rains.length * landUses.length} simulations : ${BATTERY_LIMITS.runs} au plus par batterie.`,
      )
    if (new Set(landUses).size < landUses.length)
      throw new SimulationFormError('landUses', 'La même carte est choisie deux fois.')
    const files = await Promise.all(landUses.map((id) => this.landUse(id, order.catchmentId)))
    const named = files.map(({ id, description, is_reference }, k) => ({
      id,
      name:
        description.split('\n')[0].slice(0, NAME_MAX) ||
        (is_reference ? 'Carte d’origine' : `Carte ${k + 1}`),
    }))
    const prepared = []
    for (const rain of rains)
      for (const [k, file] of files.entries()) {
        const fields = new Map(
          Object.entries({
            ...NEW_FORM,
            ...order.fields,
            ...rain.fields,
            title: `${order.title} · ${rain.title} · ${named[k].name}`.slice(0, 200),
            catchmentId: order.catchmentId,
            catchmentDisplay: '',
            luseId: file.id,
            luseIdSource: file.id,
            luseUpdates: '[]',
            luseConfigs: JSON.stringify(file.configs),
          }),
        )
        const one = await this.submissions.prepare(fields, by).catch((error: unknown) => {
          if (!(error instanceof SimulationFormError)) throw error
          throw new SimulationFormError('rains', `${rain.title}, ${named[k].name} : ${error.message}`)
        })
        prepared.push(one.complete)
      }
    const about: About = {
      title: order.title,
      catchmentId: order.catchmentId,
      rains: rains.map(({ title }) => title),
      landUses: named,
    }
    const submission = key === null ? null : { key, hash: hashOf(order) }
    return this.deps.jobs.queue().submitBatch(MULTIHYDRO, { ...about }, prepared, by.user, submission)
  }

  /** Orders of an account, the newest first. */
  async list({ name }: JobUser): Promise<BatterySummary[]> {
    const rows = await this.deps.db
      .selectFrom('job_batch')
      .selectAll()
      .where('kind', '=', MULTIHYDRO)
      .where('username', '=', name)
      .orderBy('created_at', 'desc')
      .limit(200)
      .execute()
    const runs = await this.runsOf(rows.map(({ id }) => id))
    return rows.map((row) => summary(row, runs.get(row.id) ?? []))
  }

  /** An order with its runs, their figures as the reader's dates let them be seen. @throws NotFound, also for somebody else's */
  async get(id: string, user: JobUser, dates: Session['restriction']): Promise<Battery> {
    const row = await this.row(id, user)
    const runs = (await this.runsOf([id])).get(id) ?? []
    const columns = (row.about as About).landUses.length
    return {
      ...summary(row, runs),
      runs: runs.map((run) => {
        const period = radarPeriodOf(run.input)
        const isWithheld = period !== null && isOutsideDates(dates, period.start, period.end)
        const figures = (run.result as MultihydroResult | null)?.figures ?? null
        return {
          jobId: run.id,
          rain: Math.floor(run.batch_place! / columns),
          landUse: run.batch_place! % columns,
          status: run.status,
          cancelled: isCancelled(run),
          error: run.error,
          figures: isWithheld ? null : figures,
          withheld: isWithheld ? RAIN_WITHHELD : null,
        }
      }),
    }
  }

  /** Ends what waits and asks what runs to stop; what is done stays. */
  async cancel(id: string, user: JobUser): Promise<void> {
    await this.row(id, user)
    const queue = this.deps.jobs.queue()
    const runs = (await this.runsOf([id])).get(id) ?? []
    // The last first, so that none of them begins meanwhile.
    for (const run of runs.toReversed()) if (isOpen(run)) await queue.cancel(run.id, user)
  }

  /** Deletes an order with all of its runs. @throws JobUnderWay while one waits or runs */
  async remove(id: string, user: JobUser): Promise<void> {
    await this.row(id, user)
    const queue = this.deps.jobs.queue()
    const files = openFileStore(this.deps.config)
    const runs = (await this.runsOf([id])).get(id) ?? []
    // One that is under way refuses before any is gone.
    for (const run of runs.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a))))
      await queue.remove(run.id, user, files)
    await this.deps.db.deleteFrom('job_batch').where('id', '=', id).execute()
  }

  private async row(id: string, user: JobUser) {
    const row = await this.deps.db
      .selectFrom('job_batch')
      .selectAll()
      .where('id', '=', id)
      .where('kind', '=', MULTIHYDRO)
      .executeTakeFirst()
    if (!row || (row.username !== user.name && !user.isManager))
      throw new NotFound('Cette batterie n’existe pas ou plus.')
    return row
  }

  /** Runs of orders, in the order of their places. */
  private async runsOf(ids: readonly string[]): Promise<Map<string, Run[]>> {
    const runs = new Map<string, Run[]>()
    if (ids.length === 0) return runs
    const rows = await this.deps.db
      .selectFrom('job')
      .select(['id', 'status', 'error', 'result', 'cancel_requested', 'progress_value', 'progress_max'])
      .select(['batch_id', 'batch_place', slimInput.as('input')])
      .where(sql<boolean>`batch_id = any(${[...ids]}::uuid[])`)
      .orderBy('batch_place')
      .execute()
    for (const row of rows) runs.set(row.batch_id!, [...(runs.get(row.batch_id!) ?? []), row])
    return runs
  }

  private async landUse(id: string, catchmentId: string) {
    const file = await findLuseFile(this.deps.db as Kysely<Database>, id).catch(() => null)
    if (!file || file.catchment_id !== catchmentId)
      throw new SimulationFormError('landUses', 'Choisissez des cartes d’occupation des sols de ce bassin.')
    return file
  }
}

type Run = Pick<
  JobRow,
  | 'id'
  | 'status'
  | 'error'
  | 'result'
  | 'cancel_requested'
  | 'progress_value'
  | 'progress_max'
  | 'batch_place'
> & { input: SimulationInput }

const isOpen = ({ status }: Pick<JobRow, 'status'>): boolean => status === 'pending' || status === 'running'

function summary(
  row: { id: string; username: string; about: unknown; created_at: Date },
  runs: readonly Run[],
): BatterySummary {
  const about = row.about as About
  const count = (status: (run: Run) => boolean) => runs.filter(status).length
  const share = (run: Run) =>
    isOpen(run) ? (run.status === 'running' ? run.progress_value / Math.max(1e-9, run.progress_max) : 0) : 1
  const ordered = about.rains.length * about.landUses.length
  const gone = ordered - runs.length
  return {
    id: row.id,
    username: row.username,
    date: row.created_at.toISOString(),
    ...about,
    ordered,
    done: count(({ status }) => status === 'done'),
    failed: count(({ status }) => status === 'error'),
    open: count(isOpen),
    progress: (gone + runs.reduce((sum, run) => sum + share(run), 0)) / ordered,
  }
}

/** SHA-256 of an order, whatever the order of its fields. */
function hashOf({ fields, rains, ...order }: BatteryOrder): string {
  const sorted = (of: Record<string, string>) => Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const told = [order, sorted(fields), rains.map((rain) => [rain.title, sorted(rain.fields)])]
  return createHash('sha256').update(JSON.stringify(told)).digest('hex')
}

const HEAD = [
  ...['pluie', 'carte', 'statut', 'simulation', 'pluie_mm', 'intensite_max_mm_h', 'profondeur_max_m'],
  ...['inonde_10cm_m2', 'inonde_20cm_m2', 'noeuds_debordants', 'volume_deborde_m3', 'troncons_en_charge'],
  ...['debit_max_exutoires_m3_s', 'volume_exutoires_m3', 'infiltre_mm', 'intercepte_mm', 'erreur_bilan'],
]

/** The table of an order: a line a run. */
export function batteryCsv({ rains, landUses, runs }: Battery): string {
  return csvText([
    HEAD,
    ...runs.map(({ rain, landUse, status, cancelled, withheld, jobId, figures }) => {
      const state = withheld ?? (cancelled ? 'cancelled' : status)
      const about = [rains[rain], landUses[landUse].name, state, jobId]
      if (!figures) return [...about, ...HEAD.slice(about.length).map(() => null)]
      const { rainMm, rainPeak, deepest, flooded, sewer, outfallPeak } = figures
      const area = (from: number) => flooded.find(({ fromM }) => fromM === from)?.areaM2 ?? null
      return [
        ...about,
        ...[rainMm, rainPeak?.rateMmH ?? null, deepest?.depthM ?? 0, area(0.1), area(0.2)],
        ...[sewer?.overflowing ?? null, sewer?.overflowM3 ?? null, sewer?.surcharged ?? null],
        ...[outfallPeak?.flowM3S ?? null, sewer?.outfallM3 ?? null],
        ...[figures.infiltratedMm, figures.interceptedMm, figures.relativeError],
      ]
    }),
  ])
}
