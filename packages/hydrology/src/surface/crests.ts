import { GRAVITY } from '@radx/contracts/constants'
import type { Stateful, StateVisitor } from '../state/state.ts'
import { inverseCubeRoot } from './full/cube-root.ts'
import type { Layout } from './layout.ts'
import { type Kernel, slotOf } from './types.ts'

/** Unit discharge of critical flow over a broad crest under a head of 1 m: (2/3)^(3/2) sqrt(g), m^(1/2)/s. */
const CRITICAL = Math.sqrt((8 / 27) * GRAVITY)

/** Share of what a cell holds that may cross all its crests in a part of a step. */
const MOST_SHARE = 0.9

/**
 * What crosses faces raised to a crest under local inertia (Bates et al. 2010, eq. 12, with the crest as the bed of the face).
 * The kernel has a wall there; before each part of a step the host takes water over it, always in the order of the list, so
 * that the answer hangs on no number of threads. Water crosses only where a level stands above the crest.
 */
export class Crests implements Stateful {
  private readonly layout: Layout
  private readonly kernel: Kernel
  private readonly changeDepth: (index: number, changeM: number) => number
  /** Unit discharge to the east or south over each crest, m2/s. */
  private readonly q: Float64Array
  private readonly friction: Float64Array

  constructor(layout: Layout, kernel: Kernel, changeDepth: (index: number, changeM: number) => number) {
    this.layout = layout
    this.kernel = kernel
    this.changeDepth = changeDepth
    const { crests, manning } = layout
    this.q = new Float64Array(crests.length)
    this.friction = Float64Array.from(crests, ({ index, other }) => {
      const n = (manning[index] + manning[other]) / 2
      return GRAVITY * n * n
    })
  }

  visit(state: StateVisitor): void {
    state.array('q', this.q)
  }

  /** Before a part of a step of `partS`: all discharges follow from the same levels, then water moves. */
  apply(partS: number): void {
    const { crests, grid } = this.layout
    if (crests.length === 0) return
    const dx = grid.cellSizeM
    const leaving = new Map<number, number>()
    for (const [k, { index, other }] of crests.entries()) {
      const q = this.discharge(k, partS)
      this.q[k] = q
      const from = q > 0 ? index : other
      if (q !== 0) leaving.set(from, (leaving.get(from) ?? 0) + (Math.abs(q) * partS) / dx)
    }
    for (const [from, wanted] of leaving)
      leaving.set(from, Math.min(1, (MOST_SHARE * this.depthM(from)) / wanted))
    for (const [k, { index, other }] of crests.entries()) {
      if (this.q[k] === 0) continue
      const [from, to] = this.q[k] > 0 ? [index, other] : [other, index]
      this.q[k] *= leaving.get(from)!
      const taken = this.changeDepth(from, (-Math.abs(this.q[k]) * partS) / dx)
      this.changeDepth(to, -taken)
    }
  }

  private depthM(i: number): number {
    const { depth } = this.kernel.fields
    return depth.values[slotOf(depth, i)]
  }

  /** What would cross crest `k` if there were enough of it, m2/s. */
  private discharge(k: number, partS: number): number {
    const { crests, bed, grid } = this.layout
    const { index, other } = crests[k]
    const one = bed[index] + this.depthM(index)
    const two = bed[other] + this.depthM(other)
    // By the levels halfway: what crosses in one part of a step is no small share of the head.
    const moved = (this.dischargeAt(k, one, two, partS) * partS) / (2 * grid.cellSizeM)
    return this.dischargeAt(k, one - moved, two + moved, partS)
  }

  /** The same for the levels on its two sides, m. */
  private dischargeAt(k: number, one: number, two: number, partS: number): number {
    const { grid, options, crests } = this.layout
    const { crestM } = crests[k]
    const h = Math.max(one, two) - crestM
    if (!(h > options.dryDepthM)) return 0
    // Beyond the crest water falls: what stands above it drives the flow, no more.
    const rise = Math.max(-h, Math.min(h, two - one))
    const root = inverseCubeRoot(h)
    const root2 = root * root
    const drag = partS * this.friction[k] * Math.abs(this.q[k]) * (root2 * root2 * root2 * root)
    const free = (this.q[k] - (GRAVITY * h * partS * rise) / grid.cellSizeM) / (1 + drag)
    const most = CRITICAL * h * Math.sqrt(h)
    return Math.max(-most, Math.min(most, free))
  }
}
