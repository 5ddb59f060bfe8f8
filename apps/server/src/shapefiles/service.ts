import { RadxError, SHAPEFILE_COLOR, SHAPEFILE_NAME } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { insertShapefile } from './queries.ts'
import { type ReadLayer, readLayer } from './read.ts'

export interface NewShapefile {
  name: string
  longName: string
  description: string
  /** `#rrggbb` */
  color: string
  /** EPSG code that wins over what the file says. */
  epsg?: number
}

/**
 * Reads a layer file and keeps it.
 * @throws ShapefileError for what is wrong with the file, RadxError for a refused or taken name or colour
 */
export async function importShapefile(
  db: Kysely<Database>,
  bytes: Uint8Array,
  { name, longName, description, color, epsg }: NewShapefile,
): Promise<ReadLayer> {
  if (!SHAPEFILE_NAME.test(name))
    throw new RadxError(
      'shapefile.name',
      422,
      `Le nom « ${name} » est refusé : minuscules sans accent, chiffres, tirets et soulignés, 64 au plus.`,
    )
  if (!SHAPEFILE_COLOR.test(color))
    throw new RadxError('shapefile.color', 422, `La couleur « ${color} » est refusée : #rrggbb est attendu.`)
  const layer = readLayer(bytes, { epsg })
  const added = await insertShapefile(db, {
    name,
    long_name: longName,
    description,
    color,
    content: JSON.stringify({ type: 'FeatureCollection', features: layer.features }),
    features: layer.features.length,
    bounds: layer.bounds,
  })
  if (!added)
    throw new RadxError(
      'shapefile.taken',
      409,
      `La couche « ${name} » existe déjà. radx shapefile remove la retire.`,
    )
  return layer
}
