import proj4 from 'proj4'

/** Longitude, latitude (degrees) to the plane and back, as [x, y]. */
export interface Converter {
  forward(lonLat: [number, number]): [number, number]
  inverse(xy: [number, number]): [number, number]
}

/** Plane of a latitude-longitude grid, degrees. */
export const LONGLAT = '+proj=longlat +datum=WGS84 +no_defs'

const converters = new Map<string, Converter>()

/**
 * The conversion to the plane of a proj4 definition.
 * Only plain `+key=value` text is taken, since it comes from files: no names, no WKT, no grid files.
 * @returns undefined where the text is no projection that can be computed
 */
export function converter(definition: string): Converter | undefined {
  const known = converters.get(definition)
  if (known) return known
  if (definition.length > 500 || !/^\s*\+proj=\w+(\s+\+?[A-Za-z_]\w*(=[\w.,+-]*)?)*\s*$/.test(definition))
    return undefined
  if (/nadgrids|geoidgrids/.test(definition)) return undefined
  try {
    const found = proj4(LONGLAT, definition) as unknown as Converter
    if (converters.size >= 64) converters.clear()
    converters.set(definition, found)
    return found
  } catch {
    return undefined
  }
}
