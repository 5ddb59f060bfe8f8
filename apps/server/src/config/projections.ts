import { createRequire } from 'node:module'
import proj4 from 'proj4'

/** Geocentric translation of the old French system NTF to WGS84 in m (EPSG:1193). */
const NTF_SHIFT = '-168,-60,320,0,0,0,0'

const GRS80 = '+ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs'

/** France's (EPSG:2154). */
export const LAMBERT_93 = `+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 ${GRS80}`

/** `projectionText` of a system by its name, as `EPSG:2154`. */
export const projectionNamed = (name: string): string | undefined =>
  projectionText(Number(/^EPSG:(\d+)$/.exec(name)?.[1]))

/**
 * EPSG code of a system as files and services name it, as `EPSG:2154`, `urn:ogc:def:crs:EPSG::2154` (or with a version between the
 * colons) and `http://www.opengis.net/def/crs/EPSG/0/2154`; undefined for other names.
 */
export function epsgOf(name: string): number | undefined {
  const code = /\bEPSG(?::+|\/)(?:[\d.]*[:/])?(\d{4,5})$/i.exec(name)?.[1]
  return code === undefined ? undefined : Number(code)
}

/**
 * proj4 definition of a system on the ground by its EPSG code, in metres, feet or degrees; undefined for others. Those of France
 * and the world's usual ones stand here, all others are the EPSG register's.
 */
export function projectionText(epsg: number): string | undefined {
  return known(epsg) ?? registered(epsg)
}

const load = createRequire(import.meta.url)

interface Registered {
  kind: string
  proj4: string | null
}

/** Systems of the register whose shift to WGS84 is told in figures: without one places would be off by up to hundreds of metres. */
function registered(epsg: number): string | undefined {
  if (!Number.isInteger(epsg) || epsg < 1024 || epsg > 32_767) return undefined
  let found: Registered
  try {
    found = load(`epsg-index/s/${epsg}.json`) as Registered
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
  const { kind, proj4: text } = found
  if (text === null || !/^CRS-(PROJ|GEOG)CRS$/.test(kind)) return undefined
  const isTold = /\+(towgs84=|datum=WGS84)/.test(text) && !text.includes('+nadgrids=')
  return isTold && isComputed(text) ? text : undefined
}

/** The library does not compute every kind of projection. */
function isComputed(text: string): boolean {
  try {
    proj4(text)
    return true
  } catch {
    return false
  }
}

function known(epsg: number): string | undefined {
  if (epsg >= 3942 && epsg <= 3950) {
    const lat0 = epsg - 3900
    return `+proj=lcc +lat_0=${lat0} +lon_0=3 +lat_1=${lat0 - 0.75} +lat_2=${lat0 + 0.75} +x_0=1700000 +y_0=${(lat0 - 41) * 1e6 + 200_000} ${GRS80}`
  }
  if (epsg > 32600 && epsg <= 32660) return `+proj=utm +zone=${epsg - 32600} +datum=WGS84 +units=m +no_defs`
  if (epsg > 32700 && epsg <= 32760)
    return `+proj=utm +zone=${epsg - 32700} +south +datum=WGS84 +units=m +no_defs`
  if (epsg >= 25828 && epsg <= 25838) return `+proj=utm +zone=${epsg - 25800} ${GRS80}`
  return {
    4326: '+proj=longlat +datum=WGS84 +no_defs',
    4171: '+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs',
    4258: '+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs',
    3857: '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs',
    2154: LAMBERT_93,
    27572: `+proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=0 +k_0=0.99987742 +x_0=600000 +y_0=2200000 +a=6378249.2 +b=6356515 +towgs84=${NTF_SHIFT} +pm=paris +units=m +no_defs`,
  }[epsg]
}
