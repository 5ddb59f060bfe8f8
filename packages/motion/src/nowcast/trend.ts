import { backwardPath } from '../advection/displacement.ts'
import { sampleAlong } from '../advection/sample.ts'
import type { Shape } from '../field.ts'
import { type BlockGrid, blocksOf, sumsAround } from './blocks.ts'
import type { NowcastStart } from './start.ts'

/** Rates whose areas are followed, mm/h: light, moderate and heavy rain go their own ways. */
export const KNOTS_MM_H = [0.1, 1, 5] as const
const [LIGHT, MODERATE, HEAVY] = [0, 1, 2]
/** Side of a block, cells, and blocks on each side over which rain is counted. */
const BLOCK = 16
const REACH = 6
/** Cells above each rate at which half of a trend is believed. */
const FEW = [900, 900, 2000] as const
/** Minutes over which a trend was seen at which half of it is believed. */
const SHORT_MIN = 5
/** A trend seen over less, minutes, is none. */
const SHORTEST_MIN = 15
/** Minutes in which a trend dies out (damped trend; Gardner and McKenzie 1985). */
const DAMPED_MIN = 100
/** What may be left of an area. */
const LEAST = 0.3
const MOST = 1.5
/**
 * Where too few cells of heavy rain tell their own trend, it goes with this power of moderate rain's. Shrinking rain loses
 * it faster from 30 to 60 min on, since cores outlive the edges of showers at first.
 */
const HEAVY_POWER = 1.5
const HEAVY_POWER_LATER = 3

/** How fast the areas above the rates of `KNOTS_MM_H` spread or shrink, parts a minute, by block and over the grid. */
export interface Trend extends BlockGrid {
  /** Cells of each block above each rate now. */
  now: Float32Array[]
  local: Float32Array[]
  whole: number[]
  /** Of heavy rain: by block and over the grid, the part that is not its own trend but follows moderate rain. */
  follows: Float32Array
  followsWhole: number
}

/** What is left of the areas above the rates of `KNOTS_MM_H` at a lead. */
export interface SharesLeft extends BlockGrid {
  leadMin: number
  local: Float32Array[]
  whole: number[]
}

/**
 * Trend of the rain by place and rate, from the earliest frame at hand to the last: cells above each rate, the early frame
 * moved to the last. A place is believed as far as it has cells enough to tell (else the whole grid), the whole grid likewise
 * (else nothing changes), and a short series less.
 * @returns null where no frame of long enough before is at hand
 */
export function trendOf({ frames, earlier, motion, shape }: NowcastStart): Trend | null {
  const last = frames[frames.length - 1]
  const first = earlier ?? frames[0]
  const minutes = (last.timeMs - first.timeMs) / 60_000
  if (!(minutes >= SHORTEST_MIN)) return null
  const before = sampleAlong(first.rateMmH, backwardPath(motion).to(minutes))
  const blocks = blocksOf(shape, BLOCK)
  const [was, now] = countBoth(before, last.rateMmH, shape, blocks)
  const believed = minutes / (minutes + SHORT_MIN)
  const trust = (a: number, b: number, knot: number) => Math.min(a, b) / (Math.min(a, b) + FEW[knot])
  const seen = (a: number, b: number) => (Math.log((b + 1) / (a + 1)) / minutes) * believed
  const local: Float32Array[] = []
  const whole: number[] = []
  let follows = new Float32Array(0)
  let followsWhole = 0
  for (const knot of [MODERATE, LIGHT, HEAVY]) {
    const [a, b] = [sumsAround(was[knot], blocks, REACH), sumsAround(now[knot], blocks, REACH)]
    const [all, allNow] = [total(was[knot]), total(now[knot])]
    const wholeTrust = trust(all, allNow, knot)
    whole[knot] = wholeTrust * seen(all, allNow)
    if (knot === LIGHT) whole[knot] += (1 - wholeTrust) * whole[MODERATE]
    local[knot] = a.map((cells, k) => {
      const own = trust(cells, b[k], knot)
      return own * seen(cells, b[k]) + (knot === HEAVY ? 0 : (1 - own) * whole[knot])
    })
    if (knot !== HEAVY) continue
    follows = a.map((cells, k) => 1 - trust(cells, b[k], knot))
    followsWhole = 1 - wholeTrust
  }
  return { ...blocks, now, local, whole, follows, followsWhole }
}

/** Cells above each rate by block, where both fields are known. */
function countBoth(
  before: Float32Array,
  last: Float32Array,
  { nrows, ncols }: Shape,
  { across, down }: BlockGrid,
): [Float32Array[], Float32Array[]] {
  const make = () => KNOTS_MM_H.map(() => new Float32Array(across * down))
  const [was, now] = [make(), make()]
  const knots = KNOTS_MM_H.map(Math.fround)
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const i = row * ncols + col
      if (!(before[i] >= 0 && last[i] >= 0)) continue
      const block = Math.floor(row / BLOCK) * across + Math.floor(col / BLOCK)
      for (let k = 0; k < knots.length; k++) {
        if (before[i] >= knots[k]) was[k][block]++
        if (last[i] >= knots[k]) now[k][block]++
      }
    }
  return [was, now]
}

/** Shares at a lead; those of blocks are scaled so that over all of them as much is left as the whole grid's trend says. */
export function sharesLeft(trend: Trend, leadMin: number): SharesLeft {
  const { across, down, size, now, local, whole, follows, followsWhole } = trend
  const minutes = DAMPED_MIN * (1 - Math.exp(-leadMin / DAMPED_MIN))
  const share = (perMinute: number) => Math.min(MOST, Math.max(LEAST, Math.exp(perMinute * minutes)))
  const later = Math.min(1, Math.max(0, leadMin / 30 - 1))
  const heavy = (moderate: number) =>
    moderate * (moderate > 0 ? HEAVY_POWER : HEAVY_POWER + later * (HEAVY_POWER_LATER - HEAVY_POWER))
  const overall = whole.map((own, knot) =>
    share(knot === HEAVY ? own + followsWhole * heavy(whole[MODERATE]) : own),
  )
  const byBlock = local.map((rates, knot) => {
    const shares = rates.map((own, k) =>
      share(knot === HEAVY ? own + follows[k] * heavy(local[MODERATE][k]) : own),
    )
    const cells = now[knot]
    const left = shares.reduce((sum, value, k) => sum + value * cells[k], 0)
    const by = left > 0 ? (overall[knot] * total(cells)) / left : 1
    return shares.map((value) => value * by)
  })
  return { across, down, size, leadMin, local: byBlock, whole: overall }
}

const total = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0)
