import { writeEsriAscii } from '@radx/formats/esri-ascii'
import type { Context } from './context.ts'
import { SourceRefused } from './findings.ts'
import type { Place } from './grid.ts'
import { cellsInside } from './ground/rasterise.ts'
import { crsOf } from './sources/crs.ts'
import { type Layer, readLayer } from './sources/layer.ts'
import { openRaster } from './sources/raster.ts'
import { Columns } from './sources/values.ts'
import { Mosaic } from './terrain/mosaic.ts'

/** Files of a package by name. */
export type Files = Map<string, string>

/** What a recipe hands on to its package: boundaries, points, parameters, streets, footprints, masks. Wrong parts are problems. */
export async function passOn(context: Context, files: Files): Promise<void> {
  const { recipe, folder, findings } = context
  const part = (run: () => Promise<void>) => findings.attempt(run)
  await part(async () => {
    if (recipe.boundaries === undefined) return
    const { file, features, values } = recipe.boundaries
    if ((file === undefined) === (features === undefined))
      throw new SourceRefused('boundaries : donnez "file" (GeoJSON) ou "features", l’un des deux.')
    files.set('boundaries.geojson', file === undefined ? collection(features!) : await folder.text(file))
    if (values !== undefined) files.set('boundaries.csv', await folder.text(values))
  })
  await part(async () => {
    if (recipe.points === undefined) return
    files.set(
      'points.csv',
      'file' in recipe.points
        ? await folder.text(recipe.points.file)
        : `${['name,x,y', ...recipe.points.map(({ name, x, y }) => `"${name.replaceAll('"', '')}",${x},${y}`)].join('\n')}\n`,
    )
  })
  await part(async () => {
    if (recipe.parameters === undefined) return
    const { parameters } = recipe
    const byFile = typeof parameters.file === 'string'
    files.set(
      'parameters.json',
      byFile ? await folder.text(parameters.file as string) : `${JSON.stringify(parameters, null, 1)}\n`,
    )
  })
  await part(async () => {
    if (recipe.streets === undefined) return
    const { name, width, ...source } = recipe.streets
    const layer = await readLayer(source, 'streets', 'lines', context)
    const columns = new Columns(layer)
    columns.need([name, width])
    files.set(
      'streets.geojson',
      geoJson(layer, 'MultiLineString', (properties) => {
        const widthM = columns.number(properties, width)
        return {
          name: columns.text(properties, name),
          ...(widthM !== null && widthM > 0 && { width: Math.min(200, widthM) }),
        }
      }),
    )
    columns.assertNumbers()
  })
  await part(async () => {
    if (recipe.footprints === undefined) return
    const layer = await readLayer(recipe.footprints, 'footprints', 'polygons', context)
    files.set(
      'footprints.geojson',
      geoJson(layer, 'MultiPolygon', (properties) => properties),
    )
  })
  for (const study of recipe.caseStudies)
    await part(async () => {
      const mask = await maskOf(context, study)
      if (!mask.includes(1))
        throw new SourceRefused(
          `caseStudies : « ${study.id} » ne touche aucune maille. Vérifiez sa place et son système ("crs").`,
        )
      files.set(maskFile(study.id), writeEsriAscii({ ...context.frame, noData: -9999, data: mask }, 0))
    })
}

export const maskFile = (id: string) => `mask-${id}.asc`

const collection = (features: readonly unknown[]) =>
  `${JSON.stringify({ type: 'FeatureCollection', features })}\n`

/** A layer as GeoJSON in the coordinates of the grid, to the millimetre. */
function geoJson(
  { features }: Layer,
  type: 'MultiLineString' | 'MultiPolygon',
  propertiesOf: (properties: Record<string, unknown>) => Record<string, unknown>,
): string {
  const near = ([x, y]: Place) => [Number(x.toFixed(3)), Number(y.toFixed(3))]
  return collection(
    features.map(({ parts, properties }) => {
      const lists = parts.map((part) => part.map((line) => line.map(near)))
      return {
        type: 'Feature',
        properties: propertiesOf(properties),
        geometry: { type, coordinates: type === 'MultiPolygon' ? lists : lists.flat() },
      }
    }),
  )
}

type CaseStudy = Context['recipe']['caseStudies'][number]

async function maskOf(context: Context, study: CaseStudy): Promise<Uint8Array> {
  const { frame, folder, crs, recipe } = context
  const mask = new Uint8Array(frame.ncols * frame.nrows)
  if (study.file !== undefined && /\.(asc|txt|tiff?)$/i.test(study.file)) {
    const raster = await openRaster(folder.path(study.file), study.file)
    try {
      const own = crsOf(study.crs ?? raster.crs ?? recipe.crs)
      const { values } = await new Mosaic([{ raster, crs: own, factor: 1 }], frame, crs).values('nearest')
      values.forEach((value, cell) => {
        if (value === 1) mask[cell] = 1
      })
    } finally {
      await raster.close()
    }
    return mask
  }
  const layer = await readLayer(study, `caseStudies « ${study.id} »`, 'polygons', context)
  for (const { parts } of layer.features)
    for (const rings of parts)
      cellsInside(rings, frame, (cell) => {
        mask[cell] = 1
      })
  return mask
}
