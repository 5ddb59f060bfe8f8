import { RADX_VERSION, RASTER_MARGIN_M } from '@radx/contracts'
import { cellBounds, cellOf, decodeRate, RATE_NO_DATA } from '@radx/rainfall'
import type { Catchment } from '../config/catchments.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Store } from '../store/open-store.ts'
import type { Selection } from './selection.ts'

/** Rows and columns of a product's grid. */
interface Window {
  row: number
  col: number
  nrows: number
  ncols: number
}

const METRES_PER_DEGREE = 111_320

/** Cells within 4 km of the catchment's bounds, cut at the product's edge. */
function rasterWindow(product: StoredProduct, { bounds }: Catchment): Window {
  const dLat = RASTER_MARGIN_M / METRES_PER_DEGREE
  const dLng = dLat / Math.cos((((bounds.ul.lat + bounds.lr.lat) / 2) * Math.PI) / 180)
  const { ul, lr } = product.bounds
  const inside = (value: number, low: number, high: number) => Math.min(high - 1e-9, Math.max(low, value))
  const at = (lat: number, lng: number) =>
    cellOf(product, { lat: inside(lat, lr.lat + 1e-9, ul.lat), lng: inside(lng, ul.lng, lr.lng) }) ?? {
      row: 0,
      col: 0,
    }
  const first = at(bounds.ul.lat + dLat, bounds.ul.lng - dLng)
  const last = at(bounds.lr.lat - dLat, bounds.lr.lng + dLng)
  return { row: first.row, col: first.col, nrows: last.row - first.row + 1, ncols: last.col - first.col + 1 }
}

/** Frames of a selection over a catchment and 4 km around as JSON text, piece by piece. */
export async function* rasterJson(
  store: Store,
  selection: Selection,
  zone: Catchment,
  parent: string,
  provenance: [string, string | number][],
): AsyncGenerator<string> {
  const { product, frames } = selection
  const window = rasterWindow(product, zone)
  const first = cellBounds(product, window.row, window.col)
  const last = cellBounds(product, window.row + window.nrows - 1, window.col + window.ncols - 1)
  const header = {
    product: product.shortName,
    catchment: parent,
    subcatchment: zone.parent === null ? null : zone.key,
    unit: 'mm/h',
    noData: null,
    crs: 'EPSG:4326',
    bounds: { ul: first.ul, lr: last.lr },
    nrows: window.nrows,
    ncols: window.ncols,
    version: RADX_VERSION,
    provenance: Object.fromEntries(provenance),
    times: frames.map(({ timeMs }) => new Date(timeMs).toISOString()),
  }
  yield `${JSON.stringify(header).slice(0, -1)},"values":[`
  let k = 0
  for await (const codes of store.index.codes(product, frames)) {
    yield (k++ === 0 ? '\n' : ',\n') + frameJson(codes, product.steps, window)
  }
  yield '\n]}\n'
}

function frameJson(codes: Uint16Array | null, steps: number, { row, col, nrows, ncols }: Window): string {
  const rows: string[] = []
  for (let r = row; r < row + nrows; r++) {
    const cells: string[] = []
    for (let c = col; c < col + ncols; c++) {
      const code = codes?.[r * steps + c] ?? RATE_NO_DATA
      cells.push(code === RATE_NO_DATA ? 'null' : String(decodeRate(code)))
    }
    rows.push(`[${cells.join(',')}]`)
  }
  return `[${rows.join(',')}]`
}
