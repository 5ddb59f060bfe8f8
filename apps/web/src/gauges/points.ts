/** Pixel rain gauges: the list of chosen pixels, newest first (spec 1 §3 "Pixel point", §4). */
import type { LatLng } from '@radx/contracts'
import { PIXEL_COLORS } from '@radx/contracts/constants'

export interface PixelPoint<Data> {
  radarPixel: { row: number; col: number }
  radarData: Data
  /** 0 to 2: the colours go round. */
  color: number
  /** Where the user clicked. */
  pos: LatLng
  /** Centre of the pixel. */
  posCenter: LatLng
}

const isSame = (a: { row: number; col: number }, b: { row: number; col: number }) =>
  a.row === b.row && a.col === b.col

/** Adds a point at the front; a pixel that is there already changes nothing. */
export function addPoint<Data>(
  points: readonly PixelPoint<Data>[],
  point: Omit<PixelPoint<Data>, 'color'>,
): readonly PixelPoint<Data>[] {
  if (points.some((p) => isSame(p.radarPixel, point.radarPixel))) return points
  return [{ ...point, color: points.length % PIXEL_COLORS }, ...points]
}

export function removePoint<Data>(
  points: readonly PixelPoint<Data>[],
  pixel: { row: number; col: number },
): readonly PixelPoint<Data>[] {
  return points.filter((p) => !isSame(p.radarPixel, pixel))
}
