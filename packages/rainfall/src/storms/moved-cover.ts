const M_PER_DEGREE = 111_195

/** Two corners of a box, [lng, lat] in degrees. */
export interface Corners {
  sw: readonly [number, number] | readonly number[]
  ne: readonly [number, number] | readonly number[]
}

/**
 * Share of a catchment's box, 0 to 1, over which a product still lies once its rain was moved.
 * @param move metres to the east and north; a degree of longitude is as long as in the middle of the catchment
 */
export function coveredShare(
  { sw, ne }: Corners,
  { ul, lr }: { ul: { lat: number; lng: number }; lr: { lat: number; lng: number } },
  { eastM, northM }: { eastM: number; northM: number },
): number {
  const perLng = M_PER_DEGREE * Math.cos((((sw[1] + ne[1]) / 2) * Math.PI) / 180)
  const [east, north] = [eastM / perLng, northM / M_PER_DEGREE]
  const shared = (from: number, to: number, least: number, most: number) =>
    Math.max(0, Math.min(to, most) - Math.max(from, least)) / (to - from)
  return (
    shared(sw[0], ne[0], ul.lng + east, lr.lng + east) * shared(sw[1], ne[1], lr.lat + north, ul.lat + north)
  )
}
