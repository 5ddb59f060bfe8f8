import { GRAVITY } from '@radx/contracts/constants'
import type { ConduitSections } from '../network/conduit-sections.ts'
import type { SectionTable } from '../sections/section-table.ts'
import { caps } from './caps.ts'
import { type ConduitFacts, conduitFacts, type SchemeOptions, schemeOptions } from './conduit-facts.ts'
import { freeEnds, TINY_M } from './free-ends.ts'
import type { KernelInput, SewerKernel, SewerState } from './kernel.ts'
import { LAW } from './records.ts'
import { sectionAt } from './section-at.ts'
import { emptyTerms, type Terms } from './terms.ts'

/** Velocities are reckoned up to this, m/s (50 ft/s). */
const MAX_SPEED = 15.24

/**
 * Linear law of every conduit for one step, a barrel:
 * `Q = clamp(constant + fromSlope H_from - toSlope H_to, low, high + highSlope H_from)`.
 * What a step carries is `weight` times the flow at its end plus `carried`, a share of that at its start.
 */
export type ConduitLaws = Record<(typeof LAW)[number], Float64Array>

/**
 * Weight of a step's end in what it carries and in the heads that drive it (docs/formulas/sewer.md): 0.5 would be of second
 * order in time and let waves ring for ever, 1 (backward Euler) flattens their peaks.
 */
export const THETA = 0.65

/**
 * Weights of a network's conduits, and of those that are full. Full ones without a surface take the step's end: no storage
 * keeps waves apart, and long steps of 5 s are to stand.
 */
export const thetas = (coupled: boolean) => ({ theta: THETA, thetaFull: coupled ? THETA : 1 })

/** What the terms read and write, by conduit; nodes by position. */
export interface Momentum {
  from: Int32Array
  to: Int32Array
  invert: Float64Array
  unknowns: number
  tables: readonly SectionTable[]
  sections: ConduitSections
  facts: ConduitFacts
  options: SchemeOptions
  state: SewerState
  laws: ConduitLaws
}

/**
 * Saint-Venant momentum along a conduit (SWMM Reference Manual II, eq. 3-14 and 3.3): friction implicit, heads
 * implicit, inertia by the damping asked for, areas upstream-weighted with the Froude number, flow capped at
 * normal flow where the water runs steep or supercritical. The cap follows the upper head within the step.
 */
export function createMomentum(
  input: KernelInput,
  state: SewerState,
): { laws: ConduitLaws; prepare: SewerKernel['prepare'] } {
  const { plan, sections } = input
  const { from, to, tables, count } = plan.conduits
  const laws = Object.fromEntries(LAW.map((name) => [name, new Float64Array(count)])) as ConduitLaws
  const momentum: Momentum = {
    ...{ from, to, tables, sections, state, laws },
    invert: plan.invert,
    unknowns: plan.unknowns,
    facts: conduitFacts(input),
    options: schemeOptions(input),
  }
  const terms = emptyTerms()
  return {
    laws,
    prepare(dt, heads, { conduits, conduitCount }) {
      for (let j = 0; j < conduitCount; j++) {
        const c = conduits[j]
        const headFrom = heads[from[c]]
        const headTo = heads[to[c]]
        const q = state.flow[c]
        freeEnds(terms, momentum, c, q, headFrom, headTo)
        sectionAt(terms, momentum, c)
        standStill(laws, c)
        if (terms.dry || state.open[c] === 0 || terms.areaMid < 1e-9) continue
        momentumTerms(terms, momentum, c, q, dt)
        caps(terms, momentum, c, headFrom, headTo)
      }
    },
  }
}

/** The law of a conduit that carries nothing, without limits. */
function standStill(laws: ConduitLaws, c: number): void {
  laws.constant[c] = 0
  laws.fromSlope[c] = 0
  laws.toSlope[c] = 0
  laws.low[c] = -Infinity
  laws.high[c] = Infinity
  laws.highSlope[c] = 0
  laws.weight[c] = 1
  laws.carried[c] = 0
}

