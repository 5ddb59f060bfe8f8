import type { SewerOptions } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import type { ConduitPlan } from '../network/conduit-plan.ts'
import type { ConduitSections } from '../network/conduit-sections.ts'
import { forceMainFriction } from '../sections/friction.ts'
import {
  criticalDepth,
  EXTRAN_FROM,
  normalDepth,
  type SectionTable,
  slotWidth,
  TABLE_INTERVALS,
  TABLE_STRIDE,
  tableAt,
} from '../sections/section-table.ts'
import type { ExplicitArrays, ExplicitInput } from './arrays.ts'
import { FASTEST_MS, FILM_M, FILM_M2, FILM_M3S, RELAXATION, TURNING_M3S } from './limits.ts'

/** How water stands in a conduit (SWMM Reference Manual II, 3.3.4). */
const DRY = 0
const FROM_DRY = 1
const TO_DRY = 2
const SUBCRITICAL = 3
const FROM_CRITICAL = 4
const TO_CRITICAL = 5

/** Momentum of all conduits in a trial. */
export interface ConduitFlows {
  /** New flows and what they bring to the nodes' surfaces and slopes; `first`: no trial of this step went before. */
  trial(dt: number, first: boolean): void
}

/**
 * Explicit momentum along each conduit at the heads of the trial before (SWMM Reference Manual II, eq. 3-14 and 3.3): normal
 * flow, free falls, gates and dry nodes within, half of the answer taken from the second trial on.
 */
export function createConduitFlows(input: ExplicitInput): ConduitFlows {
  return new Momentum(input)
}

class Momentum implements ConduitFlows {
  private readonly sections: ConduitSections
  private readonly arrays: ExplicitArrays
  private readonly options: SewerOptions
  private readonly conduits: ConduitPlan
  private readonly unknowns: number
  private readonly invert: Float64Array
  private readonly from: Int32Array
  private readonly to: Int32Array
  private readonly fromInvert: Float64Array
  private readonly toInvert: Float64Array
  private readonly length: Float64Array
  private readonly barrels: Float64Array
  private readonly friction: Float64Array
  private readonly beta: Float64Array
  private readonly tables: SectionTable[]
  private readonly rows: Float64Array
  private readonly firstRow: Int32Array
  private readonly perMetre: Float64Array
  private readonly fullDepth: Float64Array
  private readonly closed: Uint8Array
  private readonly head: Float64Array
  private readonly depth: Float64Array
  private readonly flow: Float64Array
  private readonly oldFlow: Float64Array
  private readonly area: Float64Array
  private readonly oldArea: Float64Array
  private readonly endArea: Float64Array
  private readonly middle: Float64Array
  private readonly froude: Float64Array
  private readonly slope: Float64Array
  private readonly slot: boolean
  private readonly undamped: boolean
  private readonly damped: boolean
  private readonly bySlope: boolean
  private readonly byFroude: boolean
  private readonly limited: boolean
  private readonly crown: number
  private readonly lossy: Uint8Array
  private readonly atOutfall: Uint8Array
  private readonly gates: ReturnType<typeof gatesOf>
  private readonly rimmed: Uint8Array
  // Of the conduit that is at work: depths and heads of its ends, how water stands in it, surfaces.
  private y1 = 0
  private y2 = 0
  private h1 = 0
  private h2 = 0
  private state = DRY
  private share = 1
  private surface1 = 0
  private surface2 = 0

