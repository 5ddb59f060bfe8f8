import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type ErrorCode, FormatError, RadxError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { OWN_RAIN_MAX_HOURS } from '@radx/contracts/own-rains-constants'
import type { SitePolarimetry } from '@radx/contracts/site'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { Hdf5Reader } from '@radx/formats/hdf5/reader'
import { LONGLAT, planeOf } from '@radx/formats/projection'
import { type RainPicture, readRainPictures } from '@radx/formats/rain-pictures'
import { NO_MODEL_CELL, type RadarRain, type RadarRainFrame, radarRain } from '@radx/hydrology/rain/rain'
import { countFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { decodeRate, halfOf, RATE_NO_DATA } from '@radx/rainfall'
import proj4 from 'proj4'
import { FrameDecoder, type KnownRadar } from '../../../ingest/api.ts'
import { projectionOf } from '../../catchment/projection.ts'

/** Radar pictures over a model: the cells of their grid around it, and how long each picture holds. */
export interface OwnPictures {
  /** Of the cells that were kept. */
  geometry: GridGeometry
  /** Side of a cell, m; null on a grid in degrees. */
  cellM: number | null
  startMs: number
  durationS: number
  /** Usual time between two pictures, s. */
  stepS: number
  /** `[row * ncols + col]` in mm/h, row 0 north; NaN: no data. Times in s since `startMs`. */
  frames: (RadarRainFrame & { ratesMmH: Float32Array })[]
  /** What was found on the way, in French. */
  remarksFr: string[]
}

/** The model that pictures are cut to. */
export interface Model {
  grid: EsriGrid
  crs: string
}

/** What turns volumes into rain near the ground. */
export interface VolumeSettings {
  radar: KnownRadar
  polarimetry: SitePolarimetry
}

/** Cells around the model that are kept too: a version of it may be a little larger. */
const MARGIN_CELLS = 2
/** Values that are kept of all pictures together: 32 MB. */
const MOST_VALUES = 8_000_000
/** More than any rain on Earth over a picture's time. */
const MAX_RATE_MM_H = 3_000
/** A remark names so many files; the rest is counted. */
const NAMED = 3

class PicturesError extends RadxError {
  override readonly name = 'PicturesError'
  constructor(messageFr: string, code: ErrorCode = 'rain.pictures') {
    super(code, 422, messageFr)
  }
}

const outside = (name: string) =>
  new PicturesError(
    `Le bassin versant est hors de l’image ${name} : ces images sont d’une autre région.`,
    'rain.outside',
  )

interface Piece {
  name: string
  timeMs: number
  /** When the picture holds where its file says so: a depth of some hours. */
  span: { fromMs: number; toMs: number } | null
  ratesMmH: Float32Array
}

/**
 * Reads radar pictures of rain (ODIM HDF5, Rainbow 5 products, netCDF-4), all of one grid, and keeps of each what lies
 * over the model. Volumes (ODIM, Rainbow 5 with reflectivity) are taken to rain near the ground on cells of 250 m. What
 * cannot be read or is no picture of rain is refused by its name; nothing is left out unsaid.
 * @param paths files, in any order
 * @param settings of volumes
 * @throws PicturesError `rain.pictures`, or `rain.outside` where the model lies outside the pictures
 */
export async function readOwnPictures(
  paths: readonly string[],
  model: Model,
  settings: VolumeSettings,
  onProgress: (done: number) => void = () => {},
): Promise<OwnPictures> {
  if (paths.length === 0)
    throw new PicturesError('Il n’y a aucune image radar : donnez des fichiers ODIM HDF5 ou Rainbow 5.')
  const hdf5 = new Hdf5Reader()
  const volumes = new Volumes(model, settings)
  const pieces: Piece[] = []
  let cut: Cut | null = null
  const adjusted: string[] = []
  try {
    let done = 0
    for (const path of paths) {
      const name = basename(path)
      for (const picture of await picturesOf(path, name, hdf5, volumes)) {
        const { geometry, timeMs, forecast, accumulation, bias } = picture
        if (geometry === null)
          throw new PicturesError(
            `${name} ne dit pas où il se place : donnez de l’ODIM HDF5 ou du Rainbow 5.`,
          )
        if (timeMs === null || Number.isNaN(timeMs)) throw new PicturesError(`${name} n’a pas d’heure.`)
        if (forecast)
          throw new PicturesError(`${name} est une prévision et non une mesure : retirez-le de l’envoi.`)
        cut ??= cutTo(geometry, model, name)
        if (!sameGrid(cut.whole, geometry))
          throw new PicturesError(
            `${name} a une autre grille (${geometry.nrows} x ${geometry.ncols}) que ${pieces[0].name} (${cut.whole.nrows} x ${cut.whole.ncols}). Envoyez les images d’un seul produit.`,
          )
        if (bias !== null) adjusted.push(name)
        const endMs = accumulation?.endMs ?? null
        pieces.push({
          name,
          timeMs: endMs ?? timeMs,
          span:
            accumulation === null
              ? null
              : { fromMs: (endMs ?? timeMs) - 3_600_000 * accumulation.hours, toMs: endMs ?? timeMs },
          ratesMmH: windowRates(picture, cut),
        })
        checkRates(pieces[pieces.length - 1])
        if (pieces.length * cut.window.nrows * cut.window.ncols > MOST_VALUES)
          throw new PicturesError(
            `Ces images ont trop de mailles sur le bassin (plus de ${formatNumberFr(MOST_VALUES / 1e6)} millions de valeurs) : envoyez une période plus courte.`,
          )
      }
      onProgress(++done)
    }
  } finally {
    await Promise.all([hdf5.close(), volumes.close()])
  }
  const sorted = inOrder(pieces)
  const remarksFr =
    adjusted.length > 0
      ? [
          `${countFr(adjusted.length, 'image')} sur ${pieces.length} ${adjusted.length > 1 ? 'portent' : 'porte'} un facteur d’ajustement aux pluviomètres (how/bias), déjà appliqué à la source.`,
        ]
      : []
  return { ...inTime(sorted, remarksFr), geometry: cut!.window, cellM: cellOf(cut!.window), remarksFr }
}

async function picturesOf(
  path: string,
  name: string,
  hdf5: Hdf5Reader,
  volumes: Volumes,
): Promise<RainPicture[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new PicturesError(`${name} ne peut être lu (${error.code}).`)
  })
  try {
    if (isRainbowVolume(bytes)) return [await volumes.picture(bytes, name, 'rainbow5-volume')]
    return await readRainPictures(bytes, name, hdf5).catch(async (error: unknown) => {
      if (!isPolar(error)) throw error
      return [await volumes.picture(bytes, name, 'odim')]
    })
  } catch (error) {
    if (!(error instanceof RadxError)) throw error
    if (error.code === 'ingest.wrongGrid') throw outside(name)
    throw new PicturesError(`${name} : ${error.message}`)
  }
}

