import type { SewerOptions } from '@radx/contracts'
import { TABLE_INTERVALS } from '../sections/section-table.ts'
import { fadedDepth, fading } from './node-volume.ts'
import type { SewerPlan } from './plan.ts'
import { layOutReaches, type ReachArrays, SLOT_INTERVALS, SLOT_STEP, SLOT_TOP } from './reach-arrays.ts'
import { heap, type Room } from './room.ts'

/**
 * Long conduits, and those whose lower end hangs above the next node's bottom. Half a pipe at the depth of its end
 * is a poor measure of what they hold, so their volume also counts the middle depth:
 * L/4 (A1 + 2 Am + A2), each end taking its own and the middle area (SWMM Reference Manual II, 3.3.2). While water
 * falls free from a hanging end, all of the pipe belongs to the upper node (class "downstream critical"); as the
 * lower node's water reaches the end, that half passes over.
 *
 * What one end takes on when the other moves is passed between the two nodes' volumes after the step, so that
 * volume is never made or lost and heads do not feel it.
 */
export interface Reaches {
  count: number
  /** What the compiled `add` works on. */
  arrays: ReachArrays
  /** Adds what the reaches hold at the start to the nodes' volumes. */
  start(heads: Float64Array, volume: Float64Array): void
  /** Takes the step's heads and settles the volumes between the ends. `freeDepth`: of each conduit's lower end, m. */
  update(heads: Float64Array, freeDepth: Float64Array, volume: Float64Array): void
  /** Adds volume and surface to the nodes' balances: residual less, diagonal more. */
  add(heads: Float64Array, residual: Float64Array, diagonal: Float64Array): void
}

/** What an end owes it pays back by this head a step, m. */
const PAID_M = 0.5
/** A hanging half passes over within this rise of water in the pipe's end at least, m. */
const LEAST_RISE_M = 0.02

/** @param room where its arrays lie; a compiled kernel's own for `arrays` to be of use to it */
export function createReaches(plan: SewerPlan, options: SewerOptions, room: Room = heap): Reaches {
  const { unknowns, reaches: list } = plan
  const count = list.length
  const arrays = layOutReaches(plan, options, room)
  const { from, to, holdsFrom, holdsTo } = arrays
  const lookUp = lookUpIn(arrays)
  const owed: Owed = { from: new Float64Array(count), to: new Float64Array(count) }
  const now: Held = { from: Number.NaN, to: Number.NaN, fromSurface: Number.NaN, toSurface: Number.NaN }
  return {
    count,
    arrays,
    start(heads, volume) {
      for (let i = 0; i < count; i++) {
        arrays.overWidth[i] = arrays.steadyWidth[i]
        settle(plan, arrays, lookUp, i, heads, 0)
        if (from[i] < unknowns) volume[from[i]] += holdsFrom[i]
        if (to[i] < unknowns) volume[to[i]] += holdsTo[i]
      }
    },
    update(heads, freeDepth, volume) {
      for (let i = 0; i < count; i++) {
        follow(arrays, lookUp, i, heads, now)
        settle(plan, arrays, lookUp, i, heads, freeDepth[list[i]])
        if (from[i] < unknowns && to[i] < unknowns) passBetween(arrays, i, now, owed, volume)
      }
    },
    add(heads, residual, diagonal) {
      for (let i = 0; i < count; i++) {
        follow(arrays, lookUp, i, heads, now)
        const a = from[i]
        const b = to[i]
        if (a < unknowns) {
          residual[a] -= now.from
          diagonal[a] += now.fromSurface
        }
        if (b < unknowns) {
          residual[b] -= now.to
          diagonal[b] += now.toSurface
        }
      }
    },
  }
}

/** What the ends of a reach hold at heads reached from the step's start, m3, and how that grows with the head, m2. */
interface Held {
  from: number
  to: number
  fromSurface: number
  toSurface: number
}

/** What the ends carry more than their depths say, m3: both moved at once. It is given back by and by. */
interface Owed {
  from: Float64Array
  to: Float64Array
}

/** Area and width found last: an array, since numbers in fields of an object are boxed. */
const found = new Float64Array(2)
const AREA = 0
const WIDTH = 1

/** Finds area, m2, and the slope of that interpolation, m, of reach `i` at a depth, with the slot above the crown. */
type LookUp = (i: number, y: number) => void