  constructor(input: ExplicitInput) {
    const { network, plan, sections, arrays } = input
    const { options } = network
    const { conduits, unknowns, invert } = plan
    const { from, to, fromInvert, toInvert, length, barrels, friction, beta, tables } = conduits
    const { rows, firstRow, perMetre, fullDepth, closed } = sections
    const { head, depth, flow, oldFlow, area, oldArea, endArea, middle, froude, slope } = arrays
    this.sections = sections
    this.arrays = arrays
    this.options = options
    this.conduits = conduits
    this.unknowns = unknowns
    this.invert = invert
    this.from = from
    this.to = to
    this.fromInvert = fromInvert
    this.toInvert = toInvert
    this.length = length
    this.barrels = barrels
    this.friction = friction
    this.beta = beta
    this.tables = tables
    this.rows = rows
    this.firstRow = firstRow
    this.perMetre = perMetre
    this.fullDepth = fullDepth
    this.closed = closed
    this.head = head
    this.depth = depth
    this.flow = flow
    this.oldFlow = oldFlow
    this.area = area
    this.oldArea = oldArea
    this.endArea = endArea
    this.middle = middle
    this.froude = froude
    this.slope = slope
    this.slot = options.surchargeMethod === 'SLOT'
    this.undamped = options.inertialDamping === 'NONE'
    this.damped = options.inertialDamping === 'FULL'
    this.bySlope = options.normalFlowLimited === 'SLOPE' || options.normalFlowLimited === 'BOTH'
    this.byFroude = options.normalFlowLimited === 'FROUDE' || options.normalFlowLimited === 'BOTH'
    this.limited = this.bySlope || this.byFroude
    this.crown = this.slot ? Infinity : EXTRAN_FROM
    this.lossy = Uint8Array.from(tables, (_, c) =>
      conduits.lossIn[c] + conduits.lossOut[c] + conduits.lossMean[c] > 0 ? 1 : 0,
    )
    this.atOutfall = Uint8Array.from(tables, (_, c) => (from[c] >= unknowns || to[c] >= unknowns ? 1 : 0))
    this.gates = gatesOf(input)
    this.rimmed = limitedAtRim(input)
  }

  trial(dt: number, first: boolean): void {
    const { bypassed } = this.arrays
    for (let c = 0; c < this.conduits.count; c++) if (bypassed[c] === 0) this.move(c, dt, first)
  }

  private look(c: number, y: number, column: number): number {
    const at = y * this.perMetre[c]
    if (at >= TABLE_INTERVALS) return this.rows[this.firstRow[c] + TABLE_INTERVALS * TABLE_STRIDE + column]
    const k = at | 0
    const row = this.firstRow[c] + k * TABLE_STRIDE + column
    return this.rows[row] + (at - k) * (this.rows[row + TABLE_STRIDE] - this.rows[row])
  }

  private width(c: number, y: number): number {
    if (this.closed[c] === 0) return this.look(c, y, 1)
    if (!this.slot) return this.look(c, Math.min(y, this.crown * this.fullDepth[c]), 1)
    return slotWidth(this.tables[c], y / this.fullDepth[c]) || this.look(c, y, 1)
  }

  private areaAt(c: number, y: number): number {
    return this.slot && y > this.fullDepth[c] ? this.sections.slotArea(c, y) : this.look(c, y, 0)
  }

  private froudeAt(c: number, v: number, y: number): number {
    if (y <= FILM_M || (this.closed[c] === 1 && this.fullDepth[c] - y <= FILM_M)) return 0
    return Math.abs(v) / Math.sqrt((GRAVITY * this.look(c, y, 0)) / this.look(c, y, 1))
  }

  /** Height of an end over the water in its node, which an outfall's stage lowers. */
  private dropAt(p: number, end: number) {
    return p >= this.unknowns ? Math.max(0, end - this.invert[p] - this.depth[p]) : end - this.invert[p]
  }

  private fallDepth(c: number, q: number) {
    return Math.max(
      FILM_M,
      Math.min(normalDepth(this.tables[c], q, this.beta[c]), criticalDepth(this.tables[c], q)),
    )
  }

