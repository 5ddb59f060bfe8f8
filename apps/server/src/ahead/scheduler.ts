import { DEFAULT_USER } from '@radx/contracts'
import type { Deps } from '../http/app.ts'
import { findJob } from '../jobs/api.ts'
import {
  type GridWindow,
  type KeptForecast,
  KeptForecasts,
  type WindowMembers,
  widestFirst,
  windowMembers,
  windowOver,
} from '../nowcast/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Store } from '../store/open-store.ts'
import { ABOUT_VERSION, type CycleAbout } from './about.ts'
import { CYCLE_JOB } from './cycle-job.ts'
import type { Cycle, Cycles } from './cycles.ts'
import { cutWindow, isWet, MOST_UNSEEN, unseenAtWorst, unseenShare } from './rain.ts'
import { SCORED_MIN } from './score.ts'
import { type CycleInput, DRAIN_MIN, RAIN_MIN, type StateResult } from './steps.ts'

/** A state starts anew from a dry town after so long without rain, ms. */
const DRY_MS = 12 * 3_600_000
/** A state that nobody carried on for so long is given up, ms. */
const LOST_MS = 6 * 3_600_000
/** A new state begins with the rain of so long, ms. */
const WARM_UP_MS = 3 * 3_600_000
/** A state's clock is counted in seconds since its start, and counts well for months, ms. */
const OLDEST_EPOCH_MS = 60 * 86_400_000
/** A frame that is older gets no cycle, ms. */
const OLD_MS = 30 * 60_000
/** Members of the nowcast that do not come are not waited for any longer, ms. */
const MEMBERS_MS = 150_000
/** A cycle that takes longer ends, ms. */
const LONGEST_MS = 10 * 60_000

export interface LiveCatchment {
  id: string
  hash: string
  summary: { corners: Record<'sw' | 'se' | 'ne' | 'nw', [number, number]> }
}

/** Brings cycles forward, one step at a time; everything it knows is in the database, so that another process can go on. */
export class Scheduler {
  private readonly deps: Deps
  private readonly store: Store
  private readonly cycles: Cycles
  private readonly kept: KeptForecasts
  private looked: { key: string; lastMs: Promise<number | null> } | null = null

  constructor(deps: Deps, store: Store, cycles: Cycles) {
    this.deps = deps
    this.store = store
    this.cycles = cycles
    this.kept = new KeptForecasts(deps.db, store.frames)
  }

  /** @param waits whether a new cycle is put off */
  async round(catchment: LiveCatchment, waits: boolean): Promise<void> {
    const open = await this.cycles.open(catchment.id)
    if (open) await this.advance(open, catchment)
    else if (!waits) await this.begin(catchment)
  }

  /** Ends what is under way where the forecast was switched off, and leaves its jobs undone. */
  async endStopped(): Promise<void> {
    for (const cycle of await this.cycles.stopped()) await this.fail(cycle, 'La prévision a été arrêtée.')
  }

  private async begin(catchment: LiveCatchment): Promise<void> {
    const live = await this.newest(catchment)
    if (!live) return
    const { product, row, before, told, isLost, isWhole } = live
    const issuedMs = row.issued.getTime()
    const place = this.placeOf(catchment, product)
    if (!place) return
    const members =
      row.members > 0 ? await windowMembers(this.store.frames, product, row, catchment.id) : null
    // The switch came after that forecast: the next one has them.
    if (row.members > 0 && members === null) return
    const goesOn = before !== undefined && !isLost && canGoOn(before, catchment.hash, issuedMs)
    const sinceMs = goesOn ? before.issued.getTime() : issuedMs - WARM_UP_MS
    const wetMs = await this.lastWetOnce(product, place, sinceMs, issuedMs)
    const lastWetMs = wetMs ?? (goesOn ? (before.last_wet?.getTime() ?? null) : null)
    const comes = members !== null && isWet(members.codes)
    const common = {
      catchment_id: catchment.id,
      issued: row.issued,
      catchment_hash: catchment.hash,
      skipped: told ? await this.between(product, told.issued, row.issued) : 0,
      last_wet: lastWetMs === null ? null : new Date(lastWetMs),
      began_at: new Date(this.deps.clock.now()),
    }
    const isDry = lastWetMs === null || lastWetMs < issuedMs - DRY_MS
    // Whether a dry town stays dry is for the members to say. The state of a wet one is carried on while they are made.
    if (isDry && !isWhole) return
    if (isDry && !comes && (await this.isClear(product, place, row, members))) {
      await this.cycles.begin({
        ...common,
        ...{ epoch: row.issued, status: 'done', dry: true, last_wet: null },
        ...{ finished_at: new Date(this.deps.clock.now()), about: JSON.stringify(NOTHING) },
      })
      return
    }
    // Of a dry state there is no file: it starts with the rain.
    const from = goesOn && before.state_job !== null && !before.dry
    const epoch = from ? before.epoch : new Date(goesOn ? before.issued.getTime() : sinceMs)
    await this.cycles.begin({ ...common, epoch, status: 'state' })
  }

