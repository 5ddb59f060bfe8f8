import type { SewerNetwork } from '@radx/contracts'
import type { StateVisitor } from '../../state/state.ts'
import { type Controls, createControls } from '../devices/controls.ts'
import { createOutfalls, type Outfalls } from '../devices/outfalls.ts'
import { sum } from '../network/compensated-sum.ts'
import { endCrowns } from '../network/conduit-plan.ts'
import { layOutSections } from '../network/conduit-sections.ts'
import { indexOf } from '../network/index-of.ts'
import { createInflows, type Inflows } from '../network/inflows.ts'
import { initialHeads } from '../network/initial.ts'
import type { SewerPlan } from '../network/plan.ts'
import { heap } from '../network/room.ts'
import { normalDepth, tableAt } from '../sections/section-table.ts'
import type { Sewer, SewerObservers, SewerTotals } from '../types.ts'
import { type ExplicitArrays, type ExplicitInput, explicitArrays } from './arrays.ts'
import { createDeviceFlows, type DeviceFlows } from './devices.ts'
import { FILM_M } from './limits.ts'
import { createTankLosses, type TankLosses } from './losses.ts'
import { type NodeFacts, nodeFacts } from './nodes.ts'
import { createReferenceScheme, type Scheme } from './scheme.ts'
import { createStepLength } from './step-length.ts'
import { linkExplicit } from './wasm.ts'

/** What a caller's step may be without its end cutting many of the scheme's own short, s. */
const CALLED_FOR_S = 60

/** Share of a step below which what would be left at the end of the caller's step is not made on its own. */
const LEAST_LEFT = 0.5

/**
 * Next step on the way to the end of the caller's: what would be left as a sliver is shared between the last two. In a step of a millisecond a
 * pump on an empty well is not held to what arrives there, and a peak is taken of it.
 */
function shared(leftS: number, longestS: number): number {
  if (longestS >= leftS) return leftS
  return leftS - longestS < LEAST_LEFT * longestS ? leftS / 2 : longestS
}

/**
 * The sewer by EPA SWMM's own scheme: explicit momentum, trials with half of each answer, its variable step (SWMM Reference Manual II,
 * chapter 3). Volumes are carried from the flows, so that the balance is exact; `drift` says how far heads have gone from them,
 * which is what EPA SWMM calls its continuity error.
 */
export class ExplicitSewer implements Sewer {
  readonly network: SewerNetwork
  readonly nodeIndex: (name: string) => number
  readonly linkIndex: (name: string) => number
  readonly heads: Float64Array
  readonly depths: Float64Array
  readonly volumes: Float64Array
  readonly flows: Float64Array
  readonly settings: Float64Array
  readonly observers: SewerObservers | undefined
  readonly groundElevations: Float64Array
  readonly invertElevations: Float64Array
  readonly surfaceLevels: Float64Array
  readonly openingAreas: Float64Array
  readonly floodVolumes: Float64Array
  readonly outfallVolumes: Float64Array
  readonly lateralVolumes: Float64Array
  readonly linkFullDepths: Float64Array
  readonly crowns: Float64Array
  readonly linkDepths: Float64Array
  readonly velocities: Float64Array
  readonly counts = { evaluations: 0, nestedFailed: 0, unsettled: 0 }
  readonly peaksOverS = 0
  readonly nextStepS: number
  readonly longestStepS: number
  timeS = 0
  steps = 0
  rejectedSteps = 0
  private readonly plan: SewerPlan
  private readonly arrays: ExplicitArrays
  private readonly nodeFacts: NodeFacts
  private readonly devices: DeviceFlows
  private readonly scheme: Scheme
  private readonly outfalls: Outfalls
  private readonly inflows: Inflows
  private readonly losses: TankLosses
  private readonly controls: Controls
  private readonly stepLength: () => number
  private initial = 0
  private stepS = 0
  private readonly sloped: { p: number; first: number; slope: number }[] = []
  private advanceS = 0
  private leftS = 0
  private endS = 0
  private shownS = 0
  private fresh = false

