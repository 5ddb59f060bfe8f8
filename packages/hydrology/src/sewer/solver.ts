import type { SewerNetwork } from '@radx/contracts'
import type { StateVisitor } from '../state/state.ts'
import { type Controls, createControls } from './devices/controls.ts'
import { createDevices, type DeviceSet } from './devices/device-set.ts'
import { createOutfalls, type Outfalls } from './devices/outfalls.ts'
import { SewerNetworkError, SewerStepError } from './errors.ts'
import { ExplicitSewer } from './explicit/explicit-sewer.ts'
import { sum } from './network/compensated-sum.ts'
import { layOutSections } from './network/conduit-sections.ts'
import { indexOf } from './network/index-of.ts'
import { createInflows, type Inflows } from './network/inflows.ts'
import { initialHeads } from './network/initial.ts'
import { volumeAt } from './network/node-volume.ts'
import { planSewer, type SewerPlan } from './network/plan.ts'
import { createReaches, type Reaches } from './network/reaches.ts'
import { createLedger, type Ledger, type LedgerTotals } from './results/ledger.ts'
import { PEAKS_OVER_S } from './results/peaks.ts'
import { createViews, type SewerViews } from './results/views.ts'
import { epaShape } from './sections/epa-shapes.ts'
import { sectionShape } from './sections/section-shapes.ts'
import { createEntry } from './step/entry.ts'
import { type SewerState, visitArrays } from './step/kernel.ts'
import { thetas } from './step/momentum.ts'
import { createNewton, type Newton } from './step/newton.ts'
import { createReferenceKernel } from './step/reference.ts'
import { createRefinement, type Refinement } from './step/refine.ts'
import { createStep, type Step } from './step/step.ts'
import { createStepLength, type StepLength, SURGE_STEP_S } from './step/step-length.ts'
import { createStepArrays, type StepLoops } from './step/step-loops.ts'
import { createWasmKernel } from './step/wasm.ts'
import type { Sewer, SewerSolverOptions, SewerTotals } from './types.ts'

/** Under a surface shorter conduits store by the depths of their ends alone, m. */
const COUPLED_MIDDLE_FROM_M = 200
/** A step that does not converge is halved down to this, then taken as near as Newton's method came. */
const SHORTEST_STEP_S = 0.05

/**
 * The sewer as a system in time: semi-implicit, theta 0.65 (1 where full without a surface), exactly conservative (Casulli and Stelling 2013), with
 * the hydraulics of EPA SWMM's dynamic wave (SWMM Reference Manual II). Head at nodes, flow in links; what a
 * step moves out of one node is what it moves into the other, and volumes are carried from these flows.
 * @throws SewerNetworkError when a section has no valid dimensions
 */
export function createSewer(network: SewerNetwork, options: SewerSolverOptions = {}): Sewer {
  if (options.scheme === 'explicit' && !options.coupled)
    return new ExplicitSewer(network, layOut(network, 0, epaShape, false), options.wasm)
  const engine = assemble(network, options)
  startAtRest(engine)
  return new SewerInTime(engine)
}

/** The rooms of the engine, put together for one network. */
interface Engine {
  network: SewerNetwork
  plan: SewerPlan
  state: SewerState
  views: SewerViews
  /** Volume that enters each node in a step, and in that of the caller, m3, in the file's order. */
  lateral: Float64Array
  given: Float64Array
  loops?: StepLoops
  outfalls: Outfalls
  devices: DeviceSet
  reaches: Reaches
  newton: Newton
  inflows: Inflows
  refinement: Refinement
  ledger: Ledger
  solution: Step
  lengths: StepLength
  controls: Controls
}

function assemble(network: SewerNetwork, solverOptions: SewerSolverOptions): Engine {
  const coupled = solverOptions.coupled === true
  const overflows = !coupled
  const plan = layOut(network, solverOptions.middleDepthFromM ?? (coupled ? COUPLED_MIDDLE_FROM_M : 0))
  const { nodes, links, options } = network
  const sections = layOutSections(plan.conduits, options)
  const input = { plan, sections, options, ...thetas(coupled) }
  const { wasm } = solverOptions
  const kernel = wasm ? createWasmKernel(input, wasm) : createReferenceKernel(input)
  const { state } = kernel
  const { room } = kernel
  const views = createViews(network, plan, sections, state, coupled, room)
  const lateral = room.f64(nodes.length)
  const given = room.f64(nodes.length)
  const arrays = createStepArrays(plan, room)
  const loops = kernel.compileSteps?.({ ...views, ...arrays, lateral, given, coupled, overflows })
  const outfalls = createOutfalls(network, plan, state.outfallGate)
  const devices = createDevices(network, plan, state.outfallGate)
  const reaches = createReaches(plan, options, kernel.compileReaches)
  const newton = createNewton({ plan, kernel, devices, reaches, overflows })
  const entry = createEntry(plan, state, views, lateral, coupled)
  const refinement = createRefinement({ plan, kernel, newton, entry, arrays, loops })
  const books = { plan, state, views, lateral, devices, reaches, refinement, overflows }
  const ledger = createLedger({ ...books, arrays, loops })
  const lengths = createStepLength({
    coupled,
    maxStepS: solverOptions.maxStepS,
    switches: network.rules.length > 0 || links.some((link) => link.kind === 'pump'),
  })
  const rooms = { plan, kernel, newton, devices, outfalls, entry, refinement, loops }
  return {
    ...{
      network,
      plan,
      state,
      views,
      lateral,
      given,
      outfalls,
      devices,
      reaches,
      newton,
      refinement,
      ledger,
    },
    loops,
    inflows: createInflows(network),
    solution: createStep({ ...rooms, refines: coupled, lengths, arriving: ledger.arriving }),
    lengths,
    controls: createControls(network, { ...views, plan, devices, open: state.open, lateral }),
  }
}