  /** Sets `this.state`, and `this.share` of the surface of the lower half that counts. */
  private classify(c: number, q: number): void {
    this.state = SUBCRITICAL
    this.share = 1
    const wet1 = this.y1 > FILM_M
    const wet2 = this.y2 > FILM_M
    if (wet1 && wet2) {
      if (q < 0) {
        if (
          this.dropAt(this.from[c], this.fromInvert[c]) > 0 &&
          this.y1 < Math.min(normalDepth(this.tables[c], -q, this.beta[c]), criticalDepth(this.tables[c], -q))
        )
          this.state = FROM_CRITICAL
      } else if (this.dropAt(this.to[c], this.toInvert[c]) > 0) {
        const normal = normalDepth(this.tables[c], q, this.beta[c])
        const critical = criticalDepth(this.tables[c], q)
        const low = Math.min(normal, critical)
        const high = Math.max(normal, critical)
        if (this.y2 < low) this.state = TO_CRITICAL
        else if (this.y2 < high) this.share = high - low < FILM_M ? 0 : (high - this.y2) / (high - low)
      }
    } else if (!wet1 && !wet2) this.state = DRY
    else if (wet2) {
      if (this.h2 < this.fromInvert[c]) this.state = FROM_DRY
      else if (this.dropAt(this.from[c], this.fromInvert[c]) > 0) this.state = FROM_CRITICAL
    } else if (this.h1 < this.toInvert[c]) this.state = TO_DRY
    else if (this.dropAt(this.to[c], this.toInvert[c]) > 0) this.state = TO_CRITICAL
  }

  /** Surfaces of a conduit's two halves; depths and heads of free ends. */
  private stand(c: number, q: number): void {
    if (this.y1 >= this.fullDepth[c] && this.y2 >= this.fullDepth[c]) {
      this.state = SUBCRITICAL
      this.share = 1
    } else this.classify(c, q)
    const L = this.length[c]
    this.surface1 = 0
    this.surface2 = 0
    if (this.state === DRY) {
      this.surface1 = this.surface2 = (FILM_M * L) / 2
      return
    }
    if (this.state === FROM_CRITICAL) {
      this.y1 = this.fallDepth(c, Math.abs(q))
      this.h1 = this.fromInvert[c] + this.y1
    } else if (this.state === TO_CRITICAL) {
      this.y2 = this.fallDepth(c, Math.abs(q))
      this.h2 = this.toInvert[c] + this.y2
    } else if (this.state === FROM_DRY) this.y1 = FILM_M
    else if (this.state === TO_DRY) this.y2 = FILM_M
    const middle = this.width(c, Math.max(FILM_M, 0.5 * (this.y1 + this.y2)))
    if (this.state === FROM_CRITICAL) this.surface2 = (middle + this.width(c, this.y2)) * L * 0.5
    else if (this.state === TO_CRITICAL) this.surface1 = (this.width(c, this.y1) + middle) * L * 0.5
    else {
      if (this.state !== FROM_DRY || this.fromInvert[c] - this.invert[this.from[c]] <= 0)
        this.surface1 = (this.width(c, this.y1) + middle) * L * 0.25
      if (this.state !== TO_DRY || this.toInvert[c] - this.invert[this.to[c]] <= 0)
        this.surface2 = (this.width(c, this.y2) + middle) * L * 0.25 * this.share
    }
  }

  private seepage(c: number, dt: number): number {
    const y = this.arrays.middle[c]
    const speed = this.conduits.seepage[c]
    if (speed <= 0 || y <= FILM_M) return 0
    const table = this.tables[c]
    const wide = tableAt(table, Math.min(y, table.widestDepthM), 1)
    return Math.min(speed * wide * this.length[c], (this.arrays.endArea[c] * this.length[c]) / dt)
  }

  /** Normal flow where it governs and is less than `q`. */
  private normalFlow(c: number, q: number, a1: number): number {
    let governs = (this.bySlope || this.atOutfall[c] === 1) && this.y1 < this.y2
    if (!governs && this.byFroude && this.atOutfall[c] === 0 && this.y1 > FILM_M && this.y2 > FILM_M)
      governs = this.froudeAt(c, q / a1, this.y1) >= 1
    if (!governs) return q
    const most = this.beta[c] * this.look(c, this.y1, 3)
    return most < q ? most : q
  }

