import type { RadarVolume } from '@radx/contracts/radar-volume'
import type { Hdf5Limits } from '../hdf5/reader.ts'
import { sharedHdf5Reader } from '../hdf5/shared.ts'
import { isRainbow, readRainbow } from './rainbow.ts'

/** A volume has ten times the cells of a composite. */
const TIMEOUT_MS = 60_000

/**
 * `readRadarVolume`, HDF5 in a thread that is ended when the file takes too long or too much memory; see
 * `readOdimInWorker`.
 * @throws FormatError `rainbow5.*`, `odim.*`, with `odim.timeout` and `odim.memory` for files beyond the limits
 */
export async function readRadarVolumeInWorker(
  bytes: Uint8Array,
  limits: Hdf5Limits = {},
): Promise<RadarVolume> {
  if (isRainbow(bytes)) return readRainbow(bytes)
  return sharedHdf5Reader({ timeoutMs: TIMEOUT_MS, ...limits }).readVolume(bytes)
}