/** Heads and volumes before the first step. */
function startAtRest({ network, plan, state, outfalls, reaches, ledger, views }: Engine): void {
  const { head, trial, volume } = state
  head.set(initialHeads(network, plan))
  // Before the reaches: what they hold at the start also hangs on the outfalls' levels.
  outfalls.update(head, state.flow, 0)
  trial.set(head)
  for (let k = 0; k < plan.unknowns; k++) volume[k] = volumeAt(plan.volumes, k, head[k] - plan.invert[k])
  if (reaches.count > 0) {
    reaches.start(head, volume)
    reaches.update(head, state.endDepth, volume)
  }
  ledger.totals.initial = sum(volume)
  views.publish(0)
}

const ROOMS_WITH_STATE = [
  'views',
  'devices',
  'reaches',
  'newton',
  'refinement',
  'ledger',
  'controls',
] as const

class SewerInTime implements Sewer {
  readonly network: SewerNetwork
  readonly nodeIndex: (name: string) => number
  readonly linkIndex: (name: string) => number
  readonly heads: Float64Array
  readonly depths: Float64Array
  readonly volumes: Float64Array
  readonly flows: Float64Array
  readonly settings: Float64Array
  readonly groundElevations: Float64Array
  readonly invertElevations: Float64Array
  readonly surfaceLevels: Float64Array
  readonly openingAreas: Float64Array
  readonly floodVolumes: Float64Array
  readonly outfallVolumes: Float64Array
  readonly lateralVolumes: Float64Array
  readonly linkFullDepths: Float64Array
  readonly crowns: Float64Array
  readonly counts: Sewer['counts']
  timeS = 0
  steps = 0
  rejectedSteps = 0
  nextStepS: number
  readonly longestStepS: number
  readonly peaksOverS = PEAKS_OVER_S
  private readonly engine: Engine
  /** How long the next internal step may be, s; of the step of the caller its length, what is left and what enters. */
  private longest: number
  /** Whether in the last step heads swung: the surface then sees them as soon as it can. */
  private swings = false
  private stepS = 0
  private leftS = 0
  private endS = 0
  private isGiven = false
  /** Until when it was shown; whether it has been since anything moved; how long its next part may be, s. */
  private shownS = 0
  private fresh = false
  private fitting = 0

  constructor(engine: Engine) {
    const { network, views, lengths, devices, newton } = engine
    this.engine = engine
    this.network = network
    this.nodeIndex = indexOf(network.nodes)
    this.linkIndex = indexOf(network.links)
    this.heads = views.heads
    this.depths = views.depths
    this.volumes = views.volumes
    this.flows = views.flows
    this.settings = devices.setting
    this.groundElevations = views.groundElevations
    this.invertElevations = views.invertElevations
    this.surfaceLevels = views.surfaceLevels
    this.openingAreas = views.openingAreas
    this.floodVolumes = views.floodVolumes
    this.outfallVolumes = views.outfallVolumes
    this.lateralVolumes = views.lateralVolumes
    this.linkFullDepths = views.linkFullDepths
    this.crowns = views.crowns
    this.counts = newton.counts
    this.longest = lengths.usual
    this.nextStepS = lengths.usual
    this.longestStepS = lengths.longest
  }

  get linkDepths(): Float64Array {
    this.engine.views.describeLinks()
    return this.engine.views.linkDepths
  }

  get velocities(): Float64Array {
    this.engine.views.describeLinks()
    return this.engine.views.velocities
  }

  step(dtS: number, lateralVolumeM3?: Float64Array): void {
    this.begin(dtS, lateralVolumeM3)
    this.end()
  }

  begin(dtS: number, lateralVolumeM3?: Float64Array): void {
    this.stepS = dtS
    this.leftS = dtS
    this.endS = this.timeS + dtS
    this.shownS = this.timeS
    this.isGiven = lateralVolumeM3 !== undefined
    if (lateralVolumeM3) this.engine.given.set(lateralVolumeM3)
    this.fresh = true
    this.fitting = this.longest
  }

  proceed(): boolean {
    if (!this.isLeft()) return false
    if (this.fresh) this.engine.views.clear()
    this.fresh = false
    const parts = Math.max(1, Math.ceil(this.leftS / this.fitting - 1e-9))
    const dt = this.leftS / parts
    this.enter(dt)
    if (this.engine.solution.solve(dt, this.timeS)) this.accept(dt, parts)
    else this.retry(dt, parts)
    return this.isLeft()
  }

