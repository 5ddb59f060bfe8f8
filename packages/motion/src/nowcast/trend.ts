import { backwardPath } from '../advection/displacement.ts'
import { sampleAlong } from '../advection/sample.ts'
import type { Shape } from '../field.ts'
import { type BlockGrid, blocksOf, sumsAround } from './blocks.ts'
import { type HeavyShare, heavyShareAt, heavyShareOf } from './heavy-share.ts'
import type { NowcastStart } from './start.ts'

/** Rates whose areas are followed, mm/h: light, moderate and heavy rain go their own ways. */
export const KNOTS_MM_H = [0.1, 1, 5] as const
const [LIGHT, MODERATE] = [0, 1]
/** Side of a block, cells, and blocks on each side over which rain is counted. */
const BLOCK = 16
const REACH = 4
/** Cells above a rate at which half of a trend is believed. */
const FEW = 300
/** Minutes over which a trend was seen at which half of it is believed. */
const SHORT_MIN = 5
/** A trend seen over less, minutes, is none. */
const SHORTEST_MIN = 15
/** Minutes in which a trend dies out (damped trend; Gardner and McKenzie 1985). */
const DAMPED_MIN = 150
/** What may be left of an area. */
const LEAST = 0.2
const MOST = 1.5
/**
 * Rain that shrinks loses its heavy part faster, and wins it faster when it grows: with up to this power of what is left of moderate
 * rain, as far as the grid as a whole does the same. Places that grow beside others that shrink are chance for the most part.
 */
const HEAVY_POWER = 3

/** How the areas above the rates of `KNOTS_MM_H` go on, by block. */
export interface Trend extends BlockGrid {
  /** Cells of each block above each rate now. */
  now: Float32Array[]
  /** Of light and moderate rain: how fast the area spreads or shrinks, parts a minute, by block and over the grid. */
  local: Float32Array[]
  whole: number[]
  heavyShare: HeavyShare
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
 * (else nothing changes), and a short series less. Heavy rain goes with moderate rain and its share of that (`heavy-share.ts`).
 * @returns null where no frame of long enough before is at hand
 */
export function trendOf(start: NowcastStart): Trend | null {
  const { frames, earlier, motion, shape } = start
  const last = frames[frames.length - 1]
  const first = earlier ?? frames[0]
  const minutes = (last.timeMs - first.timeMs) / 60_000
  if (!(minutes >= SHORTEST_MIN)) return null
  const before = sampleAlong(first.rateMmH, backwardPath(motion).to(minutes))
  const blocks = blocksOf(shape, BLOCK)
  const [was, now] = countBoth(before, last.rateMmH, shape, blocks)
  const around = (counts: Float32Array[]) => counts.map((cells) => sumsAround(cells, blocks, REACH))
  const [wasAround, nowAround] = [around(was), around(now)]
  const believed = minutes / (minutes + SHORT_MIN)
  const trust = (a: number, b: number) => Math.min(a, b) / (Math.min(a, b) + FEW)
  const seen = (a: number, b: number) => (Math.log((b + 1) / (a + 1)) / minutes) * believed
  const local: Float32Array[] = []
  const whole: number[] = []
  for (const knot of [MODERATE, LIGHT]) {
    const [all, allNow] = [total(was[knot]), total(now[knot])]
    const wholeTrust = trust(all, allNow)
    whole[knot] = wholeTrust * seen(all, allNow)
    if (knot === LIGHT) whole[knot] += (1 - wholeTrust) * whole[MODERATE]
    local[knot] = wasAround[knot].map((cells, k) => {
      const own = trust(cells, nowAround[knot][k])
      return own * seen(cells, nowAround[knot][k]) + (1 - own) * whole[knot]
    })
  }
  const pairs = { was: wasAround, now: nowAround }
  return { ...blocks, now, local, whole, heavyShare: heavyShareOf(start, blocks, REACH, pairs, minutes) }
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

/**
 * Shares at a lead. Those of blocks are scaled so that over all of them as much light and moderate rain is left as the whole
 * grid's trend says; of heavy rain as much as its places say.
 */
export function sharesLeft(trend: Trend, leadMin: number): SharesLeft {
  const { across, down, size, now, local, whole, heavyShare } = trend
  const minutes = DAMPED_MIN * (1 - Math.exp(-leadMin / DAMPED_MIN))
  const share = (log: number) => Math.min(MOST, Math.max(LEAST, Math.exp(log)))
  const [light, moderate] = [LIGHT, MODERATE].map((knot) => {
    const shares = local[knot].map((rate) => share(rate * minutes))
    const wanted = share(whole[knot] * minutes)
    const by = wanted / meanOver(shares, now[knot])
    // Smoothing carries light rain to where it is widespread: a place gets no more than the whole grid on top of that.
    const most = knot === LIGHT ? Math.max(1, wanted) : Number.POSITIVE_INFINITY
    return shares.map((value) => Math.min(most, value * by))
  })
  const logs = moderate.map(Math.log)
  const together = meanOver(logs, now[MODERATE], 0) / (meanOver(logs.map(Math.abs), now[MODERATE], 0) || 1)
  const change = heavyShareAt(heavyShare, leadMin)
  const heavy = logs.map((log, k) => {
    const power = log * together > 0 ? 1 + (HEAVY_POWER - 1) * Math.abs(together) : 1
    return share(power * log + change[k])
  })
  const byBlock = [light, moderate, heavy]
  return {
    ...{ across, down, size, leadMin },
    local: byBlock,
    whole: byBlock.map((shares, knot) => meanOver(shares, now[knot])),
  }
}

/** Mean of values of blocks, each as often as there are cells in it. */
function meanOver(values: Float32Array, cells: Float32Array, without = 1): number {
  const all = total(cells)
  return all > 0 ? values.reduce((sum, value, k) => sum + value * cells[k], 0) / all : without
}

const total = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0)
