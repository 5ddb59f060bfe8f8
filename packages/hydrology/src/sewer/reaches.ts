import type { SewerOptions } from '@radx/contracts'
import type { SewerPlan } from './plan.ts'
import { slotWidth, TABLE_INTERVALS, TABLE_STRIDE, tableAt } from './section-table.ts'

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
  /** Adds what the reaches hold at the start to the nodes' volumes. */
  start(heads: Float64Array, volume: Float64Array): void
  /** Takes the step's heads and settles the volumes between the ends. `freeDepth`: of each conduit's lower end, m. */
  update(heads: Float64Array, freeDepth: Float64Array, volume: Float64Array): void
  /** Adds volume and surface to the nodes' balances: residual less, diagonal more. */
  add(heads: Float64Array, residual: Float64Array, diagonal: Float64Array): void
}

/** A hanging half passes over within this rise of water in the pipe's end at least, m. */
const LEAST_RISE_M = 0.02

/** Sjoberg's slot narrows from the crown up to this share of the depth; sums of its width over depth shares. */
const SLOT_TOP = 1.78
const SLOT_INTERVALS = 78
const SLOT_STEP = (SLOT_TOP - 1) / SLOT_INTERVALS
const SLOT_SUMS = new Float64Array(SLOT_INTERVALS + 1)
for (let k = 0; k < SLOT_INTERVALS; k++)
  SLOT_SUMS[k + 1] = SLOT_SUMS[k] + SLOT_STEP * 0.5423 * Math.exp(-((1 + (k + 0.5) * SLOT_STEP) ** 2.4))

export function createReaches(plan: SewerPlan, options: SewerOptions): Reaches {
  const { conduits, unknowns } = plan
  const { from, to, fromInvert, toInvert } = conduits
  const list = plan.reaches
  const count = list.length
  const f64 = () => new Float64Array(count)
  const quarter = Float64Array.from(list, (c) => (conduits.length[c] * conduits.barrels[c]) / 4)
  // An outfall keeps no volume: the other end then follows the middle area alone.
  const inner = Uint8Array.from(list, (c) => (from[c] < unknowns && to[c] < unknowns ? 1 : 0))
  const hangs = Uint8Array.from(list, (c) => (plan.hanging[c] === 1 ? 1 : 0))
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

  const slot = options.surchargeMethod === 'SLOT'
  // Area and its slope at a depth, with the slot above the crown; the slope is that of the interpolated area.
  let area = 0
  let width = 0
  function at(c: number, y: number) {
    const table = conduits.tables[c]
    const { rows, stepM, fullDepthM } = table
    if (y <= 0) {
      area = 0
      width = 0
    } else if (y < fullDepthM) {
      const i = Math.min(TABLE_INTERVALS - 1, Math.floor(y / stepM))
      width = (rows[(i + 1) * TABLE_STRIDE] - rows[i * TABLE_STRIDE]) / stepM
      area = rows[i * TABLE_STRIDE] + width * (y - i * stepM)
    } else {
      const share = y / fullDepthM
      if (!table.closed) width = tableAt(table, fullDepthM, 1)
      else if (!slot || share >= SLOT_TOP) width = slotWidth(table, SLOT_TOP + 1, options.surchargeMethod)
      else {
        const k = Math.min(SLOT_INTERVALS - 1, Math.floor(((share - 1) / (SLOT_TOP - 1)) * SLOT_INTERVALS))
        width = ((SLOT_SUMS[k + 1] - SLOT_SUMS[k]) / SLOT_STEP) * table.maxWidthM
        area = table.fullAreaM2 + SLOT_SUMS[k] * table.maxWidthM * fullDepthM
        area += width * (y - fullDepthM * (1 + k * SLOT_STEP))
        return
      }
      const narrowing = table.closed && slot ? SLOT_SUMS[SLOT_INTERVALS] * table.maxWidthM * fullDepthM : 0
      const from = table.closed && slot ? SLOT_TOP * fullDepthM : fullDepthM
      area = table.fullAreaM2 + narrowing + width * (y - from)
    }
  }
  const areaAt = (c: number, y: number) => {
    at(c, y)
    return area
  }

  /** Volume that the ends hold at heads reached from the step's start: [0] from, [1] to; slopes in [2], [3]. */
  const now = new Float64Array(4)
  function follow(i: number, heads: Float64Array) {
    const c = list[i]
    const y1 = Math.max(0, heads[from[c]] - fromInvert[c])
    const y2 = Math.max(0, heads[to[c]] - toInvert[c])
    const upper = quarter[i] * (1 + share[i])
    const lower = quarter[i] * (1 - share[i])
    const middle = inner[i] === 1 ? 2 : 1
    at(c, y1)
    const w1 = area > 0 ? width : 0
    const a1 = area
    at(c, (y1 + heldTo[i]) / 2)
    now[0] = holdsFrom[i] + upper * (a1 - areaFrom[i] + middle * (area - areaMid[i]))
    now[2] = upper * (w1 + (y1 > 0 ? (middle * width) / 2 : 0))
    at(c, y2)
    const w2 = area > 0 ? width : 0
    const a2 = area
    const end = hangs[i] === 1 ? Math.max(y2, heldTo[i]) : y2
    at(c, (depthFrom[i] + end) / 2)
    now[1] = holdsTo[i] + lower * (a2 - areaTo[i] + middle * (area - areaMid[i]))
    now[3] = lower * (w2 + (y2 > 0 && end === y2 ? (middle * width) / 2 : 0))
  }

  function settle(i: number, heads: Float64Array, freeDepth: number) {
    const c = list[i]
    const y1 = Math.max(0, heads[from[c]] - fromInvert[c])
    const y2 = Math.max(0, heads[to[c]] - toInvert[c])
    share[i] = hangs[i] === 1 ? Math.max(0, 1 - y2 / Math.max(LEAST_RISE_M, freeDepth)) : 0
    depthFrom[i] = y1
    depthTo[i] = y2
    heldTo[i] = hangs[i] === 1 ? Math.max(y2, Math.min(freeDepth, y1)) : y2
    areaFrom[i] = areaAt(c, y1)
    areaTo[i] = areaAt(c, y2)
    areaMid[i] = areaAt(c, (y1 + heldTo[i]) / 2)
    const lower = quarter[i] * (areaMid[i] + areaAt(c, heldTo[i]))
    holdsFrom[i] = quarter[i] * (areaFrom[i] + areaMid[i]) + share[i] * lower
    holdsTo[i] = (1 - share[i]) * lower
  }

  return {
    count,
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
        settle(i, heads, freeDepth[list[i]])
        if (inner[i] === 0) continue
        const offFrom = heldFromBefore - holdsFrom[i]
        const off = offFrom + heldToBefore - holdsTo[i]
        const moved = offFrom - ((1 + share[i]) / 2) * off
        volume[from[list[i]]] -= moved
        volume[to[list[i]]] += moved
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
