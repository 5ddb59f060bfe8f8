import {
  type AdjustedAtSource,
  type LatLng,
  RadxError,
  type RainMethod,
  type Site,
  type Transposition,
} from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { NO_MODEL_CELL, type RadarRain, type RadarRainFrame, radarRain } from '@radx/hydrology/rain/rain'
import {
  cellIndexOf,
  cellOf,
  decodeRate,
  halfOf,
  RATE_NO_DATA,
  representativeness,
  rowCellAreasM2,
} from '@radx/rainfall'
import proj4 from 'proj4'
import type { StoredProduct } from '../../store/catalog.ts'
import { BRIDGED_S } from '../../store/moved/moved-frame.ts'
import type { Store } from '../../store/open-store.ts'
import { projectionOf } from '../catchment/projection.ts'
import type { CoarseOverModel } from './member-rain.ts'
import type { RainArchive } from './rain-source.ts'

/** Frames just outside a period share its edges with those inside. */
const MARGIN_MS = 15 * 60_000

/** Rain of a product from `start` to `end`, moved where it says so. */
interface RadarPeriod {
  product: string
  start: string
  end: string
  move?: Transposition
}

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

/** Rain of stored frames, how it was taken between them, and how many of them came adjusted to gauges. */
export interface MeasuredRain extends RadarRain {
  method: RainMethod
  adjusted: AdjustedAtSource
}

/** Rain of a period at some cells of a product. */
export interface CellRain extends Pick<MeasuredRain, 'method' | 'adjusted'> {
  frames: RadarRainFrame[]
  durationS: number
}

/**
 * Rain of the stored frames on the cells of a catchment: each cell takes its radar cell, over the time that each frame
 * stands for. It is the rain as it moved between frames where that was followed, else frames that stand still.
 */
export class StoredRain implements RainArchive {
  private readonly store: Pick<Store, 'index' | 'catalog' | 'moved'>
  private readonly events: Site['events']

  constructor(store: Pick<Store, 'index' | 'catalog' | 'moved'>, events: Site['events']) {
    this.store = store
    this.events = events
  }

  async eventRain(event: string, grid: EsriGrid, crs: string): Promise<MeasuredRain> {
    const { period, intervalS } = this.event(event)
    return this.rain(period, intervalS, grid, crs)
  }

  radarRain(period: RadarPeriod, grid: EsriGrid, crs: string): Promise<MeasuredRain> {
    return this.rain(period, this.intervalS(period), grid, crs)
  }

  /** What was measured over the given cells of a product's grid, in pictures whose times count from the start of the period. */
  cellRain(period: RadarPeriod, cells: readonly number[]): Promise<CellRain> {
    return this.frames(period, this.product(period.product), cells)
  }

  /** What was measured over a model, to be taken apart: a period of a product, or an event of the site by its name. */
  async coarseRain(rain: RadarPeriod | string, grid: EsriGrid, crs: string): Promise<CoarseOverModel> {
    const { period, intervalS } =
      typeof rain === 'string' ? this.event(rain) : { period: rain, intervalS: this.intervalS(rain) }
    const product = this.product(period.product)
    const { window, rows, cols } = windowOf(grid, crs, product, period.move)
    const { row, col, nrows, ncols } = window
    const cells = Array.from(
      { length: nrows * ncols },
      (_, k) => (row + Math.floor(k / ncols)) * product.steps + col + (k % ncols),
    )
    const { frames, durationS } = await this.frames(period, product, cells)
    const modelCells = rowCellAreasM2(product)[row] / grid.cellSize ** 2
    return { nrows, ncols, frames, rows, cols, modelCells, durationS, intervalS }
  }

  private event(event: string): { period: RadarPeriod; intervalS: number } {
    const period = this.events.find(({ id }) => id === event)
    if (!period) throw new RadxError('rain.event', 422, `L’évènement « ${event} » n’est pas dans site.json.`)
    return { period, intervalS: period.intervalMinutes * 60 }
  }

  private intervalS = ({ product }: RadarPeriod): number =>
    this.store.catalog.products.get(product)?.frameSeconds ?? 206

  private product(name: string): StoredProduct {
    const product = this.store.catalog.products.get(name)
    if (!product) throw new RadxError('rain.product', 422, `Le produit « ${name} » n’existe pas.`)
    return product
  }

  private async rain(
    period: RadarPeriod,
    intervalS: number,
    grid: EsriGrid,
    crs: string,
  ): Promise<MeasuredRain> {
    const product = this.product(period.product)
    const { cellOfModel, radarCells } = cellsOf(grid, crs, product, period.move)
    const { frames, durationS, method, adjusted } = await this.frames(period, product, radarCells)
    return { ...radarRain(frames, cellOfModel, { durationS, intervalS }), method, adjusted }
  }

