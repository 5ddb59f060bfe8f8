import type { Hdf5Limits } from '../hdf5/reader.ts'
import { sharedHdf5Reader } from '../hdf5/shared.ts'
import type { MrrProFile, MrrProOptions } from './mrrpro.ts'

/**
 * `readMrrPro` in a thread that is ended when the file takes too long or too much memory; see
 * `readOdimInWorker`.
 * @throws FormatError `mrrpro.*`, with `mrrpro.timeout` and `mrrpro.memory` for files beyond the limits
 */
export function readMrrProInWorker(
  bytes: Uint8Array,
  options: MrrProOptions & Hdf5Limits = {},
): Promise<MrrProFile> {
  const { only, ...limits } = options
  return sharedHdf5Reader(limits).readMrrPro(bytes, { only })
}
