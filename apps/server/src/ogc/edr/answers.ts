import { RadxError } from '@radx/contracts'
import { csvText } from '@radx/locale/csv'
import { cellCentre, decodeRate, RATE_NO_DATA, representativeness } from '@radx/rainfall'
import { NotFound } from '../../http/errors.ts'
import { iso, pixelAnswer, productOf } from '../../radar/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { Span } from '../../store/frame-index.ts'
import type { AnswerContext, AnswerKind } from '../../threads/answers.ts'
import {
  type GridSeries,
  gridCoverage,
  type PointSeries,
  polygonCoverage,
  RATE,
  seriesCoverages,
} from './coverage.ts'
import { type Box, type Geometry, inBox, insideAt } from './geometry.ts'

/** Values of one answer: some 20 MB as text. */
export const VALUES_MAX = 2_000_000

export const FORMATS = {
  CoverageJSON: 'application/prs.coverage+json',
  GeoJSON: 'application/geo+json',
  CSV: 'text/csv; charset=utf-8',
  netCDF: 'application/x-netcdf',
} as const
export type Format = keyof typeof FORMATS

export interface EdrInput {
  p: string
  span: Span
  /** The one moment that was asked for, ms: the frame nearest to it answers. */
  instantMs: number | null
  format: Format
}

export interface EdrFile {
  body: Uint8Array
}

export const textFile = (value: unknown): EdrFile => ({
  body: new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)),
})

/** The place of the moment nearest to another, the later one of two; null without any. @param timesMs in order */
export function nearestOf(timesMs: readonly number[], atMs: number): number | null {
  let [low, high] = [0, timesMs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (timesMs[middle] < atMs) low = middle + 1
    else high = middle
  }
  const before = low - 1
  if (low === timesMs.length) return before < 0 ? null : before
  return before < 0 || timesMs[low] - atMs <= atMs - timesMs[before] ? low : before
}

/** The places of values that are shown: all, or the one nearest to the moment. */
export function shown(timesMs: readonly number[], instantMs: number | null): number[] {
  const nearest = instantMs === null ? null : nearestOf(timesMs, instantMs)
  return nearest === null ? timesMs.map((_, k) => k) : [nearest]
}

/** Rates at places over time. */
export const edrPositionAnswer: AnswerKind<EdrInput & { points: [number, number][] }, EdrFile> = {
  name: 'edr-position',
  run: (context, input) => positionFile(context, input),
}

export async function positionFile(
  { store }: Pick<AnswerContext, 'store'>,
  { p, span, instantMs, format, points }: EdrInput & { points: [number, number][] },
): Promise<EdrFile> {
  const product = productOf(store, { p })
  const series: PointSeries[] = []
  for (const [lng, lat] of points) {
    const { radarData } = await pixelAnswer(store, product, { lat, lng }, span)
    const timesMs = radarData.map(({ datetime }) => Date.parse(datetime))
    const kept = shown(timesMs, instantMs)
    series.push({
      lng,
      lat,
      timesMs: kept.map((k) => timesMs[k]),
      rates: kept.map((k) => radarData[k].value),
    })
  }
  if (format === 'CSV') return textFile(seriesCsv(series))
  if (format === 'GeoJSON') return textFile(seriesFeatures(series))
  return textFile(seriesCoverages(series))
}

function seriesCsv(series: PointSeries[]): string {
  const rows = series.flatMap(({ lng, lat, timesMs, rates }) =>
    timesMs.map((ms, k) => [iso(ms), lng, lat, rates[k]]),
  )
  return csvText([['datetime', 'longitude', 'latitude', `${RATE} (mm/h)`], ...rows])
}

const seriesFeatures = (series: PointSeries[]) => ({
  type: 'FeatureCollection',
  features: series.map(({ lng, lat, timesMs, rates }, k) => ({
    type: 'Feature',
    id: k,
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { datetime: timesMs.map(iso), [RATE]: rates },
  })),
})

/** The mean over a catchment over time. */
export const edrLocationAnswer: AnswerKind<EdrInput & { zone: string }, EdrFile> = {
  name: 'edr-location',
  async run({ store, catchments }, { p, span, instantMs, format, zone: key }) {
    const product = productOf(store, { p })
    const zone = catchments.get(key)
    if (!zone) throw new NotFound(`Le lieu « ${key} » n'existe pas.`)
    const frames = await store.index.summaries(product, span, key)
    const kept = shown(
      frames.map(({ timeMs }) => timeMs),
      instantMs,
    ).map((k) => frames[k])
    const timesMs = kept.map(({ timeMs }) => timeMs)
    const rates = kept.map(({ catchment }) => catchment?.mean ?? null)
    if (format === 'CSV')
      return textFile(
        csvText([
          ['datetime', 'location', `${RATE} (mm/h)`],
          ...timesMs.map((ms, k) => [iso(ms), key, rates[k]]),
        ]),
      )
    if (format === 'GeoJSON')
      return textFile({
        type: 'Feature',
        id: key,
        geometry: { type: 'MultiPolygon', coordinates: zone.polygons },
        properties: { name: zone.name, datetime: timesMs.map(iso), [RATE]: rates },
      })
    return textFile(polygonCoverage(zone.polygons[0], { timesMs, rates }))
  },
}

