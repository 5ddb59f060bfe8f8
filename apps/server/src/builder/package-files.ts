import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { RadxError } from '@radx/contracts/errors'
import { writeEsriAscii } from '@radx/formats/esri-ascii'
import proj4 from 'proj4'
import { placeOf, projectionOf } from '../simulation/api.ts'
import type { Context } from './context.ts'
import type { Rings } from './ground/rasterise.ts'
import { type Files, maskFile } from './passed.ts'

const NODATA = -9999

/** `catchment.json`, `elevation.asc` and `luse.asc`. @param polygons of the outline, null where it is a box */
export function gridFiles(
  { recipe, frame }: Context,
  z: Float64Array,
  codes: Int16Array,
  polygons: readonly Rings[] | null,
): Files {
  const about = {
    id: recipe.id,
    display: recipe.display,
    crs: recipe.crs,
    ...frame,
    noData: NODATA,
    corners: placeOf(frame, recipe.crs).corners,
    ...(polygons !== null && { boundary: boundaryOf(polygons, recipe.crs) }),
    ...(recipe.landUse.permanentWaterCode !== undefined && {
      permanentWaterCode: recipe.landUse.permanentWaterCode,
    }),
    caseStudies: recipe.caseStudies.map(({ id, display }) => ({ id, display, mask: maskFile(id) })),
    edges: recipe.edges,
    ...(recipe.attribution !== undefined && { attribution: recipe.attribution }),
    ...(recipe.statement !== undefined && { statement: recipe.statement }),
    ...(recipe.synthetic !== undefined && { synthetic: recipe.synthetic }),
  }
  const land = Float64Array.from(codes, (code) => (code === NODATA ? Number.NaN : code))
  return new Map([
    ['catchment.json', `${JSON.stringify(about, null, 1)}\n`],
    ['elevation.asc', writeEsriAscii({ ...frame, noData: NODATA, data: z }, recipe.terrain.decimals)],
    ['luse.asc', writeEsriAscii({ ...frame, noData: NODATA, data: land }, 0)],
  ])
}

function boundaryOf(polygons: readonly Rings[], crs: string) {
  const { forward } = proj4(projectionOf(crs), 'WGS84')
  const degrees = polygons.map((rings) =>
    rings.map((ring) => {
      const moved = ring.map(([x, y]) => forward([x, y]).map((value) => Number(value.toFixed(7))))
      const [first, last] = [moved[0], moved[moved.length - 1]]
      return first[0] === last[0] && first[1] === last[1] ? moved : [...moved, first]
    }),
  )
  return degrees.length === 1
    ? { type: 'Polygon', coordinates: degrees[0] }
    : { type: 'MultiPolygon', coordinates: degrees }
}

const refused = (message: string) => new RadxError('builder.out', 409, message)

/** Says before anything is computed that a package could not be written there. @throws RadxError `builder.out` */
export async function checkPlace(out: string, replace: boolean): Promise<void> {
  const found = await stat(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw refused(`${out} ne peut pas être écrit (${error.code}).`)
  })
  if (found === null) return
  if (!found.isDirectory()) throw refused(`${out} est un fichier. Donnez le nom d’un dossier à créer.`)
  const names = await readdir(out)
  if (names.length === 0) return
  if (!replace) throw refused(`${out} existe déjà. Donnez un autre dossier, ou --replace pour le remplacer.`)
  // What is replaced has to be a package: a slip of the hand must not cost a folder.
  if (!names.includes('catchment.json'))
    throw refused(
      `${out} existe et n’est pas un bassin versant (sans catchment.json) : il n’est pas remplacé. Donnez un autre dossier.`,
    )
}

/** Writes files into a new folder beside the place where they shall be, or into one for tries. @returns that folder */
export async function writeAside(out: string, files: Files): Promise<string> {
  const dir = join(dirname(resolve(out)), `.${basename(resolve(out))}.${randomUUID().slice(0, 8)}.partiel`)
  try {
    await mkdir(dir, { recursive: true })
    for (const [name, text] of files) await writeFile(join(dir, name), text)
    return dir
  } catch (error) {
    await rm(dir, { recursive: true, force: true })
    const code = (error as NodeJS.ErrnoException).code
    throw new RadxError(
      'builder.out',
      500,
      `${out} ne peut pas être écrit (${code === 'ENOSPC' ? 'le disque est plein' : code}).`,
    )
  }
}

/** Puts a folder in its place; what lay there goes once the new one stands. */
export async function putInPlace(dir: string, out: string): Promise<void> {
  const old = `${dir}.ancien`
  const had = await rename(out, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw new RadxError('builder.out', 500, `${out} ne peut pas être remplacé (${error.code}).`)
    },
  )
  try {
    await rename(dir, out)
  } catch (error) {
    if (had) await rename(old, out)
    throw new RadxError(
      'builder.out',
      500,
      `${out} ne peut pas être écrit (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
  if (had) await rm(old, { recursive: true, force: true })
}
