// Geometry of a conduit at a depth: `look`, `width` and `areaAt` of src/sewer/explicit/conduits.ts.
import { Section, SectionRow } from '../sections/records'
import { slotArea } from '../sewer/env'
import { slotWidth } from './env'
import { header } from './memory'
import { ExplicitConduit } from './records'

const INTERVALS: f64 = 256
const FINE_ROWS: f64 = 8
const FINE_SHARE: f64 = 32
/** First of the fine rows, behind the others and the last once more. */
const FINE_FROM: f64 = 258
const ROW: usize = offsetof<SectionRow>()
const RADIUS43: usize = offsetof<SectionRow>('radius43')
const FACTOR: usize = offsetof<SectionRow>('factor')

/** A depth in rows of the conduit's table: fine ones near the bottom; behind the last one it stands once more. */
// @inline
export function inRows(conduit: ExplicitConduit, y: f64): f64 {
  const at = y * conduit.perMetre
  return at < FINE_ROWS ? at * FINE_SHARE + FINE_FROM : min<f64>(at, INTERVALS)
}

/** Row at or below a depth. */
// @inline
export function rowOf(at: f64): i32 {
  return <i32>at
}

// @inline
export function addressOf(conduit: ExplicitConduit, row: i32): usize {
  return changetype<Section>(conduit.table).rows + <usize>row * ROW
}

/** Area and width at a share between a row and the next. */
// @inline
export function waterAt(row: usize, share: f64): v128 {
  const first = v128.load(row)
  return f64x2.add(first, f64x2.mul(f64x2.splat(share), f64x2.sub(v128.load(row, ROW), first)))
}

// @inline
export function radiusAt(row: usize, share: f64): f64 {
  const radius = load<f64>(row, RADIUS43)
  return radius + share * (load<f64>(row, ROW + RADIUS43) - radius)
}

// @inline
export function factorAt(row: usize, share: f64): f64 {
  const factor = load<f64>(row, FACTOR)
  return factor + share * (load<f64>(row, ROW + FACTOR) - factor)
}

/** Width with which a conduit stores at a depth, given that of the water. */
// @inline
export function storingWidth(conduit: ExplicitConduit, c: i32, y: f64, width: f64): f64 {
  if (y < conduit.closesAt) return width
  if (!header.slot) return conduit.topWidth
  const slot = slotWidth(c, y)
  return slot !== 0 ? slot : width
}

/** Area of the flow at a depth, given that of the water. */
// @inline
export function flowArea(conduit: ExplicitConduit, c: i32, y: f64, area: f64): f64 {
  return header.slot && y > conduit.fullDepth ? slotArea(c, y) : area
}
