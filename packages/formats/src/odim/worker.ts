import type { Hdf5Limits } from '../hdf5/reader.ts'
import { sharedHdf5Reader } from '../hdf5/shared.ts'
import type { OdimImage, OdimOptions } from './odim.ts'

/**
 * `readOdim` in a thread that is ended when the file takes too long or too much memory. Threads are shared
 * by callers with the same limits and read one file at a time; a caller that wants its own makes a
 * `Hdf5Reader`.
 * @throws FormatError `odim.*`, with `odim.timeout` and `odim.memory` for files beyond the limits
 */
export function readOdimInWorker(
  bytes: Uint8Array,
  options: OdimOptions & Hdf5Limits = {},
): Promise<OdimImage> {
  const { law, ...limits } = options
  return sharedHdf5Reader(limits).readOdim(bytes, { law })
}
