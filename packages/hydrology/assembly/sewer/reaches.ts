// What conduits hold that store by their middle depth too: src/sewer/network/reaches.ts, in its order of operations.
import { addF64, f64At, takeF64 } from '../arrays'
import { DIAGONAL, END_DEPTH, unknowns, VECTOR } from './memory'
import { Reach, ReachHeader } from './records'

const INTERVALS: i32 = 256
const SLOT_TOP: f64 = 1.78
const SLOT_INTERVALS: i32 = 78
const SLOT_STEP: f64 = (SLOT_TOP - 1) / <f64>SLOT_INTERVALS
const FADE: f64 = 15
const POWER: f64 = 8
const PAID_M: f64 = 0.5
const LEAST_RISE_M: f64 = 0.02

let count: i32 = 0
let REACHES: usize = 0
let SLOT_SUMS: usize = 0

/** Reads how many reaches there are, and where they lie. */
export function bindReaches(at: usize): void {
  const header = changetype<ReachHeader>(at)
  count = header.count
  REACHES = header.reaches
  SLOT_SUMS = header.slotSums
}

// @inline
function reachAt(i: i32): Reach {
  return changetype<Reach>(REACHES + <usize>i * offsetof<Reach>())
}

/** Area found last, m2, and the slope of that interpolation, m. */
let area: f64 = 0
let width: f64 = 0

// @inline
function lookUp(reach: Reach, y: f64): void {
  if (y <= 0) {
    area = 0
    width = 0
  } else if (y >= reach.steadyFrom) {
    width = reach.steadyWidth
    area = reach.steadyArea + width * (y - reach.steadyFrom)
  } else if (y < reach.fullDepth) {
    const per = reach.perMetre
    const row = min<i32>(INTERVALS - 1, <i32>(y * per))
    const at = reach.areas + ((<usize>row) << 3)
    const below = load<f64>(at)
    width = (load<f64>(at, 8) - below) * per
    area = below + width * (y - <f64>row * reach.rowM)
  } else inSlot(reach, y)
}

function inSlot(reach: Reach, y: f64): void {
  const full = reach.fullDepth
  const above = ((y / full - 1) / (SLOT_TOP - 1)) * <f64>SLOT_INTERVALS
  const k = min<i32>(SLOT_INTERVALS - 1, <i32>above)
  const sum = f64At(SLOT_SUMS, k)
  const most = reach.maxWidth
  width = ((f64At(SLOT_SUMS, k + 1) - sum) / SLOT_STEP) * most
  area = reach.fullArea + sum * most * full + width * (y - full * (1 + <f64>k * SLOT_STEP))
}

/** The ends of a reach at some heads: `Ends`. */
let y1: f64 = 0
let y2: f64 = 0
let over1: f64 = 0
let over2: f64 = 0
let area1: f64 = 0
let area2: f64 = 0
let width1: f64 = 0
let width2: f64 = 0
let left1: f64 = 0
let left2: f64 = 0

// @inline
function findEnds(reach: Reach, headFrom: f64, headTo: f64): void {
  const upTo = reach.middleUpTo
  const depth1 = headFrom - reach.bottomFrom
  const depth2 = headTo - reach.bottomTo
  const closes1 = reach.closesFrom
  const closes2 = reach.closesTo
  left1 = fading(depth1, closes1)
  y1 = max<f64>(0, faded + reach.dropFrom)
  left2 = fading(depth2, closes2)
  y2 = max<f64>(0, faded + reach.dropTo)
  over1 = max<f64>(0, min<f64>(depth1, closes1) + reach.dropFrom - upTo)
  over2 = max<f64>(0, min<f64>(depth2, closes2) + reach.dropTo - upTo)
  lookUp(reach, y1)
  area1 = area
  width1 = width
  lookUp(reach, y2)
  area2 = area
  width2 = width
}

/** Share of the surface that is left above a closed node; `faded` is then the depth that counts. */
let faded: f64 = 0
// @inline
function fading(depth: f64, closes: f64): f64 {
  if (depth > closes) return fade(depth, closes)
  faded = depth
  return 1
}

function fade(depth: f64, closes: f64): f64 {
  const left = max<f64>(0, 1 - (FADE / POWER) * (depth / closes - 1))
  const square = left * left
  const fourth = square * square
  faded = closes + (closes / FADE) * (POWER / (POWER + 1)) * (1 - fourth * fourth * left)
  return fourth * fourth
}

/** What the middle takes on since the step's start, m2, and how that grows with the end, m. */
let rise: f64 = 0
let growth: f64 = 0
// @inline
function followMiddle(reach: Reach, y: f64, over: f64, before: f64, extra: f64, open: bool): void {
  const middles = reach.middles
  rise = middles * (area - reach.areaMid)
  growth = y > 0 && y < reach.middleUpTo ? (middles * width) / 2 : 0
  if (!(over > 0 || before > 0)) return
  lookUpBeyond(over, before, extra, reach.overWidth)
  rise += (middles / 2) * (area - extra)
  if (over > 0 && open) growth = (middles / 2) * width
}

/** What a middle has taken on with an end above its crown: `area`, and how that grows: `width`. */
function lookUpBeyond(over: f64, before: f64, extra: f64, by: f64): void {
  if (over > before) {
    width = by
    area = extra + by * (over - before)
    return
  }
  width = before > 0 ? extra / before : 0
  area = width * over
}

