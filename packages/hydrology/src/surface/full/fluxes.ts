import type { Layout } from '../layout.ts'
import { GRAVITY } from '../types.ts'
import { push } from './edges.ts'
import { hllc } from './riemann.ts'
import type { KernelEdge, Water } from './water.ts'

/** A film thinner than this has no slope within its cell, m. */
const SLOPE_FROM_M = 1e-5
/** Between minmod (1) and superbee (2): Kurganov and Tadmor 2000. */
const THETA = 1.5

/** 1 where water may pass the eastern (`x`) or southern (`y`) face of a cell to another cell. */
export interface Joins {
  x: Uint8Array
  y: Uint8Array
}

export function joinsOf({ size, stride, bed, live }: Layout): Joins {
  const joins = { x: new Uint8Array(size), y: new Uint8Array(size) }
  const joined = (i: number, j: number) =>
    !Number.isNaN(bed[i]) && !Number.isNaN(bed[j]) && (live[i] || live[j]) ? 1 : 0
  for (let i = 0; i < size - stride; i++) {
    joins.x[i] = joined(i, i + 1)
    joins.y[i] = joined(i, i + stride)
  }
  return joins
}

function limited(back: number, ahead: number): number {
  if (back * ahead <= 0) return 0
  const middle = 0.5 * (back + ahead)
  if (back > 0) return Math.min(THETA * back, middle, THETA * ahead)
  return Math.max(THETA * back, middle, THETA * ahead)
}

/** What the flow changes: by s, of depth (m2/s) and momenta (m3/s2), each over the width of a cell. */
export class Fluxes {
  readonly dH: Float64Array
  readonly dX: Float64Array
  readonly dY: Float64Array
  /** Through eastern and southern faces, m2/s. */
  readonly qx: Float64Array
  readonly qy: Float64Array
  /** What leaves each cell, m2/s. */
  readonly out: Float64Array
  /** Sides of cells where something is known of the model's edge: bit `side` of `KernelEdge`. */
  private readonly edged: Uint8Array
  /** Cells of open water, which take what enters. */
  readonly waterCells: Int32Array
  private readonly slopes: {
    level: Float64Array
    depth: Float64Array
    u: Float64Array
    v: Float64Array
  } | null
  /** Depth that flow sees: none in open water. */
  readonly seen: Float64Array
  private readonly layout: Layout
  private readonly water: Water
  private readonly joins: Joins
  private readonly flux = { mass: 0, across: 0, along: 0 }

  constructor(layout: Layout, water: Water, joins: Joins, order: 1 | 2) {
    this.layout = layout
    this.water = water
    this.joins = joins
    const zero = () => new Float64Array(layout.size)
    this.dH = zero()
    this.dX = zero()
    this.dY = zero()
    this.qx = zero()
    this.qy = zero()
    this.out = zero()
    this.seen = zero()
    this.slopes = order === 2 ? { level: zero(), depth: zero(), u: zero(), v: zero() } : null
    this.edged = new Uint8Array(layout.size)
    const { bed, live } = layout
    const open: number[] = []
    for (let i = 0; i < layout.size; i++) if (!Number.isNaN(bed[i]) && !live[i]) open.push(i)
    this.waterCells = Int32Array.from(open)
  }

  setEdges(edges: readonly KernelEdge[]): void {
    this.edged.fill(0)
    for (const { index, side } of edges) this.edged[index] |= 1 << side
  }

  compute(): void {
    const { dH, dX, dY, qx, qy, out, seen, layout, water, joins } = this
    for (const values of [dH, dX, dY, qx, qy, out]) values.fill(0)
    const { depth, speedX, speedY } = water
    for (const i of layout.liveCells) seen[i] = depth[i]
    this.walls()
    this.sweep(1, joins.x, speedX, speedY, dX, dY, qx)
    this.sweep(layout.stride, joins.y, speedY, speedX, dY, dX, qy)
  }

  /** Faces through which nothing passes push back. */
  private walls(): void {
    const { seen, joins, layout, water, dX, dY, edged } = this
    const { stride, liveCells } = layout
    for (let k = 0; k < liveCells.length; k++) {
      const i = liveCells[k]
      const h = seen[i]
      if (h === 0) continue
      if (joins.x[i] && joins.x[i - 1] && joins.y[i] && joins.y[i - stride]) continue
      const u = water.speedX[i]
      const v = water.speedY[i]
      if (!joins.x[i] && !(edged[i] & 1)) dX[i] -= push(h, u)
      if (!joins.x[i - 1] && !(edged[i] & 2)) dX[i] += push(h, -u)
      if (!joins.y[i] && !(edged[i] & 4)) dY[i] -= push(h, v)
      if (!joins.y[i - stride] && !(edged[i] & 8)) dY[i] += push(h, -v)
    }
  }

