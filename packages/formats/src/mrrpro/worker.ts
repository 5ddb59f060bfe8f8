import type { Hdf5Limits } from '../hdf5/reader.ts'
import { sharedHdf5Reader } from '../hdf5/shared.ts'
import type { MrrProFile, MrrProOptions, MrrProVariable } from './mrrpro.ts'

/**
 * `readMrrPro` in a thread that is ended when the file takes too long or too much memory; see
 * `readOdimInWorker`.
 * @param onVariable is told of each variable while the next one is being read
 * @throws FormatError `mrrpro.*`, with `mrrpro.timeout` and `mrrpro.memory` for files beyond the limits
 */
export function readMrrProInWorker(
  bytes: Uint8Array,
  options: MrrProOptions & Hdf5Limits = {},
  onVariable?: (variable: MrrProVariable) => void,
): Promise<MrrProFile> {
  const { only, ...limits } = options
  return sharedHdf5Reader(limits).readMrrPro(bytes, { only }, onVariable)
}