/** What the ends hold, m3, and how that grows with their heads, m2: `Held`. */
let heldFrom: f64 = 0
let heldTo: f64 = 0
let surfaceFrom: f64 = 0
let surfaceTo: f64 = 0

// @inline
function followFrom(reach: Reach): void {
  const upTo = reach.middleUpTo
  const upper = reach.quarter * (1 + reach.share)
  lookUp(reach, (min<f64>(y1, upTo) + min<f64>(reach.heldTo, upTo)) / 2)
  followMiddle(reach, y1, over1, reach.overFrom, reach.extraFrom, left1 === 1)
  heldFrom = reach.holdsFrom + upper * (area1 - reach.areaFrom + rise)
  surfaceFrom = left1 * upper * (width1 + growth)
}

// @inline
function followTo(reach: Reach): void {
  const upTo = reach.middleUpTo
  const lower = reach.quarter * (1 - reach.share)
  const standing = reach.heldTo
  const held = reach.hangs === 1 && standing > y2
  const end = held ? standing : y2
  lookUp(reach, (min<f64>(reach.depthFrom, upTo) + min<f64>(end, upTo)) / 2)
  const y: f64 = held ? 0 : y2
  followMiddle(reach, y, over2, reach.overTo, reach.extraTo, left2 === 1)
  heldTo = reach.holdsTo + lower * (area2 - reach.areaTo + rise)
  surfaceTo = left2 * lower * (width2 + growth)
}

/** Adds what the reaches hold to the balances: residual less, diagonal more. */
export function addReaches(heads: usize): void {
  for (let i = 0; i < count; i++) {
    const reach = reachAt(i)
    const a = reach.from
    const b = reach.to
    findEnds(reach, f64At(heads, a), f64At(heads, b))
    if (a < unknowns) {
      followFrom(reach)
      takeF64(VECTOR, a, heldFrom)
      addF64(DIAGONAL, a, surfaceFrom)
    }
    if (b < unknowns) {
      followTo(reach)
      takeF64(VECTOR, b, heldTo)
      addF64(DIAGONAL, b, surfaceTo)
    }
  }
}

/** Adds what the reaches hold at the start to the nodes' volumes. */
export function startReaches(heads: usize, volumes: usize): void {
  for (let i = 0; i < count; i++) {
    const reach = reachAt(i)
    reach.overWidth = reach.steadyWidth
    findEnds(reach, f64At(heads, reach.from), f64At(heads, reach.to))
    settle(reach, 0)
    if (reach.from < unknowns) addF64(volumes, reach.from, reach.holdsFrom)
    if (reach.to < unknowns) addF64(volumes, reach.to, reach.holdsTo)
  }
}

/** Takes the step's heads and settles the volumes between the ends. */
export function updateReaches(heads: usize, volumes: usize): void {
  for (let i = 0; i < count; i++) {
    const reach = reachAt(i)
    findEnds(reach, f64At(heads, reach.from), f64At(heads, reach.to))
    followFrom(reach)
    followTo(reach)
    settle(reach, f64At(END_DEPTH, reach.conduit))
    if (reach.from < unknowns && reach.to < unknowns) passBetween(reach, volumes)
  }
}

/** Takes the ends found last as those of the next step's start. */
// @inline
function settle(reach: Reach, freeDepth: f64): void {
  const hangs = reach.hangs === 1
  const share = hangs ? max<f64>(0, 1 - y2 / max<f64>(LEAST_RISE_M, freeDepth)) : 0
  const standing = hangs ? max<f64>(y2, min<f64>(freeDepth, y1)) : y2
  const quarter = reach.quarter
  reach.share = share
  reach.depthFrom = y1
  reach.heldTo = standing
  reach.areaFrom = area1
  reach.areaTo = area2
  settleBeyond(reach)
  const upTo = reach.middleUpTo
  lookUp(reach, (min<f64>(y1, upTo) + min<f64>(standing, upTo)) / 2)
  const areaMid = area
  reach.areaMid = areaMid
  reach.overWidth = width
  let held = area2
  if (standing !== y2) {
    lookUp(reach, standing)
    held = area
  }
  const lower = quarter * (areaMid + held)
  const beyond = (quarter * reach.middles) / 2
  reach.holdsFrom = quarter * (area1 + areaMid) + share * lower + beyond * (1 + share) * reach.extraFrom
  reach.holdsTo = (1 - share) * (lower + beyond * reach.extraTo)
}

// @inline
function settleBeyond(reach: Reach): void {
  lookUpBeyond(over1, reach.overFrom, reach.extraFrom, reach.overWidth)
  reach.extraFrom = area
  lookUpBeyond(over2, reach.overTo, reach.extraTo, reach.overWidth)
  reach.extraTo = area
  reach.overFrom = over1
  reach.overTo = over2
}

/** Passes what one end took on as the other moved to that one's node. */
// @inline
function passBetween(reach: Reach, volumes: usize): void {
  const offFrom = heldFrom - reach.holdsFrom
  const off = offFrom + heldTo - reach.holdsTo
  const moved = offFrom - ((1 + reach.share) / 2) * off
  takeF64(volumes, reach.from, moved)
  addF64(volumes, reach.to, moved)
  reach.holdsFrom += lessBy(offFrom - moved, PAID_M * surfaceFrom)
  reach.holdsTo += lessBy(off - offFrom + moved, PAID_M * surfaceTo)
}

// @inline
function lessBy(value: f64, most: f64): f64 {
  return value > most ? value - most : value < -most ? value + most : 0
}