/** A closure over the arrays: looked up at every step for every reach, they stand in its compiled code. */
function lookUpIn(reach: ReachArrays): LookUp {
  const { fullDepth, fullArea, maxWidth, steadyFrom, steadyArea, steadyWidth } = reach
  const { perMetre, rowM, firstArea, areas, slotSums } = reach
  return (i, y) => {
    const full = fullDepth[i]
    if (y <= 0) {
      found[AREA] = 0
      found[WIDTH] = 0
    } else if (y >= steadyFrom[i]) {
      found[WIDTH] = steadyWidth[i]
      found[AREA] = steadyArea[i] + steadyWidth[i] * (y - steadyFrom[i])
    } else if (y < full) {
      const per = perMetre[i]
      const row = Math.min(TABLE_INTERVALS - 1, Math.floor(y * per))
      const at = firstArea[i] + row
      const below = areas[at]
      const width = (areas[at + 1] - below) * per
      found[WIDTH] = width
      found[AREA] = below + width * (y - row * rowM[i])
    } else {
      const above = ((y / full - 1) / (SLOT_TOP - 1)) * SLOT_INTERVALS
      const k = Math.min(SLOT_INTERVALS - 1, Math.floor(above))
      const sum = slotSums[k]
      const most = maxWidth[i]
      const width = ((slotSums[k + 1] - sum) / SLOT_STEP) * most
      found[WIDTH] = width
      found[AREA] = fullArea[i] + sum * most * full + width * (y - full * (1 + k * SLOT_STEP))
    }
  }
}

function areaAt(lookUp: LookUp, i: number, y: number): number {
  lookUp(i, y)
  return found[AREA]
}

function follow(reach: ReachArrays, lookUp: LookUp, i: number, heads: Float64Array, now: Held): void {
  followFrom(reach, lookUp, i, heads[reach.from[i]] - reach.bottomFrom[i], now)
  followTo(reach, lookUp, i, heads[reach.to[i]] - reach.bottomTo[i], now)
}

/** What the middle takes on, and how that grows: see `followMiddle`. */
const middle = new Float64Array(2)

/**
 * What the middle, last looked up, takes on since the step's start with an end at `y`, m2, and how that grows with it, m. EXTRAN's
 * middle knows no pressure: an end above its crown, up to where its node closes, adds the width found there times its rise,
 * and gives back the same share of that as it falls. Every end counts half of its middles so.
 */
function followMiddle(
  reach: ReachArrays,
  i: number,
  y: number,
  over: number,
  before: number,
  extra: number,
  open: boolean,
): void {
  const middles = reach.middles[i]
  middle[AREA] = middles * (found[AREA] - reach.areaMid[i])
  middle[WIDTH] = y > 0 && y < reach.middleUpTo[i] ? (middles * found[WIDTH]) / 2 : 0
  if (!(over > 0 || before > 0)) return
  lookUpBeyond(over, before, extra, reach.overWidth[i])
  middle[AREA] += (middles / 2) * (found[AREA] - extra)
  if (over > 0 && open) middle[WIDTH] = (middles / 2) * found[WIDTH]
}

/** What a middle has taken on with an end `over` its crown, from what it was at the step's start, m2, and how that grows, m. */
function lookUpBeyond(over: number, before: number, extra: number, width: number): void {
  if (over > before) {
    found[WIDTH] = width
    found[AREA] = extra + width * (over - before)
    return
  }
  found[WIDTH] = before > 0 ? extra / before : 0
  found[AREA] = found[WIDTH] * over
}

/** The end that water comes from, at a depth in its node: half of the reach, and of the other half what hangs free. */
function followFrom(reach: ReachArrays, lookUp: LookUp, i: number, depth: number, now: Held): void {
  const closes = reach.closesFrom[i]
  const upTo = reach.middleUpTo[i]
  const y1 = Math.max(0, fadedDepth(depth, closes) + reach.dropFrom[i])
  const upper = reach.quarter[i] * (1 + reach.share[i])
  lookUp(i, y1)
  const area = found[AREA]
  const width = found[WIDTH]
  lookUp(i, (Math.min(y1, upTo) + Math.min(reach.heldTo[i], upTo)) / 2)
  const over = Math.max(0, Math.min(depth, closes) + reach.dropFrom[i] - upTo)
  followMiddle(reach, i, y1, over, reach.overFrom[i], reach.extraFrom[i], depth <= closes)
  now.from = reach.holdsFrom[i] + upper * (area - reach.areaFrom[i] + middle[AREA])
  now.fromSurface = fading(depth, closes) * upper * (width + middle[WIDTH])
}

