import { iso } from '../../radar/api.ts'

export const RATE = 'rain-rate'

/** The parameter of every collection, as CoverageJSON and collections describe it. */
export const RATE_PARAMETER = {
  type: 'Parameter',
  description: { fr: 'Intensité de la pluie', en: 'Rain rate' },
  unit: {
    label: { fr: 'millimètres par heure', en: 'millimetres per hour' },
    symbol: { value: 'mm/h', type: 'http://www.opengis.net/def/uom/UCUM/' },
  },
  observedProperty: {
    id: 'https://vocab.nerc.ac.uk/standard_name/rainfall_rate/',
    label: { fr: 'Intensité de la pluie', en: 'Rain rate' },
  },
} as const

const REFERENCING = [
  {
    coordinates: ['x', 'y'],
    system: { type: 'GeographicCRS', id: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' },
  },
  { coordinates: ['t'], system: { type: 'TemporalRS', calendar: 'Gregorian' } },
]

const rangeOf = (axisNames: string[], shape: number[], values: (number | null)[]) => ({
  [RATE]: { type: 'NdArray', dataType: 'float', axisNames, shape, values },
})

/** Rates of a place over time; null where there is no value. */
export interface PointSeries {
  lng: number
  lat: number
  timesMs: number[]
  rates: (number | null)[]
}

/** A series as a coverage (CoverageJSON, 9.11 PointSeries). */
export const seriesCoverage = ({ lng, lat, timesMs, rates }: PointSeries) => ({
  type: 'Coverage',
  domain: {
    type: 'Domain',
    domainType: 'PointSeries',
    axes: { x: { values: [lng] }, y: { values: [lat] }, t: { values: timesMs.map(iso) } },
    referencing: REFERENCING,
  },
  parameters: { [RATE]: RATE_PARAMETER },
  ranges: rangeOf(['t'], [timesMs.length], rates),
})

/** Several series: one coverage where there is one, else a collection. */
export const seriesCoverages = (series: PointSeries[]) =>
  series.length === 1
    ? seriesCoverage(series[0])
    : {
        type: 'CoverageCollection',
        domainType: 'PointSeries',
        parameters: { [RATE]: RATE_PARAMETER },
        referencing: REFERENCING,
        coverages: series.map((one) => {
          const { parameters: _, ...coverage } = seriesCoverage(one)
          return coverage
        }),
      }

/** The mean over an outline as a coverage (9.13 PolygonSeries). @param polygon rings of [lng, lat] */
export const polygonCoverage = (
  polygon: number[][][],
  { timesMs, rates }: Pick<PointSeries, 'timesMs' | 'rates'>,
) => ({
  type: 'Coverage',
  domain: {
    type: 'Domain',
    domainType: 'PolygonSeries',
    axes: {
      composite: { dataType: 'polygon', coordinates: ['x', 'y'], values: [polygon] },
      t: { values: timesMs.map(iso) },
    },
    referencing: REFERENCING,
  },
  parameters: { [RATE]: RATE_PARAMETER },
  ranges: rangeOf(['t'], [timesMs.length], rates),
})

/** Rates of the cells of a window, `[(time * lats + lat) * lngs + lng]`; null where there is no value. */
export interface GridSeries {
  lngs: number[]
  lats: number[]
  timesMs: number[]
  rates: (number | null)[]
}

/** Cells over time as a coverage (9.1 Grid). */
export const gridCoverage = ({ lngs, lats, timesMs, rates }: GridSeries) => ({
  type: 'Coverage',
  domain: {
    type: 'Domain',
    domainType: 'Grid',
    axes: { x: { values: lngs }, y: { values: lats }, t: { values: timesMs.map(iso) } },
    referencing: REFERENCING,
  },
  parameters: { [RATE]: RATE_PARAMETER },
  ranges: rangeOf(['t', 'y', 'x'], [timesMs.length, lats.length, lngs.length], rates),
})

/** Rates along a path; null where there is no value. */
export interface PathSeries {
  /** Of every value: its moment, and where on the path. */
  at: { timeMs: number; lng: number; lat: number }[]
  rates: (number | null)[]
}

/** A path as a coverage (9.8 Trajectory). */
export const trajectoryCoverage = ({ at, rates }: PathSeries) => ({
  type: 'Coverage',
  domain: {
    type: 'Domain',
    domainType: 'Trajectory',
    axes: {
      composite: {
        dataType: 'tuple',
        coordinates: ['t', 'x', 'y'],
        values: at.map(({ timeMs, lng, lat }) => [iso(timeMs), lng, lat]),
      },
    },
    referencing: REFERENCING,
  },
  parameters: { [RATE]: RATE_PARAMETER },
  ranges: rangeOf(['composite'], [rates.length], rates),
})

/** One path a frame: one coverage where there is one, else a collection. */
export const trajectoryCoverages = (paths: PathSeries[]) =>
  paths.length === 1
    ? trajectoryCoverage(paths[0])
    : {
        type: 'CoverageCollection',
        domainType: 'Trajectory',
        parameters: { [RATE]: RATE_PARAMETER },
        referencing: REFERENCING,
        coverages: paths.map((one) => {
          const { parameters: _, ...coverage } = trajectoryCoverage(one)
          return coverage
        }),
      }
