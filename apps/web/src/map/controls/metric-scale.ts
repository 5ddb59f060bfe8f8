/** Ground distance of one screen pixel at the equator at zoom 0, tiles of 512 px, m. */
const EQUATOR_M_PER_PX = 40_075_016.686 / 512

export interface MetricScale {
  label: string
  widthPx: number
}

/** Longest bar of 1, 2 or 5 times a power of ten metres that fits. */
export function metricScale(lat: number, zoom: number, longestPx: number): MetricScale {
  const perPixel = (EQUATOR_M_PER_PX * Math.cos((lat * Math.PI) / 180)) / 2 ** zoom
  const most = perPixel * longestPx
  const power = 10 ** Math.floor(Math.log10(most))
  const metres = ([5, 2, 1].find((factor) => factor * power <= most) ?? 1) * power
  const label = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`
  return { label, widthPx: metres / perPixel }
}
