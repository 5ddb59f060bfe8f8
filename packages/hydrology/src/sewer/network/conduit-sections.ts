import type { SewerOptions } from '@radx/contracts'
import { forceMainFriction } from '../sections/friction.ts'
import {
  type SectionTable,
  slotWidth,
  TABLE_INTERVALS,
  TABLE_STRIDE,
  tableAt,
} from '../sections/section-table.ts'
import type { ConduitPlan } from './conduit-plan.ts'

/** The sections of all conduits side by side: a lookup is then an index, not an object. */
export interface ConduitSections {
  /** Each table once; `tableOf[c]` is that of a conduit. */
  tables: SectionTable[]
  tableOf: Int32Array
  /** Rows of all tables one behind the other, then their fine ones, the last of each twice, and the first value of each conduit's. */
  rows: Float64Array
  firstRow: Int32Array
  /** Rows a metre of depth; m. */
  perMetre: Float64Array
  fullDepth: Float64Array
  closed: Uint8Array
  /** Area of the flow in a conduit, m2; under SURCHARGE_METHOD SLOT above the crown with the slot. */
  slotArea(c: number, depthM: number): number
  /** Friction of a full force main at a speed, 1/s. */
  forceMain(c: number, speedMS: number): number
  /** Flow that a culvert's inlet lets into a barrel at a depth before it, m3/s, and how it grows, m2/s. */
  inletFlow(c: number, depthM: number): number
  inletSlope(c: number, depthM: number): number
}

/** Difference by which the growth of an inlet's flow is found, m. */
const PROBE_M = 1e-4

/** Values of a table's rows. */
const HALF_SIZE = (TABLE_INTERVALS + 2) * TABLE_STRIDE
export const ROWS_SIZE = 2 * HALF_SIZE

export function layOutSections(plan: ConduitPlan, options: SewerOptions): ConduitSections {
  const tables = [...new Set(plan.tables)]
  const rows = new Float64Array(tables.length * ROWS_SIZE)
  tables.forEach((table, i) => {
    for (const [half, values] of [table.rows, table.fine].entries()) {
      const end = i * ROWS_SIZE + (half + 1) * HALF_SIZE
      rows.set(values, end - HALF_SIZE)
      rows.set(values.subarray(-TABLE_STRIDE), end - TABLE_STRIDE)
    }
  })
  const index = new Map(tables.map((table, i) => [table, i]))
  const tableOf = Int32Array.from(plan.tables, (table) => index.get(table) as number)
  const slot = options.surchargeMethod === 'SLOT'
  const mains = plan.tables.map(({ fullRadiusM }, c) =>
    plan.forceMain[c] > 0
      ? forceMainFriction(plan.forceMain[c], fullRadiusM, options.forceMainEquation)
      : null,
  )
  return {
    tables,
    tableOf,
    rows,
    firstRow: tableOf.map((table) => table * ROWS_SIZE),
    perMetre: Float64Array.from(plan.tables, (table) => 1 / table.stepM),
    fullDepth: Float64Array.from(plan.tables, (table) => table.fullDepthM),
    closed: Uint8Array.from(plan.tables, (table) => (table.closed ? 1 : 0)),
    slotArea(c, y) {
      const table = plan.tables[c]
      if (y <= table.fullDepthM || !slot || !table.closed) return tableAt(table, y, 0)
      return table.fullAreaM2 + (y - table.fullDepthM) * slotWidth(table, y / table.fullDepthM)
    },
    forceMain: (c, speed) => mains[c]?.(speed) ?? 0,
    inletFlow: (c, y) => plan.inlets[c]?.(y) ?? Infinity,
    inletSlope(c, y) {
      const law = plan.inlets[c]
      return law ? Math.max(0, law(y + PROBE_M) - law(y)) / PROBE_M : 0
    },
  }
}
