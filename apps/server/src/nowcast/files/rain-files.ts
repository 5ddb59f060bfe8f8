import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RadxError } from '@radx/contracts'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { sharedHdf5Reader } from '@radx/formats/hdf5/shared'
import { readRainPictures } from '@radx/formats/rain-pictures'
import type { RainFrame, Shape } from '@radx/motion/field'
import { LONGEST_GAP_MIN } from '@radx/motion/nowcast/start'

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
  /** Minutes that a depth fell in, of which the rate is the mean; 0 of a rate. */
  meanOfMin: number
  rateMmH: Float32Array
}

/** Bytes of pictures held at once. */
const HELD_BYTES = 160 * 2 ** 20

/**
 * Reads the files (ODIM HDF5, Rainbow 5 products, netCDF-4) named, and those of the folders named, without folders in
 * these. Files that cannot be read or placed, that repeat a moment, lie on another grid or are depths of another time than
 * most are left out, with a warning, and so are depths of so long a time that rain is not followed over it.
 * @throws RadxError `nowcast.files` when none is left
 */
export async function openRainFiles(paths: readonly string[], signal?: AbortSignal): Promise<RainSeries> {
  const warnings: string[] = []
  const found: (Omit<Picture, 'rateMmH'> & { path: string })[] = []
  const held = new Map<string, Float32Array>()
  const leaveOut = (path: string, why: string) =>
    void warnings.push(`${basename(path)} est laissé de côté : ${why}`)
  for (const path of await filesOf(paths)) {
    signal?.throwIfAborted()
    try {
      for (const { rateMmH, ...about } of await readPictures(path)) {
        found.push({ ...about, path })
        keep(held, keyOf(path, about.number), rateMmH)
      }
    } catch (error) {
      if (error instanceof RadxError) leaveOut(path, error.message)
      else if (error instanceof Error && 'syscall' in error && 'code' in error)
        leaveOut(path, `il ne peut pas être lu (${error.code}).`)
      else throw error
    }
  }
  if (found.length === 0)
    throw new RadxError(
      'nowcast.files',
      400,
      `aucune image de pluie lisible. Donnez des fichiers ODIM HDF5 ou netCDF-4, ou des produits Rainbow 5. ${warnings[0] ?? ''}`.trim(),
    )
  const grid = mostFrequent(found.map(({ geometry }) => gridKey(geometry)))
  const onGrid = found.filter(({ path, geometry }) => {
    if (gridKey(geometry) === grid) return true
    leaveOut(path, "sa grille n'est pas celle des autres fichiers.")
    return false
  })
  const usual = mostFrequent(onGrid.map(({ meanOfMin }) => String(meanOfMin)))
  const alike = onGrid.filter(({ path, meanOfMin }) => {
    if (String(meanOfMin) === usual) return true
    const its = meanOfMin > 0 ? `est un cumul de ${meanOfMin} min` : 'n’est pas un cumul'
    leaveOut(path, `il ${its}, non les autres fichiers.`)
    return false
  })
  alike.sort((a, b) => a.timeMs - b.timeMs)
  const kept = alike.filter(({ path, timeMs }, k) => {
    const twin = alike.findIndex((other) => other.timeMs === timeMs)
    if (twin === k) return true
    leaveOut(path, `même instant que ${basename(alike[twin].path)}.`)
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
    if (info.isDirectory()) {
      const inside = await readdir(path, { withFileTypes: true })
      const names = inside.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
      out.push(...names.sort().map((name) => join(path, name)))
    } else out.push(path)
  }
  return out
}

const keyOf = (path: string, number: number): string => `${number} ${path}`

/** @throws FormatError */
async function readPictures(path: string): Promise<Picture[]> {
  const pictures = await readRainPictures(await readFile(path), basename(path), sharedHdf5Reader())
  return pictures.map(({ timeMs, geometry, rateMmH, accumulation, forecast }, number) => {
    if (forecast)
      throw new FormatError('nowcast.forecast', 'C’est une prévision, personne n’a vu cette pluie.')
    if (timeMs === null || geometry === null)
      throw new FormatError('nowcast.place', 'Ses images n’ont pas d’heure ou pas de projection.')
    const meanOfMin = Math.round((accumulation?.hours ?? 0) * 60)
    if (meanOfMin > LONGEST_GAP_MIN)
      throw new FormatError(
        'nowcast.tooLong',
        `C’est un cumul de ${meanOfMin} min : au-delà de ${LONGEST_GAP_MIN} min la pluie ne peut pas être suivie.`,
      )
    return { number, timeMs, geometry, meanOfMin, rateMmH }
  })
}

const gridKey = ({ proj4, left, top, right, bottom, ncols, nrows }: GridGeometry) =>
  [proj4, ncols, nrows, ...[left, top, right, bottom].map((value) => value.toPrecision(7))].join(' ')

function mostFrequent(keys: string[]): string {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0][0]
}
