import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { Hdf5Reader } from '@radx/formats/hdf5/reader'
import { type RainPicture, readRainPictures } from '@radx/formats/rain-pictures'
import { UsageError } from './command.ts'
import { unreadable } from './given-paths.ts'

/** A rain picture and the file that it is of. */
export interface RainFile extends RainPicture {
  path: string
}

/** Pictures of one grid in the order of their times (of the names where the format has no time). */
export interface RainSeries {
  frames: RainFile[]
  nrows: number
  ncols: number
  geometry: GridGeometry | null
  cellM: number | null
}

/**
 * Reads rain pictures for a command, as they are, without the grid of a site's product: ODIM HDF5, Rainbow 5 products,
 * netCDF-4 (several times a file), ESRI ASCII grids of mm/h.
 * @throws UsageError for a file that cannot be read, is no rain picture, has another grid, or a time that is there twice
 */
export async function readRainSeries(
  paths: readonly string[],
  onProgress: (done: number) => void = () => {},
): Promise<RainSeries> {
  const hdf5 = new Hdf5Reader()
  try {
    const frames: RainFile[] = []
    let done = 0
    for (const path of paths) {
      frames.push(...(await readRainFile(path, hdf5)))
      onProgress(++done)
    }
    return inOrder(frames)
  } finally {
    await hdf5.close()
  }
}

/** One picture, or those of a netCDF file. */
async function readRainFile(path: string, hdf5: Hdf5Reader): Promise<RainFile[]> {
  const bytes = await readFile(path).catch((error) => {
    throw unreadable(path, error)
  })
  if (bytes.length === 0) throw new UsageError(`${path} est vide.`)
  try {
    const pictures = await readRainPictures(bytes, basename(path), hdf5)
    return pictures.map((picture) => ({ path, ...picture }))
  } catch (error) {
    if (error instanceof FormatError) throw new UsageError(`${path} : ${error.message}`)
    throw error
  }
}

/** Pictures of one file stay in its order. */
const byName = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function inOrder(frames: RainFile[]): RainSeries {
  const [first] = frames
  for (const frame of frames) {
    if (
      frame.nrows !== first.nrows ||
      frame.ncols !== first.ncols ||
      !samePlace(frame.geometry, first.geometry)
    )
      throw new UsageError(
        `${frame.path} a une autre grille (${frame.nrows} x ${frame.ncols}) que ${first.path} (${first.nrows} x ${first.ncols}). Donnez des images d’un seul produit.`,
      )
    if ((frame.timeMs === null) !== (first.timeMs === null))
      throw new UsageError(`${frame.path} et ${first.path} ne sont pas du même format.`)
  }
  const sorted = frames.toSorted((a, b) =>
    a.timeMs === null || b.timeMs === null ? byName(a.path, b.path) : a.timeMs - b.timeMs,
  )
  for (let i = 1; i < sorted.length; i++)
    if (sorted[i].timeMs !== null && sorted[i].timeMs === sorted[i - 1].timeMs)
      throw new UsageError(
        `${sorted[i - 1].path} et ${sorted[i].path} sont de la même heure (${new Date(sorted[i].timeMs!).toISOString()}). N’en donnez qu’un.`,
      )
  const { nrows, ncols, geometry, cellM } = first
  return { frames: sorted, nrows, ncols, geometry, cellM }
}

/** Whether two grids are the same to a hundredth of a cell. */
function samePlace(a: GridGeometry | null, b: GridGeometry | null): boolean {
  if (a === null || b === null) return a === b
  const near = Math.abs(a.right - a.left) / a.ncols / 100
  return (
    a.proj4 === b.proj4 &&
    (['left', 'right', 'top', 'bottom'] as const).every((edge) => Math.abs(a[edge] - b[edge]) <= near)
  )
}
