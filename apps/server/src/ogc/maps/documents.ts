import { iso } from '../../radar/api.ts'
import { CRS_ADDRESSES, CRS84 } from '../features/query.ts'
import { HALF_WORLD_M, LEVELS, TILE_PIXELS, tileLimits } from '../frames/tiles.ts'
import type { Mapped } from './mapped.ts'

export const TILE_MATRIX_SET = 'WebMercatorQuad'
const SET_ADDRESS = 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad'
const MERCATOR = 'http://www.opengis.net/def/crs/EPSG/0/3857'
const REL = 'http://www.opengis.net/def/rel/ogc/1.0'
const JSON_TYPE = 'application/json'

/** Conformance classes of OGC API Tiles (20-057) and Maps (20-058) that hold. */
export const CONFORMANCE = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/collection-map',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/tilesets',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/png',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tileset',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tilesets-list',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/geodata-tilesets',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/png',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/oas30',
] as const

export const landing = (address: string) => ({
  title: 'RadX : images du radar',
  description: 'Classes d’intensité par OGC API Maps et Tiles, image par image.',
  links: [
    { href: `${address}/ogc/maps`, rel: 'self', type: JSON_TYPE },
    {
      href: `${address}/api/openapi.json`,
      rel: 'service-desc',
      type: 'application/vnd.oai.openapi+json;version=3.0',
    },
    { href: `${address}/api/docs`, rel: 'service-doc', type: 'text/html' },
    { href: `${address}/ogc/maps/conformance`, rel: 'conformance', type: JSON_TYPE },
    { href: `${address}/ogc/maps/collections`, rel: 'data', type: JSON_TYPE },
    { href: `${address}/ogc/maps/tileMatrixSets`, rel: `${REL}/tiling-schemes`, type: JSON_TYPE },
  ],
})

const addressOf = (address: string, { id }: Mapped) =>
  `${address}/ogc/maps/collections/${encodeURIComponent(id)}`

/** A product, or the water of a run, as a collection. */
export function collectionOf(mapped: Mapped, address: string) {
  const { id, title, description, extent } = mapped
  const { ul, lr } = mapped.bounds
  const self = addressOf(address, mapped)
  return {
    id,
    title,
    description,
    extent: {
      spatial: { bbox: [[ul.lng, lr.lat, lr.lng, ul.lat]], crs: CRS84 },
      ...(extent && { temporal: { interval: [[iso(extent.firstMs), iso(extent.newestMs)]] } }),
    },
    crs: [...CRS_ADDRESSES.keys()],
    storageCrs: CRS84,
    links: [
      { href: self, rel: 'self', type: JSON_TYPE },
      { href: `${self}/map`, rel: `${REL}/map`, type: 'image/png' },
      { href: `${self}/map/tiles`, rel: `${REL}/tilesets-map`, type: JSON_TYPE },
    ],
  }
}

export const matrixSets = (address: string) => ({
  tileMatrixSets: [
    {
      id: TILE_MATRIX_SET,
      title: TILE_MATRIX_SET,
      uri: SET_ADDRESS,
      links: [
        { href: `${address}/ogc/maps/tileMatrixSets/${TILE_MATRIX_SET}`, rel: 'self', type: JSON_TYPE },
      ],
    },
  ],
})

/**
 * The tiles of the world (OGC 17-083r4, annex D.1). Beside the names of that version stand those of the one before
 * (17-083r2), by which GDAL 3.6 reads it.
 */
export const matrixSet = {
  type: 'TileMatrixSetType',
  id: TILE_MATRIX_SET,
  identifier: TILE_MATRIX_SET,
  supportedCRS: MERCATOR,
  boundingBox: {
    type: 'BoundingBoxType',
    crs: MERCATOR,
    lowerCorner: [-HALF_WORLD_M, -HALF_WORLD_M],
    upperCorner: [HALF_WORLD_M, HALF_WORLD_M],
  },
  title: TILE_MATRIX_SET,
  uri: SET_ADDRESS,
  crs: MERCATOR,
  orderedAxes: ['X', 'Y'],
  wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
  tileMatrices: LEVELS.map(({ level, tiles, scaleDenominator, cellSize }) => ({
    type: 'TileMatrixType',
    id: String(level),
    identifier: String(level),
    scaleDenominator,
    cellSize,
    cornerOfOrigin: 'topLeft',
    pointOfOrigin: [-HALF_WORLD_M, HALF_WORLD_M],
    topLeftCorner: [-HALF_WORLD_M, HALF_WORLD_M],
    tileWidth: TILE_PIXELS,
    tileHeight: TILE_PIXELS,
    matrixWidth: tiles,
    matrixHeight: tiles,
  })),
}

const setLink = (address: string) => ({
  href: `${address}/ogc/maps/tileMatrixSets/${TILE_MATRIX_SET}`,
  rel: `${REL}/tiling-scheme`,
  type: JSON_TYPE,
})

/** The tilesets of a collection: one. */
export function tilesets(mapped: Mapped, address: string) {
  const self = `${addressOf(address, mapped)}/map/tiles`
  return {
    links: [{ href: self, rel: 'self', type: JSON_TYPE }],
    tilesets: [
      {
        title: mapped.title,
        dataType: 'map',
        crs: MERCATOR,
        tileMatrixSetURI: SET_ADDRESS,
        links: [{ href: `${self}/${TILE_MATRIX_SET}`, rel: 'self', type: JSON_TYPE }, setLink(address)],
      },
    ],
  }
}

export function tileset(mapped: Mapped, address: string) {
  const { ul, lr } = mapped.bounds
  const self = `${addressOf(address, mapped)}/map/tiles/${TILE_MATRIX_SET}`
  return {
    title: mapped.title,
    dataType: 'map',
    crs: MERCATOR,
    tileMatrixSetURI: SET_ADDRESS,
    boundingBox: { lowerLeft: [ul.lng, lr.lat], upperRight: [lr.lng, ul.lat], crs: CRS84 },
    tileMatrixSetLimits: LEVELS.map(({ level }) => {
      const { minRow, maxRow, minCol, maxCol } = tileLimits(mapped.bounds, level)
      return {
        tileMatrix: String(level),
        ...{ minTileRow: minRow, maxTileRow: maxRow, minTileCol: minCol, maxTileCol: maxCol },
      }
    }),
    links: [
      { href: self, rel: 'self', type: JSON_TYPE },
      setLink(address),
      {
        href: `${self}/{tileMatrix}/{tileRow}/{tileCol}?f=png`,
        rel: 'item',
        type: 'image/png',
        templated: true,
      },
    ],
  }
}
