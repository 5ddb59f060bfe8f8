import type { SavedEvent, SavedEventBody } from '@radx/contracts'
import { cumulate, representativeness } from '@radx/rainfall'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Deps } from '../http/app.ts'
import type { Place } from '../http/page.ts'
import { holdQuota, oneAtATime } from '../http/quota.ts'
import type { Session } from '../http/sessions.ts'
import type { Span } from '../store/frame-index.ts'
import { movedCumul } from '../store/moved/moved-rain.ts'
import { storeOf } from '../store/open-store.ts'
import { EventChanged, EventNotFound, LoneSubcatchment, UnknownSelection } from './errors.ts'
import {
  type Cumul,
  countEvents,
  deleteEvent,
  findEvent,
  insertEvent,
  keepCumul,
  listEvents,
  type NewEvent,
  type Row,
  toSavedEvent,
  updateEvent,
} from './queries.ts'

/** Saved events of one user; nobody sees those of another. */
export class Events {
  private readonly deps: Deps

  constructor(deps: Deps) {
    this.deps = deps
  }

  /** @returns up to `limit + 1` events after a place, with their own */
  async list(
    { name, restriction }: Session,
    after: Place | null,
    limit: number,
  ): Promise<(Place & { item: SavedEvent })[]> {
    const rows = await listEvents(this.deps.db, name, after, limit)
    const cumuls = await this.stale(rows)
    return rows.map((row) => ({
      id: row.id,
      micros: row.micros,
      item: toSavedEvent({ ...row, ...cumuls.get(row.id) }, restriction),
    }))
  }

  /** @throws QuotaReached */
  async create(username: string, body: SavedEventBody): Promise<SavedEvent> {
    const { db, config } = this.deps
    const limits = { count: config.quotas.events, bytes: Number.POSITIVE_INFINITY }
    const hold = async (trx: Kysely<Database>) =>
      holdQuota('évènement', { count: await countEvents(trx, username), bytes: 0 }, limits)
    await hold(db)
    const row = await this.row(username, body)
    return db.transaction().execute(async (trx) => {
      await oneAtATime(trx, 'event', username)
      await hold(trx)
      // Its period was held against the dates before.
      return toSavedEvent(await insertEvent(trx, row), null)
    })
  }

  /** @throws EventNotFound, EventChanged when it was edited elsewhere since `body.version` */
  async update(username: string, id: string, body: SavedEventBody): Promise<SavedEvent> {
    const row = await updateEvent(this.deps.db, id, await this.row(username, body), body.version)
    if (row) return toSavedEvent(row, null)
    throw (await findEvent(this.deps.db, username, id)) ? new EventChanged() : new EventNotFound()
  }

  /** @throws EventNotFound */
  async remove(username: string, id: string): Promise<void> {
    if (!(await deleteEvent(this.deps.db, username, id))) throw new EventNotFound()
  }

  private async row(username: string, body: SavedEventBody): Promise<NewEvent> {
    const { catchments } = this.deps
    const catchment = body.catchment?.catchment ?? null
    const subcatchment = body.catchment?.subcatchment ?? null
    if (catchment === null && subcatchment !== null) throw new LoneSubcatchment(subcatchment)
    if (catchment !== null && !catchments.find(catchment, subcatchment))
      throw new UnknownSelection('catchment', subcatchment ?? catchment)
    const start = new Date(body.selectionDates.start)
    const end = new Date(body.selectionDates.end)
    return {
      username,
      title: body.title,
      product: body.product,
      period_start: start,
      period_end: end,
      catchment,
      subcatchment,
      ...(await this.cumul(body.product, start, end, subcatchment ?? catchment)),
      comment: body.comment,
    }
  }

  /**
   * Makes the cumuls again that the analysis page shows otherwise by now: a frame of the period came late, or the rain
   * between its frames has been followed, or is to be followed anew. One whose frames or catchment are gone stays.
   * @returns those that were made, by event
   */
  private async stale(rows: readonly Row[]): Promise<Map<string, Cumul>> {
    const { catalog, moved } = await storeOf(this.deps)
    const known = rows.flatMap((row) => {
      const product = catalog.products.get(row.product)
      const zone = row.subcatchment ?? row.catchment
      if (!product || zone === null || catalog.ordinalOf(zone) === undefined) return []
      return [{ row, zone, product, span: spanOf(row.period_start, row.period_end) }]
    })
    const frames = await moved.framesIn(known)
    const made = new Map<string, Cumul>()
    for (const [k, { row, zone }] of known.entries()) {
      const { all, followed } = frames[k]
      const method = followed === all ? 'moved' : 'raw'
      if (all === 0 || (row.cumul_frames === all && row.cumul_method === method)) continue
      const cumul = await this.cumul(row.product, row.period_start, row.period_end, zone)
      await keepCumul(this.deps.db, row, cumul)
      made.set(row.id, cumul)
    }
    return made
  }

  /** Cumul in mm of a catchment's mean over a period; null without a catchment or without any frame. */
  private async cumul(productName: string, start: Date, end: Date, zone: string | null): Promise<Cumul> {
    const none = { cumul_mm: null, cumul_method: null, cumul_frames: null }
    const { index, catalog } = await storeOf(this.deps)
    const product = catalog.products.get(productName)
    if (!product) throw new UnknownSelection('product', productName)
    if (zone === null) return none
    const span = spanOf(start, end)
    const frames = await index.summaries(product, span, zone)
    if (frames.length === 0) return none
    const moved = movedCumul(product, frames, span, 'catchment')
    if (moved) return { cumul_mm: moved.totalMm, cumul_method: 'moved', cumul_frames: frames.length }
    const time = representativeness(
      frames.map((f) => f.timeMs),
      span,
      product.frameSeconds,
    )
    const means = frames.map((f) => f.catchment?.mean ?? null)
    return { cumul_mm: cumulate(means, time).totalMm, cumul_method: 'raw', cumul_frames: frames.length }
  }
}

const spanOf = (start: Date, end: Date): Span => ({ startMs: start.getTime(), endMs: end.getTime() })
