import type { Bounds } from '@radx/contracts'
import { CRS } from '../crs.ts'
import type { MapWindow } from '../wms/request.ts'

/** Half of the world of EPSG:3857, m. */
export const HALF_WORLD_M = 20_037_508.342_789_244
export const TILE_PIXELS = 256
/** Scale of level 0 at the equator by pixels of 0.28 mm (OGC 17-083r4, annex D.1, WebMercatorQuad). */
const SCALE = 559_082_264.028_717_8
/** A pixel of the last level is half a metre: far finer than any cell. */
const LEVEL_MAX = 18

/** The tiles of WebMercatorQuad, level by level. */
export const LEVELS = Array.from({ length: LEVEL_MAX + 1 }, (_, level) => ({
  level,
  tiles: 2 ** level,
  scaleDenominator: SCALE / 2 ** level,
  cellSize: (2 * HALF_WORLD_M) / (TILE_PIXELS * 2 ** level),
}))

export interface TilePlace {
  level: number
  row: number
  col: number
}

/** A tile as an address names it; null where there is none. */
export function tilePlace(level: string, row: string, col: string): TilePlace | null {
  const [z, y, x] = [level, row, col].map((text) => (/^\d{1,7}$/.test(text) ? Number(text) : Number.NaN))
  const { tiles } = LEVELS[z] ?? { tiles: 0 }
  return y < tiles && x < tiles ? { level: z, row: y, col: x } : null
}

/** The ground of a tile. */
export function tileWindow({ level, row, col }: TilePlace): MapWindow {
  const side = (2 * HALF_WORLD_M) / 2 ** level
  const west = -HALF_WORLD_M + col * side
  const north = HALF_WORLD_M - row * side
  const size = { width: TILE_PIXELS, height: TILE_PIXELS }
  return { crs: CRS.get('EPSG:3857')!, west, south: north - side, east: west + side, north, ...size }
}

/** First and last rows and columns of a level that a product's ground touches. */
export function tileLimits({ ul, lr }: Bounds, level: number) {
  const { fromLngLat } = CRS.get('EPSG:3857')!
  const [west, north] = fromLngLat(ul.lng, ul.lat)
  const [east, south] = fromLngLat(lr.lng, lr.lat)
  const side = (2 * HALF_WORLD_M) / 2 ** level
  const place = (metres: number) =>
    Math.max(0, Math.min(2 ** level - 1, Math.floor((HALF_WORLD_M + metres) / side)))
  return { minRow: place(-north), maxRow: place(-south), minCol: place(west), maxCol: place(east) }
}