const isRainbowVolume = (bytes: Buffer): boolean =>
  /^\s*(<\?xml[^>]*>\s*)?<volume/i.test(bytes.subarray(0, 400).toString('latin1'))

const isPolar = (error: unknown): boolean =>
  error instanceof FormatError &&
  error.code === 'odim.unsupported' &&
  ['PVOL', 'SCAN'].includes(String(error.details.object))

/** Side of the cells that volumes are taken to, m. */
const VOLUME_CELL_M = 250
const DEGREE_M = 111_195
const VOLUME_PRODUCT = 'own'

/** Volumes as rain on cells around a model. */
class Volumes {
  private readonly geometry: GridGeometry
  private readonly decoder: FrameDecoder

  constructor(model: Model, { radar, polarimetry }: VolumeSettings) {
    this.geometry = aroundModel(model)
    const { left, top, right, bottom, nrows: steps } = this.geometry
    const bounds = { ul: { lat: top, lng: left }, lr: { lat: bottom, lng: right } }
    const names = { shortName: VOLUME_PRODUCT, longName: VOLUME_PRODUCT }
    const product = { ...names, activeStatus: true, bounds, steps, frameSeconds: 300 }
    this.decoder = new FrameDecoder([product], radar, polarimetry)
  }

  /** @throws FormatError, or a refusal where the model is out of reach */
  async picture(bytes: Buffer, name: string, kind: 'odim' | 'rainbow5-volume'): Promise<RainPicture> {
    const request = { kind, name, product: VOLUME_PRODUCT, fallbackProduct: VOLUME_PRODUCT }
    const { codes, timeMs, bias = null } = await this.decoder.decode(bytes, request)
    const rateMmH = Float32Array.from(codes, (code) =>
      code === RATE_NO_DATA ? Number.NaN : decodeRate(code),
    )
    const { nrows, ncols } = this.geometry
    const none = { accumulation: null, interval: null, forecast: false }
    return { timeMs, nrows, ncols, geometry: this.geometry, cellM: VOLUME_CELL_M, bias, ...none, rateMmH }
  }

  close(): Promise<void> {
    return this.decoder.close()
  }
}