  show(): number {
    const seconds = this.timeS - this.shownS
    this.shownS = this.timeS
    this.fresh = true
    this.engine.views.publish(seconds)
    return seconds
  }

  end(): number {
    while (this.proceed());
    this.timeS = this.endS
    this.nextStepS = this.swings ? Math.min(this.longest, SURGE_STEP_S) : this.longest
    return this.show()
  }

  totals(): SewerTotals {
    const { totals } = this.engine.ledger
    const stored = sum(this.engine.state.volume)
    const { initial, inflow, outfall, flooded, loss } = totals
    return { ...totals, stored, error: stored - initial - (inflow - outfall - flooded - loss) }
  }

  countAnew(): void {
    const { totals } = this.engine.ledger
    for (const name of Object.keys(totals) as (keyof LedgerTotals)[]) totals[name] = 0
    totals.initial = sum(this.engine.state.volume)
  }

  force(link: number, setting: number): void {
    const { plan, state, devices } = this.engine
    const conduit = plan.conduits.link.indexOf(link)
    if (conduit >= 0) state.open[conduit] = setting > 0 ? 1 : 0
    else devices.setting[link] = devices.target[link] = setting
  }

  visit(state: StateVisitor): void {
    if (this.isLeft()) throw new RangeError('a state within a step of the sewer')
    const { state: arrays, lateral, given, ...rooms } = this.engine
    this.timeS = state.number('timeS', this.timeS)
    this.steps = state.number('steps', this.steps)
    this.rejectedSteps = state.number('rejectedSteps', this.rejectedSteps)
    this.nextStepS = state.number('nextStepS', this.nextStepS)
    this.longest = state.number('longest', this.longest)
    state.scratch(lateral)
    state.scratch(given)
    state.part('arrays', (own) => visitArrays(own, arrays))
    for (const room of ROOMS_WITH_STATE) state.part(room, (own) => rooms[room].visit(own))
  }

  private isLeft(): boolean {
    return this.leftS > 1e-12 * this.stepS
  }

  /** What enters in an internal step, and how links are set in it. */
  private enter(dt: number): void {
    const { lateral, given, inflows, controls, devices, loops } = this.engine
    const { isGiven, stepS, timeS } = this
    if (!isGiven) lateral.fill(0)
    else if (loops) loops.shareOut(dt, stepS)
    else for (let n = 0; n < lateral.length; n++) lateral[n] = (given[n] * dt) / stepS
    if (inflows.any) inflows.addTo(lateral, timeS, timeS + dt)
    controls.apply(timeS, dt)
    devices.move(dt)
  }

  private accept(dt: number, parts: number): void {
    const { ledger, solution, refinement, lengths } = this.engine
    ledger.accept(dt, solution.lostM3)
    this.timeS += dt
    this.steps++
    this.longest = lengths.after(dt, solution.bendM, solution.apart, refinement.whole)
    this.swings = !refinement.whole
    refinement.clear()
    this.leftS = parts > 1 ? this.leftS - dt : 0
    this.fitting = this.longest
  }

  /** After a step for which nothing was found: half of it, and the shortest is taken as near as Newton's method comes. */
  private retry(dt: number, parts: number): void {
    const { solution, devices } = this.engine
    this.rejectedSteps++
    devices.back()
    this.fitting = dt / 2
    if (this.fitting >= SHORTEST_STEP_S) return
    devices.move(dt)
    if (!solution.force(dt, this.timeS)) throw new SewerStepError(worstNode(this.engine), this.timeS)
    this.accept(dt, parts)
  }
}

/** Where to look: the node with the most open balance of the failed step; where all are met, that whose head moved most. */
function worstNode({ network, plan, state }: Engine): string {
  const { head, trial, vector, diagonal } = state
  const moved = (k: number) => Math.abs(trial[k] - head[k])
  const open = (k: number) => Math.abs(vector[k]) / diagonal[k]
  const worst = largest(plan.unknowns, open) ?? largest(plan.unknowns, moved) ?? 0
  return network.nodes[plan.nodeOf[worst]]?.name ?? ''
}

function largest(count: number, of: (k: number) => number): number | undefined {
  let most = 0
  let at: number | undefined
  for (let k = 0; k < count; k++) {
    const value = of(k)
    if (Number.isNaN(value)) return k
    if (value <= most) continue
    most = value
    at = k
  }
  return at
}

function layOut(
  network: SewerNetwork,
  middleDepthFromM: number,
  shapeOf = sectionShape,
  tabulates = true,
): SewerPlan {
  try {
    return planSewer(network, middleDepthFromM, shapeOf, tabulates)
  } catch (error) {
    if (error instanceof RangeError)
      throw new SewerNetworkError(
        `Une section du réseau n'a pas de géométrie valide (${error.message}). Corrigez [XSECTIONS].`,
      )
    throw error
  }
}
