import { GRAVITY } from '@radx/contracts/constants'
import type { ConduitSections } from '../network/conduit-sections.ts'
import { HAZEN_POWER } from '../sections/friction.ts'
import { powerOf, powerTable } from '../sections/power.ts'
import { criticalDepth, normalDepth, type SectionTable, widthAbove } from '../sections/section-table.ts'
import type { SchemeOptions } from '../step/conduit-facts.ts'
import type { ExplicitArrays, ExplicitInput } from './arrays.ts'
import { type ExplicitFacts, explicitFacts, optionsOf } from './facts.ts'
import { FASTEST_MS, FILM_M, FILM_M2, FILM_M3S, RELAXATION, TURNING_M3S } from './limits.ts'
import { createSectionLook, type SectionLook } from './section-look.ts'

/** How water stands in a conduit (SWMM Reference Manual II, 3.3.4). */
const DRY = 0
const FROM_DRY = 1
const TO_DRY = 2
const SUBCRITICAL = 3
const FROM_CRITICAL = 4
const TO_CRITICAL = 5

const HAZEN = powerTable(HAZEN_POWER)

/** Momentum of a conduit in a trial. */
export interface ConduitFlows {
  /** New flow and what it brings to the nodes' surfaces and slopes; `first`: no trial of this step went before. */
  move(c: number, dt: number, first: boolean): void
}

/**
 * Explicit momentum along each conduit at the heads of the trial before (SWMM Reference Manual II, eq. 3-14 and 3.3): normal
 * flow, free falls, gates and dry nodes within, half of the answer taken from the second trial on. What the compiled loops
 * (assembly/explicit) are held against, operation by operation.
 */
export function createConduitFlows(input: ExplicitInput): ConduitFlows {
  return new Momentum(input)
}

class Momentum implements ConduitFlows {
  private readonly sections: ConduitSections
  private readonly arrays: ExplicitArrays
  private readonly options: SchemeOptions
  private readonly facts: ExplicitFacts
  private readonly look: SectionLook['look']
  private readonly tables: SectionTable[]
  private readonly unknowns: number
  private readonly from: Int32Array
  private readonly to: Int32Array
  // Of the conduit that is at work: depths and heads of its ends, how water stands in it, share of the lower half's surface.
  private y1 = 0
  private y2 = 0
  private h1 = 0
  private h2 = 0
  private state = DRY
  private share = 1

  constructor(input: ExplicitInput) {
    const { plan, sections, arrays } = input
    this.sections = sections
    this.arrays = arrays
    this.options = optionsOf(input)
    this.facts = explicitFacts(input)
    this.look = createSectionLook(sections).look
    this.tables = plan.conduits.tables
    this.unknowns = plan.unknowns
    this.from = plan.conduits.from
    this.to = plan.conduits.to
  }