  /** The newest forecast of rain that has no cycle yet. */
  private async newest({ id }: LiveCatchment) {
    const now = this.deps.clock.now()
    const last = await this.cycles.newest(id)
    const isLost = last?.status === 'failed' && last.state_job === null
    for (const product of widestFirst(this.store)) {
      const newestMs = await this.kept.newest(product, now - OLD_MS)
      if (newestMs === null) continue
      if (last && last.issued.getTime() >= newestMs) return null
      const row = await this.kept.find(product, newestMs)
      if (!row) return null
      const [before, told] = [await this.cycles.newestState(id), await this.cycles.newestDone(id)]
      return { product, row, isLost, isWhole: this.isWhole(row), before, told }
    }
    return null
  }

  /** Whether a forecast of rain has its members, or is to go without them. */
  private isWhole(row: KeptForecast): boolean {
    const made = row.members > 0 || row.reason !== null || row.leads.length === 0
    if (made || this.deps.site.nowcast.members === 0) return true
    return this.deps.clock.now() - row.made_at.getTime() >= MEMBERS_MS
  }

  private placeOf({ summary }: LiveCatchment, product: StoredProduct) {
    const corners = Object.values(summary.corners)
    const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)]
    return windowOver(product, {
      ul: { lat: Math.max(...lats), lng: Math.min(...lngs) },
      lr: { lat: Math.min(...lats), lng: Math.max(...lngs) },
    })
  }

  /** Whether it was seen that no rain is over a place, and that none comes. Without a forecast nobody knows. */
  private async isClear(
    product: StoredProduct,
    place: GridWindow,
    { reason, issued }: KeptForecast,
    members: WindowMembers | null,
  ): Promise<boolean> {
    if (reason === null) return members !== null && unseenAtWorst(members, RAIN_MIN) <= MOST_UNSEEN
    if (reason !== 'dry') return false
    const span = { startMs: issued.getTime(), endMs: issued.getTime() + 1 }
    const places = await this.store.index.places(product, span)
    for await (const codes of this.store.index.codes(product, places)) {
      // Null is dry all over.
      if (!codes) return true
      const rows = cutWindow(codes, place, product.steps)
      return rows.reduce((sum, row) => sum + unseenShare(row), 0) / rows.length <= MOST_UNSEEN
    }
    return false
  }

  /** `lastWet`, kept while the members of a forecast are waited for. */
  private lastWetOnce(...of: Parameters<Scheduler['lastWet']>): Promise<number | null> {
    const [{ shortName }, place, ...times] = of
    const key = JSON.stringify([shortName, place, ...times])
    if (this.looked?.key !== key) this.looked = { key, lastMs: this.lastWet(...of) }
    return this.looked.lastMs
  }

  /** The last frame of (since, until] with rain over a window; dry frames cost nothing. */
  private async lastWet(
    product: StoredProduct,
    place: GridWindow,
    sinceMs: number,
    untilMs: number,
  ): Promise<number | null> {
    const places = await this.store.index.places(product, { startMs: sinceMs + 1, endMs: untilMs + 1 })
    let last: number | null = null
    let k = 0
    for await (const codes of this.store.index.codes(product, places)) {
      const { timeMs } = places[k++]
      if (codes && cutWindow(codes, place, product.steps).some(isWet)) last = timeMs
    }
    return last
  }

  private async between(product: StoredProduct, after: Date, before: Date): Promise<number> {
    return this.store.index.count(product, { startMs: after.getTime() + 1, endMs: before.getTime() })
  }

  private async advance(cycle: Cycle, catchment: LiveCatchment): Promise<void> {
    try {
      if (this.deps.clock.now() - cycle.began_at.getTime() > LONGEST_MS)
        return await this.fail(cycle, 'Le calcul a pris trop longtemps et a été abandonné.')
      if (cycle.status === 'state') await this.state(cycle)
      else if (cycle.status === 'members') await this.members(cycle)
      else await this.gather(cycle, catchment)
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error
      await this.fail(cycle, error.message)
    }
  }

  private async state(cycle: Cycle): Promise<void> {
    if (cycle.state_job !== null) {
      const result = await this.ended<StateResult>(cycle.state_job)
      if (result) await this.cycles.set(cycle.id, { status: 'members', missing_share: result.missingShare })
      return
    }
    const before = await this.cycles.newestState(cycle.catchment_id)
    const goesOn = before?.state_job && before.epoch.getTime() === cycle.epoch.getTime() && !before.dry
    const from = goesOn ? { job: before.state_job!, issued: before.issued.toISOString() } : null
    const scored = await this.scored(cycle)
    const id = (await this.step(cycle, 'state', { step: 'state', from, scored })).id
    await this.cycles.set(cycle.id, { state_job: id })
  }

  private async members(cycle: Cycle): Promise<void> {
    if (cycle.member_jobs.length > 0) {
      const results = await Promise.all(cycle.member_jobs.map((id) => this.ended(id)))
      if (results.every((result) => result !== null)) await this.cycles.set(cycle.id, { status: 'gather' })
      return
    }
    const row = await this.nowcastOf(cycle)
    if (row && !this.isWhole(row.row)) return
    // Members of a forecast without rain are all the same.
    const count = 1 + (row ? await this.membersOf(cycle, row) : 0)
    const jobs: string[] = []
    for (const [first, end] of batchesOf(count)) {
      const job = await this.step(cycle, `members ${first}`, {
        ...{ step: 'members', stateJob: cycle.state_job!, first, end },
      })
      jobs.push(job.id)
    }
    await this.cycles.set(cycle.id, { member_jobs: jobs, members: count - 1 })
  }

  private async membersOf(cycle: Cycle, { row, product }: NowcastRow): Promise<number> {
    if (row.members === 0) return 0
    const members = await windowMembers(this.store.frames, product, row, cycle.catchment_id)
    return members && isWet(members.codes) ? members.members : 0
  }

  private async gather(cycle: Cycle, catchment: LiveCatchment): Promise<void> {
    if (cycle.result_job !== null) {
      const about = await this.ended<CycleAbout>(cycle.result_job)
      if (about)
        await this.cycles.set(cycle.id, {
          status: 'done',
          about: JSON.stringify(about),
          finished_at: new Date(this.deps.clock.now()),
        })
      return
    }
    const row = await this.nowcastOf(cycle)
    const leads = row?.row.leads.filter((lead) => lead <= RAIN_MIN) ?? []
    const rainUntil = new Date(cycle.issued.getTime() + 60_000 * (leads.at(-1) ?? 0)).toISOString()
    const state = await this.ended<StateResult>(cycle.state_job!)
    const job = await this.step(cycle, 'gather', {
      ...{ step: 'gather', stateJob: cycle.state_job!, memberJobs: cycle.member_jobs },
      ...{ rainUntil, method: state?.method ?? 'raw', alike: await this.alike(cycle, catchment, row) },
    })
    await this.cycles.set(cycle.id, { result_job: job.id })
  }

  /** Whether a cycle has no members because it was seen that none of them would bring rain. */
  private async alike(cycle: Cycle, catchment: LiveCatchment, found: NowcastRow | null): Promise<boolean> {
    if (cycle.members > 0 || !found) return false
    const { row, product } = found
    const place = this.placeOf(catchment, product)
    const members =
      row.members > 0 ? await windowMembers(this.store.frames, product, row, cycle.catchment_id) : null
    if (!place || (members && isWet(members.codes))) return false
    return this.isClear(product, place, row, members)
  }

  /** The job of a step, made once however often it is asked for. */
  private async step(cycle: Cycle, key: string, of: OwnInput): Promise<{ id: string }> {
    const input = {
      catchmentId: cycle.catchment_id,
      catchmentHash: cycle.catchment_hash,
      product: (await this.nowcastOf(cycle))?.product.shortName ?? this.deps.site.defaultProduct,
      issued: cycle.issued.toISOString(),
      until: new Date(cycle.issued.getTime() + (RAIN_MIN + DRAIN_MIN) * 60_000).toISOString(),
      epoch: cycle.epoch.toISOString(),
      ...of,
    }
    const submission = { key: `${cycle.id} ${key}`, hash: cycle.id }
    return this.deps.jobs.queue().submit(CYCLE_JOB, input, USER, submission)
  }

  /** What a job made; null while it goes on. @throws StepFailed */
  private async ended<T = object>(id: string): Promise<T | null> {
    const row = await findJob(this.deps.db, id)
    if (!row) throw new StepFailed('Une étape du calcul a été supprimée.')
    if (row.status === 'error') throw new StepFailed(row.error ?? 'Une étape du calcul a échoué.')
    return row.status === 'done' ? (row.result as T) : null
  }

  private async fail(cycle: Cycle, reason: string): Promise<void> {
    for (const id of [cycle.state_job, ...cycle.member_jobs, cycle.result_job])
      if (id !== null)
        await this.deps.jobs
          .queue()
          .cancel(id, USER)
          .catch(() => undefined)
    const finished_at = new Date(this.deps.clock.now())
    // A state that could not be carried on is not tried again: the next cycle begins anew.
    const lost = cycle.status === 'state' && { state_job: null }
    await this.cycles.set(cycle.id, { status: 'failed', reason, finished_at, ...lost })
    this.deps.log.warn({ catchment: cycle.catchment_id, reason }, "Prévision d'inondation abandonnée")
  }

  /** Forecasts that this frame can be held against. */
  private async scored(cycle: Cycle) {
    const at = cycle.issued.getTime()
    const from = new Date(at - 65 * 60_000)
    const rows = await this.cycles.between(cycle.catchment_id, from, cycle.issued, 40)
    return SCORED_MIN.flatMap((lead) => {
      const near = rows
        .filter(({ status, dry, state_job }) => status === 'done' && !dry && state_job !== null)
        .map((row) => ({ row, off: Math.abs((at - row.issued.getTime()) / 60_000 - lead) }))
        .sort((a, b) => a.off - b.off)[0]
      if (!near || near.off >= 2 || near.row.result_job === null) return []
      const { issued, result_job, state_job } = near.row
      return [{ issued: issued.toISOString(), job: result_job, stateJob: state_job! }]
    })
  }

  private async nowcastOf({ issued }: Cycle): Promise<NowcastRow | null> {
    for (const product of widestFirst(this.store)) {
      const row = await this.kept.find(product, issued.getTime())
      if (row) return { row, product }
    }
    return null
  }
}