  /** @param wasm bytes of the compiled loops; without them TypeScript takes their place, with the same bits */
  constructor(network: SewerNetwork, plan: SewerPlan, wasm?: BufferSource) {
    const { nodes, links, options } = network
    this.network = network
    this.plan = plan
    this.nodeIndex = indexOf(nodes)
    this.linkIndex = indexOf(links)
    const sections = layOutSections(plan.conduits, options)
    const loops = wasm ? linkExplicit({ network, plan, sections }, wasm) : null
    const arrays = explicitArrays(loops?.room ?? heap, network, plan)
    this.arrays = arrays
    this.heads = arrays.heads
    this.depths = arrays.depths
    this.volumes = arrays.volumes
    this.floodVolumes = arrays.floodVolumes
    this.outfallVolumes = arrays.outfallVolumes
    this.lateralVolumes = arrays.lateralVolumes
    this.flows = arrays.flows
    this.linkDepths = arrays.linkDepths
    this.velocities = arrays.velocities
    this.invertElevations = Float64Array.from(nodes, (node) => node.invertM)
    this.groundElevations = Float64Array.from(
      nodes,
      (node, n) => node.invertM + plan.fullDepth[plan.positionOf[n]],
    )
    this.surfaceLevels = this.groundElevations.slice()
    this.openingAreas = new Float64Array(nodes.length).fill(Infinity)
    this.linkFullDepths = Float64Array.from(plan.sections, (table) => table?.fullDepthM ?? 0)
    this.crowns = endCrowns(plan.conduits, links.length)
    const input: ExplicitInput = { network, plan, sections, arrays }
    this.nodeFacts = nodeFacts(input)
    this.devices = createDeviceFlows(input)
    this.settings = this.devices.setting
    const parts = { nodes: this.nodeFacts, devices: this.devices, setOutfalls: () => this.setOutfalls() }
    this.scheme = loops ? loops.scheme(input, parts) : createReferenceScheme(input, parts)
    this.observers = loops?.observers(() => this.timeS)
    this.stepLength = createStepLength(options, () => this.scheme.stableStep(this.advanceS))
    this.outfalls = createOutfalls(network, plan, new Uint8Array(nodes.length), 'of the run')
    arrays.outfallKind.set(this.outfalls.rules.kind)
    arrays.outfallConduit.set(this.outfalls.rules.conduit)
    arrays.outfallOffset.set(this.outfalls.rules.offset)
    this.inflows = createInflows(network)
    this.losses = createTankLosses(network, plan.positionOf, this.nodeFacts.shapes, arrays)
    const { heads, depths, volumes, flows, linkDepths, velocities } = arrays
    this.controls = createControls(network, {
      ...{ heads, depths, volumes, flows, linkDepths, velocities, lateral: arrays.entering, plan },
      devices: this.devices,
      open: arrays.open,
    })
    this.nextStepS = Math.max(CALLED_FOR_S, options.routingStepS)
    this.longestStepS = options.routingStepS
    this.start()
  }

  step(dtS: number, lateralVolumeM3?: Float64Array): void {
    this.begin(dtS, lateralVolumeM3)
    this.end()
  }

  begin(dtS: number, lateralVolumeM3?: Float64Array, rateM3S?: Float64Array): void {
    this.stepS = dtS
    this.leftS = dtS
    this.endS = this.timeS + dtS
    this.shownS = this.timeS
    const { lateral } = this.arrays
    if (lateralVolumeM3)
      for (let p = 0; p < lateral.length; p++) lateral[p] = lateralVolumeM3[this.plan.nodeOf[p]] / dtS
    else lateral.fill(0)
    this.setLine(lateralVolumeM3, rateM3S)
    this.fresh = true
  }

  proceed(): boolean {
    if (!this.isLeft()) return false
    if (this.fresh) this.scheme.forget()
    this.fresh = false
    const dt = shared(this.leftS, this.stepLength())
    this.advance(dt)
    this.leftS = dt === this.leftS ? 0 : this.leftS - dt
    return this.isLeft()
  }

  show(): number {
    const seconds = this.timeS - this.shownS
    this.shownS = this.timeS
    this.fresh = true
    this.scheme.publish()
    return seconds
  }

  end(): number {
    while (this.proceed());
    this.timeS = this.endS
    return this.show()
  }

  totals(): SewerTotals {
    const { initial, arrays } = this
    const stored = sum(arrays.carried)
    const [entered, flooded, outfall, seeped, backflow] = arrays.sums
    // Storage nodes lose by their inflows.
    const inflow = entered + this.losses.lost()
    const loss = seeped + this.losses.lost()
    const evaporation = this.losses.evaporated()
    const error = stored - initial - (inflow - outfall - flooded - loss)
    return { initial, stored, inflow, outfall, backflow, flooded, loss, evaporation, error }
  }

  drift(): number {
    const { plan, arrays } = this
    let water = 0
    for (let p = 0; p < plan.unknowns; p++) water += arrays.own[p]
    const { length, barrels } = plan.conduits
    for (let c = 0; c < plan.conduits.count; c++) water += arrays.endArea[c] * length[c] * barrels[c]
    return water - sum(arrays.carried)
  }

