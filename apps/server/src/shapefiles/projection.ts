import type { Position } from '@radx/contracts/shapefiles'
import proj4 from 'proj4'
import { projectionText } from '../config/projections.ts'
import { ShapefileError } from './errors.ts'

/** Coordinates of a file to [longitude, latitude] in WGS84 degrees. */
export type ToWgs84 = (xy: Position) => Position

function inverse(projection: string): ToWgs84 {
  const converter = proj4(projection)
  return (xy) => converter.inverse(xy) as Position
}

/** @throws ShapefileError `crs` for a code that RadX does not know */
export function fromEpsg(epsg: number): ToWgs84 {
  const text = projectionText(epsg)
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
 * The text of a .prj file (WKT 1, as ESRI or GDAL write it) as proj4 takes it.
 * @throws ShapefileError `prj` when the text names no system that can be computed to within a few metres
 */
export function prjDefinition(wkt: string): string {
  const text = wkt.replace(/^\uFEFF/, '').trim()
  if (isLambert2(text)) return projectionText(27572)!
  try {
    if (!/^(PROJCS|GEOGCS)\s*\[/i.test(text)) throw new Error('neither PROJCS nor GEOGCS')
    if (!MODERN_DATUM.test(text)) throw new Error('datum not known')
    if (!inverse(text)([0, 0]).every(Number.isFinite)) throw new Error('no finite result')
    return text
  } catch (cause) {
    throw new ShapefileError(
      'prj',
      'Le fichier .prj ne décrit pas un système de coordonnées pris en charge. Convertir la couche en Lambert-93 (EPSG:2154) ou en WGS84 (EPSG:4326).',
      { reason: String(cause) },
    )
  }
}

/** Coordinates of a layer with such a .prj file. @throws ShapefileError `prj` */
export const fromPrj = (wkt: string): ToWgs84 => inverse(prjDefinition(wkt))
