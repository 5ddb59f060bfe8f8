import { RadxError, type Site } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { type RadarRain, type RadarRainFrame, radarRain } from '@radx/hydrology/rain/rain'
import { cellIndexOf, decodeRate, RATE_NO_DATA, representativeness } from '@radx/rainfall'
import proj4 from 'proj4'
import type { Store } from '../../store/open-store.ts'
import { projectionOf } from '../catchment/projection.ts'
import type { RainArchive } from './rain-source.ts'

/** Frames just outside a period share its edges with those inside. */
const MARGIN_MS = 15 * 60_000

class NoRadarRain extends RadxError {
  constructor(product: string, start: string, end: string) {
    super(
      'rain.noFrames',
      422,
      `L’archive n’a aucune image du produit ${product} entre ${start} et ${end}. Choisissez une autre période.`,
      { details: { product, start, end } },
    )
  }
}

/** Rain of the stored frames on the cells of a catchment: each cell takes its radar cell, at the radar's own times. */
export class StoredRain implements RainArchive {
  readonly #store: Pick<Store, 'index' | 'catalog'>
  readonly #events: Site['events']

  constructor(store: Pick<Store, 'index' | 'catalog'>, events: Site['events']) {
    this.#store = store
    this.#events = events
  }

  async eventRain(event: string, grid: EsriGrid, crs: string): Promise<RadarRain> {
    const found = this.#events.find(({ id }) => id === event)
    if (!found) throw new RadxError('rain.event', 422, `L’évènement « ${event} » n’est pas dans site.json.`)
    return this.#rain(found.product, found.start, found.end, found.intervalMinutes * 60, grid, crs)
  }

  radarRain(
    productName: string,
    start: string,
    end: string,
    grid: EsriGrid,
    crs: string,
  ): Promise<RadarRain> {
    const seconds = this.#store.catalog.products.get(productName)?.frameSeconds ?? 206
    return this.#rain(productName, start, end, seconds, grid, crs)
  }

  async #rain(
    productName: string,
    start: string,
    end: string,
    intervalS: number,
    grid: EsriGrid,
    crs: string,
  ): Promise<RadarRain> {
    const { index, catalog } = this.#store
    const product = catalog.products.get(productName)
    if (!product) throw new RadxError('rain.product', 422, `Le produit « ${productName} » n’existe pas.`)
    const selection = { startMs: Date.parse(start), endMs: Date.parse(end) }
    const places = await index.places(product, {
      startMs: selection.startMs - MARGIN_MS,
      endMs: selection.endMs + MARGIN_MS,
    })
    const times = places.map(({ timeMs }) => timeMs)
    const { seconds } = representativeness(times, selection, product.frameSeconds)
    if (!seconds.some((s) => s > 0)) throw new NoRadarRain(productName, start, end)
    const { cellOfModel, radarCells } = cellsOf(grid, crs, product)
    const frames: RadarRainFrame[] = []
    let k = 0
    for await (const codes of index.codes(product, places)) {
      const i = k++
      if (seconds[i] === 0) continue
      frames.push({
        ...holds(times, i, seconds[i], selection, product.frameSeconds),
        ratesMmH: toRates(codes, radarCells),
      })
    }
    const durationS = (selection.endMs - selection.startMs) / 1000
    return radarRain(frames, cellOfModel, { durationS, intervalS })
  }
}

/** When a frame's rate begins and ends to hold, s since the start of the selection. */
function holds(
  times: readonly number[],
  i: number,
  seconds: number,
  { startMs, endMs }: { startMs: number; endMs: number },
  frameSeconds: number,
): { fromS: number; toS: number } {
  const half = i > 0 ? (times[i] - times[i - 1]) / 2000 : Number.POSITIVE_INFINITY
  const from = Math.max(0, (times[i] - startMs) / 1000 - Math.min(half, frameSeconds))
  return { fromS: from, toS: Math.min((endMs - startMs) / 1000, from + seconds) }
}

/** mm/h of the given radar cells; NaN without data. A dry frame has no codes. */
function toRates(codes: Uint16Array | null, radarCells: readonly number[]): Float32Array {
  const rates = new Float32Array(radarCells.length)
  if (codes)
    radarCells.forEach((cell, k) => {
      rates[k] = codes[cell] === RATE_NO_DATA ? Number.NaN : decodeRate(codes[cell])
    })
  return rates
}

/**
 * The radar cells that lie over a catchment, and which of them each model cell takes (-1 outside the radar
 * and where the model has no elevation): a week of rain then is a few hundred values a frame.
 */
function cellsOf(
  grid: EsriGrid,
  crs: string,
  product: Parameters<typeof cellIndexOf>[0],
): { cellOfModel: Int32Array; radarCells: number[] } {
  const toWgs84 = proj4(projectionOf(crs), 'WGS84')
  const cellOfModel = new Int32Array(grid.nrows * grid.ncols).fill(-1)
  const place = new Map<number, number>()
  for (let row = 0; row < grid.nrows; row++)
    for (let col = 0; col < grid.ncols; col++) {
      const i = row * grid.ncols + col
      if (Number.isNaN(grid.data[i])) continue
      const x = grid.xll + (col + 0.5) * grid.cellSize
      const y = grid.yll + (grid.nrows - row - 0.5) * grid.cellSize
      const [lng, lat] = toWgs84.forward([x, y])
      const cell = cellIndexOf(product, { lat, lng })
      if (cell < 0) continue
      const known = place.get(cell) ?? place.size
      place.set(cell, known)
      cellOfModel[i] = known
    }
  return { cellOfModel, radarCells: [...place.keys()] }
}
