import type { SewerOptions } from '@radx/contracts'
import type { StateVisitor } from '../../state/state.ts'
import type { ConduitSections } from '../network/conduit-sections.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { ReachArrays } from '../network/reach-arrays.ts'
import type { ReachLoops } from '../network/reaches.ts'
import type { Room } from '../network/room.ts'
import type { Part } from './part.ts'
import type { StepLoops, StepLoopsInput } from './step-loops.ts'

/** What the inner loops work on; nodes by position (outfalls behind the unknown ones), conduits as in the plan. */
export interface SewerState {
  /** Heads, and those of the step being solved, m. */
  head: Float64Array
  trial: Float64Array
  /** Heads that drive flows: those looked at, no higher than a rim over which water leaves at once, m. */
  driving: Float64Array
  /** How fast heads moved in the last step, m/s, and what nodes hold, m3. */
  rate: Float64Array
  /** What left each node through conduits at the end of the last step, m3/s. */
  leaving: Float64Array
  volume: Float64Array
  /** Whether a node may let water out in this step: 0 a dry one, 2 one that would be emptied by what left it before, else 1. */
  canLeave: Uint8Array
  /** 1 where an outfall's gate lets nothing in, by outfall. */
  outfallGate: Uint8Array
  /** Volume that a node should hold before flows, m3; level above which it gives water out, m, and m2 that takes it. */
  wanted: Float64Array
  floodLevel: Float64Array
  floodArea: Float64Array
  /** Setting of each conduit, 0 = closed by a rule. */
  open: Uint8Array
  /** Flow a barrel, middle area of the last step and its length, m3/s, m2, s. */
  flow: Float64Array
  area: Float64Array
  lastStepS: Float64Array
  /** Middle area and depth of the step being solved, m2, m. */
  nextArea: Float64Array
  depth: Float64Array
  /** Depth that a free end would take at the last flow, m; only kept for ends that hang free. */
  endDepth: Float64Array
  /** Flow a barrel at the heads last looked at, m3/s. */
  conduitFlow: Float64Array
  /** What the step carries then, m3/s a barrel. */
  meanFlow: Float64Array
  /** The nodes' linear system: see `Elimination`. */
  diagonal: Float64Array
  vector: Float64Array
  upper: Float64Array
  lower: Float64Array
}

/**
 * What becomes of each array when a state is saved: `kept` goes with it, `scratch` is found anew before it is looked at, `fixed`
 * follows from the network.
 */
export const SEWER_STATES: Readonly<Record<keyof SewerState, 'kept' | 'scratch' | 'fixed'>> = {
  head: 'kept',
  trial: 'kept',
  driving: 'kept',
  rate: 'kept',
  leaving: 'kept',
  volume: 'kept',
  canLeave: 'kept',
  outfallGate: 'fixed',
  wanted: 'kept',
  floodLevel: 'kept',
  floodArea: 'kept',
  open: 'kept',
  flow: 'kept',
  area: 'kept',
  lastStepS: 'kept',
  nextArea: 'kept',
  depth: 'kept',
  endDepth: 'kept',
  conduitFlow: 'kept',
  meanFlow: 'kept',
  diagonal: 'scratch',
  vector: 'scratch',
  upper: 'scratch',
  lower: 'scratch',
}

/** The arrays' state. */
export function visitArrays(state: StateVisitor, arrays: SewerState): void {
  for (const name of Object.keys(SEWER_STATES) as (keyof SewerState)[]) {
    if (SEWER_STATES[name] === 'kept') state.array(name, arrays[name])
    else if (SEWER_STATES[name] === 'scratch') state.scratch(arrays[name])
  }
}

export interface KernelInput {
  plan: SewerPlan
  sections: ConduitSections
  options: SewerOptions
  /** Share of flows, and of the heads that drive them, at the end of a step, the rest at its start; where conduits are full another. */
  theta: number
  thetaFull: number
}

/** The inner loops of the sewer: the reference in TypeScript, or the same formulas compiled, with the same bits. */
export interface SewerKernel {
  state: SewerState
  /** Where arrays lie that it works on. */
  room: Room
  /** Compiled loops of the reaches, given the kernel's own arrays; without them those in TypeScript are used. */
  compileReaches?(arrays: ReachArrays): ReachLoops
  /** Compiled loops of what a step begins and ends with, over arrays of the kernel's room; without them those in TypeScript are used. */
  compileSteps?(input: StepLoopsInput): StepLoops
  /** Room for a part of the network. */
  part(): Part
  /** Finds the linear law of every conduit of the part for a step of `dt` from these heads. */
  prepare(dt: number, heads: Float64Array, part: Part): void
  /**
   * Begins the balances: `vector` is what nodes lack (`wanted` less what they hold and give out), `diagonal` the surface
   * that stands against it; the rest of the matrix is emptied.
   * @param outer for nested Newton: the heads at which the shrinking part of the surface is replaced by its tangent
   */
  stored(heads: Float64Array, wanted: Float64Array, part: Part, outer?: Float64Array): void
  /** Adds the conduits' flows at these heads over `dt`. */
  flows(dt: number, heads: Float64Array, part: Part): void
  /** How many balances are not met within a head of `toleranceM`; -1 when one is off by over `hopelessM`. */
  openBalances(part: Part, toleranceM: number, hopelessM: number): number
  /** Solves for the change of heads and adds it. */
  move(heads: Float64Array, part: Part): void
}

export function createState(
  { unknowns, nodeOf, conduits }: SewerPlan,
  room: Room,
  matrix: Matrix,
): SewerState {
  const nodes = nodeOf.length
  const { count } = conduits
  const state = {
    head: room.f64(nodes),
    trial: room.f64(nodes),
    driving: room.f64(nodes),
    rate: room.f64(unknowns),
    leaving: room.f64(nodes),
    volume: room.f64(unknowns),
    canLeave: room.u8(nodes).fill(1),
    outfallGate: room.u8(nodes - unknowns),
    wanted: room.f64(unknowns),
    floodLevel: room.f64(unknowns),
    floodArea: room.f64(unknowns),
    open: room.u8(count).fill(1),
    flow: room.f64(count),
    area: room.f64(count),
    lastStepS: room.f64(count),
    nextArea: room.f64(count),
    depth: room.f64(count),
    endDepth: room.f64(count),
    conduitFlow: room.f64(count),
    meanFlow: room.f64(count),
    diagonal: matrix.diagonal,
    vector: matrix.vector,
    upper: matrix.upper,
    lower: matrix.lower,
  }
  state.flow.set(conduits.initFlow)
  return state
}

type Matrix = Pick<SewerState, 'diagonal' | 'vector' | 'upper' | 'lower'>

export const emptyPart = (room: Room, { unknowns, conduits }: SewerPlan): Part => ({
  nodes: room.i32(unknowns),
  nodeCount: 0,
  conduits: room.i32(conduits.count),
  conduitCount: 0,
  whole: false,
})
