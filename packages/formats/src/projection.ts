import proj4 from 'proj4'

type Point = [number, number]

/** Longitude, latitude (degrees) to the plane, as [x, y]; NaN where there is no such point. */
export type ToPlane = (lonLat: Point) => Point

/** Plane of a latitude-longitude grid, degrees. */
export const LONGLAT = '+proj=longlat +datum=WGS84 +no_defs'

/** What PROJ takes for a word that is missing, and proj4 for no number. For lcc and krovak lat_0 is another one. */
const DEFAULTS = ['lat_0', 'lon_0', 'x_0', 'y_0']
const OWN_LATITUDE = /^\+proj=(lcc|krovak)$/

/**
 * A PROJ definition in the form that proj4 reads: every word with its plus, which PROJ lets one leave out and
 * without which proj4 would pass the word over and place the picture elsewhere; origin and false origin written out.
 * Only plain `+key=value` text is taken, since it comes from files: no names, no WKT, no grid files.
 * @returns undefined where the text is none
 */
export function plainDefinition(text: string): string | undefined {
  const plain = /^\s*\+?proj=\w+(\s+\+?[A-Za-z_]\w*(=[\w.,+-]*)?)*\s*$/
  if (text.length > 500 || !plain.test(text) || /nadgrids|geoidgrids/.test(text)) return undefined
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => (word.startsWith('+') ? word : `+${word}`))
  for (const key of DEFAULTS) {
    const given = words.some((word) => word.startsWith(`+${key}=`))
    if (!given && !(key === 'lat_0' && OWN_LATITUDE.test(words[0]))) words.push(`+${key}=0`)
  }
  return words.join(' ')
}

const planes = new Map<string, ToPlane>()

/**
 * The conversion to the plane of a PROJ definition (see `plainDefinition`).
 * @returns undefined where the text is no projection that can be computed
 */
export function planeOf(definition: string): ToPlane | undefined {
  const known = planes.get(definition)
  if (known) return known
  const plain = plainDefinition(definition)
  if (!plain) return undefined
  try {
    const { forward } = proj4(LONGLAT, plain)
    const toPlane: ToPlane = (lonLat) => {
      try {
        return forward(lonLat)
      } catch {
        // At the pole of a Mercator plane in km, for one.
        return [Number.NaN, Number.NaN]
      }
    }
    if (planes.size >= 64) planes.clear()
    planes.set(definition, toPlane)
    return toPlane
  } catch {
    return undefined
  }
}

/**
 * The way back from the plane of a PROJ definition to longitude and latitude, degrees.
 * @returns undefined where the text is no projection that can be computed
 */
export function lonLatOf(definition: string): ToPlane | undefined {
  const plain = plainDefinition(definition)
  if (!plain || !planeOf(definition)) return undefined
  const { inverse } = proj4(LONGLAT, plain)
  return (point) => inverse(point)
}
