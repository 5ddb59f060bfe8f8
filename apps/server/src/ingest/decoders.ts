import type { Site } from '@radx/contracts'
import type { Hdf5Limits } from '@radx/formats/hdf5/reader'
import type { Config } from '../config/config.ts'
import type { Store } from '../store/open-store.ts'
import { WorkerPool } from '../threads/worker-pool.ts'
import type { DecodeWorkerData } from './decode.worker.ts'
import { radarOfSite } from './volume-rain.ts'

interface DecoderContext {
  config: Config
  site: Site
  store: Store
  /** Time and memory that an HDF5 file may take. */
  hdf5?: Hdf5Limits
}

/**
 * A volume of ten sweeps takes a quarter of a minute of a processor, and many times that beside other work; what HDF5 may
 * take has a limit of its own.
 */
const TIMEOUT_MS = 10 * 60_000

/** Threads that decode instrument files for one site. */
export function openDecoders({ config, site, store, hdf5 = {} }: DecoderContext): WorkerPool {
  const data: DecodeWorkerData = {
    products: site.products,
    zones: store.catalog.zones,
    radar: radarOfSite(site),
    station: site.station,
    gauges: site.gauges,
    hdf5,
    polarimetry: site.polarimetry,
  }
  const script = new URL('./decode.worker.ts', import.meta.url)
  return new WorkerPool(script, data, Math.max(1, config.workers), TIMEOUT_MS)
}
