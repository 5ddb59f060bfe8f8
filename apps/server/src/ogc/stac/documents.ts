import type { Bounds } from '@radx/contracts'
import { iso } from '../../radar/api.ts'
import type { FinishedRun } from '../../simulation/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { Position } from '../features/geometry.ts'
import type { Time } from '../features/query.ts'
import {
  elementsOfRun,
  figuresOfRun,
  groundOfRun,
  RUN_ELEMENTS_FR,
  timeOfRun,
} from '../features/run-features.ts'

const STAC_VERSION = '1.0.0'
const JSON_TYPE = 'application/json'
export const GEOJSON_TYPE = 'application/geo+json'
/** The collection beside those of products. */
export const RUNS = 'runs'

/** Conformance classes of the STAC API 1.0.0 and of what it stands on that hold. */
const CONFORMANCE = [
  'https://api.stacspec.org/v1.0.0/core',
  'https://api.stacspec.org/v1.0.0/collections',
  'https://api.stacspec.org/v1.0.0/ogcapi-features',
  'https://api.stacspec.org/v1.0.0/item-search',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
]
export const conformance = { conformsTo: CONFORMANCE }

interface Link {
  href: string
  rel: string
  type: string
  title?: string
  method?: string
  body?: object
}

/** The catalogue itself. @param ids of the collections that the caller is told of */
export function catalogue(siteName: string, ids: readonly string[], address: string) {
  const root = `${address}/ogc/stac`
  const links: Link[] = [
    { href: root, rel: 'self', type: JSON_TYPE },
    { href: root, rel: 'root', type: JSON_TYPE },
    { href: `${root}/conformance`, rel: 'conformance', type: JSON_TYPE },
    { href: `${root}/collections`, rel: 'data', type: JSON_TYPE },
    { href: `${root}/search`, rel: 'search', type: GEOJSON_TYPE, method: 'GET' },
    { href: `${root}/search`, rel: 'search', type: GEOJSON_TYPE, method: 'POST' },
    {
      href: `${address}/api/openapi.json`,
      rel: 'service-desc',
      type: 'application/vnd.oai.openapi+json;version=3.0',
    },
    { href: `${address}/api/docs`, rel: 'service-doc', type: 'text/html' },
    ...ids.map((id) => ({ href: collectionAddress(address, id), rel: 'child', type: JSON_TYPE, title: id })),
  ]
  return {
    type: 'Catalog',
    id: 'radx',
    stac_version: STAC_VERSION,
    title: `RadX : ${siteName}`,
    description: 'Images du radar et simulations terminées.',
    conformsTo: CONFORMANCE,
    links,
  }
}

const collectionAddress = (address: string, id: string) =>
  `${address}/ogc/stac/collections/${encodeURIComponent(id)}`

/** What is said of a collection. */
export interface Described {
  id: string
  title: string
  description: string
  bbox: readonly number[]
  /** null where a side is open or nothing is there. */
  time: { startMs: number | null; endMs: number | null }
}

export function collectionOf({ id, title, description, bbox, time }: Described, address: string) {
  const self = collectionAddress(address, id)
  const instant = (ms: number | null) => (ms === null ? null : iso(ms))
  return {
    type: 'Collection',
    id,
    stac_version: STAC_VERSION,
    title,
    description,
    license: 'proprietary',
    extent: {
      spatial: { bbox: [bbox] },
      temporal: { interval: [[instant(time.startMs), instant(time.endMs)]] },
    },
    links: [
      { href: self, rel: 'self', type: JSON_TYPE },
      { href: `${address}/ogc/stac`, rel: 'root', type: JSON_TYPE },
      { href: `${address}/ogc/stac`, rel: 'parent', type: JSON_TYPE },
      { href: `${self}/items`, rel: 'items', type: GEOJSON_TYPE },
    ],
  }
}

export const collectionsOf = (all: readonly Described[], address: string) => ({
  collections: all.map((one) => collectionOf(one, address)),
  links: [
    { href: `${address}/ogc/stac/collections`, rel: 'self', type: JSON_TYPE },
    { href: `${address}/ogc/stac`, rel: 'root', type: JSON_TYPE },
  ],
})

/** West, south, east, north. */
export const boxOf = ({ ul, lr }: Bounds): [number, number, number, number] => [
  ul.lng,
  lr.lat,
  lr.lng,
  ul.lat,
]

/** `dpsri-20260615T080000Z`, with milliseconds when there are some. */
const frameId = (product: string, ms: number): string => `${product}-${iso(ms).replace(/[-:]/g, '')}`

/** Product and instant of such an id; null for another. */
export function frameOfId(id: string): { product: string; timeMs: number } | null {
  const found = /^(.{1,100})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?:\.\d{3})?)Z$/.exec(id)
  if (!found) return null
  const [, product, year, month, day, hour, minute, second] = found
  const timeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(timeMs) ? null : { product, timeMs }
}

interface Parts {
  id: string
  collection: string
  bbox: readonly number[] | null
  ring: readonly (readonly number[])[] | null
  properties: Record<string, unknown>
  assets: Record<string, { href: string; type: string; title: string; roles: string[] }>
}

