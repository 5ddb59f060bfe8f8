import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RadxError } from '@radx/contracts'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { sharedHdf5Reader } from '@radx/formats/hdf5/shared'
import { readRainPictures } from '@radx/formats/rain-pictures'
import type { RainFrame, Shape } from '@radx/motion/field'

/** Pictures of rain of one grid, from files, in order of time. */
export interface RainSeries {
  geometry: GridGeometry
  shape: Shape
  timesMs: readonly number[]
  /** Reads again what is no longer held. */
  frame(k: number): Promise<RainFrame>
  /** French, one a file that was left out. */
  warnings: readonly string[]
}

interface Picture {
  /** Which of its file's pictures. */
  number: number
  timeMs: number
  geometry: GridGeometry
  rateMmH: Float32Array
}

/** Bytes of pictures held at once. */
const HELD_BYTES = 160 * 2 ** 20

/**
 * Reads the files (ODIM HDF5, Rainbow 5 products, netCDF-4) named, and those of the folders named. Files that cannot be
 * read or placed, that repeat a moment or lie on another grid than most are left out, with a warning.
 * @throws RadxError `nowcast.files` when none is left
 */
export async function openRainFiles(paths: readonly string[], signal?: AbortSignal): Promise<RainSeries> {
  const warnings: string[] = []
  const found: (Omit<Picture, 'rateMmH'> & { path: string })[] = []
  const held = new Map<string, Float32Array>()
  for (const path of await filesOf(paths)) {
    signal?.throwIfAborted()
    try {
      for (const { rateMmH, ...about } of await readPictures(path)) {
        found.push({ ...about, path })
        keep(held, keyOf(path, about.number), rateMmH)
      }
    } catch (error) {
      if (!(error instanceof RadxError)) throw error
      warnings.push(`${basename(path)} est laissé de côté : ${error.message}`)
    }
  }
  if (found.length === 0)
    throw new RadxError(
      'nowcast.files',
      400,
      `aucune image de pluie lisible. Donnez des fichiers ODIM HDF5 ou netCDF-4, ou des produits Rainbow 5. ${warnings[0] ?? ''}`.trim(),
    )
  const grid = mostFrequent(found.map(({ geometry }) => gridKey(geometry)))
  found.sort((a, b) => a.timeMs - b.timeMs)
  const kept = found.filter(({ path, timeMs, geometry }, k) => {
    if (gridKey(geometry) !== grid) {
      warnings.push(`${basename(path)} est laissé de côté : sa grille n'est pas celle des autres fichiers.`)
      return false
    }
    const twin = found.findIndex((other) => other.timeMs === timeMs && gridKey(other.geometry) === grid)
    if (twin === k) return true
    warnings.push(`${basename(path)} est laissé de côté : même instant que ${basename(found[twin].path)}.`)
    return false
  })
  return {
    geometry: kept[0].geometry,
    shape: { nrows: kept[0].geometry.nrows, ncols: kept[0].geometry.ncols },
    timesMs: kept.map(({ timeMs }) => timeMs),
    warnings,
    async frame(k) {
      const { path, number, timeMs } = kept[k]
      const key = keyOf(path, number)
      const known = held.get(key)
      if (known) {
        keep(held, key, known)
        return { timeMs, rateMmH: known }
      }
      const pictures = await readPictures(path)
      // The one that is asked for last, so that it stays.
      for (const picture of pictures) keep(held, keyOf(path, picture.number), picture.rateMmH)
      const { rateMmH } = pictures[number]
      keep(held, key, rateMmH)
      return { timeMs, rateMmH }
    },
  }
}

/** Holds a picture as the latest, and lets go of the oldest beyond the room. */
function keep(held: Map<string, Float32Array>, path: string, rateMmH: Float32Array): void {
  held.delete(path)
  held.set(path, rateMmH)
  const most = Math.max(8, Math.floor(HELD_BYTES / rateMmH.byteLength))
  while (held.size > most) held.delete(held.keys().next().value!)
}

async function filesOf(paths: readonly string[]): Promise<string[]> {
  const out: string[] = []
  for (const path of paths) {
    const info = await stat(path).catch(() => null)
    if (!info)
      throw new RadxError('nowcast.files', 400, `${path} : le fichier n'existe pas. Vérifiez le chemin.`)
    if (info.isDirectory()) out.push(...(await readdir(path)).sort().map((name) => join(path, name)))
    else out.push(path)
  }
  return out
}

const keyOf = (path: string, number: number): string => `${number} ${path}`

/** @throws FormatError */
async function readPictures(path: string): Promise<Picture[]> {
  const pictures = await readRainPictures(await readFile(path), basename(path), sharedHdf5Reader())
  return pictures.map(({ timeMs, geometry, rateMmH }, number) => {
    if (timeMs === null || geometry === null)
      throw new FormatError('nowcast.place', 'Ses images n’ont pas d’heure ou pas de projection.')
    return { number, timeMs, geometry, rateMmH }
  })
}

const gridKey = ({ proj4, left, top, right, bottom, ncols, nrows }: GridGeometry) =>
  [proj4, ncols, nrows, ...[left, top, right, bottom].map((value) => value.toPrecision(7))].join(' ')

function mostFrequent(keys: string[]): string {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0][0]
}