interface NowcastRow {
  row: KeptForecast
  product: StoredProduct
}
type OwnKeys = 'catchmentId' | 'catchmentHash' | 'product' | 'issued' | 'until' | 'epoch'
type Own<T> = T extends unknown ? Omit<T, OwnKeys> : never
type OwnInput = Own<CycleInput>

class StepFailed extends Error {}

/**
 * Parts of the members, [first, end), each one smaller than the one before: two workers that share them, or four, end at nearly the
 * same time, and there are few, since a job begins with a second and a half of processor.
 */
export function batchesOf(count: number): [number, number][] {
  const batches: [number, number][] = []
  for (let first = 0; first < count; first = batches[batches.length - 1][1])
    batches.push([first, first + Math.ceil((Math.sqrt(8 * (count - first) + 1) - 1) / 2)])
  return batches
}

const USER = { name: DEFAULT_USER, isManager: true }

/** Whether a state can be carried on to a frame. */
const canGoOn = ({ catchment_hash, issued, epoch }: Cycle, hash: string, atMs: number): boolean =>
  catchment_hash === hash && atMs - issued.getTime() <= LOST_MS && atMs - epoch.getTime() <= OLDEST_EPOCH_MS

/** A dry town under a dry sky. */
const NOTHING: CycleAbout = {
  version: ABOUT_VERSION,
  ...{ alike: false, times: [], rainUntil: null, unknownShare: [], rainMmH: [], method: null },
  ...{ watch: [], counts: [], links: [], nodes: [], worst: [], depthEnds: [], networkEnds: [] },
}