const item = ({ id, collection, bbox, ring, properties, assets }: Parts, address: string) => ({
  type: 'Feature',
  stac_version: STAC_VERSION,
  stac_extensions: [],
  id,
  collection,
  ...(bbox && { bbox }),
  geometry: ring && { type: 'Polygon', coordinates: [ring] },
  properties,
  links: [
    {
      href: `${collectionAddress(address, collection)}/items/${encodeURIComponent(id)}`,
      rel: 'self',
      type: GEOJSON_TYPE,
    },
    { href: `${address}/ogc/stac`, rel: 'root', type: JSON_TYPE },
    { href: collectionAddress(address, collection), rel: 'parent', type: JSON_TYPE },
    { href: collectionAddress(address, collection), rel: 'collection', type: JSON_TYPE },
  ],
  assets,
})
export type Item = ReturnType<typeof item>

/** Pixels of a frame's picture, a side. */
const PICTURE = 1_024

/** A frame, with the calls that give its picture and its values. */
export function frameItem(product: StoredProduct, timeMs: number, address: string): Item {
  const { shortName, longName, bounds } = product
  const bbox = boxOf(bounds)
  const [west, south, east, north] = bbox
  const time = iso(timeMs)
  const picture = new URLSearchParams({
    ...{ SERVICE: 'WMS', VERSION: '1.3.0', REQUEST: 'GetMap', LAYERS: shortName, STYLES: '' },
    ...{ CRS: 'CRS:84', BBOX: bbox.join(), WIDTH: String(PICTURE), HEIGHT: String(PICTURE) },
    ...{ FORMAT: 'image/png', TRANSPARENT: 'TRUE', TIME: time },
  })
  const cells = new URLSearchParams({ bbox: bbox.join(), datetime: time, f: 'netCDF' })
  return item(
    {
      id: frameId(shortName, timeMs),
      collection: shortName,
      bbox,
      ring: [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
      properties: { datetime: time, title: `${longName}, ${time}` },
      assets: {
        picture: {
          href: `${address}/ogc/wms?${picture}`,
          type: 'image/png',
          title: 'Classes d’intensité (WMS)',
          roles: ['visual', 'overview'],
        },
        values: {
          href: `${address}/ogc/edr/collections/${encodeURIComponent(shortName)}/cube?${cells}`,
          type: 'application/x-netcdf',
          title: 'Intensités de chaque cellule (gestionnaires)',
          roles: ['data'],
        },
      },
    },
    address,
  )
}

/** Box around the rectangle of a run; null where its catchment is gone. */
export function boxOfRun(run: FinishedRun): [number, number, number, number] | null {
  const ground = groundOfRun(run)
  if (ground?.type !== 'Polygon') return null
  const [ring] = ground.coordinates
  const [lngs, lats] = [ring.map(([lng]: Position) => lng), ring.map(([, lat]: Position) => lat)]
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}

/** Of one moment `datetime`, else its two ends (STAC 1.0, common metadata). */
const timesOf = ({ startMs, endMs }: Time) =>
  startMs === endMs
    ? { datetime: iso(startMs) }
    : { datetime: null, start_datetime: iso(startMs), end_datetime: iso(endMs) }

/** A finished run, with the files that came of it. */
export function runItem(run: FinishedRun, address: string): Item {
  const ground = groundOfRun(run)
  const { start: _start, end: _end, ...figures } = figuresOfRun(run)
  const files = `${address}/api/multihydro/file/${run.id}`
  return item(
    {
      id: run.id,
      collection: RUNS,
      bbox: boxOfRun(run),
      ring: ground?.type === 'Polygon' ? ground.coordinates[0] : null,
      properties: { ...timesOf(timeOfRun(run)), ...figures },
      assets: {
        depth: {
          href: `${files}/max-depth.tif`,
          type: 'image/tiff; application=geotiff; profile=cloud-optimized',
          title: 'Hauteurs maximales',
          roles: ['data'],
        },
        cells: {
          href: `${files}/geopackage`,
          type: 'application/geopackage+sqlite3',
          title: 'Mailles inondées, nœuds et conduites',
          roles: ['data'],
        },
        netcdf: {
          href: `${files}/netcdf`,
          type: 'application/x-netcdf',
          title: 'Cartes et hauteurs au cours du temps',
          roles: ['data'],
        },
        ...Object.fromEntries(
          elementsOfRun(run).map((elements) => [
            elements,
            {
              href: `${address}/ogc/features/collections/run.${run.id}.${elements}/items`,
              type: GEOJSON_TYPE,
              title: RUN_ELEMENTS_FR[elements],
              roles: ['data'],
            },
          ]),
        ),
        figures: { href: `${files}/figures`, type: JSON_TYPE, title: 'Chiffres clés', roles: ['metadata'] },
      },
    },
    address,
  )
}

/** A page of items. @param next where the next one is; null on the last */
export const itemsPage = (features: readonly Item[], self: string, next: Link | null, address: string) => ({
  type: 'FeatureCollection',
  numberReturned: features.length,
  features,
  links: [
    { href: self, rel: 'self', type: GEOJSON_TYPE },
    { href: `${address}/ogc/stac`, rel: 'root', type: JSON_TYPE },
    ...(next ? [next] : []),
  ],
})
