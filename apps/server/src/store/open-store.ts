import type { PublicSite, Site } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Catchments } from '../config/catchments.ts'
import type { DatabaseHandle } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { type Catalog, openCatalog } from './catalog.ts'
import type { CommitContext } from './commit-frames.ts'
import { type FileStore, openFileStore } from './file-store.ts'
import { FrameIndex } from './frame-index.ts'
import type { FrameStore } from './frame-store.ts'
import { refreshMadeProducts } from './made-products.ts'
import { MovedRain } from './moved/moved-rain.ts'
import { openFrameStore, type StorePlace } from './open-frame-store.ts'
import { PixelSeries } from './pixel-series.ts'
import { StoreThreads } from './store-threads.ts'

/** Everything stored of one site. */
export interface Store {
  frames: FrameStore
  files: FileStore
  catalog: Catalog
  index: FrameIndex
  pixels: PixelSeries
  moved: MovedRain
  threads: StoreThreads
  context: CommitContext
}

export interface StoreOptions {
  db: Kysely<Database>
  config: StorePlace
  site: Site
  catchments: Catchments
}

/** @throws GridChangedError, or what the database throws */
export async function openStore({ db, config, site, catchments }: StoreOptions): Promise<Store> {
  const catalog = await openCatalog(db, site, catchments)
  const frames = openFrameStore(config)
  const files = openFileStore(config)
  const index = new FrameIndex(db, frames, catalog)
  const threads = new StoreThreads(config, db)
  const pixels = new PixelSeries(db, frames, index, threads)
  const moved = new MovedRain(db, frames, index, threads, pixels)
  const context = { db, store: frames, catalog, timeZone: site.timeZone }
  return { frames, files, catalog, index, pixels, moved, threads, context }
}

const opened = new WeakMap<DatabaseHandle, Promise<Store>>()

/**
 * The store of a running program, opened on first use and shared by its features: the server starts
 * before its database does. A failure is tried again by the next caller.
 */
export async function storeOf(deps: StoreOptions & { database: DatabaseHandle }): Promise<Store> {
  const { database } = deps
  let opening = opened.get(database)
  if (!opening) {
    opening = openStore(deps)
    opened.set(database, opening)
    opening.catch(() => opened.delete(database))
  }
  const store = await opening
  await refreshMadeProducts(store.catalog, deps.db)
  return store
}

/** Products that can be chosen: those of the site, and while the database is there those made of kept volumes. */
export async function productsNow(
  deps: StoreOptions & { database: DatabaseHandle },
): Promise<readonly PublicSite['products'][number][]> {
  const { site, database } = deps
  if (database.unavailable() !== null) return site.products
  const store = await storeOf(deps).catch(() => null)
  // Whoever made one or took it away looks at once.
  if (store) await refreshMadeProducts(store.catalog, deps.db, true)
  const made = [...(store?.catalog.products.values() ?? [])].filter((product) => product.made)
  return [...site.products, ...made.map(({ id, made, ...product }) => ({ ...product, made: true as const }))]
}
