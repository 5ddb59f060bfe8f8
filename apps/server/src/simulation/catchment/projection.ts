import { RadxError } from '@radx/contracts'
import { LAMBERT_93 } from '../../config/lambert-93.ts'

/** proj4 definition of the projected systems that catchments come in. @throws RadxError for others */
export function projectionOf(crs: string): string {
  const code = Number(/^EPSG:(\d+)$/.exec(crs)?.[1])
  if (code === 2154) return LAMBERT_93
  // The nine French conic zones (CC42 to CC50).
  if (code >= 3942 && code <= 3950) {
    const lat = code - 3900
    return `+proj=lcc +lat_0=${lat} +lon_0=3 +lat_1=${lat - 0.75} +lat_2=${lat + 0.75} +x_0=1700000 +y_0=${(lat - 41) * 1_000_000 + 200_000} +ellps=GRS80 +units=m +no_defs`
  }
  if (code >= 32601 && code <= 32660) return `+proj=utm +zone=${code - 32600} +datum=WGS84 +units=m +no_defs`
  if (code >= 32701 && code <= 32760)
    return `+proj=utm +zone=${code - 32700} +south +datum=WGS84 +units=m +no_defs`
  if (code >= 25828 && code <= 25838) return `+proj=utm +zone=${code - 25800} +ellps=GRS80 +units=m +no_defs`
  throw new RadxError(
    'catchment.crs',
    422,
    `Le système de coordonnées ${crs} n’est pas pris en charge. Utilisez Lambert-93 (EPSG:2154), une zone CC (EPSG:3942 à 3950) ou UTM.`,
    { details: { crs } },
  )
}
