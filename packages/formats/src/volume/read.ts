import type { RadarVolume } from '@radx/contracts/radar-volume'
import { readHdf5Volume } from './hdf5-volume.ts'
import { isRainbow, readRainbow } from './rainbow.ts'

/**
 * Reads a polar volume of any format that is known, told by its first bytes: Rainbow 5 (`<volume`), else HDF5. What
 * comes from outside is read by `readRadarVolumeInWorker`.
 * @throws FormatError `rainbow5.*`, `odim.*`
 */
export async function readRadarVolume(bytes: Uint8Array): Promise<RadarVolume> {
  return isRainbow(bytes) ? readRainbow(bytes) : readHdf5Volume(bytes)
}
