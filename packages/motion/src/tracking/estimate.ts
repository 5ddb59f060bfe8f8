import { DRY_DBR, type RainFrame, type Shape, toDecibels } from '../field.ts'
import { type MotionField, motionFieldOf } from '../motion-field.ts'
import { findCorners } from './corners.ts'
import { dropSpecks, grow } from './images.ts'
import { buildPyramid, followPoints, nearMissing, windowsBetween } from './lucas-kanade.ts'
import { declustered, nearest, type Vectors, withoutOutliers } from './vectors.ts'

const NEAREST = 20
const POWER = 0.5
const OFFSET = 0.5
/** Cells from where a corner was to where it comes back. */
const FARTHEST_BACK = 0.5
/**
 * Share of corners that must be followed: of pictures that have nothing to do with each other 3 % come back by chance, of rain
 * 15 min apart half.
 */
const LEAST_FOLLOWED = 0.05
/** Cells round missing ones in which no corner lies. */
const NEAR_MISSING = 2

export interface MotionEstimate {
  field: MotionField
  /** Vectors followed, and those left after outliers and declustering. */
  followed: number
  kept: number
}

/**
 * Motion of rain over consecutive frames: corners of each followed to the next (Lucas-Kanade), outliers taken out,
 * one vector a box, spread over the grid by inverse distance^0.5 of the 20 nearest (Pulkkinen et al. 2019). The vectors
 * of all pairs are pooled as velocities, so that uneven intervals do no harm.
 * @param frames in order of time, at least two
 * @param wasm bytes of the compiled loops of following points
 * @returns null where nothing could be followed, or no more than by chance
 */
export function estimateMotion(
  frames: readonly RainFrame[],
  shape: Shape,
  wasm?: Uint8Array,
): MotionEstimate | null {
  const images = toImages(frames, shape)
  const pairs = frames.slice(1).map((_, k) => followPair(frames, images, k, shape, wasm))
  const all = (name: keyof Vectors) => Float64Array.from(pairs.flatMap(({ vectors }) => [...vectors[name]]))
  const vectors: Vectors = { x: all('x'), y: all('y'), u: all('u'), v: all('v') }
  const corners = pairs.reduce((sum, pair) => sum + pair.corners, 0)
  if (vectors.x.length === 0 || vectors.x.length < LEAST_FOLLOWED * corners) return null
  const kept = declustered(withoutOutliers(vectors))
  return { field: spread(kept, shape), followed: vectors.x.length, kept: kept.x.length }
}

/** dBR without specks as 0 to 255, on one scale. */
function toImages(frames: readonly RainFrame[], shape: Shape): Float32Array[] {
  const images = frames.map((frame) => dropSpecks(toDecibels(frame.rateMmH), shape))
  let most = DRY_DBR + 1
  for (const image of images) for (const value of image) if (value > most) most = value
  const scale = 255 / (most - DRY_DBR)
  for (const image of images) for (let i = 0; i < image.length; i++) image[i] = (image[i] - DRY_DBR) * scale
  return images
}

function followPair(
  frames: readonly RainFrame[],
  images: Float32Array[],
  k: number,
  shape: Shape,
  wasm?: Uint8Array,
): { vectors: Vectors; corners: number } {
  const [a, b] = [frames[k], frames[k + 1]]
  const gone = new Uint8Array(a.rateMmH.length)
  for (let i = 0; i < gone.length; i++) if (!(a.rateMmH[i] >= 0 && b.rateMmH[i] >= 0)) gone[i] = 1
  const near = grow(gone, shape, NEAR_MISSING)
  const corners = findCorners(
    images[k],
    near.map((mark) => 1 - mark),
    shape,
  )
  const found = corners.length > 0 ? followThereAndBack(images, k, gone, corners, shape, wasm) : corners
  const minutes = (b.timeMs - a.timeMs) / 60_000
  const out: Record<keyof Vectors, number[]> = { x: [], y: [], u: [], v: [] }
  for (let p = 0; p < corners.length; p += 2) {
    if (Number.isNaN(found[p])) continue
    out.x.push(corners[p])
    out.y.push(corners[p + 1])
    out.u.push((found[p] - corners[p]) / minutes)
    out.v.push((found[p + 1] - corners[p + 1]) / minutes)
  }
  const { x, y, u, v } = out
  const vectors = {
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    u: Float64Array.from(u),
    v: Float64Array.from(v),
  }
  return { vectors, corners: corners.length / 2 }
}

/**
 * Follows corners from a picture to the next and back again; those that do not come back to where they were are lost
 * (forward-backward error, Kalal et al. 2010): where rain enters at the edge or a window holds on to another shower.
 * @returns x, y of each in the next picture; NaN where it was lost
 */
function followThereAndBack(
  images: Float32Array[],
  k: number,
  gone: Uint8Array,
  corners: Float32Array,
  shape: Shape,
  wasm?: Uint8Array,
): Float32Array {
  const near = nearMissing(gone, shape)
  const from = buildPyramid(images[k], near, shape)
  const to = buildPyramid(images[k + 1], near, shape)
  const windows = windowsBetween(from, to, wasm)
  const found = followPoints(from, windows.there, corners)
  const back = followPoints(to, windows.back, found)
  for (let p = 0; p < found.length; p += 2) {
    const off = Math.hypot(back[p] - corners[p], back[p + 1] - corners[p + 1])
    if (!(off <= FARTHEST_BACK)) found[p] = found[p + 1] = Number.NaN
  }
  return found
}

function spread({ x, y, u, v }: Vectors, shape: Shape): MotionField {
  return motionFieldOf(shape, (px, py) => {
    const { index, squares } = nearest(x, y, px, py, NEAREST)
    let [sum, su, sv] = [0, 0, 0]
    for (let k = 0; k < index.length; k++) {
      const weight = (Math.sqrt(squares[k]) + OFFSET) ** -POWER
      sum += weight
      su += weight * u[index[k]]
      sv += weight * v[index[k]]
    }
    return [su / sum, sv / sum]
  })
}