/** Cells of a box or of polygons over time. */
export const edrGridAnswer: AnswerKind<
  EdrInput & { ground: { box: Box } | { polygons: Extract<Geometry, { type: 'polygons' }>['polygons'] } },
  EdrFile
> = {
  name: 'edr-grid',
  async run({ store }, { p, span, instantMs, format, ground }) {
    const product = productOf(store, { p })
    const cells = cellsOf(product, ground)
    const all = await store.index.places(product, span)
    const places = shown(
      all.map(({ timeMs }) => timeMs),
      instantMs,
    ).map((k) => all[k])
    const count = cells.rows.length * cells.cols.length * places.length
    if (count > VALUES_MAX)
      throw new RadxError(
        'ogc.tooManyValues',
        413,
        `${count} valeurs demandées, ${VALUES_MAX} au plus : réduire l'emprise ou la période.`,
      )
    const { rows, cols, inside } = cells
    const width = cols.length
    const cut = async function* (): AsyncGenerator<Uint16Array> {
      for await (const codes of store.index.codes(product, places)) {
        const part = new Uint16Array(rows.length * width)
        rows.forEach((row, r) => {
          cols.forEach((col, c) => {
            const seen = inside[r * width + c] === 1
            part[r * width + c] = seen
              ? codes === null
                ? 0
                : codes[row * product.steps + col]
              : RATE_NO_DATA
          })
        })
        yield part
      }
    }
    const lats = rows.map((row) => cellCentre(product, row, 0).lat)
    const lngs = cols.map((col) => cellCentre(product, 0, col).lng)
    const timesMs = places.map(({ timeMs }) => timeMs)
    if (format === 'netCDF') {
      const time = representativeness(timesMs, span, product.frameSeconds)
      const about = {
        nrows: rows.length,
        ncols: width,
        lats: Float64Array.from(lats),
        lons: Float64Array.from(lngs),
        timesMs,
        representedS: time.seconds,
        attributes: { title: product.longName },
      }
      // The library of HDF5 takes a tenth of a second to load.
      const { writeCfNetcdf } = await import('@radx/formats/cf-netcdf')
      return { body: await writeCfNetcdf(about, cut()) }
    }
    const rates: GridSeries['rates'] = []
    for await (const part of cut())
      for (const code of part) rates.push(code === RATE_NO_DATA ? null : decodeRate(code))
    return textFile(gridCoverage({ lats, lngs, timesMs, rates }))
  },
}

interface Cells {
  rows: number[]
  cols: number[]
  /** `[row * cols + col]`, 1 for a cell whose middle lies inside. */
  inside: Uint8Array
}

/** The smallest window that has every cell whose middle lies inside. @throws NotFound when there is none */
function cellsOf(product: StoredProduct, ground: { box: Box } | { polygons: [number, number][][][] }): Cells {
  const [rows, cols] = [new Set<number>(), new Set<number>()]
  const held = new Uint8Array(product.steps ** 2)
  const { top, bottom } = rowsOf(product, ground)
  for (let row = top; row <= bottom; row++) {
    const { lat } = cellCentre(product, row, 0)
    const holds =
      'box' in ground ? (lng: number) => inBox(ground.box, lng, lat) : insideAt(ground.polygons, lat)
    for (let col = 0; col < product.steps; col++) {
      if (!holds(cellCentre(product, row, col).lng)) continue
      held[row * product.steps + col] = 1
      rows.add(row)
      cols.add(col)
    }
  }
  if (rows.size === 0) throw new NotFound("Aucune cellule du produit n'est dans cette emprise.")
  const between = (set: Set<number>) => {
    const all = [...set].sort((a, b) => a - b)
    return Array.from({ length: all[all.length - 1] - all[0] + 1 }, (_, k) => all[0] + k)
  }
  const window = { rows: between(rows), cols: between(cols) }
  const inside = Uint8Array.from(
    window.rows.flatMap((row) => window.cols.map((col) => held[row * product.steps + col])),
  )
  return { ...window, inside }
}

/** Rows that the ground may touch, so that a small one looks at few cells. */
function rowsOf(product: StoredProduct, ground: { box: Box } | { polygons: [number, number][][][] }) {
  const lats =
    'box' in ground ? [ground.box.south, ground.box.north] : ground.polygons.flat(2).map(([, lat]) => lat)
  const { ul, lr } = product.bounds
  const row = (lat: number) => ((ul.lat - lat) / (ul.lat - lr.lat)) * product.steps
  const inGrid = (value: number) => Math.max(0, Math.min(product.steps - 1, Math.floor(value)))
  return { top: inGrid(row(Math.max(...lats))), bottom: inGrid(row(Math.min(...lats))) }
}