/** The end that water goes to. */
function followTo(reach: ReachArrays, lookUp: LookUp, i: number, depth: number, now: Held): void {
  const closes = reach.closesTo[i]
  const upTo = reach.middleUpTo[i]
  const y2 = Math.max(0, fadedDepth(depth, closes) + reach.dropTo[i])
  const lower = reach.quarter[i] * (1 - reach.share[i])
  const heldTo = reach.heldTo[i]
  lookUp(i, y2)
  const area = found[AREA]
  const width = found[WIDTH]
  const held = reach.hangs[i] === 1 && heldTo > y2
  lookUp(i, (Math.min(reach.depthFrom[i], upTo) + Math.min(held ? heldTo : y2, upTo)) / 2)
  const over = Math.max(0, Math.min(depth, closes) + reach.dropTo[i] - upTo)
  followMiddle(reach, i, held ? 0 : y2, over, reach.overTo[i], reach.extraTo[i], depth <= closes)
  now.to = reach.holdsTo[i] + lower * (area - reach.areaTo[i] + middle[AREA])
  now.toSurface = fading(depth, closes) * lower * (width + middle[WIDTH])
}

/** Takes heads as those of the next step's start. `freeDepth`: of the lower end, m. */
function settle(
  { conduits, reaches: list }: SewerPlan,
  reach: ReachArrays,
  lookUp: LookUp,
  i: number,
  heads: Float64Array,
  freeDepth: number,
): void {
  const c = list[i]
  const hangs = reach.hangs[i] === 1
  const y1 = depthIn(heads[reach.from[i]], reach.bottomFrom[i], reach.closesFrom[i], conduits.fromInvert[c])
  const y2 = depthIn(heads[reach.to[i]], reach.bottomTo[i], reach.closesTo[i], conduits.toInvert[c])
  const share = hangs ? Math.max(0, 1 - y2 / Math.max(LEAST_RISE_M, freeDepth)) : 0
  const heldTo = hangs ? Math.max(y2, Math.min(freeDepth, y1)) : y2
  const quarter = reach.quarter[i]
  reach.share[i] = share
  reach.depthFrom[i] = y1
  reach.heldTo[i] = heldTo
  reach.areaFrom[i] = areaAt(lookUp, i, y1)
  reach.areaTo[i] = areaAt(lookUp, i, y2)
  settleBeyond(reach, i, heads)
  const upTo = reach.middleUpTo[i]
  reach.areaMid[i] = areaAt(lookUp, i, (Math.min(y1, upTo) + Math.min(heldTo, upTo)) / 2)
  reach.overWidth[i] = found[WIDTH]
  const lower = quarter * (reach.areaMid[i] + (heldTo === y2 ? reach.areaTo[i] : areaAt(lookUp, i, heldTo)))
  const beyond = (quarter * reach.middles[i]) / 2
  reach.holdsFrom[i] =
    quarter * (reach.areaFrom[i] + reach.areaMid[i]) +
    share * lower +
    beyond * (1 + share) * reach.extraFrom[i]
  reach.holdsTo[i] = (1 - share) * (lower + beyond * reach.extraTo[i])
}

/** What the middle has taken on with ends above their crowns. */
function settleBeyond(reach: ReachArrays, i: number, heads: Float64Array): void {
  const upTo = reach.middleUpTo[i]
  const depth1 = heads[reach.from[i]] - reach.bottomFrom[i]
  const depth2 = heads[reach.to[i]] - reach.bottomTo[i]
  const over1 = Math.max(0, Math.min(depth1, reach.closesFrom[i]) + reach.dropFrom[i] - upTo)
  const over2 = Math.max(0, Math.min(depth2, reach.closesTo[i]) + reach.dropTo[i] - upTo)
  lookUpBeyond(over1, reach.overFrom[i], reach.extraFrom[i], reach.overWidth[i])
  reach.extraFrom[i] = found[AREA]
  lookUpBeyond(over2, reach.overTo[i], reach.extraTo[i], reach.overWidth[i])
  reach.extraTo[i] = found[AREA]
  reach.overFrom[i] = over1
  reach.overTo[i] = over2
}

/** Depth that counts in a pipe's end, m: EXTRAN's nodes close above their crowns. */
const depthIn = (head: number, nodeBottom: number, closes: number, endBottom: number) =>
  Math.max(0, fadedDepth(head - nodeBottom, closes) + nodeBottom - endBottom)

/** Passes what one end took on as the other moved to that one's node; `held`: what the ends held before they were settled. */
function passBetween(reach: ReachArrays, i: number, held: Held, owed: Owed, volume: Float64Array): void {
  const offFrom = held.from - reach.holdsFrom[i]
  const off = offFrom + held.to - reach.holdsTo[i]
  const moved = offFrom - ((1 + reach.share[i]) / 2) * off
  volume[reach.from[i]] -= moved
  volume[reach.to[i]] += moved
  owed.from[i] = lessBy(offFrom - moved, PAID_M * held.fromSurface)
  owed.to[i] = lessBy(off - offFrom + moved, PAID_M * held.toSurface)
  reach.holdsFrom[i] += owed.from[i]
  reach.holdsTo[i] += owed.to[i]
}

const lessBy = (value: number, most: number) =>
  value > most ? value - most : value < -most ? value + most : 0
