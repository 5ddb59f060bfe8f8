import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RADX_VERSION } from '@radx/contracts'
import { runAsLeader } from '../db/leader.ts'
import type { Deps, RegisterFeature } from '../http/app.ts'
import { compactDays } from '../store/compaction.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { Inbox, inboxCensus } from './inbox.ts'
import { Ingest, ingestFolders } from './ingest.ts'
import { openHandlers } from './kinds.ts'
import { clearStaging } from './staging.ts'

/** A day that is under way gets new tiles when this many frames wait; what waits is read from the packs. */
const TILE_FRAMES = 32
/** As many as that are not left to the packs, whatever comes next. */
const TILE_FRAMES_AT_ONCE = 256
const TILE_PAUSE_MS = 5_000
const CENSUS_MS = 2_000
const COMPACT_PAUSE_MS = 10 * 60_000

/** Watches the inbox in one of the processes, keeps the pixel tiles up, and answers how far things are. */
export const registerIngest: RegisterFeature = (app, deps) => {
  const stop = new AbortController()
  let running = Promise.resolve()
  app.addHook('onReady', async () => {
    const options = { stop: stop.signal, log: deps.log }
    running = Promise.all([
      runAsLeader(deps.database, await inboxName(deps.config), (signal) => watchInbox(deps, signal), options),
      runAsLeader(deps.database, 'store', (signal) => keepStore(deps, signal), options),
    ]).then(() => undefined)
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await running
  })
  // Counting a heap of files takes a while, and anyone may ask.
  let counted: { at: number; result: ReturnType<typeof inboxCensus> } | null = null
  const census = () => {
    const now = deps.clock.now()
    if (counted === null || Math.abs(now - counted.at) > CENSUS_MS) {
      const products = deps.site.products.map(({ shortName }) => shortName)
      counted = { at: now, result: inboxCensus(ingestFolders(deps.config.dataDir), products) }
    }
    return counted.result
  }
  deps.status.read = async () => {
    const store = await storeOf(deps)
    const product = store.catalog.products.get(deps.site.defaultProduct)!
    const [latest, inbox, demo] = await Promise.all([
      store.archive.latest(product),
      census(),
      deps.db.selectFrom('setting').select('value').where('key', '=', 'demo.progress').executeTakeFirst(),
    ])
    const none = { framesDone: 0, framesTotal: 0, filledBackTo: null }
    return {
      version: RADX_VERSION,
      demo: { active: deps.config.demo, ...none, ...(demo?.value as Partial<typeof none> | undefined) },
      latestFrame: latest === null ? null : new Date(latest).toISOString(),
      inbox,
    }
  }
}

/**
 * With a shared data folder there is one inbox. With a bucket each machine may have a folder of its own, and
 * each inbox has its own watcher: its mark tells one from another.
 */
async function inboxName({ dataDir, objectStore }: Deps['config']): Promise<string> {
  if (objectStore === null) return 'ingest'
  const mark = join(dataDir, 'inbox.id')
  await mkdir(dataDir, { recursive: true })
  await writeFile(mark, randomUUID(), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return `ingest ${await readFile(mark, 'utf8')}`
}

async function watchInbox(deps: Deps, signal: AbortSignal): Promise<void> {
  const { config, site, db, log, clock } = deps
  await deps.database.whenReady()
  const store = await storeOf(deps)
  if (store.catalog.changedZones.length > 0)
    log.warn(
      { zones: store.catalog.changedZones },
      'Le contour de bassins a changé depuis leurs dernières statistiques : lancer « radx rebuild » les refait',
    )
  const { handlers, close } = openHandlers({ config, site, db, store })
  const ingest = new Ingest({
    dataDir: config.dataDir,
    files: store.files,
    handlers,
    log,
    clock,
    timeZone: site.timeZone,
    signal,
  })
  try {
    await ingest.prepareFolders()
    await clearStaging(ingest.folders, store.files, db, log)
    const products = site.products.map(({ shortName }) => shortName)
    await new Inbox({ ingest, products, log, signal }).run()
  } finally {
    await close()
  }
}

/** Keeps the store in shape, in one process: pixel tiles, and records of days that are over gathered. */
async function keepStore(deps: Deps, signal: AbortSignal): Promise<void> {
  await deps.database.whenReady()
  const store = await storeOf(deps)
  await Promise.all([keepTiles(store, deps, signal), keepCompact(store, deps, signal)])
}

async function keepCompact(store: Store, { clock, log, database, db }: Deps, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      const gathered = await compactDays(db, store.frames, clock.now(), signal)
      if (gathered.length > 0) log.info({ files: gathered.length }, 'Images des jours achevés regroupées')
    } catch (error) {
      if (!signal.aborted && database.unavailable() === null)
        log.error({ err: error }, "Les images des jours achevés n'ont pas pu être regroupées")
    }
    await sleep(COMPACT_PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Makes pixel tiles of days that have come to their end or gathered enough frames. */
async function keepTiles(store: Store, { clock, log, database }: Deps, signal: AbortSignal): Promise<void> {
  let seen = new Map<string, number>()
  while (!signal.aborted) {
    try {
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
    } catch (error) {
      if (!signal.aborted && database.unavailable() === null)
        log.error({ err: error }, "Les tuiles des séries de pixels n'ont pas pu être faites")
    }
    await sleep(TILE_PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}
