import { RADX_VERSION, RASTER_MARGIN_M } from '@radx/contracts'
import { EXPORT_TABLE_DAYS } from '@radx/contracts/constants'
import { cellBounds, cellOf, decodeRate, RATE_NO_DATA } from '@radx/rainfall'
import type { Catchment } from '../config/catchments.ts'
import { type AdjustmentInput, adjustedCodes, prepareAdjustment } from '../gauges/api.ts'
import { BadRequest, NotFound } from '../http/errors.ts'
import { productOf, zoneOf } from '../radar/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { AnswerKind } from '../threads/answers.ts'
import { adjustedStem, adjustmentProvenance } from './adjusted-selection.ts'
import { type SelectionQuery, select } from './answers.ts'
import { fileStem, hasQuality, provenance, type Selection } from './selection.ts'

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

/** Frames of one part: its text stays within some MB. */
const FRAMES_A_PART = 128

interface RasterInput {
  query: SelectionQuery
  /** The product adjusted to gauges instead of the original. */
  adjusted?: AdjustmentInput | null
}

/** What a selection's raster says of itself, open where the values begin, and the frames that it has, ms. */
export const rasterHeadAnswer: AnswerKind<RasterInput, { name: string; body: Uint8Array; times: number[] }> =
  {
    name: 'raster-head',
    async run(context, { query, adjusted = null }) {
      const selection = await select(context, query, EXPORT_TABLE_DAYS)
      const { product, frames } = selection
      const zone = zoneOfRaster(selection)
      const window = rasterWindow(product, zone)
      const made = adjusted && (await prepareAdjustment(context, adjusted, true))
      const first = cellBounds(product, window.row, window.col)
      const last = cellBounds(product, window.row + window.nrows - 1, window.col + window.ncols - 1)
      const head = {
        product: product.shortName,
        catchment: zone.parent ?? zone.key,
        subcatchment: zone.parent === null ? null : zone.key,
        unit: 'mm/h',
        noData: null,
        crs: 'EPSG:4326',
        bounds: { ul: first.ul, lr: last.lr },
        nrows: window.nrows,
        ncols: window.ncols,
        version: RADX_VERSION,
        provenance: Object.fromEntries([
          ...provenance(selection, context.site, new Date(context.nowMs)),
          ...(made ? adjustmentProvenance(made.about) : []),
        ]),
        ...(made && {
          adjusted: { name: made.about.name, factors: made.about.frames.map(({ factor }) => factor) },
        }),
        times: frames.map(({ timeMs }) => new Date(timeMs).toISOString()),
        // Of the catchment, a value an image.
        ...(hasQuality(selection) && { quality: frames.map(({ quality }) => quality?.catchment ?? null) }),
      }
      const text = `${JSON.stringify(head).slice(0, -1)},"values":[`
      const name = `${fileStem(selection)}${adjustedStem(adjusted)}-raster.json`
      return { name, body: new TextEncoder().encode(text), times: frames.map(({ timeMs }) => timeMs) }
    },
  }

function zoneOfRaster({ zone }: Pick<Selection, 'zone'>): Catchment {
  if (zone) return zone
  throw new BadRequest('catchment', 'c', 'Choisissez un bassin versant : le raster couvre ses environs.')
}

/** Values of frames of a selection over its catchment and 4 km around, a line each. @param times ms, ascending */
export const rasterPartAnswer: AnswerKind<RasterInput & { times: number[] }, { body: Uint8Array }> = {
  name: 'raster-part',
  async run(context, { query, times, adjusted = null }) {
    const { store, catchments } = context
    const product = productOf(store, query)
    const window = rasterWindow(product, zoneOfRaster({ zone: zoneOf(catchments, query) }))
    const wanted = new Set(times)
    const span = { startMs: times[0], endMs: times[times.length - 1] + 1 }
    const places = (await store.index.places(product, span)).filter(({ timeMs }) => wanted.has(timeMs))
    const lines: string[] = []
    // Made of the whole selection, so that a part has the factors that its head names.
    const made = adjusted && (await prepareAdjustment(context, adjusted, false))
    const frames = made ? adjustedCodes(context, made, span) : store.index.codes(product, places)
    for await (const codes of frames) lines.push(frameJson(codes, product.steps, window))
    if (lines.length !== times.length) throw new NotFound('Des images ont été retirées entre-temps.')
    return { body: new TextEncoder().encode(lines.join(',\n')) }
  },
}

/** The frames of each part. */
export const rasterParts = (times: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(times.length / FRAMES_A_PART) }, (_, k) =>
    times.slice(k * FRAMES_A_PART, (k + 1) * FRAMES_A_PART),
  )

/** @param codes null is a frame that is dry and has data all over */
function frameJson(codes: Uint16Array | null, steps: number, { row, col, nrows, ncols }: Window): string {
  const rows: string[] = []
  for (let r = row; r < row + nrows; r++) {
    const cells: string[] = []
    for (let c = col; c < col + ncols; c++) {
      const code = codes === null ? 0 : codes[r * steps + c]
      cells.push(code === RATE_NO_DATA ? 'null' : String(decodeRate(code)))
    }
    rows.push(`[${cells.join(',')}]`)
  }
  return `[${rows.join(',')}]`
}
