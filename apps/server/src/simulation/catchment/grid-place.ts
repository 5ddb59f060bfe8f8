import type { GridPlace } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import proj4 from 'proj4'
import { projectionOf } from './projection.ts'

type GridHeader = Pick<EsriGrid, 'ncols' | 'nrows' | 'xll' | 'yll' | 'cellSize'>

/**
 * Where a grid in a projected system lies on the globe.
 * @throws RadxError for other systems than those of catchments
 */
export function placeOf({ ncols, nrows, xll, yll, cellSize }: GridHeader, crs: string): GridPlace {
  const toWgs84 = proj4(projectionOf(crs), 'WGS84')
  const corner = (cols: number, rows: number): [number, number] => {
    const [lng, lat] = toWgs84.forward([xll + cols * cellSize, yll + rows * cellSize])
    // A centimetre.
    return [Number(lng.toFixed(7)), Number(lat.toFixed(7))]
  }
  return {
    nrows,
    ncols,
    cellSizeM: cellSize,
    crs,
    xll,
    yll,
    corners: {
      sw: corner(0, 0),
      se: corner(ncols, 0),
      ne: corner(ncols, nrows),
      nw: corner(0, nrows),
    },
  }
}
