// Geometry at both ends and in the middle of a conduit: src/sewer/step/section-at.ts.

import { setF64 } from '../arrays'
import { Section, SectionRow } from '../sections/records'
import { slotArea } from './env'
import { DEPTH, header, NEXT_AREA } from './memory'
import { Conduit } from './records'
import { Terms } from './terms'

const INTERVALS: i32 = 256
const ROW: usize = offsetof<SectionRow>()
const RADIUS43: usize = offsetof<SectionRow>('radius43')

/** @returns the area in the middle, m2 */
// @inline
export function sectionAt(conduit: Conduit, c: i32, end1: f64, end2: f64): f64 {
  const slot = header.slot
  const crown = conduit.fullDepth
  const scale = conduit.perMetre
  const rows = changetype<Section>(conduit.table).rows
  const y1 = slot || end1 < crown ? end1 : crown
  const y2 = slot || end2 < crown ? end2 : crown
  const yMid = 0.5 * (y1 + y2)
  Terms.yMid = yMid
  upperEnd(rows, y1 * scale, scale)
  Terms.area2 = areaAt(rows, y2 * scale)
  let areaMid = middle(rows, yMid * scale)
  if (slot && conduit.closed) {
    const full = <f64>INTERVALS
    if (y1 * scale >= full) Terms.area1 = slotArea(c, y1)
    if (y2 * scale >= full) Terms.area2 = slotArea(c, y2)
    if (yMid * scale >= full) areaMid = slotArea(c, yMid)
  }
  setF64(NEXT_AREA, c, areaMid)
  setF64(DEPTH, c, min<f64>(yMid, crown))
  return areaMid
}

/** Row of a depth, in rows; behind the last one it stands once more, so that nothing changes from there on. */
// @inline
function rowOf(at: f64): i32 {
  const i = <i32>at
  return i < INTERVALS ? i : INTERVALS
}

/** All of a row and the next, by pairs: area and width, radius and section factor. */
// @inline
function upperEnd(rows: usize, at: f64, scale: f64): void {
  const i = rowOf(at)
  const row = rows + <usize>i * ROW
  const share = f64x2.splat(at - <f64>i)
  const outer = v128.load(row)
  const inner = v128.load(row, RADIUS43)
  const rise = f64x2.sub(v128.load(row, ROW + RADIUS43), inner)
  const ends = f64x2.add(outer, f64x2.mul(share, f64x2.sub(v128.load(row, ROW), outer)))
  const wetted = f64x2.add(inner, f64x2.mul(share, rise))
  Terms.area1 = f64x2.extract_lane(ends, 0)
  Terms.width1 = f64x2.extract_lane(ends, 1)
  Terms.radius1 = f64x2.extract_lane(wetted, 0)
  Terms.factor1 = f64x2.extract_lane(wetted, 1)
  Terms.factorSlope = f64x2.extract_lane(rise, 1) * scale
}

// @inline
function areaAt(rows: usize, at: f64): f64 {
  const i = rowOf(at)
  const row = rows + <usize>i * ROW
  const area = load<f64>(row)
  return area + (at - <f64>i) * (load<f64>(row, ROW) - area)
}

// @inline
function middle(rows: usize, at: f64): f64 {
  const i = rowOf(at)
  const row = rows + <usize>i * ROW
  const share = at - <f64>i
  const first = v128.load(row)
  const rise = f64x2.sub(v128.load(row, ROW), first)
  const outer = f64x2.add(first, f64x2.mul(f64x2.splat(share), rise))
  Terms.widthMid = f64x2.extract_lane(outer, 1)
  const radius = load<f64>(row, RADIUS43)
  Terms.radiusMid = radius + share * (load<f64>(row, ROW + RADIUS43) - radius)
  return f64x2.extract_lane(outer, 0)
}
