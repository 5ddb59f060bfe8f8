import type { SewerOptions } from '@radx/contracts'
import type { Stateful } from '../../state/state.ts'
import { TABLE_INTERVALS } from '../sections/section-table.ts'
import { fadedDepth, fading } from './node-volume.ts'
import type { SewerPlan } from './plan.ts'
import {
  layOutReaches,
  REACH_STATE,
  type ReachArrays,
  SLOT_INTERVALS,
  SLOT_STEP,
  SLOT_TOP,
} from './reach-arrays.ts'

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
export interface Reaches extends Stateful {
  count: number
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

/** What reaches do, over their arrays. */
export type ReachLoops = Omit<Reaches, 'count'>

/** @param compile the compiled loops; those in TypeScript take their place, with the same bits */
export function createReaches(
  plan: SewerPlan,
  options: SewerOptions,
  compile: (arrays: ReachArrays) => ReachLoops = (arrays) => interpreted(plan, arrays),
): Reaches {
  return { count: plan.reaches.length, ...compile(layOutReaches(plan, options)) }
}

function interpreted({ unknowns }: SewerPlan, arrays: ReachArrays): ReachLoops {
  const { from, to, conduit, holdsFrom, holdsTo } = arrays
  const count = from.length
  const lookUp = lookUpIn(arrays)
  const ends = { ...NO_ENDS }
  const now = { ...NOTHING_HELD }
  return {
    start(heads, volume) {
      for (let i = 0; i < count; i++) {
        arrays.overWidth[i] = arrays.steadyWidth[i]
        findEnds(arrays, lookUp, i, heads, ends)
        settle(arrays, lookUp, i, ends, 0)
        if (from[i] < unknowns) volume[from[i]] += holdsFrom[i]
        if (to[i] < unknowns) volume[to[i]] += holdsTo[i]
      }
    },
    update(heads, freeDepth, volume) {
      for (let i = 0; i < count; i++) {
        findEnds(arrays, lookUp, i, heads, ends)
        follow(arrays, lookUp, i, ends, now)
        settle(arrays, lookUp, i, ends, freeDepth[conduit[i]])
        if (from[i] < unknowns && to[i] < unknowns) passBetween(arrays, i, now, volume)
      }
    },
    visit(state) {
      for (const name of REACH_STATE) state.array(name, arrays[name])
    },
    add(heads, residual, diagonal) {
      for (let i = 0; i < count; i++) {
        findEnds(arrays, lookUp, i, heads, ends)
        follow(arrays, lookUp, i, ends, now)
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

/** The ends of a reach at heads: depths, how far above the crown (up to where the node closes), m; areas and widths; what is left of the surface. */
interface Ends {
  y1: number
  y2: number
  over1: number
  over2: number
  area1: number
  area2: number
  width1: number
  width2: number
  left1: number
  left2: number
}

/** What the ends of a reach hold at heads reached from the step's start, m3, and how that grows with the head, m2. */
interface Held {
  from: number
  to: number
  fromSurface: number
  toSurface: number
}

// No integers: fields of an object then stay unboxed.
const NO = Number.NaN
const NO_ENDS: Ends = {
  ...{ y1: NO, y2: NO, over1: NO, over2: NO, area1: NO, area2: NO, width1: NO, width2: NO },
  ...{ left1: NO, left2: NO },
}
const NOTHING_HELD: Held = { from: NO, to: NO, fromSurface: NO, toSurface: NO }

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

function findEnds(reach: ReachArrays, lookUp: LookUp, i: number, heads: Float64Array, ends: Ends): void {
  const upTo = reach.middleUpTo[i]
  const depth1 = heads[reach.from[i]] - reach.bottomFrom[i]
  const depth2 = heads[reach.to[i]] - reach.bottomTo[i]
  const closes1 = reach.closesFrom[i]
  const closes2 = reach.closesTo[i]
  ends.y1 = Math.max(0, fadedDepth(depth1, closes1) + reach.dropFrom[i])
  ends.y2 = Math.max(0, fadedDepth(depth2, closes2) + reach.dropTo[i])
  ends.over1 = Math.max(0, Math.min(depth1, closes1) + reach.dropFrom[i] - upTo)
  ends.over2 = Math.max(0, Math.min(depth2, closes2) + reach.dropTo[i] - upTo)
  ends.left1 = fading(depth1, closes1)
  ends.left2 = fading(depth2, closes2)
  lookUp(i, ends.y1)
  ends.area1 = found[AREA]
  ends.width1 = found[WIDTH]
  lookUp(i, ends.y2)
  ends.area2 = found[AREA]
  ends.width2 = found[WIDTH]
}

function follow(reach: ReachArrays, lookUp: LookUp, i: number, ends: Ends, now: Held): void {
  followFrom(reach, lookUp, i, ends, now)
  followTo(reach, lookUp, i, ends, now)
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

/** The end that water comes from: half of the reach, and of the other half what hangs free. */
function followFrom(reach: ReachArrays, lookUp: LookUp, i: number, ends: Ends, now: Held): void {
  const { y1, over1, left1 } = ends
  const upTo = reach.middleUpTo[i]
  const upper = reach.quarter[i] * (1 + reach.share[i])
  lookUp(i, (Math.min(y1, upTo) + Math.min(reach.heldTo[i], upTo)) / 2)
  followMiddle(reach, i, y1, over1, reach.overFrom[i], reach.extraFrom[i], left1 === 1)
  now.from = reach.holdsFrom[i] + upper * (ends.area1 - reach.areaFrom[i] + middle[AREA])
  now.fromSurface = left1 * upper * (ends.width1 + middle[WIDTH])
}

/** The end that water goes to. */
function followTo(reach: ReachArrays, lookUp: LookUp, i: number, ends: Ends, now: Held): void {
  const { y2, over2, left2 } = ends
  const upTo = reach.middleUpTo[i]
  const lower = reach.quarter[i] * (1 - reach.share[i])
  const heldTo = reach.heldTo[i]
  const held = reach.hangs[i] === 1 && heldTo > y2
  lookUp(i, (Math.min(reach.depthFrom[i], upTo) + Math.min(held ? heldTo : y2, upTo)) / 2)
  followMiddle(reach, i, held ? 0 : y2, over2, reach.overTo[i], reach.extraTo[i], left2 === 1)
  now.to = reach.holdsTo[i] + lower * (ends.area2 - reach.areaTo[i] + middle[AREA])
  now.toSurface = left2 * lower * (ends.width2 + middle[WIDTH])
}

/** Takes the ends as those of the next step's start. `freeDepth`: of the lower end, m. */
function settle(reach: ReachArrays, lookUp: LookUp, i: number, ends: Ends, freeDepth: number): void {
  const { y1, y2, area1, area2 } = ends
  const hangs = reach.hangs[i] === 1
  const share = hangs ? Math.max(0, 1 - y2 / Math.max(LEAST_RISE_M, freeDepth)) : 0
  const heldTo = hangs ? Math.max(y2, Math.min(freeDepth, y1)) : y2
  const quarter = reach.quarter[i]
  reach.share[i] = share
  reach.depthFrom[i] = y1
  reach.heldTo[i] = heldTo
  reach.areaFrom[i] = area1
  reach.areaTo[i] = area2
  settleBeyond(reach, i, ends)
  const upTo = reach.middleUpTo[i]
  lookUp(i, (Math.min(y1, upTo) + Math.min(heldTo, upTo)) / 2)
  const areaMid = found[AREA]
  reach.areaMid[i] = areaMid
  reach.overWidth[i] = found[WIDTH]
  let held = area2
  if (heldTo !== y2) {
    lookUp(i, heldTo)
    held = found[AREA]
  }
  const lower = quarter * (areaMid + held)
  const beyond = (quarter * reach.middles[i]) / 2
  reach.holdsFrom[i] = quarter * (area1 + areaMid) + share * lower + beyond * (1 + share) * reach.extraFrom[i]
  reach.holdsTo[i] = (1 - share) * (lower + beyond * reach.extraTo[i])
}

/** What the middle has taken on with ends above their crowns. */
function settleBeyond(reach: ReachArrays, i: number, { over1, over2 }: Ends): void {
  lookUpBeyond(over1, reach.overFrom[i], reach.extraFrom[i], reach.overWidth[i])
  reach.extraFrom[i] = found[AREA]
  lookUpBeyond(over2, reach.overTo[i], reach.extraTo[i], reach.overWidth[i])
  reach.extraTo[i] = found[AREA]
  reach.overFrom[i] = over1
  reach.overTo[i] = over2
}

/**
 * Passes what one end took on as the other moved to that one's node; `held`: what the ends held before they were settled. What
 * they carry more than their depths say, since both moved at once, is owed, and given back by and by.
 */
function passBetween(reach: ReachArrays, i: number, held: Held, volume: Float64Array): void {
  const offFrom = held.from - reach.holdsFrom[i]
  const off = offFrom + held.to - reach.holdsTo[i]
  const moved = offFrom - ((1 + reach.share[i]) / 2) * off
  volume[reach.from[i]] -= moved
  volume[reach.to[i]] += moved
  reach.holdsFrom[i] += lessBy(offFrom - moved, PAID_M * held.fromSurface)
  reach.holdsTo[i] += lessBy(off - offFrom + moved, PAID_M * held.toSurface)
}

const lessBy = (value: number, most: number) =>
  value > most ? value - most : value < -most ? value + most : 0