  move(c: number, dt: number, first: boolean): void {
    const { arrays, facts, options } = this
    const full = facts.fullDepth[c]
    const last = arrays.flow[c]
    this.meet(c, last)
    const { y1, y2, h1, h2, state } = this
    const yMid = 0.5 * (y1 + y2)
    const a1 = this.areaAt(c, y1)
    const a2 = this.areaAt(c, y2)
    const aMid = this.areaAt(c, yMid)
    this.surfaces(c, yMid)
    const isFull = y1 >= full && y2 >= full
    if (state < SUBCRITICAL || arrays.open[c] === 0 || aMid <= FILM_M2) {
      this.stop(c, dt, a1, a2, aMid, yMid)
      return
    }
    let v = last / aMid
    if (v > FASTEST_MS) v = FASTEST_MS
    else if (v < -FASTEST_MS) v = -FASTEST_MS
    const speed = Math.abs(v)
    const wave = GRAVITY * this.look(c, yMid, 0)
    const square = this.waves(c, yMid) ? speed * speed * this.look(c, yMid, 1) : 0
    arrays.square[c] = square
    arrays.wave[c] = wave
    let sigma = square <= 0.25 * wave ? 1 : square >= wave ? 0 : 2 * (1 - Math.sqrt(square / wave))
    const rho = !isFull && last > 0 && h1 >= h2 ? sigma : 1
    const aWtd = a1 + (aMid - a1) * rho
    if (options.dampNone) sigma = 1
    else if (options.dampFull) sigma = 0
    if (isFull && facts.closed[c] === 1) sigma = 0
    const pace = dt * facts.perLength[c]
    const pull = GRAVITY * pace * aWtd
    let q = arrays.oldFlow[c] + pull * (h1 - h2)
    if (sigma > 0)
      q += sigma * (2 * v * (aMid - Math.max(arrays.oldArea[c], FILM_M2)) + pace * v * v * (a2 - a1))
    if (facts.seeping[c] === 1) {
      const loss = this.seepage(c, dt)
      arrays.loss[c] = loss * facts.barrels[c]
      q += loss * 2.5 * pace * v
    }
    const rubbing = facts.friction[c] * dt * speed
    let left: number
    if (facts.plain[c] === 1) {
      const rMid = this.look(c, yMid, 2)
      const r = rho === 1 ? rMid : blend(this.look(c, y1, 2), rMid, rho)
      left = r / (r + rubbing)
    } else {
      let resisting = 1
      if (facts.forceMain[c] === 1 && isFull) resisting += dt * this.mainFriction(c, speed)
      else {
        const rMid = this.look(c, yMid, 2)
        resisting += rubbing / (rho === 1 ? rMid : blend(this.look(c, y1, 2), rMid, rho))
      }
      if (facts.lossy[c] === 1) resisting += 0.5 * pace * Math.abs(last) * this.losses(c, a1, a2, aMid)
      left = 1 / resisting
    }
    q *= left
    arrays.slope[c] = pull * left * facts.barrels[c]
    if (q > 0) q = this.governed(c, q, a1, isFull)
    if (!first) {
      q = (1 - RELAXATION) * last + RELAXATION * q
      if (q * last < 0) q = Math.sign(q) * TURNING_M3S
    }
    arrays.flow[c] = this.cut(c, q)
    arrays.area[c] = aMid
    arrays.endArea[c] = 0.5 * (a1 + a2)
    arrays.middle[c] = Math.min(yMid, full)
  }

  /** Friction of a full force main at a speed, 1/s. */
  private mainFriction(c: number, speed: number): number {
    const hazen = this.facts.mainFriction[c]
    return hazen === 0 ? this.sections.forceMain(c, speed) : hazen * powerOf(HAZEN, speed)
  }

  /** Heads and depths at the ends, from those of the nodes; free ends as water falls there. */
  private meet(c: number, q: number): void {
    const { arrays, facts } = this
    const full = facts.fullDepth[c]
    const z1 = facts.fromInvert[c]
    const z2 = facts.toInvert[c]
    this.h1 = Math.max(arrays.head[this.from[c]], z1)
    this.h2 = Math.max(arrays.head[this.to[c]], z2)
    this.y1 = Math.max(this.h1 - z1, FILM_M)
    this.y2 = Math.max(this.h2 - z2, FILM_M)
    if (!this.options.slot) {
      this.y1 = Math.min(this.y1, full)
      this.y2 = Math.min(this.y2, full)
    }
    this.state = SUBCRITICAL
    this.share = 1
    if (this.y1 >= full && this.y2 >= full) return
    this.classify(c, q)
    if (this.state === FROM_CRITICAL) {
      this.y1 = this.fallDepth(c, Math.abs(q))
      this.h1 = z1 + this.y1
    } else if (this.state === TO_CRITICAL) {
      this.y2 = this.fallDepth(c, Math.abs(q))
      this.h2 = z2 + this.y2
    } else if (this.state === FROM_DRY) this.y1 = FILM_M
    else if (this.state === TO_DRY) this.y2 = FILM_M
  }