  /** Pictures of a period at the given cells, how long each holds, whether they are of moved and of adjusted rain. */
  private async frames(
    { product: productName, start, end, move }: RadarPeriod,
    product: StoredProduct,
    cells: readonly number[],
  ): Promise<CellRain> {
    const { index, moved } = this.store
    const selection = { startMs: Date.parse(start), endMs: Date.parse(end) }
    const wide = { startMs: selection.startMs - MARGIN_MS, endMs: selection.endMs + MARGIN_MS }
    const places = await index.places(product, wide)
    const times = places.map(({ timeMs }) => timeMs)
    const isMoved = await moved.isReady(product, wide)
    const bridgedS = isMoved ? BRIDGED_S : 0
    const { seconds } = representativeness(times, selection, product.frameSeconds, bridgedS)
    if (!seconds.some((s) => s > 0)) throw new NoRadarRain(productName, start, end)
    const frames: RadarRainFrame[] = []
    let k = 0
    for await (const codes of (isMoved ? moved : index).codes(product, places)) {
      const i = k++
      if (seconds[i] === 0) continue
      frames.push({
        ...holds(times, i, seconds[i], selection, product.frameSeconds, bridgedS),
        ratesMmH: toRates(codes, cells, move?.factor),
      })
    }
    const durationS = (selection.endMs - selection.startMs) / 1000
    const adjusted = adjustedAmong(
      times.filter((_, i) => seconds[i] > 0),
      await index.biases(product, wide),
    )
    return { frames, durationS, method: isMoved ? 'moved' : 'raw', adjusted }
  }
}

function adjustedAmong(times: readonly number[], biases: ReadonlyMap<number, number>): AdjustedAtSource {
  const factors = times.flatMap((timeMs) => biases.get(timeMs) ?? [])
  return {
    images: factors.length,
    of: times.length,
    factors: factors.length > 0 ? [Math.min(...factors), Math.max(...factors)] : null,
  }
}

/** When a frame's rate begins and ends to hold, s since the start of the selection. */
function holds(
  times: readonly number[],
  i: number,
  seconds: number,
  { startMs, endMs }: { startMs: number; endMs: number },
  frameSeconds: number,
  bridgedS: number,
): { fromS: number; toS: number } {
  const before = i > 0 ? (times[i] - times[i - 1]) / 1000 : Number.POSITIVE_INFINITY
  const from = Math.max(0, (times[i] - startMs) / 1000 - halfOf(before, frameSeconds, bridgedS))
  return { fromS: from, toS: Math.min((endMs - startMs) / 1000, from + seconds) }
}

/** mm/h of the given radar cells, times `factor`; NaN without data. A dry frame has no codes. */
function toRates(codes: Uint16Array | null, radarCells: readonly number[], factor = 1): Float32Array {
  const rates = new Float32Array(radarCells.length)
  if (codes)
    radarCells.forEach((cell, k) => {
      rates[k] = codes[cell] === RATE_NO_DATA ? Number.NaN : factor * decodeRate(codes[cell])
    })
  return rates
}

/**
 * The radar cells that lie over a catchment, and which of them each model cell takes (-1 outside the radar,
 * `NO_MODEL_CELL` where the model has no elevation): a week of rain then is a few hundred values a frame.
 */
export function cellsOf(
  grid: EsriGrid,
  crs: string,
  product: Pick<StoredProduct, 'bounds' | 'steps'>,
  move?: Transposition,
): { cellOfModel: Int32Array; radarCells: number[] } {
  const cellOfModel = new Int32Array(grid.nrows * grid.ncols).fill(NO_MODEL_CELL)
  const place = new Map<number, number>()
  eachPlace(grid, crs, move, (i, point) => {
    const cell = cellIndexOf(product, point)
    if (cell < 0) {
      cellOfModel[i] = -1
      return
    }
    const known = place.get(cell) ?? place.size
    place.set(cell, known)
    cellOfModel[i] = known
  })
  return { cellOfModel, radarCells: [...place.keys()] }
}

/** Where each model cell with an elevation takes its rain from: moved rain is taken from where it fell. */
function eachPlace(
  grid: EsriGrid,
  crs: string,
  { eastM, northM }: Pick<Transposition, 'eastM' | 'northM'> = { eastM: 0, northM: 0 },
  visit: (i: number, point: LatLng) => void,
): void {
  const toWgs84 = proj4(projectionOf(crs), 'WGS84')
  for (let row = 0; row < grid.nrows; row++)
    for (let col = 0; col < grid.ncols; col++) {
      const i = row * grid.ncols + col
      if (Number.isNaN(grid.data[i])) continue
      const x = grid.xll + (col + 0.5) * grid.cellSize - eastM
      const y = grid.yll + (grid.nrows - row - 0.5) * grid.cellSize - northM
      const [lng, lat] = toWgs84.forward([x, y])
      visit(i, { lat, lng })
    }
}

/** The smallest window of radar cells that holds a model, and where its cells lie in it; see `CoarseOverModel`. */
function windowOf(grid: EsriGrid, crs: string, product: StoredProduct, move?: Transposition) {
  const { bounds, steps } = product
  const { ul, lr } = bounds
  const rows = new Float64Array(grid.nrows * grid.ncols).fill(Number.NaN)
  const cols = rows.slice()
  let [top, left, bottom, right] = [steps, steps, -1, -1]
  eachPlace(grid, crs, move, (i, point) => {
    const cell = cellOf(product, point)
    if (cell === null) return
    rows[i] = ((ul.lat - point.lat) / (ul.lat - lr.lat)) * steps
    cols[i] = ((point.lng - ul.lng) / (lr.lng - ul.lng)) * steps
    top = Math.min(top, cell.row)
    bottom = Math.max(bottom, cell.row)
    left = Math.min(left, cell.col)
    right = Math.max(right, cell.col)
  })
  if (bottom < 0)
    throw new RadxError('rain.outside', 422, 'Le bassin est hors de l’image radar : il n’y a pas de pluie.')
  for (let i = 0; i < rows.length; i++) {
    rows[i] -= top
    cols[i] -= left
  }
  const window = { row: top, col: left, nrows: bottom - top + 1, ncols: right - left + 1 }
  return { window, rows, cols }
}
