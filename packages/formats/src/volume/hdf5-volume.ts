import type { RadarVolume } from '@radx/contracts/radar-volume'
import { dataset, type Group, group, hdf5Ready, textAttribute, withHdf5 } from '../hdf5/file.ts'
import { classicAsHdf5, isClassicNetcdf } from '../netcdf/classic.ts'
import { readCfRadial } from './cfradial.ts'
import { readGamic } from './gamic.ts'
import { readOdimPolar } from './odim-polar.ts'
import { refuseVolume } from './refuse.ts'

/**
 * Reads a polar volume in HDF5: ODIM (PVOL, SCAN), GAMIC (`.mvol`) or CfRadial 1, the last also in classic netCDF.
 * It runs to its end whatever the file does, as all readers of HDF5 here.
 * @throws FormatError `odim.*`
 */
export async function readHdf5Volume(bytes: Uint8Array): Promise<RadarVolume> {
  await hdf5Ready()
  return withHdf5('odim', isClassicNetcdf(bytes) ? await classicAsHdf5(bytes) : bytes, read)
}

function read(root: Group): RadarVolume {
  if (group(root, 'scan0')) return readGamic(root)
  if (/cf.?radial/i.test(textAttribute('Conventions', root) ?? '') || dataset(root, 'sweep_start_ray_index'))
    return readCfRadial(root)
  const object = textAttribute('object', group(root, 'what')) ?? ''
  if (object === 'PVOL' || object === 'SCAN') return readOdimPolar(root)
  throw refuseVolume(
    'unsupported',
    `Ce fichier HDF5 n’est pas un volume polaire connu${object ? ` (objet « ${object.slice(0, 20)} »)` : ''}. Donnez un volume ODIM (PVOL, SCAN), GAMIC ou CfRadial 1.`,
  )
}