  /** Sets `state`, and `share` of the surface of the lower half that counts. */
  private classify(c: number, q: number): void {
    const { facts } = this
    const wet1 = this.y1 > FILM_M
    const wet2 = this.y2 > FILM_M
    if (wet1 && wet2) {
      if (q < 0) {
        if (this.dropAt(this.from[c], facts.dropFrom[c]) > 0 && this.y1 < this.freeDepth(c, -q))
          this.state = FROM_CRITICAL
      } else if (this.dropAt(this.to[c], facts.dropTo[c]) > 0) this.fall(c, q)
    } else if (!wet1 && !wet2) this.state = DRY
    else if (wet2) {
      if (this.h2 < facts.fromInvert[c]) this.state = FROM_DRY
      else if (this.dropAt(this.from[c], facts.dropFrom[c]) > 0) this.state = FROM_CRITICAL
    } else if (this.h1 < facts.toInvert[c]) this.state = TO_DRY
    else if (this.dropAt(this.to[c], facts.dropTo[c]) > 0) this.state = TO_CRITICAL
  }

  private fall(c: number, q: number): void {
    const normal = normalDepth(this.tables[c], q, this.facts.beta[c])
    const critical = criticalDepth(this.tables[c], q)
    const low = Math.min(normal, critical)
    const high = Math.max(normal, critical)
    if (this.y2 < low) this.state = TO_CRITICAL
    else if (this.y2 < high) this.share = high - low < FILM_M ? 0 : (high - this.y2) / (high - low)
  }

  /** Height of an end over the water in its node, which an outfall's stage lowers. */
  private dropAt(p: number, drop: number): number {
    return p >= this.unknowns ? Math.max(0, drop - this.arrays.depth[p]) : drop
  }

  private freeDepth(c: number, q: number): number {
    return Math.min(normalDepth(this.tables[c], q, this.facts.beta[c]), criticalDepth(this.tables[c], q))
  }

  private fallDepth(c: number, q: number): number {
    return Math.max(FILM_M, this.freeDepth(c, q))
  }

  /** Surfaces of a conduit's two halves, all barrels. */
  private surfaces(c: number, yMid: number): void {
    const { facts, state } = this
    const L = facts.length[c]
    let surface1 = 0
    let surface2 = 0
    if (state === DRY) surface1 = surface2 = (FILM_M * L) / 2
    else {
      const middle = this.width(c, yMid)
      if (state === FROM_CRITICAL) surface2 = (middle + this.width(c, this.y2)) * L * 0.5
      else if (state === TO_CRITICAL) surface1 = (this.width(c, this.y1) + middle) * L * 0.5
      else {
        if (state !== FROM_DRY || facts.dropFrom[c] <= 0)
          surface1 = (this.width(c, this.y1) + middle) * L * 0.25
        if (state !== TO_DRY || facts.dropTo[c] <= 0)
          surface2 = (this.width(c, this.y2) + middle) * L * 0.25 * this.share
      }
    }
    this.arrays.fromSurface[c] = surface1 * facts.barrels[c]
    this.arrays.toSurface[c] = surface2 * facts.barrels[c]
  }

  /** Width with which a conduit stores at a depth. */
  private width(c: number, y: number): number {
    const { facts } = this
    if (y < facts.closesAt[c]) return this.look(c, y, 1)
    if (!this.options.slot) return facts.topWidth[c]
    return widthAbove(this.tables[c], y) || this.look(c, y, 1)
  }

  private areaAt(c: number, y: number): number {
    return this.options.slot && y > this.facts.fullDepth[c]
      ? this.sections.slotArea(c, y)
      : this.look(c, y, 0)
  }

  /** Whether water of a depth has waves: neither a film nor water at a crown. */
  private waves(c: number, y: number): boolean {
    const { facts } = this
    return y > FILM_M && !(facts.closed[c] === 1 && facts.fullDepth[c] - y <= FILM_M)
  }

