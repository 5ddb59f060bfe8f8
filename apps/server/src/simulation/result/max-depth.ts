import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OUTPUT_MAX_DEPTH, RADX_VERSION } from '@radx/contracts'
import { type EsriGrid, gridMismatch, readEsriAscii } from '@radx/formats/esri-ascii'
import { writeGeoTiff } from '@radx/formats/geotiff'
import { type CsvTable, csvComments } from '@radx/locale/csv'
import proj4 from 'proj4'
import { projectionOf } from '../catchment/projection.ts'
import { NotComparable, OutputMissing } from '../errors.ts'
import { rounded } from './course.ts'

/** The largest depth of each cell, m; NaN outside. @throws OutputMissing when missing or damaged */
export async function readMaxDepth(dir: string): Promise<EsriGrid> {
  try {
    return readEsriAscii(await readFile(join(dir, OUTPUT_MAX_DEPTH), 'utf8'), OUTPUT_MAX_DEPTH)
  } catch {
    throw new OutputMissing(OUTPUT_MAX_DEPTH)
  }
}

/** A grid and, when it is compared, that of the reference run on the same cells. */
export interface MaxDepth {
  grid: EsriGrid
  reference: EsriGrid | null
  crs: string
  /** What a file says of where it comes from. */
  about: readonly [string, string][]
}

/** @throws NotComparable when the two runs do not share their cells */
export function checkSameGrid(grid: EsriGrid, reference: EsriGrid): void {
  const why = gridMismatch(grid, reference)
  if (why !== null) throw new NotComparable(why)
}

/** The depths, or with a reference how much deeper this run is, as GeoTIFF in the catchment's own system. */
export function maxDepthTiff({ grid, reference, crs, about }: MaxDepth): Uint8Array {
  const { ncols, nrows, xll, yll, cellSize, data } = grid
  return writeGeoTiff({
    ncols,
    nrows,
    values: Float32Array.from(data, (depth, k) => (reference ? depth - reference.data[k] : depth)),
    left: xll,
    top: yll + nrows * cellSize,
    cellWidth: cellSize,
    cellHeight: cellSize,
    crs: { kind: 'projected', epsg: Number(crs.replace('EPSG:', '')) },
    nodata: -9999,
    metadata: { ...Object.fromEntries(about), UNIT: 'm', SOFTWARE: `RadX ${RADX_VERSION}` },
    band: {
      description: reference ? 'maximum water depth minus reference' : 'maximum water depth',
      unit: 'm',
    },
  })
}

/**
 * A line a wet cell: row and column from the north-west, its centre, its depth, and with a reference both and their
 * difference.
 */
export function maxDepthCsv({ grid, reference, crs, about }: MaxDepth): CsvTable {
  const { ncols, nrows, xll, yll, cellSize, data } = grid
  const toWgs84 = proj4(projectionOf(crs), 'WGS84')
  const head = ['row', 'col', 'x_m', 'y_m', 'lon', 'lat', 'max_depth_m']
  const rows: (string | number)[][] = [[...head, ...(reference ? ['reference_m', 'difference_m'] : [])]]
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const depth = data[row * ncols + col]
      const other = reference?.data[row * ncols + col] ?? 0
      if (!(depth > 0 || other > 0)) continue
      const x = xll + (col + 0.5) * cellSize
      const y = yll + (nrows - row - 0.5) * cellSize
      const [lon, lat] = toWgs84.forward([x, y])
      const cells = [row, col, x, y, rounded(lon, 7), rounded(lat, 7), depth]
      rows.push([...cells, ...(reference ? [other, rounded(depth - other, 4)] : [])])
    }
  return { comments: csvComments(about), rows }
}
