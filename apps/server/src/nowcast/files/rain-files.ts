import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RadxError } from '@radx/contracts'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { readOdimInWorker } from '@radx/formats/odim/worker'
import { readRainbowProduct } from '@radx/formats/rainbow5/product'
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
  timeMs: number
  geometry: GridGeometry
  rateMmH: Float32Array
}

/** Bytes of pictures held at once. */
const HELD_BYTES = 160 * 2 ** 20

/**
 * Reads the instrument files (ODIM HDF5, Rainbow 5 products) named, and those of the folders named. Files that cannot be
 * read, that repeat a moment or lie on another grid than most are left out, with a warning.
 * @throws RadxError `nowcast.files` when none is left
 */
export async function openRainFiles(paths: readonly string[], signal?: AbortSignal): Promise<RainSeries> {
  const warnings: string[] = []
  const found: (Omit<Picture, 'rateMmH'> & { path: string })[] = []
  const held = new Map<string, Float32Array>()
  for (const path of await filesOf(paths)) {
    signal?.throwIfAborted()
    try {
      const { rateMmH, ...about } = await readPicture(path)
      found.push({ ...about, path })
      keep(held, path, rateMmH)
    } catch (error) {
      if (!(error instanceof RadxError)) throw error
      warnings.push(`${basename(path)} est laissé de côté : ${error.message}`)
    }
  }
  if (found.length === 0)
    throw new RadxError(
      'nowcast.files',
      400,
      `aucune image de pluie lisible. Donnez des fichiers ODIM HDF5 ou des produits Rainbow 5. ${warnings[0] ?? ''}`.trim(),
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
      const { path, timeMs } = kept[k]
      const rateMmH = held.get(path) ?? (await readPicture(path)).rateMmH
      keep(held, path, rateMmH)
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

/** @throws FormatError */
async function readPicture(path: string): Promise<Picture> {
  const bytes = await readFile(path)
  const isHdf5 = bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x48, 0x44, 0x46]))
  const { datetime, geometry, rateMmH } = isHdf5 ? await readOdimInWorker(bytes) : readRainbowProduct(bytes)
  return { timeMs: Date.parse(datetime), geometry, rateMmH }
}

const gridKey = ({ proj4, left, top, right, bottom, ncols, nrows }: GridGeometry) =>
  [proj4, ncols, nrows, ...[left, top, right, bottom].map((value) => value.toPrecision(7))].join(' ')

function mostFrequent(keys: string[]): string {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0][0]
}
