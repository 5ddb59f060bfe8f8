// What conduits hold that store by their middle depth too: `add` of src/sewer/network/reaches.ts, in its order of operations.
import { DIAGONAL, VECTOR, unknowns } from './memory'

const INTERVALS: i32 = 256
const SLOT_TOP: f64 = 1.78
const SLOT_INTERVALS: i32 = 78
const SLOT_STEP: f64 = (SLOT_TOP - 1) / <f64>SLOT_INTERVALS
const FADE: f64 = 15
const POWER: f64 = 8

/** Addresses of the arrays, an element a reach. */
let count: i32 = 0
let FROM: usize = 0
let TO: usize = 0
let FIRST_AREA: usize = 0
let BOTTOM_FROM: usize = 0
let BOTTOM_TO: usize = 0
let CLOSES_FROM: usize = 0
let CLOSES_TO: usize = 0
let DROP_FROM: usize = 0
let DROP_TO: usize = 0
let QUARTER: usize = 0
let MIDDLE: usize = 0
let HANGS: usize = 0
let SHARE: usize = 0
let DEPTH_FROM: usize = 0
let HELD_TO: usize = 0
let AREA_FROM: usize = 0
let AREA_TO: usize = 0
let AREA_MID: usize = 0
let HOLDS_FROM: usize = 0
let HOLDS_TO: usize = 0
let PER_METRE: usize = 0
let ROW_M: usize = 0
let FULL_DEPTH: usize = 0
let FULL_AREA: usize = 0
let MAX_WIDTH: usize = 0
let STEADY_FROM: usize = 0
let STEADY_AREA: usize = 0
let STEADY_WIDTH: usize = 0
/** Areas of all sections by depth, one behind the other, and sums of the slot's width. */
let AREAS: usize = 0
let SLOT_SUMS: usize = 0

/** @param header 32-bit words in the order of `ReachMemory` (src/sewer/network/reaches.ts) */
export function bindReaches(header: usize): void {
  let at = header
  count = load<i32>(at)
  FROM = load<u32>((at += 4))
  TO = load<u32>((at += 4))
  FIRST_AREA = load<u32>((at += 4))
  BOTTOM_FROM = load<u32>((at += 4))
  BOTTOM_TO = load<u32>((at += 4))
  CLOSES_FROM = load<u32>((at += 4))
  CLOSES_TO = load<u32>((at += 4))
  DROP_FROM = load<u32>((at += 4))
  DROP_TO = load<u32>((at += 4))
  QUARTER = load<u32>((at += 4))
  MIDDLE = load<u32>((at += 4))
  HANGS = load<u32>((at += 4))
  SHARE = load<u32>((at += 4))
  DEPTH_FROM = load<u32>((at += 4))
  HELD_TO = load<u32>((at += 4))
  AREA_FROM = load<u32>((at += 4))
  AREA_TO = load<u32>((at += 4))
  AREA_MID = load<u32>((at += 4))
  HOLDS_FROM = load<u32>((at += 4))
  HOLDS_TO = load<u32>((at += 4))
  PER_METRE = load<u32>((at += 4))
  ROW_M = load<u32>((at += 4))
  FULL_DEPTH = load<u32>((at += 4))
  FULL_AREA = load<u32>((at += 4))
  MAX_WIDTH = load<u32>((at += 4))
  STEADY_FROM = load<u32>((at += 4))
  STEADY_AREA = load<u32>((at += 4))
  STEADY_WIDTH = load<u32>((at += 4))
  AREAS = load<u32>((at += 4))
  SLOT_SUMS = load<u32>((at += 4))
}

/** Area found last, m2, and the slope of that interpolation, m. */
let area: f64 = 0
let width: f64 = 0

