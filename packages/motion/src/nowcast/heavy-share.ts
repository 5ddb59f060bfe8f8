import { backwardPath } from '../advection/displacement.ts'
import type { Shape } from '../field.ts'
import { atPlace } from '../motion-field.ts'
import { atBlocks, type BlockGrid, sumsAround } from './blocks.ts'
import type { NowcastStart } from './start.ts'

/** Rates whose ratio of areas is the share of heavy rain, mm/h. */
const [MODERATE_MM_H, HEAVY_MM_H] = [1, 5].map(Math.fround)
const [MODERATE, HEAVY] = [1, 2]
/** Cells of heavy rain at which half of how the share changes, or of what it was in the hour, is believed. */
const FEW_CHANGE = 1000
const FEW_HOUR = 200
/** Minutes in which the share loses its way and turns back to that of the hour. */
const MEMORY_MIN = 15
/** Minutes over which a change was seen at which half of it is believed. */
const SHORT_MIN = 5

/**
 * The share of moderate rain that is heavy, by block. What is above or below the share of the last hour is an excursion that
 * does not last: the share goes on as it did, ever less, and comes back, as an autoregression of second order with equal roots does.
 */
export interface HeavyShare {
  /** Parts a minute by which it changes now, beyond what moderate rain does. */
  change: Float32Array
  /** Logarithm of the hour's share over that of now. */
  back: Float32Array
}

/** Cells above each rate round each block, light, moderate and heavy: of an earlier frame moved to the last, and of the last. */
interface Counts {
  was: readonly Float32Array[]
  now: readonly Float32Array[]
}

/** @param minutes between the two that are counted */
export function heavyShareOf(
  { frames, hour, motion, shape }: NowcastStart,
  blocks: BlockGrid,
  reach: number,
  { was, now }: Counts,
  minutes: number,
): HeavyShare {
  const believed = minutes / (minutes + SHORT_MIN)
  const overlap = (2 * reach + 1) ** 2
  const change = locally(
    { few: FEW_CHANGE, overlap },
    [was[HEAVY], was[MODERATE]],
    [now[HEAVY], now[MODERATE]],
    (a, b) => ((shareLog(b) - shareLog(a)) / minutes) * believed,
  )
  const [moderate, heavy] = [MODERATE, HEAVY].map((knot) => now[knot].slice())
  const path = backwardPath(motion)
  const last = frames[frames.length - 1]
  for (const { timeMs, rateMmH } of hour) {
    const { dx, dy } = path.to((last.timeMs - timeMs) / 60_000)
    const counts = countFrame(rateMmH, shape, blocks).map((cells) => sumsAround(cells, blocks, reach))
    for (let row = 0, k = 0; row < blocks.down; row++)
      for (let col = 0; col < blocks.across; col++, k++) {
        const [x, y] = [(col + 0.5) * blocks.size, (row + 0.5) * blocks.size]
        const [fromX, fromY] = [x + atPlace(dx, motion, x, y), y + atPlace(dy, motion, x, y)]
        moderate[k] += atBlocks(counts[0], blocks, fromY, fromX)
        heavy[k] += atBlocks(counts[1], blocks, fromY, fromX)
      }
  }
  const mean = (cells: Float32Array) => cells.map((value) => value / (1 + hour.length))
  const back = locally(
    { few: FEW_HOUR, overlap },
    [now[HEAVY], now[MODERATE]],
    [mean(heavy), mean(moderate)],
    (a, b) => shareLog(b) - shareLog(a),
  )
  return { change, back }
}

/** Logarithm of the heavy over the moderate area at a lead, less that of now, by block. */
export function heavyShareAt({ change, back }: HeavyShare, leadMin: number): Float32Array {
  const fading = Math.exp(-leadMin / MEMORY_MIN)
  const returned = 1 - (1 + leadMin / MEMORY_MIN) * fading
  return back.map((log, k) => log * returned + change[k] * leadMin * fading)
}

const shareLog = ([heavy, moderate]: readonly [number, number]) => Math.log((heavy + 1) / (moderate + 1))

type Pair = readonly [heavy: Float32Array, moderate: Float32Array]

/**
 * What two counts say at each block, as far as it has heavy rain enough; else over all blocks, as far as those have.
 * @param overlap how many blocks count a cell
 */
function locally(
  { few, overlap }: { few: number; overlap: number },
  a: Pair,
  b: Pair,
  say: (a: readonly [number, number], b: readonly [number, number]) => number,
): Float32Array {
  const trust = (one: number, other: number) => Math.min(one, other) / (Math.min(one, other) + few)
  const mean = (cells: Float32Array) => cells.reduce((sum, value) => sum + value, 0) / overlap
  const [allA, allB] = [a, b].map(([heavy, moderate]) => [mean(heavy), mean(moderate)] as const)
  const whole = trust(allA[0], allB[0]) * say(allA, allB)
  return a[0].map((heavy, k) => {
    const own = trust(heavy, b[0][k])
    return own * say([heavy, a[1][k]], [b[0][k], b[1][k]]) + (1 - own) * whole
  })
}

/** Cells of one frame above 1 and 5 mm/h by block. */
function countFrame(rateMmH: Float32Array, { nrows, ncols }: Shape, { across, down, size }: BlockGrid) {
  const [moderate, heavy] = [0, 1].map(() => new Float32Array(across * down))
  for (let row = 0, i = 0; row < nrows; row++) {
    const line = Math.floor(row / size) * across
    for (let col = 0; col < ncols; col++, i++) {
      const rate = rateMmH[i]
      if (!(rate >= MODERATE_MM_H)) continue
      const block = line + Math.floor(col / size)
      moderate[block]++
      if (rate >= HEAVY_MM_H) heavy[block]++
    }
  }
  return [moderate, heavy]
}
