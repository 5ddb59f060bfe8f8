import { DEPTH_FRAME_NO_DATA } from '@radx/contracts'
import { WATER_COLORS, WATER_LIMITS_CM } from '@radx/contracts/water-classes'
import proj4 from 'proj4'
import { projectionNamed } from '../../config/projections.ts'
import { palettePng } from '../../radar/api.ts'
import { Results, Runs, threadLibrary } from '../../simulation/api.ts'
import { openFileStore } from '../../store/file-store.ts'
import type { AnswerKind } from '../../threads/answers.ts'
import { CRS } from '../crs.ts'
import type { MapWindow } from '../wms/request.ts'

/** Less is the film that rain leaves everywhere, cm; as the screens of results show it. */
const FROM_CM = 5
const CLASSES = WATER_LIMITS_CM.map((fromCm, k) => ({ fromCm, color: WATER_COLORS[k] })).filter(
  ({ fromCm }) => fromCm >= FROM_CM,
)
/** Classes in words, for the descriptions of collections. */
export const CLASSES_FR = `Classes : ${CLASSES.map(({ fromCm }) => fromCm).join(', ')} cm et plus.`
/** Between these places of the picture the ground is taken to lie evenly. */
const MESH = 16

/** Water over time, or the largest of each cell. */
export type RunLayer = 'depth' | 'max-depth'

export interface RunPicture {
  jobId: string
  layer: RunLayer
  /** The moment since the run's start, s: the last frame that is not after it; null for the last of all. */
  atS: number | null
  window: Omit<MapWindow, 'crs'> & { crs: string }
  /** `#rrggbb`; null lets what lies below through. */
  ground: string | null
}

/** A picture of the water of a finished run in classes of depth, and of which moment it is. */
export const runPictureAnswer: AnswerKind<RunPicture, { body: Uint8Array; timeS: number | null }> = {
  name: 'ogc-run-picture',
  async run({ db, config }, { jobId, layer, atS, window, ground }) {
    const results = new Results(new Runs(db), threadLibrary(db, config), openFileStore(config))
    const { place, timesS } = await results.depthFrames(jobId)
    const after = atS === null ? -1 : timesS.findIndex((timeS) => timeS > atS)
    const frame = Math.max(0, (after < 0 ? timesS.length : after) - 1)
    const depths =
      layer === 'max-depth'
        ? await results.runMap(jobId, 'hauteur')
        : await results.framesBetween(jobId, frame, frame + 1)
    const pixels = paintDepths(depths, place, { ...window, crs: CRS.get(window.crs)! })
    const body = new Uint8Array(depthPng(pixels, window, ground))
    return { body, timeS: layer === 'depth' ? timesS[frame] : null }
  },
}

interface Place {
  nrows: number
  ncols: number
  cellSizeM: number
  crs: string
  /** Lower-left corner in that system. */
  xll: number
  yll: number
}

/**
 * Classes of a picture, a byte a pixel, row 0 north; 0 for less than 5 cm and for what is outside. Each pixel shows the
 * cell under its middle.
 * @param depths mm, `[row * ncols + col]`, row 0 north, 65535 outside
 */
export function paintDepths(depths: Uint16Array, place: Place, window: MapWindow): Uint8Array {
  const { nrows, ncols, cellSizeM, xll, yll } = place
  const { width, height } = window
  const { columns, x, y } = meshOf(place.crs, window)
  const pixels = new Uint8Array(width * height)
  const top = yll + nrows * cellSizeM
  for (let j = 0; j < height; j++) {
    const v = (j + 0.5) / MESH
    const fv = v - Math.floor(v)
    for (let i = 0; i < width; i++) {
      const u = (i + 0.5) / MESH
      const fu = u - Math.floor(u)
      const at = Math.floor(v) * columns + Math.floor(u)
      const between = (of: Float64Array) => {
        const west = of[at] + fv * (of[at + columns] - of[at])
        const east = of[at + 1] + fv * (of[at + columns + 1] - of[at + 1])
        return west + fu * (east - west)
      }
      const col = Math.floor((between(x) - xll) / cellSizeM)
      const row = Math.floor((top - between(y)) / cellSizeM)
      if (!(row >= 0 && col >= 0 && row < nrows && col < ncols)) continue
      pixels[j * width + i] = classOf(depths[row * ncols + col])
    }
  }
  return pixels
}

function classOf(mm: number): number {
  if (mm === DEPTH_FRAME_NO_DATA) return 0
  let found = CLASSES.length
  while (found > 0 && mm < 10 * CLASSES[found - 1].fromCm) found--
  return found
}

/** Places of the picture's mesh in the run's own system, a row after the other. */
function meshOf(system: string, { crs, west, south, east, north, width, height }: MapWindow) {
  const project = proj4('WGS84', projectionNamed(system)!)
  const columns = Math.ceil(width / MESH) + 1
  const rows = Math.ceil(height / MESH) + 1
  const [x, y] = [new Float64Array(columns * rows), new Float64Array(columns * rows)]
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < columns; col++) {
      const at = row * columns + col
      const degrees = crs.toLngLat(
        west + ((col * MESH) / width) * (east - west),
        north - ((row * MESH) / height) * (north - south),
      )
      // proj4 throws for what is no place; a picture of the far side of the world is empty.
      const isPlace = degrees.every(Number.isFinite) && Math.abs(degrees[1]) <= 90
      ;[x[at], y[at]] = isPlace ? project.forward(degrees) : [Number.NaN, Number.NaN]
    }
  return { columns, x, y }
}

function depthPng(
  pixels: Uint8Array,
  { width, height }: Pick<MapWindow, 'width' | 'height'>,
  ground: string | null,
): Buffer {
  const raw = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row++)
    raw.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  const colors = [ground ?? '#ffffff', ...CLASSES.map(({ color }) => color)].map((color) => color.slice(1))
  const alpha = Buffer.alloc(colors.length, 255)
  if (ground === null) alpha[0] = 0
  return palettePng({
    width,
    height,
    bits: 8,
    raw,
    colors: Buffer.from(colors.join(''), 'hex'),
    alpha,
    level: 3,
  })
}
