// What conduits hold that store by their middle depth too: `add` of src/sewer/network/reaches.ts, in its order of operations.
import { addF64, DIAGONAL, f64At, i32At, takeF64, unknowns, VECTOR } from './memory'
import { ReachHeader } from './records'

const INTERVALS: i32 = 256
const SLOT_TOP: f64 = 1.78
const SLOT_INTERVALS: i32 = 78
const SLOT_STEP: f64 = (SLOT_TOP - 1) / <f64>SLOT_INTERVALS
const FADE: f64 = 15
const POWER: f64 = 8

let reaches: ReachHeader = changetype<ReachHeader>(0)

/** Reads how many reaches there are, and the addresses of their arrays. */
export function bindReaches(at: usize): void {
  reaches = changetype<ReachHeader>(at)
}

/** Area found last, m2, and the slope of that interpolation, m. */
let area: f64 = 0
let width: f64 = 0

function areaAt(i: i32, y: f64): void {
  if (y <= 0) {
    area = 0
    width = 0
    return
  }
  const steadyFrom = f64At(reaches.steadyFrom, i)
  if (y >= steadyFrom) {
    width = f64At(reaches.steadyWidth, i)
    area = f64At(reaches.steadyArea, i) + width * (y - steadyFrom)
    return
  }
  const full = f64At(reaches.fullDepth, i)
  if (y < full) {
    const per = f64At(reaches.perMetre, i)
    const row = min<i32>(INTERVALS - 1, <i32>(y * per))
    const at = i32At(reaches.firstArea, i) + row
    const below = f64At(reaches.areas, at)
    width = (f64At(reaches.areas, at + 1) - below) * per
    area = below + width * (y - <f64>row * f64At(reaches.rowM, i))
    return
  }
  const above = ((y / full - 1) / (SLOT_TOP - 1)) * <f64>SLOT_INTERVALS
  const k = min<i32>(SLOT_INTERVALS - 1, <i32>above)
  const sum = f64At(reaches.slotSums, k)
  const most = f64At(reaches.maxWidth, i)
  width = ((f64At(reaches.slotSums, k + 1) - sum) / SLOT_STEP) * most
  area = f64At(reaches.fullArea, i) + sum * most * full + width * (y - full * (1 + <f64>k * SLOT_STEP))
}

/** Share of the surface that is left above a closed node; `faded` is then the depth that counts. */
let faded: f64 = 0
function fading(depth: f64, closes: f64): f64 {
  if (!(depth > closes)) {
    faded = depth
    return 1
  }
  const left = max<f64>(0, 1 - (FADE / POWER) * (depth / closes - 1))
  const square = left * left
  const fourth = square * square
  faded = closes + (closes / FADE) * (POWER / (POWER + 1)) * (1 - fourth * fourth * left)
  return fourth * fourth
}

/** What the middle takes on since the step's start, m2, and how that grows with the end, m. */
let rise: f64 = 0
let growth: f64 = 0
function followMiddle(i: i32, y: f64, over: f64, before: f64, extra: f64, open: bool): void {
  const middles = f64At(reaches.middles, i)
  rise = middles * (area - f64At(reaches.areaMid, i))
  growth = y > 0 && y < f64At(reaches.middleUpTo, i) ? (middles * width) / 2 : 0
  if (!(over > 0 || before > 0)) return
  beyond(over, before, extra, f64At(reaches.overWidth, i))
  rise += (middles / 2) * (area - extra)
  if (over > 0 && open) growth = (middles / 2) * width
}

/** What a middle has taken on with an end above its crown: `area`, and how that grows: `width`. */
function beyond(over: f64, before: f64, extra: f64, by: f64): void {
  if (over > before) {
    width = by
    area = extra + by * (over - before)
    return
  }
  width = before > 0 ? extra / before : 0
  area = width * over
}

/** Adds what the reaches hold to the balances: residual less, diagonal more. */
export function addReaches(heads: usize): void {
  const count = reaches.count
  for (let i = 0; i < count; i++) {
    const a = i32At(reaches.from, i)
    const b = i32At(reaches.to, i)
    if (a < unknowns) addFrom(i, a, f64At(heads, a) - f64At(reaches.bottomFrom, i))
    if (b < unknowns) addTo(i, b, f64At(heads, b) - f64At(reaches.bottomTo, i))
  }
}

/** The end that water comes from: half of the reach, and of the other half what hangs free. */
// @inline
function addFrom(i: i32, a: i32, depth: f64): void {
  const closes = f64At(reaches.closesFrom, i)
  const drop = f64At(reaches.dropFrom, i)
  const upTo = f64At(reaches.middleUpTo, i)
  const left = fading(depth, closes)
  const y1 = max<f64>(0, faded + drop)
  const upper = f64At(reaches.quarter, i) * (1 + f64At(reaches.share, i))
  areaAt(i, y1)
  const a1 = area
  const w1 = width
  areaAt(i, (min<f64>(y1, upTo) + min<f64>(f64At(reaches.heldTo, i), upTo)) / 2)
  const over = max<f64>(0, min<f64>(depth, closes) + drop - upTo)
  followMiddle(i, y1, over, f64At(reaches.overFrom, i), f64At(reaches.extraFrom, i), depth <= closes)
  const more = a1 - f64At(reaches.areaFrom, i) + rise
  balance(a, f64At(reaches.holdsFrom, i) + upper * more, left * upper * (w1 + growth))
}

/** The end that water goes to. */
// @inline
function addTo(i: i32, b: i32, depth: f64): void {
  const closes = f64At(reaches.closesTo, i)
  const drop = f64At(reaches.dropTo, i)
  const upTo = f64At(reaches.middleUpTo, i)
  const left = fading(depth, closes)
  const y2 = max<f64>(0, faded + drop)
  const lower = f64At(reaches.quarter, i) * (1 - f64At(reaches.share, i))
  const heldTo = f64At(reaches.heldTo, i)
  areaAt(i, y2)
  const a2 = area
  const w2 = width
  const held = f64At(reaches.hangs, i) === 1 && heldTo > y2
  const end = held ? heldTo : y2
  areaAt(i, (min<f64>(f64At(reaches.depthFrom, i), upTo) + min<f64>(end, upTo)) / 2)
  const over = max<f64>(0, min<f64>(depth, closes) + drop - upTo)
  const y = held ? 0 : y2
  followMiddle(i, y, over, f64At(reaches.overTo, i), f64At(reaches.extraTo, i), depth <= closes)
  const more = a2 - f64At(reaches.areaTo, i) + rise
  balance(b, f64At(reaches.holdsTo, i) + lower * more, left * lower * (w2 + growth))
}

// @inline
function balance(k: i32, holds: f64, surface: f64): void {
  takeF64(VECTOR, k, holds)
  addF64(DIAGONAL, k, surface)
}
