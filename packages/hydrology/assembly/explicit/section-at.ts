// Geometry of a conduit at a depth: `look`, `width` and `areaAt` of src/sewer/explicit/conduits.ts.

import { Section, SectionRow } from '../sections/records'
import { slotArea } from '../sewer/env'
import { slotWidth } from './env'
import { header } from './memory'
import { ExplicitConduit } from './records'

const INTERVALS: i32 = 256
const ROW: usize = offsetof<SectionRow>()
const RADIUS43: usize = offsetof<SectionRow>('radius43')
const FACTOR: usize = offsetof<SectionRow>('factor')

/** What the lookups of one conduit hand on. */
export class At {
  /** Row of the depth that was looked up last, and how far beyond it. */
  static row: usize = 0
  static share: f64 = 0
  /** Area and width of the water there. */
  static area: f64 = 0
  static width: f64 = 0
}

/** The same of the upper end. */
export class Upper {
  static row: usize = 0
  static share: f64 = 0
  static area: f64 = 0
  static width: f64 = 0
}

// @inline
export function keepUpper(): void {
  Upper.row = At.row
  Upper.share = At.share
  Upper.area = At.area
  Upper.width = At.width
}

/** Looks up the area and the width of the water at a depth. */
// @inline
export function lookAt(conduit: ExplicitConduit, y: f64): void {
  const at = y * conduit.perMetre
  const k = <i32>at
  const i = k < INTERVALS ? k : INTERVALS
  const row = changetype<Section>(conduit.table).rows + <usize>i * ROW
  const share = at - <f64>i
  const first = v128.load(row)
  const both = f64x2.add(first, f64x2.mul(f64x2.splat(share), f64x2.sub(v128.load(row, ROW), first)))
  At.row = row
  At.share = share
  At.area = f64x2.extract_lane(both, 0)
  At.width = f64x2.extract_lane(both, 1)
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

/** Width with which a conduit stores at the depth that was looked up last. */
// @inline
export function storingWidth(conduit: ExplicitConduit, c: i32, y: f64): f64 {
  if (!conduit.closed) return At.width
  if (y < conduit.closesAt) return At.width
  if (!header.slot) return conduit.topWidth
  const slot = slotWidth(c, y)
  return slot !== 0 ? slot : At.width
}

/** Area of the flow at the depth that was looked up last. */
// @inline
export function flowArea(conduit: ExplicitConduit, c: i32, y: f64): f64 {
  return header.slot && y > conduit.fullDepth ? slotArea(c, y) : At.area
}
