import proj4 from 'proj4'
import { LAMBERT_93 } from '../config/projections.ts'

/** A reference system that the standards' calls take. */
export interface Crs {
  /** As capabilities name it. */
  code: string
  /** WMS 1.3 gives the first axis north: latitude, then longitude. */
  northFirst: boolean
  /** From x east and y north of the system to longitude and latitude, degrees; NaN where there is none. */
  toLngLat(x: number, y: number): [number, number]
  fromLngLat(lng: number, lat: number): [number, number]
}

const identity = (x: number, y: number): [number, number] => [x, y]
const projected = (code: string, definition: string): Crs => {
  const project = proj4('WGS84', definition)
  return {
    code,
    northFirst: false,
    toLngLat: (x, y) => project.inverse([x, y]) as [number, number],
    fromLngLat: (lng, lat) => project.forward([lng, lat]) as [number, number],
  }
}

/** By code; axis orders as in the EPSG register. */
export const CRS: ReadonlyMap<string, Crs> = new Map(
  [
    { code: 'EPSG:4326', northFirst: true, toLngLat: identity, fromLngLat: identity },
    { code: 'CRS:84', northFirst: false, toLngLat: identity, fromLngLat: identity },
    projected('EPSG:3857', 'EPSG:3857'),
    projected('EPSG:2154', LAMBERT_93),
  ].map((crs) => [crs.code, crs]),
)
