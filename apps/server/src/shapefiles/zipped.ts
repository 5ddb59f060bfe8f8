import { parseDbf, parseShp } from 'shpjs'
import { ShapefileError } from './errors.ts'
import type { RawFeature, RawLayer } from './normalise.ts'
import { fromEpsg, fromPrj } from './projection.ts'
import { unzip } from './zip.ts'

const PART = /\.(shp|prj|dbf|cpg)$/i
const SHP_HEADER_BYTES = 100
const SHP_FILE_CODE = 9994

/** The files of one shapefile. */
export interface ShapefileParts {
  shp: Uint8Array
  dbf: Uint8Array | null
  prj: Uint8Array | null
  cpg: Uint8Array | null
}

/** Reads the one shapefile of an archive: .shp and .prj are needed, .dbf and .cpg wanted. */
export function readZippedShapefile(bytes: Uint8Array, epsg?: number): RawLayer {
  const parts = zippedParts(bytes)
  if (parts.prj === null && epsg === undefined)
    throw new ShapefileError(
      'noPrj',
      "Le fichier .prj manque dans l'archive : sans lui, le système de coordonnées est inconnu. L'ajouter, ou indiquer le code avec --epsg (2154 pour Lambert-93).",
    )
  const toWgs84 = epsg === undefined ? fromPrj(Buffer.from(parts.prj!).toString('utf8')) : fromEpsg(epsg)
  return { features: readShapes(parts), toWgs84 }
}

/** The files of the one shapefile of an archive. @throws ShapefileError */
export function zippedParts(bytes: Uint8Array): ShapefileParts {
  const files = unzip(bytes, (path) => PART.test(path) && !path.includes('__MACOSX'))
  const layers = [...files.keys()].filter((path) => /\.shp$/i.test(path))
  if (layers.length === 0)
    throw new ShapefileError(
      'noShp',
      "L'archive ne contient pas de fichier .shp. Y mettre .shp, .dbf et .prj.",
    )
  if (layers.length > 1)
    throw new ShapefileError(
      'layers',
      `L'archive contient ${layers.length} couches (${layers.join(', ')}). N'y laisser que la couche voulue.`,
    )
  const stem = layers[0].slice(0, -'.shp'.length).toLowerCase()
  const part = (kind: string) =>
    [...files].find(([path]) => path.toLowerCase() === `${stem}.${kind}`)?.[1] ?? null
  return { shp: part('shp')!, dbf: part('dbf'), prj: part('prj'), cpg: part('cpg') }
}

/** Shapes and their attributes, in the file's own coordinates. @throws ShapefileError */
export function readShapes({ shp, dbf, cpg }: ShapefileParts): RawFeature[] {
  checkShp(shp)
  try {
    const geometries = parseShp(shp)
    const rows = dbf === null ? [] : parseDbf(dbf, dbfEncoding(dbf, cpg))
    if (dbf !== null && rows.length !== geometries.length)
      throw new ShapefileError(
        'dbf',
        `Le .shp a ${geometries.length} formes et le .dbf ${rows.length} lignes : les deux fichiers ne vont pas ensemble.`,
      )
    return geometries.map((geometry, i) => ({ geometry, properties: rows[i] ?? {} }))
  } catch (cause) {
    if (cause instanceof ShapefileError) throw cause
    throw new ShapefileError('shp', 'Le shapefile est endommagé. Le réexporter, puis réessayer.', {
      reason: String(cause),
    })
  }
}

/** The parser stops quietly at the end of a short file; the header says how long it should be. */
function checkShp(shp: Uint8Array): void {
  const view = new DataView(shp.buffer, shp.byteOffset, shp.byteLength)
  if (shp.length < SHP_HEADER_BYTES || view.getInt32(0) !== SHP_FILE_CODE)
    throw new ShapefileError('shp', "Le fichier .shp n'est pas un shapefile ESRI.")
  const declared = view.getInt32(24) * 2
  if (declared > shp.length)
    throw new ShapefileError(
      'truncated',
      `Le fichier .shp est tronqué : ${shp.length} octets au lieu de ${declared}. Le réexporter, puis réessayer.`,
    )
}

/** The .cpg's word, else UTF-8 where the table is valid UTF-8, else Windows-1252 as older software wrote. */
function dbfEncoding(dbf: Uint8Array, cpg: Uint8Array | null): string {
  if (cpg !== null) return Buffer.from(cpg).toString('latin1').trim()
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(dbf)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}
