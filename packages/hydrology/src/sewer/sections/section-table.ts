import type { SewerOptions, SewerSection } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import { type SectionShape, sectionShape } from './section-shapes.ts'

/** Equal intervals of depth in a table. */
export const TABLE_INTERVALS = 256
/** The lowest rows stand once more, in intervals so much shorter: water of millimetres in a wide bed is far from linear. */
export const FINE_ROWS = 8
export const FINE_SHARE = TABLE_INTERVALS / FINE_ROWS
/** Values a row: area m2, width m, hydraulic radius^(4/3), section factor A R^(2/3) m^(8/3). */
export const TABLE_STRIDE = 4

/** A wet perimeter never vanishes: smallest radius used, m. */
const MIN_RADIUS = 1e-5
/** From here on the width is that of the slot (Sjoberg's table begins here in EPA SWMM). */
const SLOT_FROM = 0.985257

/** One barrel of a section, tabulated: `rows[i * TABLE_STRIDE + k]` at depth `i * stepM`, i to TABLE_INTERVALS. */
export interface SectionTable {
  fullDepthM: number
  fullAreaM2: number
  fullRadiusM: number
  maxWidthM: number
  /** Lowest depth at which the section is widest, m. */
  widestDepthM: number
  closed: boolean
  stepM: number
  rows: Float64Array
  /** The same up to row `FINE_ROWS`, at depths `i * stepM / FINE_SHARE`. */
  fine: Float64Array
  /** Critical flow of each row, m3/s, up to `criticalLast`. */
  critical: Float64Array
  criticalLast: number
  /** As in `SectionShape`. */
  flare?(depthM: number): number
  /** Largest section factor (below the crown of closed sections), m^(8/3), and where it is reached. */
  maxFactor: number
  maxFactorRow: number
}

/**
 * Tabulates a section. Unless the shape has its own, widths are the slopes of the area, so that volumes and surfaces agree; linear
 * interpolation between rows is within 1e-4 of a circle's area above 2 % of its depth.
 */
export function sectionTable(
  section: SewerSection,
  shape: SectionShape = sectionShape(section),
): SectionTable {
  const n = TABLE_INTERVALS
  const step = shape.fullDepthM / n
  const rows = rowsOf(shape, step)
  let widest = 0
  let widestRow = 0
  let maxFactor = 0
  let maxFactorRow = n
  for (let i = 0; i <= n; i++) {
    const row = i * TABLE_STRIDE
    const width = rows[row + 1]
    if (width > widest * (1 + 1e-9)) {
      widest = width
      widestRow = i
    }
    if (rows[row + 3] > maxFactor) {
      maxFactor = rows[row + 3]
      maxFactorRow = i
    }
  }
  // Towards a crown the width vanishes and the critical flow grows without bound: stop just below.
  const criticalLast = shape.closed ? Math.floor(n * 0.98) : n
  return {
    fullDepthM: shape.fullDepthM,
    fullAreaM2: rows[n * TABLE_STRIDE],
    fullRadiusM: rows[n * TABLE_STRIDE + 2] ** 0.75,
    maxWidthM: shape.maxWidthM,
    widestDepthM: widestRow * step,
    closed: shape.closed,
    stepM: step,
    rows,
    fine: rowsOf(shape, step / FINE_SHARE),
    critical: criticalFlows(rows, criticalLast, shape.criticalIntervals),
    criticalLast,
    flare: shape.flare,
    maxFactor,
    maxFactorRow,
  }
}

/** Rows of a section, `step` m of depth apart. */
function rowsOf(shape: SectionShape, step: number): Float64Array {
  const rows = new Float64Array((TABLE_INTERVALS + 1) * TABLE_STRIDE)
  for (let i = 0; i <= TABLE_INTERVALS; i++) {
    const y = i * step
    const area = i === 0 ? 0 : shape.area(y)
    const radius = Math.max(MIN_RADIUS, i === 0 && !shape.width ? 0 : shape.radius(y))
    const width = shape.width ? shape.width(y) : slopeOfArea(shape, y, step)
    rows.set(
      [area, Math.max(width, 0), radius * Math.cbrt(radius), area * Math.cbrt(radius) ** 2],
      i * TABLE_STRIDE,
    )
  }
  return rows
}

/** Central slope of the area at a row; the ends take the slope of their interval. */
function slopeOfArea(shape: SectionShape, y: number, step: number): number {
  if (y === 0) return shape.area(step) / step
  if (y + step > shape.fullDepthM * (1 + 1e-9)) return (shape.area(y) - shape.area(y - step)) / step
  return (shape.area(y + step) - shape.area(y - step)) / (2 * step)
}

