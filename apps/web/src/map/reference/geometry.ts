import type { LatLng } from '@radx/contracts/site'
import { EARTH_RADIUS_M } from '@radx/rainfall/grid'

const RAD = Math.PI / 180

/** The place that lies so far from another towards a bearing (degrees clockwise from north), on the sphere. */
export function destination(from: LatLng, bearingDeg: number, distanceM: number): LatLng {
  const angle = distanceM / EARTH_RADIUS_M
  const lat1 = from.lat * RAD
  const bearing = bearingDeg * RAD
  const lat = Math.asin(
    Math.sin(lat1) * Math.cos(angle) + Math.cos(lat1) * Math.sin(angle) * Math.cos(bearing),
  )
  const lng =
    from.lng * RAD +
    Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(lat1),
      Math.cos(angle) - Math.sin(lat1) * Math.sin(lat),
    )
  return { lat: lat / RAD, lng: lng / RAD }
}

/** Points of a circle around a place, on the sphere; closed, clockwise from north. */
export const circle = (centre: LatLng, radiusM: number, points = 180): LatLng[] =>
  Array.from({ length: points + 1 }, (_, i) => destination(centre, (360 * i) / points, radiusM))

/** Radii of the range rings in km: three to six round ones, the range itself always the last. */
export function ringRadiiKm(rangeKm: number): number[] {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200].find((value) => rangeKm / value <= 5.5) ?? 250
  const radii: number[] = []
  for (let radius = step; radius < rangeKm - step * 0.25; radius += step) radii.push(radius)
  return [...radii, rangeKm]
}
