import { setTimeout as sleep } from 'node:timers/promises'
import { keepDoing } from '../background.ts'
import type { Deps, RegisterFeature } from '../http/app.ts'
import { keepInOneProcess } from '../one-process.ts'
import { compactDays, type PackOwner } from './compaction.ts'
import { type Store, storeOf } from './open-store.ts'

/** A day that is under way gets new tiles when this many frames wait; what waits is read from the packs. */
const TILE_FRAMES = 32
/** As many as that are not left to the packs, whatever comes next. */
const TILE_FRAMES_AT_ONCE = 256
const TILE_PAUSE_MS = 5_000
const MOVE_PAUSE_MS = 1_000
/**
 * Rest after rain was followed, in times of the work: an archive that is filled, and who looks at it, come first. In a
 * demonstration its 30 days can wait longer, as the machine is somebody's laptop.
 */
const MOVE_REST = { archive: 1, demoArchive: 19 }
const DAY_MS = 24 * 3_600_000
const COMPACT_PAUSE_MS = 10 * 60_000

/**
 * Upkeep of the store, in one process however many serve.
 * @param owners whose files lie beside the frames
 */
export const keepStoreUp =
  (owners: readonly PackOwner[]): RegisterFeature =>
  (app, deps) => {
    keepInOneProcess(app, deps, 'store', (signal) => keepStore(deps, owners, signal))
  }

/** Keeps the store in shape, in one process: pixel tiles, rain moved between frames, days that are over gathered. */
async function keepStore(deps: Deps, owners: readonly PackOwner[], signal: AbortSignal): Promise<void> {
  await deps.database.whenReady()
  const store = await storeOf(deps)
  await Promise.all([
    keepTiles(store, deps, signal),
    deps.config.followsRain ? keepMoved(store, deps, signal) : undefined,
    keepCompact(store, deps, owners, signal),
  ])
}

async function keepCompact(
  store: Store,
  { clock, log, database, db }: Deps,
  owners: readonly PackOwner[],
  signal: AbortSignal,
) {
  const round = async () => {
    const gathered = await compactDays(db, store.frames, owners, clock.now(), signal)
    if (gathered.length > 0) log.info({ files: gathered.length }, 'Images des jours achevés regroupées')
  }
  await keepDoing(round, {
    signal,
    pauseMs: COMPACT_PAUSE_MS,
    log,
    failed: "Les images des jours achevés n'ont pas pu être regroupées",
    excuse: () => database.unavailable(),
  })
}

/** Makes pixel tiles of days that have come to their end or gathered enough frames. */
async function keepTiles(store: Store, { clock, log, database }: Deps, signal: AbortSignal): Promise<void> {
  let seen = new Map<string, number>()
  const round = async () => {
    const waiting = new Map<string, number>()
    for (const product of store.catalog.products.values())
      for (const { day, frames } of await store.pixels.untiledDays(product, clock.now(), TILE_FRAMES)) {
        if (signal.aborted) return
        // A day that is being filled would be made again and again: wait until it rests.
        const key = `${product.shortName} ${day}`
        if (frames < TILE_FRAMES_AT_ONCE && seen.get(key) !== frames) waiting.set(key, frames)
        else await store.pixels.buildDay(product, day)
      }
    seen = waiting
  }
  await keepDoing(round, {
    signal,
    pauseMs: TILE_PAUSE_MS,
    log,
    failed: "Les tuiles des séries de pixels n'ont pas pu être faites",
    excuse: () => database.unavailable(),
  })
}

/**
 * Follows the rain between frames: the last day first, then the site's events, then back through the archive, a product
 * after the other. Days that are over and wholly followed get a tile file of it.
 */
async function keepMoved(
  store: Store,
  { clock, config, site, log, database }: Deps,
  signal: AbortSignal,
): Promise<void> {
  const events = site.events.map(({ start, end }) => ({ startMs: Date.parse(start), endMs: Date.parse(end) }))
  const archive = { startMs: 0, endMs: 8.64e15 }
  const round = async () => {
    const lastDay = { ...archive, startMs: clock.now() - DAY_MS }
    for (const product of store.catalog.products.values())
      for (const span of [lastDay, ...events, archive]) {
        if (signal.aborted) return
        const begun = performance.now()
        if ((await store.moved.makeSome(product, span)) === 0) continue
        const rest = span === archive && config.demo ? MOVE_REST.demoArchive : MOVE_REST.archive
        await sleep((performance.now() - begun) * rest, undefined, { signal }).catch(() => undefined)
        break
      }
    for (const product of store.catalog.products.values()) {
      if (signal.aborted) return
      const begun = performance.now()
      if (!(await store.moved.tileDays.buildOne(product, clock.now()))) continue
      const rest = config.demo ? MOVE_REST.demoArchive : MOVE_REST.archive
      await sleep((performance.now() - begun) * rest, undefined, { signal }).catch(() => undefined)
    }
  }
  await keepDoing(round, {
    signal,
    pauseMs: MOVE_PAUSE_MS,
    log,
    failed: "La pluie entre les images n'a pas pu être suivie : les cumuls restent ceux d'images fixes",
    excuse: () => database.unavailable(),
  })
}