/** Friction, pressure and inertia of a conduit whose last flow was `q`, m3/s, over a step of `dt`, s. */
function momentumTerms(terms: Terms, momentum: Momentum, c: number, q: number, dt: number): void {
  const { area, lastStepS } = momentum.state
  const { areaMid } = terms
  const perLength = momentum.facts.perLength[c]
  let v = q / areaMid
  if (v > MAX_SPEED) v = MAX_SPEED
  else if (v < -MAX_SPEED) v = -MAX_SPEED
  const speed = Math.abs(v)
  const wave = waveDamping(terms, momentum, c, speed)
  const rho = !terms.isFull && q > 0 && terms.h1 >= terms.h2 ? wave : 1
  const areaW = terms.area1 + (areaMid - terms.area1) * rho
  const radiusW = terms.radius1 + (terms.radiusMid - terms.radius1) * rho
  // Inertia is explicit: where the water crosses the conduit more than once in a step it would run away.
  const sigma = damping(terms, momentum, c, wave, dt * speed * perLength)
  const inverse = 1 / (1 + dt * drag(terms, momentum, c, q, speed, radiusW))
  const slope = GRAVITY * dt * areaW * inverse * perLength
  // The term 2 v dA of the manual acts half in EPA SWMM as it runs: with two trials a step, as it takes nearly
  // always, the first sees no change of area and the flow is the mean of both. Measured: docs/validation.md.
  let inertia = 0
  if (sigma > 0) {
    const ratio = lastStepS[c] > 0 ? dt / lastStepS[c] : 0
    const local = v * (areaMid - area[c]) * ratio
    inertia = sigma * (local + dt * v * v * (terms.area2 - terms.area1) * perLength)
  }
  pressure(terms, momentum, c, q, (q + inertia) * inverse, slope)
}

/**
 * The law: of the slope of heads a share stands at the step's end; heads that are held move into the constant. Full pipes
 * have next to no storage to keep waves apart, emptying nodes not the water for a share of what was.
 */
function pressure(
  terms: Terms,
  { from, to, options, state, laws }: Momentum,
  c: number,
  q: number,
  carriedOver: number,
  slope: number,
): void {
  const { canLeave } = state
  let weight = 1
  if (canLeave[from[c]] === 1 && canLeave[to[c]] === 1) {
    weight = terms.isFull ? options.thetaFull : options.theta
    laws.weight[c] = weight
    laws.carried[c] = (1 - weight) * q
  }
  const ahead = weight * slope
  let constant = carriedOver + (slope - ahead) * (terms.h1 - terms.h2)
  if (terms.hold1) constant += ahead * terms.h1
  else laws.fromSlope[c] = ahead
  if (terms.hold2) constant -= ahead * terms.h2
  else laws.toSlope[c] = ahead
  laws.constant[c] = constant
}

/** Share of inertia by the Froude number: 1 up to 0.5, 0 from 1 on; 1 at the crown of closed conduits. */
function waveDamping(terms: Terms, { facts }: Momentum, c: number, speed: number): number {
  if (facts.closed[c] === 1 && facts.fullDepth[c] - terms.yMid <= TINY_M) return 1
  // Squares: few pipes need the root.
  const square = speed * speed * terms.widthMid
  const wave = GRAVITY * terms.areaMid
  if (square >= wave) return 0
  return square > 0.25 * wave ? 2 * (1 - Math.sqrt(square / wave)) : 1
}

/** Share of inertia that acts, by INERTIAL_DAMPING; `crossings`: how often water runs through the conduit in the step. */
function damping(
  terms: Terms,
  { options, facts }: Momentum,
  c: number,
  wave: number,
  crossings: number,
): number {
  let sigma = options.dampNone ? 1 : options.dampFull ? 0 : wave
  if (terms.isFull && facts.closed[c] === 1) sigma = 0
  return crossings > 1 ? sigma / crossings : sigma
}

/** By which factor momentum decays a second, 1/s: Manning or a force main's law, and the losses at the ends. */
function drag(
  terms: Terms,
  { facts, sections }: Momentum,
  c: number,
  q: number,
  speed: number,
  radiusW: number,
): number {
  const friction =
    facts.forceMain[c] === 1 && terms.isFull
      ? sections.forceMain(c, speed)
      : (facts.friction[c] * speed) / radiusW
  if (facts.lossy[c] === 0) return friction
  const losses =
    facts.lossIn[c] / Math.max(terms.area1, 1e-9) +
    facts.lossOut[c] / Math.max(terms.area2, 1e-9) +
    facts.lossMean[c] / terms.areaMid
  return friction + (losses * Math.abs(q)) / (2 * facts.length[c])
}
