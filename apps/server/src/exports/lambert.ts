import type { GeoTiffInput } from '@radx/formats/geotiff'
import { cellIndexOf, type ProductGrid } from '@radx/rainfall'
import proj4 from 'proj4'
import { LAMBERT_93 } from '../config/projections.ts'

/** A product's grid on Lambert-93: square cells about as large as the product's, each takes the nearest. */
export function toLambert93(source: GeoTiffInput, grid: ProductGrid): GeoTiffInput {
  const forward = proj4('WGS84', LAMBERT_93)
  const { ul, lr } = grid.bounds
  const edge: [number, number][] = []
  for (let k = 0; k <= 50; k++) {
    const lng = ul.lng + ((lr.lng - ul.lng) * k) / 50
    const lat = ul.lat + ((lr.lat - ul.lat) * k) / 50
    for (const point of [
      [lng, ul.lat],
      [lng, lr.lat],
      [ul.lng, lat],
      [lr.lng, lat],
    ] as [number, number][])
      edge.push(forward.forward(point) as [number, number])
  }
  const xs = edge.map(([x]) => x)
  const ys = edge.map(([, y]) => y)
  const cell = Math.round((Math.max(...ys) - Math.min(...ys)) / grid.steps)
  const left = Math.floor(Math.min(...xs) / cell) * cell
  const top = Math.ceil(Math.max(...ys) / cell) * cell
  const ncols = Math.ceil((Math.max(...xs) - left) / cell)
  const nrows = Math.ceil((top - Math.min(...ys)) / cell)
  const { second } = source
  const values = new Float32Array(ncols * nrows).fill(Number.NaN)
  const others = second ? values.slice() : null
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const [lng, lat] = forward.inverse([left + (col + 0.5) * cell, top - (row + 0.5) * cell])
      const from = cellIndexOf(grid, { lat, lng })
      if (from < 0) continue
      values[row * ncols + col] = source.values[from]
      if (others) others[row * ncols + col] = second!.values[from]
    }
  return {
    ncols,
    nrows,
    values,
    left,
    top,
    cellWidth: cell,
    cellHeight: cell,
    crs: { kind: 'projected', epsg: 2154 },
    ...(others && { second: { ...second, values: others } }),
  }
}
