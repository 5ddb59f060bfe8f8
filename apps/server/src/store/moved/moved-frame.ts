import { LONGEST_BETWEEN_MIN, type MovedHalves, movedHalves } from '@radx/motion/advection/between'
import { countCells, type RainFrame, type Shape } from '@radx/motion/field'
import { type MotionField, motionFieldOf } from '@radx/motion/motion-field'
import { estimateMotion } from '@radx/motion/tracking/estimate'
import { refineMotion } from '@radx/motion/tracking/refine'
import {
  type CatchmentWeights,
  catchmentStatistics,
  encodeRates,
  frameStatistics,
  halfOf,
  type ProductGrid,
} from '@radx/rainfall'
import { motionBytes } from './motion-bytes.ts'
import { cutTiles } from './moved-tiles.ts'

/** Frames up to this far apart, s, share the rain that moved between them. */
export const BRIDGED_S = LONGEST_BETWEEN_MIN * 60

/** What following the rain needs of a product. */
export type MovedProduct = ProductGrid & { shortName: string; frameSeconds: number }

/** Mean rain over the time that a frame stands for, moved between the frames. */
export interface MovedFrame {
  timeMs: number
  /** Neighbours within a quarter of an hour, ms. */
  before: number | null
  after: number | null
  /** Motion since the frame before. */
  motion: Uint8Array | null
  validCount: number
  sumCodes: number
  /** mm/h, `[zone ordinal - 1]`; null without data. */
  zoneMean: (number | null)[]
  ends: number[]
  tiles: Uint8Array
}

/** Rates below half of the smallest code are what interpolation leaves at the edge of rain, mm/h. */
const LEAST_MM_H = 0.005

/**
 * Rain as it moved round frames. A frame stands for half of the time to each neighbour; where that lies within a quarter
 * of an hour, the rain between the two is moved, elsewhere the frame holds still.
 * @param frames in time order, the wanted ones with their neighbours
 * @param wanted instants, ms
 */
export function movedFrames(
  product: MovedProduct,
  zones: CatchmentWeights[],
  frames: readonly RainFrame[],
  wanted: ReadonlySet<number>,
  wasm?: Uint8Array,
): MovedFrame[] {
  const shape = { nrows: product.steps, ncols: product.steps }
  let left: Interval | null = null
  const out: MovedFrame[] = []
  frames.forEach((frame, k) => {
    const isWanted = wanted.has(frame.timeMs)
    const right = isWanted || wanted.has(frames[k + 1]?.timeMs) ? intervalAfter(frames, k, shape, wasm) : null
    if (isWanted) out.push(movedFrame(product, zones, frames, k, left, right))
    left = right
  })
  return out
}

interface Interval {
  motion: MotionField | null
  halves: MovedHalves
}

/** Rain between a frame and the next; null where that lies too far off, or one of them has no measure: it stays missing. */
function intervalAfter(
  frames: readonly RainFrame[],
  k: number,
  shape: Shape,
  wasm?: Uint8Array,
): Interval | null {
  if (!isNear(frames[k], frames[k + 1])) return null
  const [a, b] = [frames[k], frames[k + 1]]
  const [ofA, ofB] = [countCells(a.rateMmH), countCells(b.rateMmH)]
  if (ofA.known === 0 || ofB.known === 0) return null
  const some = ofA.wet > 0 && ofB.wet > 0
  // These two alone: a frame before or after takes as long again and brings the rain between no nearer.
  const found = some ? estimateMotion([a, b], shape, wasm) : null
  const motion = found && refineMotion(a, b, found.field)
  return { motion, halves: movedHalves(a, b, motion ?? motionFieldOf(shape, () => [0, 0]))! }
}

const isNear = (a: RainFrame | undefined, b: RainFrame | undefined): boolean =>
  a !== undefined && b !== undefined && b.timeMs - a.timeMs <= BRIDGED_S * 1000

function movedFrame(
  { steps, frameSeconds }: MovedProduct,
  zones: CatchmentWeights[],
  frames: readonly RainFrame[],
  k: number,
  left: Interval | null,
  right: Interval | null,
): MovedFrame {
  const { timeMs, rateMmH } = frames[k]
  const seconds = (a: RainFrame | undefined, b: RainFrame | undefined) =>
    a && b ? halfOf((b.timeMs - a.timeMs) / 1000, frameSeconds, BRIDGED_S) : frameSeconds
  const codes = encodeRates(
    meanOf(
      rateMmH,
      [left?.halves.second, seconds(frames[k - 1], frames[k])],
      [right?.halves.first, seconds(frames[k], frames[k + 1])],
    ),
  )
  const { validCount, sumCodes } = frameStatistics(codes)
  return {
    timeMs,
    before: left ? frames[k - 1].timeMs : null,
    after: right ? frames[k + 1].timeMs : null,
    motion: left?.motion ? motionBytes(left.motion) : null,
    validCount,
    sumCodes,
    zoneMean: zones.map((zone) => catchmentStatistics(codes, zone).meanMmH),
    ...cutTiles(codes, steps),
  }
}

type Half = [rain: Float32Array | undefined, seconds: number]

/**
 * Mean of two halves by their length. One that is not known, as the rain came from outside, leaves the other; where none
 * is, the frame stands for itself.
 */
function meanOf(still: Float32Array, [before, beforeS]: Half, [after, afterS]: Half): Float32Array {
  const share = afterS / (beforeS + afterS)
  const out = new Float32Array(still.length)
  for (let i = 0; i < out.length; i++) {
    const a = before ? before[i] : still[i]
    const b = after ? after[i] : still[i]
    const mean = a >= 0 ? (b >= 0 ? a + share * (b - a) : a) : b >= 0 ? b : still[i]
    out[i] = mean < LEAST_MM_H ? 0 : mean
  }
  return out
}
