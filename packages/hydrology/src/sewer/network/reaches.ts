import type { SewerOptions } from '@radx/contracts'
import {
  EXTRAN_FROM,
  type SectionTable,
  storedWidth,
  TABLE_INTERVALS,
  TABLE_STRIDE,
  tableAt,
} from '../sections/section-table.ts'
import { heap, type Room } from '../step/kernel.ts'
import { fadedDepth, fading } from './node-volume.ts'
import type { SewerPlan } from './plan.ts'

/**
 * Long conduits, and those whose lower end hangs above the next node's bottom. Half a pipe at the depth of its end
 * is a poor measure of what they hold, so their volume also counts the middle depth:
 * L/4 (A1 + 2 Am + A2), each end taking its own and the middle area (SWMM Reference Manual II, 3.3.2). While water
 * falls free from a hanging end, all of the pipe belongs to the upper node (class "downstream critical"); as the
 * lower node's water reaches the end, that half passes over.
 *
 * What one end takes on when the other moves is passed between the two nodes' volumes after the step, so that
 * volume is never made or lost and heads do not feel it.
 */
export interface Reaches {
  count: number
  memory: ReachMemory
  /** Adds what the reaches hold at the start to the nodes' volumes. */
  start(heads: Float64Array, volume: Float64Array): void
  /** Takes the step's heads and settles the volumes between the ends. `freeDepth`: of each conduit's lower end, m. */
  update(heads: Float64Array, freeDepth: Float64Array, volume: Float64Array): void
  /** Adds volume and surface to the nodes' balances: residual less, diagonal more. */
  add(heads: Float64Array, residual: Float64Array, diagonal: Float64Array): void
}

/** What an end owes it pays back by this head a step, m. */
const PAID_M = 0.5
/** A hanging half passes over within this rise of water in the pipe's end at least, m. */
const LEAST_RISE_M = 0.02

/** Sjoberg's slot narrows from the crown up to this share of the depth; sums of its width over depth shares. */
const SLOT_TOP = 1.78
const SLOT_INTERVALS = 78
const SLOT_STEP = (SLOT_TOP - 1) / SLOT_INTERVALS
const SLOT_SUMS = new Float64Array(SLOT_INTERVALS + 1)
for (let k = 0; k < SLOT_INTERVALS; k++)
  SLOT_SUMS[k + 1] = SLOT_SUMS[k] + SLOT_STEP * 0.5423 * Math.exp(-((1 + (k + 0.5) * SLOT_STEP) ** 2.4))

/** Where the compiled `add` finds what it needs: arrays in the order of assembly/sewer/reaches.ts. */
export type ReachMemory = readonly (Float64Array | Int32Array)[]