/** A square of degrees around a model. */
function aroundModel({ grid, crs }: Model): GridGeometry {
  const toWgs84 = proj4(projectionOf(crs), 'WGS84')
  const corners = [0, 1].flatMap((right) =>
    [0, 1].map((top) =>
      toWgs84.forward([
        grid.xll + right * grid.ncols * grid.cellSize,
        grid.yll + top * grid.nrows * grid.cellSize,
      ]),
    ),
  )
  const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)]
  const [bottom, left] = [Math.min(...lats), Math.min(...lngs)]
  const heightM = (Math.max(...lats) - bottom) * DEGREE_M
  const perDegree = DEGREE_M * Math.cos((bottom * Math.PI) / 180)
  const widthM = (Math.max(...lngs) - left) * perDegree
  const steps = Math.max(8, Math.ceil(Math.max(heightM, widthM) / VOLUME_CELL_M) + 2)
  const [highDeg, wideDeg] = [(steps * VOLUME_CELL_M) / DEGREE_M, (steps * VOLUME_CELL_M) / perDegree]
  const [lat0, lng0] = [bottom - VOLUME_CELL_M / DEGREE_M, left - VOLUME_CELL_M / perDegree]
  return {
    proj4: LONGLAT,
    ...{ left: lng0, right: lng0 + wideDeg, bottom: lat0, top: lat0 + highDeg },
    ...{ nrows: steps, ncols: steps },
  }
}

function checkRates({ name, ratesMmH }: Piece): void {
  const wrong = ratesMmH.find((rate) => rate > MAX_RATE_MM_H || rate < 0)
  if (wrong !== undefined)
    throw new PicturesError(
      `${name} a une intensité de ${formatNumberFr(wrong, 1)} mm/h sur le bassin : ce n’est pas une image de pluie en mm/h.`,
    )
}

/** Which cells of the pictures are kept. */
interface Cut {
  whole: GridGeometry
  row: number
  col: number
  window: GridGeometry
}

function cutTo(whole: GridGeometry, model: Model, name: string): Cut {
  let [top, left, bottom, right] = [whole.nrows, whole.ncols, -1, -1]
  eachCell(whole, model, (_i, row, col) => {
    if (row < 0) return
    top = Math.min(top, row)
    bottom = Math.max(bottom, row)
    left = Math.min(left, col)
    right = Math.max(right, col)
  })
  if (bottom < 0) throw outside(name)
  top = Math.max(0, top - MARGIN_CELLS)
  left = Math.max(0, left - MARGIN_CELLS)
  bottom = Math.min(whole.nrows - 1, bottom + MARGIN_CELLS)
  right = Math.min(whole.ncols - 1, right + MARGIN_CELLS)
  const [dx, dy] = [(whole.right - whole.left) / whole.ncols, (whole.top - whole.bottom) / whole.nrows]
  const window: GridGeometry = {
    proj4: whole.proj4,
    left: whole.left + left * dx,
    right: whole.left + (right + 1) * dx,
    top: whole.top - top * dy,
    bottom: whole.top - (bottom + 1) * dy,
    ncols: right - left + 1,
    nrows: bottom - top + 1,
  }
  return { whole, row: top, col: left, window }
}

/** Visits each model cell with a ground, with its row and column in a grid of pictures; -1 outside. */
function eachCell(
  place: GridGeometry,
  { grid, crs }: Model,
  visit: (i: number, row: number, col: number) => void,
): void {
  const toWgs84 = proj4(projectionOf(crs), 'WGS84')
  const toPlane = planeOf(place.proj4)
  if (!toPlane)
    throw new PicturesError('La projection de ces images ne peut pas être calculée : convertissez-les.')
  for (let row = 0; row < grid.nrows; row++)
    for (let col = 0; col < grid.ncols; col++) {
      const i = row * grid.ncols + col
      if (Number.isNaN(grid.data[i])) continue
      const [x, y] = toPlane(
        toWgs84.forward([
          grid.xll + (col + 0.5) * grid.cellSize,
          grid.yll + (grid.nrows - row - 0.5) * grid.cellSize,
        ]) as [number, number],
      )
      const r = Math.floor(((place.top - y) / (place.top - place.bottom)) * place.nrows)
      const c = Math.floor(((x - place.left) / (place.right - place.left)) * place.ncols)
      const inside = r >= 0 && r < place.nrows && c >= 0 && c < place.ncols
      visit(i, inside ? r : -1, inside ? c : -1)
    }
}