  /** Faces across one axis; `next` leads to the cell beyond the face, `u` is the speed across and `v` along it. */
  private sweep(
    next: number,
    joins: Uint8Array,
    u: Float64Array,
    v: Float64Array,
    dU: Float64Array,
    dV: Float64Array,
    q: Float64Array,
  ): void {
    const { slopes, seen, dH, out, flux, layout } = this
    const { bed, size, stride } = layout
    if (slopes) this.findSlopes(next, joins, u, v, dU)
    const end = size - stride
    for (let i = stride; i < end; i++) {
      if (joins[i] === 0) continue
      const j = i + next
      let hL = seen[i]
      let hR = seen[j]
      if (hL === 0 && hR === 0) continue
      let zL = bed[i]
      let zR = bed[j]
      let uL = u[i]
      let uR = u[j]
      let vL = v[i]
      let vR = v[j]
      if (slopes) {
        const dL = 0.5 * slopes.depth[i]
        const dR = 0.5 * slopes.depth[j]
        if (hL > 0) {
          const back = (hL - dL) / hL
          uL += back * 0.5 * slopes.u[i]
          vL += back * 0.5 * slopes.v[i]
        }
        if (hR > 0) {
          const ahead = (hR + dR) / hR
          uR -= ahead * 0.5 * slopes.u[j]
          vR -= ahead * 0.5 * slopes.v[j]
        }
        zL += 0.5 * slopes.level[i] - dL
        zR -= 0.5 * slopes.level[j] - dR
        hL += dL
        hR -= dR
      }
      const levelL = zL + hL
      const levelR = zR + hR
      // The bed at the face: the higher one, but not above the lower level (Chen and Noelle 2017).
      const z = Math.min(Math.max(zL, zR), Math.min(levelL, levelR))
      const sL = Math.max(0, Math.min(levelL - z, hL))
      const sR = Math.max(0, Math.min(levelR - z, hR))
      hllc(sL, uL, vL, sR, uR, vR, flux)
      const { mass, across, along } = flux
      q[i] = mass
      dH[i] -= mass
      dH[j] += mass
      dU[i] -= across + 0.5 * GRAVITY * (hL + sL) * (z - zL)
      dU[j] += across + 0.5 * GRAVITY * (hR + sR) * (z - zR)
      dV[i] -= along
      dV[j] += along
      if (mass > 0) out[i] += mass
      else out[j] -= mass
    }
  }

  /** Slopes within cells from face to face, and the weight of water on the bed between. */
  private findSlopes(
    next: number,
    joins: Uint8Array,
    u: Float64Array,
    v: Float64Array,
    dU: Float64Array,
  ): void {
    const { seen, layout } = this
    const slopes = this.slopes!
    const { bed, liveCells } = layout
    for (let k = 0; k < liveCells.length; k++) {
      const i = liveCells[k]
      const back = i - next
      const ahead = i + next
      const h = seen[i]
      const hB = seen[back]
      const hA = seen[ahead]
      const whole = joins[i] && joins[back] && h > SLOPE_FROM_M && hB > SLOPE_FROM_M && hA > SLOPE_FROM_M
      if (!whole) {
        slopes.level[i] = slopes.depth[i] = slopes.u[i] = slopes.v[i] = 0
        continue
      }
      const level = limited(h + bed[i] - (hB + bed[back]), hA + bed[ahead] - (h + bed[i]))
      const depth = limited(h - hB, hA - h)
      slopes.level[i] = level
      slopes.depth[i] = depth
      slopes.u[i] = limited(u[i] - u[back], u[ahead] - u[i])
      slopes.v[i] = limited(v[i] - v[back], v[ahead] - v[i])
      dU[i] -= GRAVITY * h * (level - depth)
    }
  }

  /** Takes back what would leave a cell beyond what it holds; `share` is dt / dx. */
  limit(share: number, edges: readonly KernelEdge[]): void {
    const { out, seen, dH, qx, qy, layout, joins } = this
    const { liveCells, stride } = layout
    const short: number[] = []
    for (let k = 0; k < liveCells.length; k++) {
      const i = liveCells[k]
      if (out[i] * share > seen[i]) short.push(i)
    }
    for (const i of short) {
      const back = 1 - seen[i] / (out[i] * share)
      const take = (q: Float64Array, face: number, joined: Uint8Array, other: number, sign: 1 | -1) => {
        if (!joined[face] || q[face] * sign <= 0) return
        const kept = q[face] * back
        q[face] -= kept
        dH[i] += sign * kept
        dH[other] -= sign * kept
      }
      take(qx, i, joins.x, i + 1, 1)
      take(qx, i - 1, joins.x, i - 1, -1)
      take(qy, i, joins.y, i + stride, 1)
      take(qy, i - stride, joins.y, i - stride, -1)
      for (const edge of edges) {
        if (edge.index !== i || edge.outflow <= 0) continue
        dH[i] += edge.outflow * back
        edge.outflow -= edge.outflow * back
      }
    }
  }
}
