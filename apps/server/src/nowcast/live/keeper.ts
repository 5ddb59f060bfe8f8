import { keepDoing } from '../../background.ts'
import type { Deps, RegisterFeature } from '../../http/app.ts'
import { keepInOneProcess } from '../../one-process.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { FramePlace } from '../../store/frame-reader.ts'
import { type Store, storeOf } from '../../store/open-store.ts'
import { KeptForecasts } from '../kept/kept-forecasts.ts'
import { pruneForecasts, sweepForecasts } from '../kept/prune.ts'
import { leadsOf } from '../made/issue.ts'
import { LOOK_BACK_MIN } from '../made/pictures.ts'
import { widestFirst } from '../products.ts'
import { ScoreStore } from '../scores/score-store.ts'

import { Forecaster } from './forecaster.ts'

const PAUSE_MS = 500
const PRUNE_EVERY_MS = 3_600_000
/** Frames up to this much older than the newest are made up for, when several came at once; older ones are history. */
const LATE_MS = 15 * 60_000
/** A radar that was silent for longer has no live forecast. */
const OLDEST_MS = 30 * 60_000

/** Makes a forecast after each frame of the widest product and scores those made for it, in one process. */
export const keepForecasts: RegisterFeature = (app, deps) => {
  keepInOneProcess(app, deps, 'nowcast', (signal) => keep(deps, signal))
}

async function keep(deps: Deps, signal: AbortSignal): Promise<void> {
  await deps.database.whenReady()
  const store = await storeOf(deps)
  const cycle = new ForecastCycle(deps, store)
  // Members take many seconds, and nobody who stops the program waits for them: they are made anew.
  signal.addEventListener('abort', () => void cycle.close(), { once: true })
  let prunedMs = 0
  try {
    await keepDoing(
      async () => {
        await cycle.round(signal)
        const now = deps.clock.now()
        if (now - prunedMs < PRUNE_EVERY_MS) return
        await pruneForecasts(deps, store, false)
        await sweepForecasts(deps, store)
        prunedMs = now
      },
      {
        signal,
        pauseMs: PAUSE_MS,
        log: deps.log,
        failed: "La prévision n'a pas pu être faite",
        excuse: () => deps.database.unavailable(),
      },
    )
  } finally {
    await cycle.close()
  }
}

/** What follows a frame: the forecast, the members, the scores of those before. */
export class ForecastCycle {
  private readonly deps: Pick<Deps, 'site' | 'db' | 'clock'>
  private readonly store: Store
  private readonly kept: KeptForecasts
  private readonly scores: ScoreStore
  private readonly forecaster: Forecaster
  private readonly leads: number[]

  constructor(deps: Pick<Deps, 'config' | 'site' | 'db' | 'clock'>, store: Store) {
    this.deps = deps
    this.store = store
    this.kept = new KeptForecasts(deps.db, store.frames)
    this.scores = new ScoreStore(deps.db)
    this.forecaster = new Forecaster(deps.config, deps.db)
    this.leads = leadsOf(deps.site.nowcast)
  }

  close(): Promise<void> {
    return this.forecaster.close()
  }

  /** Follows the newest frame of the widest product, then those that came with it. */
  async round(signal: AbortSignal): Promise<void> {
    const live = await this.live()
    if (!live) return
    const { product, newestMs } = live
    const waiting = await this.waiting(product, newestMs)
    for (const timeMs of waiting) {
      if (signal.aborted) return
      await this.follow(product, timeMs, timeMs === newestMs)
      // A newer frame comes first.
      if ((await this.store.index.latest(product)) !== newestMs) return
    }
  }

  /** The widest product with a frame of late. */
  private async live(): Promise<{ product: StoredProduct; newestMs: number } | null> {
    const fromMs = this.deps.clock.now() - OLDEST_MS
    for (const product of widestFirst(this.store)) {
      const newestMs = await this.store.index.latest(product)
      if (newestMs !== null && newestMs >= fromMs) return { product, newestMs }
    }
    return null
  }

  /** @param withMembers false leaves the ensemble out: nobody looks at the probabilities of a frame that came late */
  async follow(product: StoredProduct, timeMs: number, withMembers: boolean): Promise<void> {
    const places = await this.places(product, timeMs)
    if (places.at(-1)?.timeMs !== timeMs) return
    const saved = await this.forecaster.pictures(product, this.store.catalog.zones, places, this.leads)
    await this.kept.savePictures(product, timeMs, saved)
    // Floods are forecast from the members; scores can wait.
    if (withMembers && saved.reason === null) await this.members(product, timeMs, places, saved.leadsMin)
    await this.score(product, timeMs)
  }

  /**
   * Makes what is not kept of the forecast of one frame, and scores nothing: most forecasts that were made for it may be
   * gone, and what they were worth stands.
   * @returns false where that frame is not there
   */
  async remake(
    product: StoredProduct,
    timeMs: number,
    withMembers: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const places = await this.places(product, timeMs)
    if (places.at(-1)?.timeMs !== timeMs) return false
    const row = await this.kept.find(product, timeMs)
    if (row && (!withMembers || row.members > 0 || row.reason !== null)) return true
    const saved = await this.forecaster.pictures(product, this.store.catalog.zones, places, this.leads)
    signal.throwIfAborted()
    await this.kept.savePictures(product, timeMs, saved)
    signal.throwIfAborted()
    if (withMembers && saved.reason === null) await this.members(product, timeMs, places, saved.leadsMin)
    return true
  }

  private async members(
    product: StoredProduct,
    timeMs: number,
    places: FramePlace[],
    pictureLeads: number[],
  ): Promise<void> {
    const { members } = this.deps.site.nowcast
    const { zones } = this.store.catalog
    const leads = { leadsMin: this.leads, pictureLeads }
    const made = await this.forecaster.members(product, zones, places, leads, members)
    if (made) await this.kept.saveMembers(product, timeMs, made)
  }

  private async score(product: StoredProduct, timeMs: number): Promise<void> {
    const { stepMinutes } = this.deps.site.nowcast
    const farthestMs = (this.leads[this.leads.length - 1] + stepMinutes) * 60_000
    const rows = await this.kept.between(product, timeMs - farthestMs, timeMs)
    if (rows.length === 0) return
    const places = await this.store.index.places(product, {
      startMs: rows[0].issued.getTime(),
      endMs: timeMs + 1,
    })
    const at = new Map(places.map((place) => [place.timeMs, place]))
    const frame = at.get(timeMs)
    if (!frame) return
    const forecasts = rows.flatMap((row) => {
      const last = at.get(row.issued.getTime())
      return last ? [{ row, last }] : []
    })
    const sums = await this.forecaster.scores(product, frame, forecasts, stepMinutes)
    await this.scores.save(product, timeMs, sums)
  }

  /** Frames without a row, the newest first. */
  private async waiting(product: StoredProduct, newestMs: number): Promise<number[]> {
    const rows = await this.deps.db
      .selectFrom('radar_frame as f')
      .leftJoin('nowcast as n', (join) =>
        join.onRef('n.product_id', '=', 'f.product_id').onRef('n.issued', '=', 'f.time'),
      )
      .select('f.time')
      .where('f.product_id', '=', product.id)
      .where('f.time', '>', new Date(newestMs - LATE_MS))
      .where('n.issued', 'is', null)
      .orderBy('f.time', 'desc')
      .execute()
    return rows.map(({ time }) => time.getTime())
  }

  private places(product: StoredProduct, timeMs: number) {
    return this.store.index.places(product, { startMs: timeMs - LOOK_BACK_MIN * 60_000, endMs: timeMs + 1 })
  }
}