  /** What this.gates, limits and dry nodes leave of a flow. */
  private cut(c: number, q: number): number {
    const most = this.conduits.maxFlow[c]
    if (most > 0 && Math.abs(q) > most) q = Math.sign(q) * most
    if ((q < 0 && this.gates.back(c)) || (q > 0 && this.gates.forth(c))) q = 0
    if (q > FILM_M3S && this.depth[this.from[c]] <= FILM_M) q = FILM_M3S
    if (q < -FILM_M3S && this.depth[this.to[c]] <= FILM_M) q = -FILM_M3S
    return q
  }

  private stop(c: number, dt: number, a1: number, a2: number, aMid: number, yMid: number): void {
    this.area[c] = 0.5 * (a1 + a2)
    this.endArea[c] = this.area[c]
    this.flow[c] = 0
    this.slope[c] = ((GRAVITY * dt * aMid) / this.length[c]) * this.barrels[c]
    this.froude[c] = 0
    this.middle[c] = Math.min(yMid, this.fullDepth[c])
  }

  /** Heads and depths at the ends, from those of the nodes. */
  private meet(c: number, full: number): void {
    this.h1 = Math.max(this.head[this.from[c]], this.fromInvert[c])
    this.h2 = Math.max(this.head[this.to[c]], this.toInvert[c])
    this.y1 = Math.max(this.h1 - this.fromInvert[c], FILM_M)
    this.y2 = Math.max(this.h2 - this.toInvert[c], FILM_M)
    if (this.slot) return
    this.y1 = Math.min(this.y1, full)
    this.y2 = Math.min(this.y2, full)
  }

  /** Local losses over the areas that they act in, 1/m2. */
  private losses(c: number, a1: number, a2: number, aMid: number): number {
    let losses = 0
    if (a1 > FILM_M2) losses += this.conduits.lossIn[c] / a1
    if (a2 > FILM_M2) losses += this.conduits.lossOut[c] / a2
    if (aMid > FILM_M2) losses += this.conduits.lossMean[c] / aMid
    return losses
  }

  /** What an inlet or normal flow lets through of a flow. */
  private governed(c: number, q: number, a1: number, isFull: boolean): number {
    const full = this.fullDepth[c]
    if (this.conduits.inlets[c] !== null && !isFull)
      return Math.min(q, this.sections.inletFlow(c, this.h1 - this.fromInvert[c]))
    if (!this.limited || this.state !== SUBCRITICAL) return q
    const below = this.y1 < full || (this.rimmed[c] === 1 && this.y1 <= full + FILM_M)
    return below ? this.normalFlow(c, q, a1) : q
  }

