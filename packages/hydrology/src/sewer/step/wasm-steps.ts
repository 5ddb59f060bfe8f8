import { writeRecord } from '../../records.ts'
import type { SewerState } from './kernel.ts'
import { HOPELESS_M, PLAIN_ITERATIONS, TOLERANCE_M } from './newton.ts'
import { SEWER_RECORDS, STEP_ARRAYS, STEP_STATE } from './records.ts'
import type { StepLoops, StepLoopsInput } from './step-loops.ts'
import { addressesOf, type Layout } from './wasm-layout.ts'

/** What the kernel has of a step beside its inner loops (assembly/sewer/steps.ts). */
export interface StepExports {
  bindSteps(header: number): void
  enter(dt: number, share: number, nodes: number, count: number): void
  shareOut(given: number, dt: number, wholeS: number, count: number): void
  bend(dt: number, nodes: number, count: number, outside: boolean): number
  heapsUp(nodes: number, count: number): number
  acceptConduits(dt: number): void
  acceptNodes(dt: number): number
  solvePart(
    ds: number,
    dt: number,
    nodes: number,
    count: number,
    conduits: number,
    conduitCount: number,
    looks: number,
    toleranceM: number,
    hopelessM: number,
  ): number
  acceptPart(ds: number, nodes: number, count: number, conduits: number, conduitCount: number): void
}

/** The kernel's loops of a step, over arrays of its room. */
export function compileSteps(
  { input: { plan }, room, view, places, records }: Layout,
  state: SewerState,
  input: StepLoopsInput,
  exports: StepExports,
): StepLoops {
  const { conduits, nodeOf } = plan
  const copies = {
    nodeOf: room.i32(nodeOf.length),
    link: room.i32(conduits.count),
    direction: room.f64(conduits.count),
  }
  copies.nodeOf.set(nodeOf)
  copies.link.set(conduits.link)
  copies.direction.set(conduits.direction)
  const at = records('StepHeader', 1)
  writeRecord(view, at, SEWER_RECORDS.StepHeader, places.StepHeader, {
    coupled: input.coupled ? 1 : 0,
    overflows: input.overflows ? 1 : 0,
    conduitCount: conduits.count,
    ...addressesOf(['nodeOf', 'link', 'direction'], copies),
    ...addressesOf(STEP_STATE, state),
    ...addressesOf(STEP_ARRAYS, input),
  })
  exports.bindSteps(at)
  const given = input.given.byteOffset
  return {
    enter: (dt, share, { nodes, nodeCount }) => exports.enter(dt, share, nodes.byteOffset, nodeCount),
    shareOut: (dt, wholeS) => exports.shareOut(given, dt, wholeS, nodeOf.length),
    bend: (dt, { nodes, nodeCount }, outside) => exports.bend(dt, nodes.byteOffset, nodeCount, outside),
    heapsUp: ({ nodes, nodeCount }) => exports.heapsUp(nodes.byteOffset, nodeCount) !== 0,
    acceptConduits: (dt) => exports.acceptConduits(dt),
    acceptNodes: (dt) => exports.acceptNodes(dt),
    solvePart: (ds, dt, { nodes, nodeCount, conduits, conduitCount }) =>
      exports.solvePart(
        ds,
        dt,
        nodes.byteOffset,
        nodeCount,
        conduits.byteOffset,
        conduitCount,
        PLAIN_ITERATIONS,
        TOLERANCE_M,
        HOPELESS_M,
      ) > 0,
    acceptPart: (ds, { nodes, nodeCount, conduits, conduitCount }) =>
      exports.acceptPart(ds, nodes.byteOffset, nodeCount, conduits.byteOffset, conduitCount),
  }
}
