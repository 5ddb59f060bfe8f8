import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { prjDefinition, readShapes, type ShapefileParts, zippedParts } from '../../shapefiles/api.ts'
import { SourceRefused } from '../findings.ts'
import type { RecipeFolder } from './files.ts'
import type { RawFeature, RawLayer } from './layer.ts'

/** Reads a shapefile, whose other parts lie beside it, or the one of a zip. @throws SourceRefused, ShapefileError */
export async function readShapefileLayer(folder: RecipeFolder, name: string): Promise<RawLayer> {
  const parts =
    extname(name).toLowerCase() === '.zip'
      ? zippedParts(await readFile(folder.path(name)))
      : await besides(folder, name)
  const { prj } = parts
  return {
    features: readShapes(parts) as RawFeature[],
    crs: () =>
      prj === null
        ? null
        : { name: `${name} (.prj)`, definition: prjDefinition(Buffer.from(prj).toString('utf8')) },
  }
}

async function besides(folder: RecipeFolder, name: string): Promise<ShapefileParts> {
  const stem = name.slice(0, -extname(name).length)
  const part = async (kind: string) => {
    for (const spelling of [kind, kind.toUpperCase()]) {
      const found = await readFile(folder.path(`${stem}.${spelling}`)).catch(
        (error: NodeJS.ErrnoException) => error.code,
      )
      if (found instanceof Buffer) return found
      if (found !== 'ENOENT') throw new SourceRefused(`${stem}.${spelling} ne peut être lu (${found}).`)
    }
    return null
  }
  const [shp, dbf, prj, cpg] = await Promise.all(['shp', 'dbf', 'prj', 'cpg'].map(part))
  if (shp === null) throw new SourceRefused(`${name} n’existe pas.`)
  return { shp, dbf, prj, cpg }
}
