import { iso } from '../../radar/api.ts'
import { CRS_ADDRESSES, CRS84, type Time } from './query.ts'

/** Conformance classes of OGC API Features (17-069r4, 18-058r1) that hold. */
export const CONFORMANCE = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
] as const

const JSON_TYPE = 'application/json'
export const GEOJSON_TYPE = 'application/geo+json'

export const landing = (address: string) => ({
  title: 'RadX : bassins, pluviomètres, réseaux et résultats',
  description: 'Objets géographiques par OGC API Features 1.0, en GeoJSON.',
  links: [
    { href: `${address}/ogc/features`, rel: 'self', type: JSON_TYPE, title: 'Cette page' },
    {
      href: `${address}/ogc/features/api`,
      rel: 'service-desc',
      type: 'application/vnd.oai.openapi+json;version=3.0',
      title: 'Description',
    },
    { href: `${address}/api/docs`, rel: 'service-doc', type: 'text/html', title: 'Documentation' },
    {
      href: `${address}/ogc/features/conformance`,
      rel: 'conformance',
      type: JSON_TYPE,
      title: 'Classes de conformité',
    },
    { href: `${address}/ogc/features/collections`, rel: 'data', type: JSON_TYPE, title: 'Collections' },
  ],
})

/** What is said of a collection. */
export interface Described {
  id: string
  title: string
  description: string
  /** West, south, east, north. */
  bbox?: [number, number, number, number]
  time?: Time | null
}

export const collectionsOf = (all: readonly Described[], address: string) => ({
  links: [
    {
      href: `${address}/ogc/features/collections`,
      rel: 'self',
      type: JSON_TYPE,
      title: 'Collections',
    },
  ],
  crs: [...CRS_ADDRESSES.keys()],
  collections: all.map((one) => collectionOf(one, address)),
})

export function collectionOf({ id, title, description, bbox, time }: Described, address: string) {
  const self = `${address}/ogc/features/collections/${encodeURIComponent(id)}`
  return {
    id,
    title,
    description,
    itemType: 'feature',
    ...((bbox || time) && {
      extent: {
        ...(bbox && { spatial: { bbox: [bbox], crs: CRS84 } }),
        ...(time && { temporal: { interval: [[iso(time.startMs), iso(time.endMs)]] } }),
      },
    }),
    crs: [...CRS_ADDRESSES.keys()],
    storageCrs: CRS84,
    links: [
      { href: self, rel: 'self', type: JSON_TYPE, title },
      { href: `${self}/items`, rel: 'items', type: GEOJSON_TYPE, title },
    ],
  }
}
