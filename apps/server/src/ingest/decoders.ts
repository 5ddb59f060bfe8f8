import type { Site } from '@radx/contracts'
import type { Hdf5Limits } from '@radx/formats/hdf5/reader'
import type { Config } from '../config/config.ts'
import type { Store } from '../store/open-store.ts'
import { WorkerPool } from '../threads/worker-pool.ts'
import type { DecodeWorkerData } from './decode.worker.ts'

interface DecoderContext {
  config: Config
  site: Site
  store: Store
  /** Time and memory that an HDF5 file may take. */
  hdf5?: Hdf5Limits
}

/** Threads that decode instrument files for one site. */
export function openDecoders({ config, site, store, hdf5 = {} }: DecoderContext): WorkerPool {
  const { position, altitudeM, wavelengthM, beamwidthDeg } = site.radar
  const data: DecodeWorkerData = {
    products: site.products,
    zones: store.catalog.zones,
    radar: { ...position, altitudeM, wavelengthM, beamwidthDeg },
    station: site.station,
    gauges: site.gauges,
    hdf5,
  }
  return new WorkerPool(new URL('./decode.worker.ts', import.meta.url), data, Math.max(1, config.workers))
}