  /** As `visit`. @throws Error always */
  countAnew(): void {
    throw new Error('the explicit scheme of the sewer has no state')
  }

  /** As `visit`. @throws Error always */
  force(_link: number, _setting: number): void {
    throw new Error('the explicit scheme of the sewer is set by rules alone')
  }

  /** No state is made of this scheme: runs that are cut in two have the implicit one. @throws Error always */
  visit(_state: StateVisitor): void {
    throw new Error('the explicit scheme of the sewer has no state')
  }

  private isLeft(): boolean {
    return this.leftS > 1e-9 * this.stepS
  }

  private start(): void {
    const { plan, arrays, network, outfalls } = this
    const { head, depth, flow, area, oldArea, endArea, middle, own, oldNet, carried } = arrays
    const { conduits, invert, unknowns } = plan
    head.set(initialHeads(network, plan))
    flow.set(conduits.initFlow)
    outfalls.update(head, flow, 0)
    for (let p = 0; p < head.length; p++) {
      depth[p] = head[p] - invert[p]
      own[p] = p < unknowns ? this.nodeFacts.shapes[p].volume(depth[p]) : 0
      carried[p] = own[p]
    }
    for (let c = 0; c < conduits.count; c++) {
      const full = conduits.tables[c].fullDepthM
      const at = (y: number) => Math.min(full, Math.max(0, y))
      const y1 = at(head[conduits.from[c]] - conduits.fromInvert[c])
      const y2 = at(head[conduits.to[c]] - conduits.toInvert[c])
      const y =
        flow[c] !== 0
          ? normalDepth(conduits.tables[c], Math.abs(flow[c]), conduits.beta[c])
          : Math.max(FILM_M, 0.5 * (y1 + y2))
      middle[c] = y
      area[c] = oldArea[c] = endArea[c] = tableAt(conduits.tables[c], y, 0)
      const half = 0.5 * area[c] * conduits.length[c] * conduits.barrels[c]
      const [a, b] = [conduits.from[c], conduits.to[c]]
      carried[a < unknowns ? a : b] += half
      carried[b < unknowns ? b : a] += half
      const q = flow[c] * conduits.barrels[c]
      oldNet[a] -= q
      oldNet[b] += q
    }
    for (let p = unknowns; p < head.length; p++) carried[p] = 0
    this.initial = sum(carried)
    this.scheme.publish()
  }

  /** One internal step. */
  private advance(dt: number): void {
    const { arrays, scheme, devices, controls, network, inflows, losses } = this
    this.advanceS = dt
    if (inflows.any || losses.any) {
      arrays.rates.fill(0)
      inflows.addRates(arrays.rates, this.timeS)
      losses.take(arrays.rates, this.timeS, dt)
    }
    this.follow(dt)
    scheme.enter(dt)
    devices.switchPumps()
    if (network.rules.length > 0) scheme.publish()
    controls.apply(this.timeS, dt)
    devices.move(dt)
    this.outfalls.stages(arrays.stages, this.timeS + dt)
    const used = scheme.advance(dt)
    losses.account(dt)
    this.counts.evaluations += Math.abs(used)
    if (used < 0) this.counts.unsettled++
    this.timeS += dt
    this.steps++
  }

  /** What enters along lines: their rates at the caller's step's beginning and their slopes; nodes whose line would end below 0 stay even. */
  private setLine(volumes: Float64Array | undefined, rates: Float64Array | undefined): void {
    this.sloped.length = 0
    if (!volumes || !rates) return
    const { lateral } = this.arrays
    const { nodeOf } = this.plan
    for (let p = 0; p < lateral.length; p++) {
      const first = rates[nodeOf[p]]
      if (first === lateral[p] || first > 2 * lateral[p]) continue
      this.sloped.push({ p, first, slope: (2 * (lateral[p] - first)) / this.stepS })
    }
  }

  /** Sets the rates of what enters to their means over an internal step. */
  private follow(dt: number): void {
    const { lateral } = this.arrays
    const middleS = this.stepS - this.leftS + dt / 2
    for (const { p, first, slope } of this.sloped) lateral[p] = first + slope * middleS
  }

  private setOutfalls(): void {
    const { head, depth, flow } = this.arrays
    const { unknowns, invert } = this.plan
    this.outfalls.update(head, flow, this.timeS + this.advanceS)
    for (let p = unknowns; p < head.length; p++) depth[p] = head[p] - invert[p]
  }
}