  private move(c: number, dt: number, first: boolean): void {
    const full = this.fullDepth[c]
    const last = this.flow[c]
    this.meet(c, full)
    this.stand(c, last)
    this.arrays.fromSurface[c] = this.surface1 * this.barrels[c]
    this.arrays.toSurface[c] = this.surface2 * this.barrels[c]
    const a1 = this.areaAt(c, this.y1)
    const a2 = this.areaAt(c, this.y2)
    const yMid = 0.5 * (this.y1 + this.y2)
    const aMid = this.areaAt(c, yMid)
    const isFull = this.y1 >= full && this.y2 >= full
    if (this.state < SUBCRITICAL || this.arrays.open[c] === 0 || aMid <= FILM_M2) {
      this.stop(c, dt, a1, a2, aMid, yMid)
      return
    }
    let v = last / aMid
    if (v > FASTEST_MS) v = FASTEST_MS
    else if (v < -FASTEST_MS) v = -FASTEST_MS
    const fr = this.froudeAt(c, v, yMid)
    this.froude[c] = fr
    let sigma = fr <= 0.5 ? 1 : fr >= 1 ? 0 : 2 * (1 - fr)
    const rho = !isFull && last > 0 && this.h1 >= this.h2 ? sigma : 1
    const aWtd = a1 + (aMid - a1) * rho
    const rMid = this.look(c, yMid, 2)
    const rWtd =
      rho === 1 ? rMid : rho === 0 ? this.look(c, this.y1, 2) : blend(this.look(c, this.y1, 2), rMid, rho)
    if (this.undamped) sigma = 1
    else if (this.damped) sigma = 0
    if (isFull && this.closed[c] === 1) sigma = 0
    const speed = Math.abs(v)
    const rubbing =
      this.conduits.forceMain[c] > 0 && isFull
        ? forceMainFriction(
            this.conduits.forceMain[c],
            speed,
            this.tables[c].fullRadiusM,
            this.options.forceMainEquation,
          )
        : (this.friction[c] / rWtd) * speed
    let resisting = 1 + dt * rubbing
    const L = this.length[c]
    let q = this.oldFlow[c] - (dt * GRAVITY * aWtd * (this.h2 - this.h1)) / L
    if (sigma > 0)
      q += sigma * (2 * v * (aMid - Math.max(this.oldArea[c], FILM_M2)) + (dt * v * v * (a2 - a1)) / L)
    if (this.lossy[c] === 1) resisting += (this.losses(c, a1, a2, aMid) * Math.abs(last) * dt) / (2 * L)
    if (this.conduits.seepage[c] > 0) {
      const loss = this.seepage(c, dt)
      this.arrays.loss[c] = loss * this.barrels[c]
      q += (loss * 2.5 * dt * v) / L
    }
    q /= resisting
    this.slope[c] = ((GRAVITY * dt * aWtd) / (L * resisting)) * this.barrels[c]
    if (q > 0) q = this.governed(c, q, a1, isFull)
    if (!first) {
      q = (1 - RELAXATION) * last + RELAXATION * q
      if (q * last < 0) q = Math.sign(q) * TURNING_M3S
    }
    q = this.cut(c, q)
    this.flow[c] = q
    this.area[c] = aMid
    this.endArea[c] = 0.5 * (a1 + a2)
    this.middle[c] = Math.min(yMid, full)
  }
}

/** Radius^(4/3) of a radius between two, given theirs. */
function blend(r1: number, rMid: number, rho: number): number {
  const a = r1 ** 0.75
  return (a + (rMid ** 0.75 - a) * rho) ** (4 / 3)
}

const FT = 0.3048

/**
 * 1 for conduits that normal flow limits although the node above stands at its rim, which is their top. EPA SWMM asks for a depth below the top, and
 * reckons it in feet as (depth + bottom) - bottom: rounding decides, and is done here as there.
 */
function limitedAtRim({ plan }: ExplicitInput): Uint8Array {
  const { conduits, invert, fullDepth } = plan
  return Uint8Array.from(conduits.tables, ({ fullDepthM }, c) => {
    const p = conduits.from[c]
    const bottom = invert[p] / FT
    const end = bottom + (conduits.fromInvert[c] - invert[p]) / FT
    return fullDepth[p] / FT + bottom - end < fullDepthM / FT ? 1 : 0
  })
}

/** Whether a conduit's own gate or that of its outfall lets nothing along it, or nothing back. */
function gatesOf({ network, plan }: ExplicitInput) {
  const { conduits, unknowns, nodeOf } = plan
  const shut = (p: number) => {
    if (p < unknowns) return false
    const node = network.nodes[nodeOf[p]]
    return node.kind === 'outfall' && node.flapGate
  }
  const back = new Uint8Array(conduits.count)
  const forth = new Uint8Array(conduits.count)
  for (let c = 0; c < conduits.count; c++) {
    const own = conduits.flapGate[c] === 1
    back[c] = (own && conduits.direction[c] > 0) || shut(conduits.to[c]) ? 1 : 0
    forth[c] = (own && conduits.direction[c] < 0) || shut(conduits.from[c]) ? 1 : 0
  }
  return { back: (c: number) => back[c] === 1, forth: (c: number) => forth[c] === 1 }
}
