import { TABLE_INTERVALS, TABLE_STRIDE } from '../sections/section-table.ts'
import type { Momentum } from './momentum.ts'
import type { Terms } from './terms.ts'

/** Geometry at both ends and in the middle of a conduit, from its section's rows; full pipes count the slot of SLOT. */
export function sectionAt(terms: Terms, { facts, options, sections, state }: Momentum, c: number): void {
  const { slot } = options
  const crown = facts.fullDepth[c]
  const scale = facts.perMetre[c]
  const table = sections.firstRow[c]
  terms.isFull = terms.y1 >= crown && terms.y2 >= crown
  const y1 = slot || terms.y1 < crown ? terms.y1 : crown
  const y2 = slot || terms.y2 < crown ? terms.y2 : crown
  const yMid = 0.5 * (y1 + y2)
  terms.yMid = yMid
  upperEnd(terms, sections.rows, table, y1 * scale, scale)
  terms.area2 = areaAt(sections.rows, table, y2 * scale)
  middle(terms, sections.rows, table, yMid * scale)
  if (slot && facts.closed[c] === 1) {
    if (y1 * scale >= TABLE_INTERVALS) terms.area1 = sections.slotArea(c, y1)
    if (y2 * scale >= TABLE_INTERVALS) terms.area2 = sections.slotArea(c, y2)
    if (yMid * scale >= TABLE_INTERVALS) terms.areaMid = sections.slotArea(c, yMid)
  }
  state.nextArea[c] = terms.areaMid
  state.depth[c] = Math.min(yMid, crown)
}

/** Row of a depth, in rows; behind the last one it stands once more, so that nothing changes from there on. */
const rowOf = (at: number): number => (at < TABLE_INTERVALS ? at | 0 : TABLE_INTERVALS)

function upperEnd(terms: Terms, rows: Float64Array, table: number, at: number, scale: number): void {
  const i = rowOf(at)
  const row = table + i * TABLE_STRIDE
  const next = row + TABLE_STRIDE
  const share = at - i
  terms.area1 = rows[row] + share * (rows[next] - rows[row])
  terms.width1 = rows[row + 1] + share * (rows[next + 1] - rows[row + 1])
  terms.radius1 = rows[row + 2] + share * (rows[next + 2] - rows[row + 2])
  const rise = rows[next + 3] - rows[row + 3]
  terms.factor1 = rows[row + 3] + share * rise
  terms.factorSlope = rise * scale
}

function areaAt(rows: Float64Array, table: number, at: number): number {
  const i = rowOf(at)
  const row = table + i * TABLE_STRIDE
  return rows[row] + (at - i) * (rows[row + TABLE_STRIDE] - rows[row])
}

function middle(terms: Terms, rows: Float64Array, table: number, at: number): void {
  const i = rowOf(at)
  const row = table + i * TABLE_STRIDE
  const next = row + TABLE_STRIDE
  const share = at - i
  terms.areaMid = rows[row] + share * (rows[next] - rows[row])
  terms.widthMid = rows[row + 1] + share * (rows[next + 1] - rows[row + 1])
  terms.radiusMid = rows[row + 2] + share * (rows[next + 2] - rows[row + 2])
}
