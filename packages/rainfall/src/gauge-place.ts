import type { Bounds, LatLng } from '@radx/contracts/site'

const inside = ({ ul, lr }: Bounds, { lat, lng }: LatLng) =>
  lat <= ul.lat && lat >= lr.lat && lng >= ul.lng && lng <= lr.lng

export interface GaugeGround {
  /** Managers may place a gauge anywhere on the radar's coverage. */
  manager: boolean
  /** Bounds of the analysis basins. */
  basins: readonly Bounds[]
  /** Bounds of the account's own layers; without any, they restrict nothing. */
  layers: readonly Bounds[]
}

/**
 * Whether a user may place a pixel gauge at a point: a manager anywhere; others inside the bounds of a
 * basin and, when the account has layers, also inside the bounds of one of them.
 */
export function gaugePlace(
  { manager, basins, layers }: GaugeGround,
  point: LatLng,
): 'allowed' | 'outsideBasins' | 'outsideLayers' {
  if (manager) return 'allowed'
  if (!basins.some((bounds) => inside(bounds, point))) return 'outsideBasins'
  if (layers.length > 0 && !layers.some((bounds) => inside(bounds, point))) return 'outsideLayers'
  return 'allowed'
}

/** Smallest bounds around the rings of polygons of [lng, lat]. */
export function boundsOfPolygons(polygons: readonly (readonly (readonly (readonly number[])[])[])[]): Bounds {
  const ul = { lat: Number.NEGATIVE_INFINITY, lng: Number.POSITIVE_INFINITY }
  const lr = { lat: Number.POSITIVE_INFINITY, lng: Number.NEGATIVE_INFINITY }
  for (const [outline] of polygons)
    for (const [lng, lat] of outline) {
      ul.lat = Math.max(ul.lat, lat)
      ul.lng = Math.min(ul.lng, lng)
      lr.lat = Math.min(lr.lat, lat)
      lr.lng = Math.max(lr.lng, lng)
    }
  return { ul, lr }
}
