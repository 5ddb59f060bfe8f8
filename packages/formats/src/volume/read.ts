import type { RadarVolume } from '@radx/contracts/radar-volume'
import { readRainbowVolume } from '../rainbow5/volume.ts'
import { readHdf5Volume } from './hdf5-volume.ts'
import { fromRainbow } from './rainbow.ts'

/**
 * Reads a polar volume of any format that is known, told by its first bytes: Rainbow 5 (`<volume`), else HDF5.
 * @throws FormatError `rainbow5.*`, `odim.*`
 */
export async function readRadarVolume(bytes: Uint8Array): Promise<RadarVolume> {
  const isXml = /^\s*</.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))
  return isXml ? fromRainbow(readRainbowVolume(bytes)) : readHdf5Volume(bytes)
}
