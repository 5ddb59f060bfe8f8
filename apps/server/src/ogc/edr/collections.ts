import type { Gauge } from '@radx/contracts'
import type { Catchment } from '../../config/catchments.ts'
import { iso } from '../../radar/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import { RATE, RATE_PARAMETER } from './coverage.ts'

const CRS84 = {
  crs: 'CRS84',
  wkt: 'GEOGCRS["WGS 84 (CRS84)",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],AXIS["longitude",east],AXIS["latitude",north],UNIT["degree",0.0174532925199433],ID["OGC","CRS84"]]',
}

/** Conformance classes of OGC API EDR 1.1 (19-086r6) and Common that hold. */
export const CONFORMANCE = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/core',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/collections',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/json',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/edr-geojson',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/covjson',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/position',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/area',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/cube',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/trajectory',
  'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/locations',
] as const

const SERIES = ['CoverageJSON', 'GeoJSON', 'CSV']
const GRIDS = ['CoverageJSON', 'netCDF']
const QUERIES = { position: SERIES, locations: SERIES, area: GRIDS, cube: GRIDS, trajectory: SERIES } as const

export const landing = (address: string) => ({
  title: 'RadX : pluie radar',
  description: 'Intensité de la pluie par OGC API Environmental Data Retrieval 1.1.',
  links: [
    { href: `${address}/ogc/edr`, rel: 'self', type: 'application/json', title: 'Cette page' },
    {
      // Of all calls, in the type that the link names.
      href: `${address}/ogc/features/api`,
      rel: 'service-desc',
      type: 'application/vnd.oai.openapi+json;version=3.0',
      title: 'Description',
    },
    { href: `${address}/api/docs`, rel: 'service-doc', type: 'text/html', title: 'Documentation' },
    { href: `${address}/ogc/edr/conformance`, rel: 'conformance', type: 'application/json' },
    { href: `${address}/ogc/edr/collections`, rel: 'data', type: 'application/json', title: 'Collections' },
  ],
})

/** A product as a collection. @param extent first and newest frame, ms; null without any */
export function collectionOf(
  product: StoredProduct,
  extent: { firstMs: number; newestMs: number } | null,
  address: string,
) {
  const { ul, lr } = product.bounds
  const self = `${address}/ogc/edr/collections/${product.shortName}`
  const query = ([type, formats]: [string, readonly string[]]) => [
    type,
    {
      link: {
        href: `${self}/${type}`,
        rel: 'data',
        variables: {
          title: type,
          query_type: type,
          output_formats: formats,
          default_output_format: formats[0],
          crs_details: [CRS84],
        },
      },
    },
  ]
  return {
    id: product.shortName,
    title: product.longName,
    description: 'Une image par tour du radar ; sans valeur : null, jamais 0.',
    links: [
      { href: self, rel: 'self', type: 'application/json' },
      { href: `${address}/ogc/edr/collections`, rel: 'collection', type: 'application/json' },
    ],
    extent: {
      spatial: { bbox: [[ul.lng, lr.lat, lr.lng, ul.lat]], crs: CRS84.wkt },
      ...(extent && {
        temporal: { interval: [[iso(extent.firstMs), iso(extent.newestMs)]], trs: 'Gregorian' },
      }),
    },
    data_queries: Object.fromEntries(Object.entries(QUERIES).map(query)),
    crs: ['CRS84'],
    output_formats: [...new Set([...SERIES, ...GRIDS])],
    parameter_names: { [RATE]: { id: RATE, ...RATE_PARAMETER } },
  }
}

/** Catchments and gauges as the named places of a collection (GeoJSON). @param gauges those that the caller may look at */
export const locationsOf = (
  catchments: readonly Catchment[],
  gauges: readonly Gauge[],
  collection: string,
) => {
  const endpoint = (id: string) => ({ edrqueryendpoint: `${collection}/locations/${encodeURIComponent(id)}` })
  return {
    type: 'FeatureCollection',
    features: [
      ...catchments.map(({ key, name, parent, polygons }) => ({
        type: 'Feature',
        id: key,
        geometry: { type: 'MultiPolygon', coordinates: polygons },
        properties: { name, parent, ...endpoint(key) },
      })),
      ...gauges.map((gauge) => ({
        type: 'Feature',
        id: locationOfGauge(gauge),
        geometry: { type: 'Point', coordinates: [gauge.position.lng, gauge.position.lat] },
        properties: { name: gauge.name, parent: null, ...endpoint(locationOfGauge(gauge)) },
      })),
    ],
  }
}

/** A gauge as a place; catchments have no dot in their names. */
export const locationOfGauge = ({ id }: Gauge): string => `gauge.${id}`
