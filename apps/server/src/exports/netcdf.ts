import { cellCentre } from '@radx/rainfall'
import type { Selection } from './selection.ts'

/** A selection as CF-netCDF4, read by xarray, ncdump, QGIS and others. */
export async function writeNetcdf(
  { product, frames, time }: Selection,
  codes: AsyncIterable<Uint16Array>,
  provenance: [string, string | number][],
  qualities: AsyncIterable<Uint8Array | null> | null = null,
): Promise<Uint8Array> {
  // The library of HDF5 takes a tenth of a second to load.
  const { writeCfNetcdf } = await import('@radx/formats/cf-netcdf')
  const n = product.steps
  return writeCfNetcdf(
    {
      nrows: n,
      ncols: n,
      lats: Float64Array.from({ length: n }, (_, row) => cellCentre(product, row, 0).lat),
      lons: Float64Array.from({ length: n }, (_, col) => cellCentre(product, 0, col).lng),
      timesMs: frames.map(({ timeMs }) => timeMs),
      representedS: time.seconds,
      attributes: {
        title: product.longName,
        ...Object.fromEntries(provenance.map(([name, value]) => [attributeName(name), String(value)])),
      },
    },
    codes,
    qualities,
  )
}

/** Names that every netCDF reader takes: ASCII letters, digits and underscores. */
const attributeName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
