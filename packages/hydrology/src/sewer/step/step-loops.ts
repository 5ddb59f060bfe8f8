import type { SewerPlan } from '../network/plan.ts'
import type { Room } from '../network/room.ts'
import type { Sewer } from '../types.ts'
import type { Part } from './part.ts'

/** What the ledger of a step and the parts that are gone over again are kept in; nodes by position, conduits as in the plan. */
export interface StepArrays {
  /** What links brought each node in the step, m3, and what arrived at it, m3/s. */
  net: Float64Array
  arriving: Float64Array
  /** See `Refinement`. */
  inside: Uint8Array
  conduitInside: Uint8Array
  carried: Float64Array
  flooded: Float64Array
  /** What the pipes at a part's edge bring each of its nodes, m3/s, and what its own bring it in a piece of a step, m3. */
  incoming: Float64Array
  brought: Float64Array
}

export function createStepArrays({ nodeOf, unknowns, conduits }: SewerPlan, room: Room): StepArrays {
  return {
    net: room.f64(nodeOf.length),
    arriving: room.f64(nodeOf.length),
    inside: room.u8(unknowns),
    conduitInside: room.u8(conduits.count),
    carried: room.f64(conduits.count),
    flooded: room.f64(unknowns),
    incoming: room.f64(unknowns),
    brought: room.f64(unknowns),
  }
}

/** What compiled loops of a step work on beside the state; all must lie in the kernel's room. */
export interface StepLoopsInput
  extends StepArrays,
    Pick<Sewer, 'surfaceLevels' | 'openingAreas' | 'floodVolumes'> {
  /** See `SewerViews`. */
  rim: Float64Array
  passed: Float64Array
  /** Volume that enters each node in a step, m3, and what the caller gave for all of its own, in the file's order. */
  lateral: Float64Array
  given: Float64Array
  coupled: boolean
  /** See `NewtonInput`. */
  overflows: boolean
}

/**
 * Compiled: what a step begins and ends with, and all of Newton's method in parts. The formulas are those of `Entry`,
 * `Ledger` and `Refinement`, with the same bits.
 */
export interface StepLoops {
  /** `Entry.enter` for all nodes of a part, and heads that go on as they went. */
  enter(dt: number, share: number, part: Part): void
  /** Shares out what was given for `wholeS` to `dt` of it. */
  shareOut(dt: number, wholeS: number): void
  /** How far heads are off the line on which they moved, at most, m; with `outside` without the nodes of parts. */
  bend(dt: number, part: Part, outside: boolean): number
  /** Whether `Entry.floodsDry` is so of a node. */
  heapsUp(part: Part): boolean
  acceptConduits(dt: number): void
  /** @returns what rose above rims, m3 */
  acceptNodes(dt: number): number
  /** Enters and solves a piece of `ds` of a part's step of `dt`; false when plain Newton does not settle. */
  solvePart(ds: number, dt: number, part: Part): boolean
  acceptPart(ds: number, part: Part): void
}