/** Column `k` of a table at a depth, linear between rows, constant above the crown. */
export function tableAt(table: SectionTable, depthM: number, k: number): number {
  const n = TABLE_INTERVALS
  const at = depthM / table.stepM
  if (!(at > 0)) return table.rows[k]
  if (at >= n) return table.rows[n * TABLE_STRIDE + k]
  const i = Math.floor(at)
  const row = i * TABLE_STRIDE + k
  return table.rows[row] + (at - i) * (table.rows[row + TABLE_STRIDE] - table.rows[row])
}

/** Critical flows of the rows up to `last`; with `intervals` on straight lines between so many depths. */
function criticalFlows(rows: Float64Array, last: number, intervals?: number): Float64Array {
  const flows = Float64Array.from({ length: last + 1 }, (_, i) => criticalFlow(rows, i))
  if (!intervals) return flows
  const flowAt = (k: number) => {
    const at = Math.min(last, (k * TABLE_INTERVALS) / intervals)
    const i = Math.min(last - 1, Math.floor(at))
    return flows[i] + (at - i) * (flows[i + 1] - flows[i])
  }
  return flows.map((_, i) => {
    const at = (i * intervals) / TABLE_INTERVALS
    const k = Math.floor(at)
    return flowAt(k) + (at - k) * (flowAt(k + 1) - flowAt(k))
  })
}

/** Q^2 W = g A^3, of a row. */
export function criticalFlow(rows: Float64Array, i: number): number {
  const row = i * TABLE_STRIDE
  return i === 0 ? 0 : rows[row] * Math.sqrt((GRAVITY * rows[row]) / Math.max(rows[row + 1], 1e-9))
}

/** Depth, m, at which a rising column (value i at `i * stride`) reaches a value, searched up to row `last`. */
function depthWhere(
  values: Float64Array,
  stride: number,
  column: number,
  wanted: number,
  last: number,
  stepM: number,
): number {
  let low = 0
  let high = last
  if (values[high * stride + column] <= wanted) return high * stepM
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (values[middle * stride + column] < wanted) low = middle
    else high = middle
  }
  const a = values[low * stride + column]
  const b = values[high * stride + column]
  return (low + (b > a ? (wanted - a) / (b - a) : 1)) * stepM
}

/**
 * Normal depth of a flow in one barrel, m. Flows beyond the section's largest stand at its depth.
 * @param beta sqrt(slope) / n, m^(1/3)/s
 */
export function normalDepth(table: SectionTable, flowM3S: number, beta: number): number {
  if (!(flowM3S > 0)) return 0
  if (!(beta > 0)) return table.fullDepthM
  return depthWhere(table.rows, TABLE_STRIDE, 3, flowM3S / beta, table.maxFactorRow, table.stepM)
}

/** Critical depth of a flow in one barrel, m. */
export function criticalDepth(table: SectionTable, flowM3S: number): number {
  if (!(flowM3S > 0)) return 0
  return depthWhere(table.critical, 1, 0, flowM3S, table.criticalLast, table.stepM)
}

/** EXTRAN: from this share of its depth on a closed section stores by the width it has there, as in EPA SWMM. */
export const EXTRAN_FROM = 0.96

/**
 * Width with which a section stores at a depth, m: that of its water, in a closed section near its crown and above
 * - SLOT: of Sjoberg's slot (1982; SWMM Reference Manual II, 3.3.5);
 * - EXTRAN: at 0.96 of its depth (SWMM Reference Manual II, 3.3.5). How far above the crown that goes is the node's matter.
 */
export function storedWidth(
  table: SectionTable,
  depthM: number,
  method: SewerOptions['surchargeMethod'],
): number {
  const full = table.fullDepthM
  if (!table.closed) return tableAt(table, depthM, 1)
  if (method === 'EXTRAN') return tableAt(table, Math.min(depthM, EXTRAN_FROM * full), 1)
  return slotWidth(table, depthM / full) || tableAt(table, depthM, 1)
}

/** SLOT: width with which a section stores at a depth in or above its slot, or above its rim, m; 0 where it is that of its water. */
export function widthAbove(table: SectionTable, depthM: number): number {
  if (table.closed) return slotWidth(table, depthM / table.fullDepthM)
  return table.flare && depthM > table.fullDepthM ? table.flare(depthM) : 0
}

/** Width of Sjoberg's slot in a closed section at depth/full depth `share`, m; 0 below it. */
export function slotWidth(table: SectionTable, share: number): number {
  if (!table.closed || share < SLOT_FROM) return 0
  if (share > 1.78) return 0.01 * table.maxWidthM
  return table.maxWidthM * 0.5423 * Math.exp(-(share ** 2.4))
}
