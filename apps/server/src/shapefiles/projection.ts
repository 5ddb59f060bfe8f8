import type { Position } from '@radx/contracts/shapefiles'
import proj4 from 'proj4'
import { ShapefileError } from './errors.ts'

/** Coordinates of a file to [longitude, latitude] in WGS84 degrees. */
export type ToWgs84 = (xy: Position) => Position

/** Geocentric translation of the old French system NTF to WGS84 in m (EPSG:1193). */
const NTF_SHIFT = '-168,-60,320,0,0,0,0'

const GRS80 = '+ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs'

/** Systems that French data comes in, by EPSG code. Conic conformal zones CC42 to CC50 are 3942 to 3950. */
function definition(epsg: number): string | undefined {
  if (epsg >= 3942 && epsg <= 3950) {
    const lat0 = epsg - 3900
    return `+proj=lcc +lat_0=${lat0} +lon_0=3 +lat_1=${lat0 - 0.75} +lat_2=${lat0 + 0.75} +x_0=1700000 +y_0=${(lat0 - 41) * 1e6 + 200_000} ${GRS80}`
  }
  if (epsg > 32600 && epsg <= 32660) return `+proj=utm +zone=${epsg - 32600} +datum=WGS84 +units=m +no_defs`
  return {
    4326: '+proj=longlat +datum=WGS84 +no_defs',
    4171: '+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs',
    4258: '+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs',
    3857: '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs',
    2154: `+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 ${GRS80}`,
    27572: `+proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=0 +k_0=0.99987742 +x_0=600000 +y_0=2200000 +a=6378249.2 +b=6356515 +towgs84=${NTF_SHIFT} +pm=paris +units=m +no_defs`,
  }[epsg]
}

function inverse(projection: string): ToWgs84 {
  const converter = proj4(projection)
  return (xy) => converter.inverse(xy) as Position
}

/** @throws ShapefileError `crs` for a code that RadX does not know */
export function fromEpsg(epsg: number): ToWgs84 {
  const text = definition(epsg)
  if (text === undefined)
    throw new ShapefileError(
      'crs',
      `Le système de coordonnées EPSG:${epsg} n'est pas pris en charge. Convertir la couche en Lambert-93 (EPSG:2154) ou en WGS84 (EPSG:4326).`,
      { epsg },
    )
  return inverse(text)
}

/** Datums that are WGS84 to within a metre; for any other the shift would be left out in silence. */
const MODERN_DATUM =
  /DATUM\s*\[\s*"(?:D_)?(?:WGS_1984|WGS_84|RGF_?1993|RGF_?93|Reseau_Geodesique_Francais_1993|ETRS_1989|ETRS89|European_Terrestrial_Reference_System_1989)[^"]*"/i

/** Lambert II and II étendu in any spelling: NTF with their false origin. Their grads are no proj4 unit. */
const isLambert2 = (wkt: string) =>
  /DATUM\s*\[\s*"(?:D_NTF|Nouvelle_Triangulation_Francaise)/i.test(wkt) &&
  /False_Easting"\s*,\s*600000(?:\.0*)?\s*\]/i.test(wkt) &&
  /False_Northing"\s*,\s*2200000(?:\.0*)?\s*\]/i.test(wkt)

/**
 * Reads the text of a .prj file (WKT 1, as ESRI or GDAL write it).
 * @throws ShapefileError `prj` when the text names no system that can be computed to within a few metres
 */
export function fromPrj(wkt: string): ToWgs84 {
  const text = wkt.replace(/^\uFEFF/, '').trim()
  if (isLambert2(text)) return fromEpsg(27572)
  try {
    if (!/^(PROJCS|GEOGCS)\s*\[/i.test(text)) throw new Error('neither PROJCS nor GEOGCS')
    if (!MODERN_DATUM.test(text)) throw new Error('datum not known')
    const toWgs84 = inverse(text)
    if (!toWgs84([0, 0]).every(Number.isFinite)) throw new Error('no finite result')
    return toWgs84
  } catch (cause) {
    throw new ShapefileError(
      'prj',
      'Le fichier .prj ne décrit pas un système de coordonnées pris en charge. Convertir la couche en Lambert-93 (EPSG:2154) ou en WGS84 (EPSG:4326).',
      { reason: String(cause) },
    )
  }
}
