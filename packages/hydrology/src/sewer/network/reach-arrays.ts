import type { SewerOptions } from '@radx/contracts'
import {
  EXTRAN_FROM,
  type SectionTable,
  storedWidth,
  TABLE_INTERVALS,
  TABLE_STRIDE,
  tableAt,
} from '../sections/section-table.ts'
import type { SewerPlan } from './plan.ts'

/** Sjoberg's slot narrows from the crown up to this share of the depth; sums of its width over depth shares. */
export const SLOT_TOP = 1.78
export const SLOT_INTERVALS = 78
export const SLOT_STEP = (SLOT_TOP - 1) / SLOT_INTERVALS
const SLOT_SUMS = new Float64Array(SLOT_INTERVALS + 1)
for (let k = 0; k < SLOT_INTERVALS; k++)
  SLOT_SUMS[k + 1] = SLOT_SUMS[k] + SLOT_STEP * 0.5423 * Math.exp(-((1 + (k + 0.5) * SLOT_STEP) ** 2.4))

/** Positions of the ends, and the conduit. */
export const REACH_ENDS = ['from', 'to', 'conduit'] as const
/** Names of the figures by reach, those of the compiled kernel. */
export const REACH_FIGURES = [
  'bottomFrom',
  'bottomTo',
  'closesFrom',
  'closesTo',
  'dropFrom',
  'dropTo',
  'quarter',
  'middles',
  'hangs',
  'share',
  'depthFrom',
  'heldTo',
  'areaFrom',
  'areaTo',
  'areaMid',
  'holdsFrom',
  'holdsTo',
  'perMetre',
  'rowM',
  'fullDepth',
  'fullArea',
  'maxWidth',
  'steadyFrom',
  'steadyArea',
  'steadyWidth',
  'middleUpTo',
  'overFrom',
  'overTo',
  'extraFrom',
  'extraTo',
  'overWidth',
] as const

/** What of it changes as steps go by. */
export const REACH_STATE = [
  'share',
  'depthFrom',
  'heldTo',
  'areaFrom',
  'areaTo',
  'areaMid',
  'holdsFrom',
  'holdsTo',
  'overFrom',
  'overTo',
  'extraFrom',
  'extraTo',
  'overWidth',
] as const satisfies readonly (typeof REACH_FIGURES)[number][]

/**
 * Arrays by reach, SI, under the names of the compiled kernel; `areas` (all sections one behind the other, from `firstArea` on
 * those of a reach) and `slotSums` are shared.
 *
 * What stays: `quarter` of the length times barrels; `middles`, how often the middle area counts; `hangs`, 1 where the lower
 * end hangs above its node; bottoms of the nodes, absolute and above the pipe's ends (`drop…`, never above 0), and depths above
 * which they close. From `steadyFrom` on the width stays `steadyWidth`.
 *
 * What the start of a step sets: the `share` that hangs free, depths, areas, and what each end holds. With EXTRAN the middle
 * follows an end up to its crown (`middleUpTo`). Of ends above that: how far (`over…`, up to where the node closes, m), what the
 * middle took on as they rose (`extra…`, m2) and the width by which it goes on (`overWidth`, m).
 */
export type ReachArrays = Record<(typeof REACH_ENDS)[number] | 'firstArea', Int32Array> &
  Record<(typeof REACH_FIGURES)[number] | 'areas' | 'slotSums', Float64Array>

export function layOutReaches(plan: SewerPlan, options: SewerOptions): ReachArrays {
  const { conduits, reaches: list, unknowns, invert, closes } = plan
  const { from, to, fromInvert, toInvert } = conduits
  const f64 = () => new Float64Array(list.length)
  const by = (value: (c: number) => number) => fill(f64(), (i) => value(list[i]))
  const ends = (nodes: Int32Array) => Int32Array.from(list, (c) => nodes[c])
  return {
    from: ends(from),
    to: ends(to),
    conduit: Int32Array.from(list),
    quarter: by((c) => (conduits.length[c] * conduits.barrels[c]) / 4),
    // An outfall keeps no volume: the other end then follows the middle area alone.
    middles: by((c) => (from[c] < unknowns && to[c] < unknowns ? 2 : 1)),
    hangs: by((c) => plan.hanging[c]),
    bottomFrom: by((c) => invert[from[c]]),
    bottomTo: by((c) => invert[to[c]]),
    closesFrom: by((c) => closes[from[c]]),
    closesTo: by((c) => closes[to[c]]),
    dropFrom: by((c) => invert[from[c]] - fromInvert[c]),
    dropTo: by((c) => invert[to[c]] - toInvert[c]),
    share: f64(),
    depthFrom: f64(),
    heldTo: f64(),
    areaFrom: f64(),
    areaTo: f64(),
    areaMid: f64(),
    holdsFrom: f64(),
    holdsTo: f64(),
    overFrom: f64(),
    overTo: f64(),
    extraFrom: f64(),
    extraTo: f64(),
    overWidth: f64(),
    ...layOutAreas(plan, options),
    slotSums: SLOT_SUMS,
  }
}

/** Areas of each section once, one behind the other: a lookup is an index. */
function layOutAreas({ conduits, reaches: list }: SewerPlan, options: SewerOptions) {
  const rowCount = TABLE_INTERVALS + 1
  const tables = [...new Set(Array.from(list, (c) => conduits.tables[c]))]
  const index = new Map(tables.map((table, t) => [table, t]))
  const of = (i: number) => conduits.tables[list[i]]
  const by = (value: (table: SectionTable) => number) =>
    fill(new Float64Array(list.length), (i) => value(of(i)))
  const slotted = ({ closed }: SectionTable) => closed && options.surchargeMethod === 'SLOT'
  return {
    areas: fill(
      new Float64Array(tables.length * rowCount),
      (k) => tables[Math.floor(k / rowCount)].rows[(k % rowCount) * TABLE_STRIDE],
    ),
    firstArea: Int32Array.from(list, (_, i) => (index.get(of(i)) as number) * rowCount),
    rowM: by(({ stepM }) => stepM),
    perMetre: by(({ stepM }) => 1 / stepM),
    fullDepth: by(({ fullDepthM }) => fullDepthM),
    fullArea: by(({ fullAreaM2 }) => fullAreaM2),
    middleUpTo: by((table) => (table.closed && !slotted(table) ? table.fullDepthM : Infinity)),
    maxWidth: by(({ maxWidthM }) => maxWidthM),
    // The end of the slot's narrowing, EXTRAN's cut below the crown, or the rim.
    steadyFrom: by(
      (table) => (slotted(table) ? SLOT_TOP : table.closed ? EXTRAN_FROM : 1) * table.fullDepthM,
    ),
    steadyArea: by((table) =>
      slotted(table)
        ? table.fullAreaM2 + SLOT_SUMS[SLOT_INTERVALS] * table.maxWidthM * table.fullDepthM
        : tableAt(table, table.closed ? EXTRAN_FROM * table.fullDepthM : table.fullDepthM, 0),
    ),
    steadyWidth: by((table) =>
      storedWidth(table, (SLOT_TOP + 1) * table.fullDepthM, options.surchargeMethod),
    ),
  }
}

function fill(values: Float64Array, value: (i: number) => number): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = value(i)
  return values
}