function windowRates({ rateMmH }: RainPicture, { whole, row, col, window }: Cut): Float32Array {
  const out = new Float32Array(window.nrows * window.ncols)
  for (let r = 0; r < window.nrows; r++) {
    const from = (row + r) * whole.ncols + col
    out.set(rateMmH.subarray(from, from + window.ncols), r * window.ncols)
  }
  return out
}

/** Whether two grids are the same to a hundredth of a cell. */
function sameGrid(a: GridGeometry, b: GridGeometry): boolean {
  const near = Math.abs(a.right - a.left) / a.ncols / 100
  return (
    a.proj4 === b.proj4 &&
    a.nrows === b.nrows &&
    a.ncols === b.ncols &&
    (['left', 'right', 'top', 'bottom'] as const).every((edge) => Math.abs(a[edge] - b[edge]) <= near)
  )
}

const cellOf = ({ proj4: plane, left, right, ncols }: GridGeometry): number | null =>
  /\+proj=longlat/.test(plane) ? null : (right - left) / ncols

function inOrder(pieces: readonly Piece[]): Piece[] {
  const sorted = pieces.toSorted((a, b) => a.timeMs - b.timeMs)
  for (let i = 1; i < sorted.length; i++)
    if (sorted[i].timeMs === sorted[i - 1].timeMs)
      throw new PicturesError(
        `${sorted[i - 1].name} et ${sorted[i].name} sont de la même heure (${new Date(sorted[i].timeMs).toISOString()}). N’en gardez qu’un.`,
      )
  if (sorted.length < 2)
    throw new PicturesError('Il faut deux images au moins : une seule ne dit pas combien de temps il pleut.')
  return sorted
}

/** When each picture holds: as its file says, else from the middle to its neighbours' middles, at most a step either way. */
function inTime(
  sorted: readonly Piece[],
  remarksFr: string[],
): Pick<OwnPictures, 'startMs' | 'durationS' | 'stepS' | 'frames'> {
  const times = sorted.map(({ timeMs }) => timeMs)
  const steps = times.slice(1).map((time, i) => time - times[i])
  const step = steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)]
  const spans = sorted.map(({ timeMs, span }, i) => {
    if (span) return { fromMs: i > 0 ? Math.max(span.fromMs, times[i - 1]) : span.fromMs, toMs: span.toMs }
    const before = i > 0 ? halfOf(steps[i - 1], step, 0) : step / 2
    const after = i < steps.length ? halfOf(steps[i], step, 0) : step / 2
    return { fromMs: timeMs - before, toMs: timeMs + after }
  })
  const overlap = sorted.findIndex(({ span }, i) => span && i > 0 && span.fromMs < times[i - 1] - 1000)
  if (overlap >= 0)
    throw new PicturesError(
      `${sorted[overlap].name} est un cumul qui commence avant la fin de ${sorted[overlap - 1].name} : envoyez des cumuls qui se suivent, ou des intensités.`,
    )
  const [startMs, endMs] = [spans[0].fromMs, spans[spans.length - 1].toMs]
  if (endMs - startMs > OWN_RAIN_MAX_HOURS * 3_600_000)
    throw new PicturesError(
      `Ces images couvrent ${formatQuantityFr((endMs - startMs) / 3_600_000, 'h', 0)} : ${OWN_RAIN_MAX_HOURS} h au plus.`,
    )
  const holes = steps.flatMap((gap, i) => (gap > 2 * step ? [i] : []))
  if (holes.length > 0)
    remarksFr.push(
      `${countFr(holes.length, 'trou')} de plus de deux pas entre les images (${holes
        .slice(0, NAMED)
        .map((i) => `après ${sorted[i].name}`)
        .join(
          ', ',
        )}${holes.length > NAMED ? '…' : ''}) : sans donnée, compté comme sec et dit comme manquant.`,
    )
  return {
    startMs,
    durationS: (endMs - startMs) / 1000,
    stepS: step / 1000,
    frames: sorted.map(({ ratesMmH }, i) => ({
      fromS: (spans[i].fromMs - startMs) / 1000,
      toS: (spans[i].toMs - startMs) / 1000,
      ratesMmH,
    })),
  }
}

/** Rain of the pictures on a model's cells. */
export function rainOfPictures({ geometry, frames, durationS, stepS }: OwnPictures, model: Model): RadarRain {
  const cellOfModel = new Int32Array(model.grid.data.length).fill(NO_MODEL_CELL)
  eachCell(geometry, model, (i, row, col) => {
    cellOfModel[i] = row < 0 ? -1 : row * geometry.ncols + col
  })
  return radarRain(frames, cellOfModel, { durationS, intervalS: stepS })
}
