import type { SewerConduit, SewerNode, SewerOptions, SewerSection } from '@radx/contracts'
import { layOutSections } from '../network/conduit-sections.ts'
import { planSewer } from '../network/plan.ts'
import { heap } from '../network/room.ts'
import { createState, emptyPart, type SewerState } from '../step/kernel.ts'
import { createMomentum, THETA } from '../step/momentum.ts'
import { takeAll } from '../step/part.ts'
import { conduit, junction, network, section } from './build.ts'

/** An open channel 2 m wide, whose table has a row every centimetre: its formulas are exact there. */
export const CHANNEL = section('RECT_OPEN', 2.56, 2)
export const area = (y: number) => 2 * y
export const radius = (y: number) => (2 * y) / (2 + 2 * y)

export interface PipeCase {
  profile?: SewerSection
  more?: Partial<SewerConduit>
  options?: Partial<SewerOptions>
  /** Elevation of the bottoms of both nodes, m; default 10. */
  bottoms?: [number, number]
  nodes?: [SewerNode, SewerNode]
  /** Heads at the ends of the conduit, as the file has them, m. */
  heads: [number, number]
  dt?: number
  /** Flows and heads at the end of the step alone; true unless said. */
  implicit?: boolean
  /** Of a full conduit where they are not; 1 unless said. */
  thetaFull?: number
  /** Flow a barrel in the conduit's own direction, m3/s. */
  flow?: number
  /** What the conduit remembers of the last step; default nothing. */
  lastArea?: number
  lastStepS?: number
  /** What else the step knows, by the file's order of nodes. */
  prepare?: (state: SewerState, positionOf: Int32Array) => void
}

/** The linear law that one conduit of 100 m gets for a step, and the plan it lies in. */
export function pipeLaw(given: PipeCase) {
  const [z1, z2] = given.bottoms ?? [10, 10]
  const nodes = given.nodes ?? [junction('A', z1), junction('B', z2)]
  const link = conduit('C', 0, 1, 100, given.profile ?? CHANNEL, given.more)
  const net = network(nodes, [link], given.options)
  const plan = planSewer(net)
  const state = createState(plan, heap, plan.elimination)
  const input = {
    plan,
    sections: layOutSections(plan.conduits, net.options),
    options: net.options,
    ...(given.implicit === false
      ? { theta: THETA, thetaFull: given.thetaFull ?? 1 }
      : { theta: 1, thetaFull: 1 }),
  }
  const { laws, prepare } = createMomentum(input, state)
  state.flow[0] = plan.conduits.direction[0] * (given.flow ?? 0)
  state.area[0] = given.lastArea ?? 0
  state.lastStepS[0] = given.lastStepS ?? 0
  given.prepare?.(state, plan.positionOf)
  const heads = Float64Array.from(plan.nodeOf, (node) => given.heads[node])
  prepare(given.dt ?? 2, heads, takeAll(emptyPart(heap, plan)))
  return {
    constant: laws.constant[0],
    fromSlope: laws.fromSlope[0],
    toSlope: laws.toSlope[0],
    low: laws.low[0],
    high: laws.high[0],
    highSlope: laws.highSlope[0],
    weight: laws.weight[0],
    carried: laws.carried[0],
    nextArea: state.nextArea[0],
    depth: state.depth[0],
    endDepth: state.endDepth[0],
    plan: plan.conduits,
    /** Flow that the law gives at these heads, its bounds left out. */
    free:
      laws.constant[0] +
      laws.fromSlope[0] * heads[plan.conduits.from[0]] -
      laws.toSlope[0] * heads[plan.conduits.to[0]],
  }
}