/** @param room where its arrays lie; a compiled kernel's own for `memory` to be of use to it */
export function createReaches(plan: SewerPlan, options: SewerOptions, room: Room = heap): Reaches {
  const { conduits, unknowns } = plan
  const { from, to, fromInvert, toInvert } = conduits
  const list = plan.reaches
  const count = list.length
  const f64 = () => room.f64(count)
  const kept = (value: (c: number, i: number) => number) => {
    const values = f64()
    for (let i = 0; i < count; i++) values[i] = value(list[i], i)
    return values
  }
  const quarter = kept((c) => (conduits.length[c] * conduits.barrels[c]) / 4)
  // An outfall keeps no volume: the other end then follows the middle area alone.
  const inner = Uint8Array.from(list, (c) => (from[c] < unknowns && to[c] < unknowns ? 1 : 0))
  const middles = kept((_, i) => (inner[i] === 1 ? 2 : 1))
  const hangs = kept((c) => plan.hanging[c])
  // State at the start of the step: depths, areas, what each end holds, and the share that hangs free.
  const share = f64()
  const depthFrom = f64()
  const depthTo = f64()
  const heldTo = f64()
  const areaFrom = f64()
  const areaTo = f64()
  const areaMid = f64()
  const holdsFrom = f64()
  const holdsTo = f64()
  /** What the ends carry more than their depths say, m3: both moved at once. It is given back by and by. */
  const owedFrom = f64()
  const owedTo = f64()

  const slot = options.surchargeMethod === 'SLOT'
  // Areas of each section once, one behind the other: a lookup is an index.
  const tables = [...new Set(Array.from(list, (c) => conduits.tables[c]))]
  const areas = room.f64(tables.length * (TABLE_INTERVALS + 1))
  tables.forEach((table, t) => {
    for (let k = 0; k <= TABLE_INTERVALS; k++)
      areas[t * (TABLE_INTERVALS + 1) + k] = table.rows[k * TABLE_STRIDE]
  })
  const index = new Map(tables.map((table, k) => [table, k]))
  const firstArea = room.i32(count)
  for (let i = 0; i < count; i++)
    firstArea[i] = (index.get(conduits.tables[list[i]]) as number) * (TABLE_INTERVALS + 1)
  const tableOf = (i: number) => conduits.tables[list[i]]
  const each = (value: (table: SectionTable) => number) => kept((_, i) => value(tableOf(i)))
  const rowM = each(({ stepM }) => stepM)
  const perMetre = each(({ stepM }) => 1 / stepM)
  const fullDepth = each(({ fullDepthM }) => fullDepthM)
  const fullArea = each(({ fullAreaM2 }) => fullAreaM2)
  const maxWidth = each(({ maxWidthM }) => maxWidthM)
  const slotted = (table: SectionTable) => table.closed && slot
  /** Depth from which on the width stays what it is: the end of the slot's narrowing, EXTRAN's cut below the crown, the rim. */
  const steadyFrom = each(
    (table) => (slotted(table) ? SLOT_TOP : table.closed ? EXTRAN_FROM : 1) * table.fullDepthM,
  )
  const steadyArea = each((table) =>
    slotted(table)
      ? table.fullAreaM2 + SLOT_SUMS[SLOT_INTERVALS] * table.maxWidthM * table.fullDepthM
      : tableAt(table, table.closed ? EXTRAN_FROM * table.fullDepthM : table.fullDepthM, 0),
  )
  const steadyWidth = each((table) =>
    storedWidth(table, (SLOT_TOP + 1) * table.fullDepthM, options.surchargeMethod),
  )
  const lessBy = (value: number, most: number) =>
    value > most ? value - most : value < -most ? value + most : 0
  const { invert, closes } = plan
  // Bottoms of the nodes above the pipe's ends, m: never above 0.
  const drop1 = kept((c) => invert[from[c]] - fromInvert[c])
  const drop2 = kept((c) => invert[to[c]] - toInvert[c])
  /** Depth that counts in a pipe's end, m: EXTRAN's nodes close above their crowns. */
  const endDepth = (head: number, node: number, bottom: number) =>
    Math.max(0, fadedDepth(head - invert[node], closes[node]) + invert[node] - bottom)

  /** Area of reach `i` at a depth, with the slot above the crown, m2: [0], and the slope of that interpolation, m: [1]. */
  const found = new Float64Array(2)
  function at(i: number, y: number) {
    const full = fullDepth[i]
    if (y <= 0) {
      found[0] = 0
      found[1] = 0
    } else if (y >= steadyFrom[i]) {
      found[0] = steadyArea[i] + steadyWidth[i] * (y - steadyFrom[i])
      found[1] = steadyWidth[i]
    } else if (y < full) {
      const per = perMetre[i]
      const row = Math.min(TABLE_INTERVALS - 1, Math.floor(y * per))
      const area = areas[firstArea[i] + row]
      const width = (areas[firstArea[i] + row + 1] - area) * per
      found[0] = area + width * (y - row * rowM[i])
      found[1] = width
    } else {
      const above = ((y / full - 1) / (SLOT_TOP - 1)) * SLOT_INTERVALS
      const k = Math.min(SLOT_INTERVALS - 1, Math.floor(above))
      const width = ((SLOT_SUMS[k + 1] - SLOT_SUMS[k]) / SLOT_STEP) * maxWidth[i]
      found[0] = fullArea[i] + SLOT_SUMS[k] * maxWidth[i] * full + width * (y - full * (1 + k * SLOT_STEP))
      found[1] = width
    }
  }

  const areaAt = (i: number, y: number) => {
    at(i, y)
    return found[0]
  }

  /** Volume that the ends hold at heads reached from the step's start: [0] from, [1] to; slopes in [2], [3]. */
  const now = new Float64Array(4)
  function follow(i: number, heads: Float64Array) {
    const c = list[i]
    const a = from[c]
    const b = to[c]
    const d1 = heads[a] - invert[a]
    const d2 = heads[b] - invert[b]
    let y1 = d1 + drop1[i]
    let y2 = d2 + drop2[i]
    let left1 = 1
    let left2 = 1
    if (d1 > closes[a]) {
      y1 = fadedDepth(d1, closes[a]) + drop1[i]
      left1 = fading(d1, closes[a])
    }
    if (d2 > closes[b]) {
      y2 = fadedDepth(d2, closes[b]) + drop2[i]
      left2 = fading(d2, closes[b])
    }
    if (y1 < 0) y1 = 0
    if (y2 < 0) y2 = 0
    const upper = quarter[i] * (1 + share[i])
    const lower = quarter[i] * (1 - share[i])
    const middle = middles[i]
    at(i, y1)
    const a1 = found[0]
    const w1 = found[1]
    at(i, (y1 + heldTo[i]) / 2)
    now[0] = holdsFrom[i] + upper * (a1 - areaFrom[i] + middle * (found[0] - areaMid[i]))
    now[2] = left1 * upper * (w1 + (y1 > 0 ? (middle * found[1]) / 2 : 0))
    at(i, y2)
    const a2 = found[0]
    const w2 = found[1]
    const end = hangs[i] === 1 && heldTo[i] > y2 ? heldTo[i] : y2
    at(i, (depthFrom[i] + end) / 2)
    now[1] = holdsTo[i] + lower * (a2 - areaTo[i] + middle * (found[0] - areaMid[i]))
    now[3] = left2 * lower * (w2 + (y2 > 0 && end === y2 ? (middle * found[1]) / 2 : 0))
  }

  function settle(i: number, heads: Float64Array, freeDepth: number) {
    const c = list[i]
    const y1 = endDepth(heads[from[c]], from[c], fromInvert[c])
    const y2 = endDepth(heads[to[c]], to[c], toInvert[c])
    share[i] = hangs[i] === 1 ? Math.max(0, 1 - y2 / Math.max(LEAST_RISE_M, freeDepth)) : 0
    depthFrom[i] = y1
    depthTo[i] = y2
    heldTo[i] = hangs[i] === 1 ? Math.max(y2, Math.min(freeDepth, y1)) : y2
    areaFrom[i] = areaAt(i, y1)
    areaTo[i] = areaAt(i, y2)
    areaMid[i] = areaAt(i, (y1 + heldTo[i]) / 2)
    const lower = quarter[i] * (areaMid[i] + areaAt(i, heldTo[i]))
    holdsFrom[i] = quarter[i] * (areaFrom[i] + areaMid[i]) + share[i] * lower
    holdsTo[i] = (1 - share[i]) * lower
  }

  const offsets = (ends: Int32Array) => {
    const values = room.i32(count)
    for (let i = 0; i < count; i++) values[i] = 8 * ends[list[i]]
    return values
  }
  const sums = room.f64(SLOT_SUMS.length)
  sums.set(SLOT_SUMS)
  return {
    count,
    memory: [
      offsets(from),
      offsets(to),
      firstArea,
      kept((c) => invert[from[c]]),
      kept((c) => invert[to[c]]),
      kept((c) => closes[from[c]]),
      kept((c) => closes[to[c]]),
      drop1,
      drop2,
      quarter,
      middles,
      hangs,
      share,
      depthFrom,
      heldTo,
      areaFrom,
      areaTo,
      areaMid,
      holdsFrom,
      holdsTo,
      perMetre,
      rowM,
      fullDepth,
      fullArea,
      maxWidth,
      steadyFrom,
      steadyArea,
      steadyWidth,
      areas,
      sums,
    ],
    start(heads, volume) {
      for (let i = 0; i < count; i++) {
        const c = list[i]
        settle(i, heads, 0)
        if (from[c] < unknowns) volume[from[c]] += holdsFrom[i]
        if (to[c] < unknowns) volume[to[c]] += holdsTo[i]
      }
    },
    update(heads, freeDepth, volume) {
      for (let i = 0; i < count; i++) {
        follow(i, heads)
        const heldFromBefore = now[0]
        const heldToBefore = now[1]
        const mostFrom = PAID_M * now[2]
        const mostTo = PAID_M * now[3]
        settle(i, heads, freeDepth[list[i]])
        if (inner[i] === 0) continue
        const offFrom = heldFromBefore - holdsFrom[i]
        const off = offFrom + heldToBefore - holdsTo[i]
        const moved = offFrom - ((1 + share[i]) / 2) * off
        volume[from[list[i]]] -= moved
        volume[to[list[i]]] += moved
        owedFrom[i] = lessBy(offFrom - moved, mostFrom)
        owedTo[i] = lessBy(off - offFrom + moved, mostTo)
        holdsFrom[i] += owedFrom[i]
        holdsTo[i] += owedTo[i]
      }
    },
    add(heads, residual, diagonal) {
      for (let i = 0; i < count; i++) {
        follow(i, heads)
        const a = from[list[i]]
        const b = to[list[i]]
        if (a < unknowns) {
          residual[a] -= now[0]
          diagonal[a] += now[2]
        }
        if (b < unknowns) {
          residual[b] -= now[1]
          diagonal[b] += now[3]
        }
      }
    },
  }
}