  private stop(c: number, dt: number, a1: number, a2: number, aMid: number, yMid: number): void {
    const { arrays, facts } = this
    arrays.area[c] = 0.5 * (a1 + a2)
    arrays.endArea[c] = arrays.area[c]
    arrays.flow[c] = 0
    arrays.slope[c] = GRAVITY * (dt * facts.perLength[c]) * aMid * facts.barrels[c]
    arrays.square[c] = 0
    arrays.loss[c] = 0
    arrays.middle[c] = Math.min(yMid, facts.fullDepth[c])
  }

  /** Local losses over the areas that they act in, 1/m2. */
  private losses(c: number, a1: number, a2: number, aMid: number): number {
    const { lossIn, lossOut, lossMean } = this.facts
    let losses = 0
    if (a1 > FILM_M2) losses += lossIn[c] / a1
    if (a2 > FILM_M2) losses += lossOut[c] / a2
    if (aMid > FILM_M2) losses += lossMean[c] / aMid
    return losses
  }

  private seepage(c: number, dt: number): number {
    const { facts, arrays } = this
    const y = arrays.middle[c]
    if (y <= FILM_M) return 0
    const wide = this.look(c, Math.min(y, facts.widestDepth[c]), 1)
    const L = facts.length[c]
    return Math.min(facts.seepage[c] * wide * L, (arrays.endArea[c] * L) / dt)
  }

  /** What an inlet or normal flow lets through of a flow. */
  private governed(c: number, q: number, a1: number, isFull: boolean): number {
    const { facts, options } = this
    const full = facts.fullDepth[c]
    if (facts.culvert[c] === 1 && !isFull)
      return Math.min(q, this.sections.inletFlow(c, this.h1 - facts.fromInvert[c]))
    if (!(options.capBySlope || options.capByFroude) || this.state !== SUBCRITICAL) return q
    const below = this.y1 < full || (facts.rimmed[c] === 1 && this.y1 <= full + FILM_M)
    return below ? this.normalFlow(c, q, a1) : q
  }

  /** Normal flow where it governs and is less than `q`. */
  private normalFlow(c: number, q: number, a1: number): number {
    const { facts, options, y1, y2 } = this
    const atOutfall = facts.atOutfall[c] === 1
    let governs = (options.capBySlope || atOutfall) && y1 < y2
    if (!governs && options.capByFroude && !atOutfall && y2 > FILM_M && this.waves(c, y1))
      governs = q * q * this.look(c, y1, 1) >= GRAVITY * this.look(c, y1, 0) * a1 * a1
    if (!governs) return q
    const most = facts.beta[c] * this.look(c, y1, 3)
    return most < q ? most : q
  }

  /** What gates, limits and dry nodes leave of a flow. */
  private cut(c: number, q: number): number {
    const { facts, arrays } = this
    const most = facts.maxFlow[c]
    let left = most > 0 && Math.abs(q) > most ? Math.sign(q) * most : q
    if ((left < 0 && facts.shutBack[c] === 1) || (left > 0 && facts.shutAlong[c] === 1)) left = 0
    if (left > FILM_M3S && arrays.depth[this.from[c]] <= FILM_M) left = FILM_M3S
    if (left < -FILM_M3S && arrays.depth[this.to[c]] <= FILM_M) left = -FILM_M3S
    return left
  }
}

/** Radius^(4/3) of a radius between two, given theirs. */
function blend(r1: number, rMid: number, rho: number): number {
  if (rho === 0) return r1
  const a = threeQuarters(r1)
  const r = a + (threeQuarters(rMid) - a) * rho
  return r * Math.cbrt(r)
}

/** x^(3/4) by what every processor rounds alike. */
function threeQuarters(x: number): number {
  const root = Math.sqrt(x)
  return root * Math.sqrt(root)
}
