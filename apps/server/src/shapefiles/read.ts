import type { ShapeFeature, Shapefile } from '@radx/contracts/shapefiles'
import { LIMITS, ShapefileError } from './errors.ts'
import { readGeoJson } from './geojson.ts'
import { collect } from './normalise.ts'
import { readZippedShapefile } from './zipped.ts'

export interface ReadLayer {
  features: ShapeFeature[]
  bounds: Shapefile['bounds']
  /** Records without a geometry, which are left out. */
  skipped: number
}

export interface ReadOptions {
  /** EPSG code that the user states; wins over what the file says. */
  epsg?: number
}

/**
 * Reads a layer, a zipped ESRI shapefile or a GeoJSON file, told by its first bytes, and brings it to
 * WGS84.
 * @throws ShapefileError with a message that says what is wrong with the file and what to do
 */
export function readLayer(bytes: Uint8Array, options: ReadOptions = {}): ReadLayer {
  if (bytes.length === 0) throw new ShapefileError('empty', 'Le fichier est vide.')
  if (bytes.length > LIMITS.fileBytes)
    throw new ShapefileError(
      'size',
      `Le fichier dépasse ${LIMITS.fileBytes / 1024 / 1024} Mio. Simplifier la couche, puis réessayer.`,
    )
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  return collect(isZip ? readZippedShapefile(bytes, options.epsg) : readGeoJson(bytes, options.epsg))
}
