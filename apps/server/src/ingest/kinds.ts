import type { Site } from '@radx/contracts'
import type { Hdf5Limits } from '@radx/formats/hdf5/reader'
import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/schema.ts'
import { gaugeHandler } from '../gauges/api.ts'
import type { Logger } from '../log.ts'
import { mrrHandler } from '../mrr/api.ts'
import { stationHandler } from '../station/api.ts'
import type { Store } from '../store/open-store.ts'
import type { WorkerPool } from '../threads/worker-pool.ts'
import { openDecoders } from './decoders.ts'
import { findMelting } from './find-melting.ts'
import { frameHandlers } from './frame-handler.ts'
import type { IngestHandler } from './handlers.ts'

export interface KindContext {
  config: Config
  site: Site
  db: Kysely<Database>
  store: Store
  /** Threads that decode; a kind with a script of its own makes a pool of its own and closes it. */
  decoders: WorkerPool
  /** Time and memory that an HDF5 file may take. */
  hdf5?: Hdf5Limits
  log: Logger
}

/** Makes the handlers of one kind of data. */
type IngestKind = (context: KindContext) => IngestHandler[]

/** Every kind of data that ingest takes; the first handler that matches a file gets it. A new kind adds its line. */
const KINDS: IngestKind[] = [
  // Before ODIM, which is HDF5 inside as well.
  ({ store, hdf5 }) => [mrrHandler(store, hdf5)],
  ({ site, store, decoders, log }) =>
    frameHandlers({
      context: store.context,
      pool: decoders,
      volumeProduct: site.defaultProduct,
      odimProduct: site.odimProduct,
      extensions: site.products.map(({ shortName }) => shortName),
      polarimetry: site.polarimetry,
      melting: (aboutMs) => findMelting(store, site, aboutMs),
      log,
    }),
  // Before the station, whose tables are TOA5 as well.
  ({ db, decoders, site }) => [gaugeHandler(db, decoders, site.gauges)],
  ({ db, decoders }) => [stationHandler(db, decoders)],
]

/** Handlers of every kind, and what ends their threads. */
export function openHandlers(context: Omit<KindContext, 'decoders'>): {
  handlers: IngestHandler[]
  close(): Promise<void>
} {
  const decoders = openDecoders(context)
  const handlers = KINDS.flatMap((kind) => kind({ ...context, decoders }))
  return {
    handlers,
    close: async () => {
      await Promise.all(handlers.map((handler) => handler.close?.()))
      await decoders.close()
    },
  }
}