function areaAt(i4: usize, i8: usize, y: f64): void {
  if (y <= 0) {
    area = 0
    width = 0
    return
  }
  const steadyFrom = load<f64>(STEADY_FROM + i8)
  if (y >= steadyFrom) {
    width = load<f64>(STEADY_WIDTH + i8)
    area = load<f64>(STEADY_AREA + i8) + width * (y - steadyFrom)
    return
  }
  const full = load<f64>(FULL_DEPTH + i8)
  if (y < full) {
    const per = load<f64>(PER_METRE + i8)
    const row = min<i32>(INTERVALS - 1, <i32>(y * per))
    const at = AREAS + (<usize>(load<i32>(FIRST_AREA + i4) + row) << 3)
    const below = load<f64>(at)
    width = (load<f64>(at, 8) - below) * per
    area = below + width * (y - <f64>row * load<f64>(ROW_M + i8))
    return
  }
  const above = ((y / full - 1) / (SLOT_TOP - 1)) * <f64>SLOT_INTERVALS
  const k = min<i32>(SLOT_INTERVALS - 1, <i32>above)
  const at = SLOT_SUMS + (<usize>k << 3)
  const most = load<f64>(MAX_WIDTH + i8)
  width = ((load<f64>(at, 8) - load<f64>(at)) / SLOT_STEP) * most
  area =
    load<f64>(FULL_AREA + i8) + load<f64>(at) * most * full + width * (y - full * (1 + <f64>k * SLOT_STEP))
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

/** Adds what the reaches hold to the balances: residual less, diagonal more. */
export function addReaches(heads: usize): void {
  for (let i = 0; i < count; i++) {
    const i4 = <usize>i << 2
    const i8 = <usize>i << 3
    const a = load<i32>(FROM + i4)
    const b = load<i32>(TO + i4)
    const left1 = fading(load<f64>(heads + <usize>a) - load<f64>(BOTTOM_FROM + i8), load<f64>(CLOSES_FROM + i8))
    let y1 = faded + load<f64>(DROP_FROM + i8)
    const left2 = fading(load<f64>(heads + <usize>b) - load<f64>(BOTTOM_TO + i8), load<f64>(CLOSES_TO + i8))
    let y2 = faded + load<f64>(DROP_TO + i8)
    if (y1 < 0) y1 = 0
    if (y2 < 0) y2 = 0
    const quarter = load<f64>(QUARTER + i8)
    const share = load<f64>(SHARE + i8)
    const middle = load<f64>(MIDDLE + i8)
    const heldTo = load<f64>(HELD_TO + i8)
    const areaMid = load<f64>(AREA_MID + i8)
    if (a < unknowns) {
      const upper = quarter * (1 + share)
      areaAt(i4, i8, y1)
      const a1 = area
      const w1 = width
      areaAt(i4, i8, (y1 + heldTo) / 2)
      const holds = load<f64>(HOLDS_FROM + i8) + upper * (a1 - load<f64>(AREA_FROM + i8) + middle * (area - areaMid))
      const surface = left1 * upper * (w1 + (y1 > 0 ? (middle * width) / 2 : 0))
      store<f64>(VECTOR + <usize>a, load<f64>(VECTOR + <usize>a) - holds)
      store<f64>(DIAGONAL + <usize>a, load<f64>(DIAGONAL + <usize>a) + surface)
    }
    if (b < unknowns) {
      const lower = quarter * (1 - share)
      areaAt(i4, i8, y2)
      const a2 = area
      const w2 = width
      const held = load<f64>(HANGS + i8) == 1 && heldTo > y2
      areaAt(i4, i8, (load<f64>(DEPTH_FROM + i8) + (held ? heldTo : y2)) / 2)
      const holds = load<f64>(HOLDS_TO + i8) + lower * (a2 - load<f64>(AREA_TO + i8) + middle * (area - areaMid))
      const surface = left2 * lower * (w2 + (y2 > 0 && !held ? (middle * width) / 2 : 0))
      store<f64>(VECTOR + <usize>b, load<f64>(VECTOR + <usize>b) - holds)
      store<f64>(DIAGONAL + <usize>b, load<f64>(DIAGONAL + <usize>b) + surface)
    }
  }
}
