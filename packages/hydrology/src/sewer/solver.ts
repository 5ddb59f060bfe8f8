import type { SewerNetwork } from '@radx/contracts'
import { createControls } from './devices/controls.ts'
import { createDevices } from './devices/device-set.ts'
import { createOutfalls } from './devices/outfalls.ts'
import { SewerNetworkError, SewerStepError } from './errors.ts'
import { createInflows } from './network/inflows.ts'
import { initialHeads } from './network/initial.ts'
import { volumeAt } from './network/node-volume.ts'
import { planSewer, type SewerPlan } from './network/plan.ts'
import { createReaches } from './network/reaches.ts'
import { createLedger } from './results/ledger.ts'
import { createViews } from './results/views.ts'
import { layOutSections } from './sections/conduit-sections.ts'
import { createEntry } from './step/entry.ts'
import { createNewton } from './step/newton.ts'
import { createReferenceKernel } from './step/reference.ts'
import { createRefinement } from './step/refine.ts'
import { createStep } from './step/step.ts'
import { createStepLength } from './step/step-length.ts'
import { createWasmKernel } from './step/wasm.ts'
import type { Sewer, SewerSolverOptions } from './types.ts'

/** Under a surface shorter conduits store by the depths of their ends alone, m. */
const COUPLED_MIDDLE_FROM_M = 200
/** A step that does not converge is halved down to this, then taken as near as Newton's method came. */
const SHORTEST_STEP_S = 0.05

/**
 * The sewer as a system in time: semi-implicit, theta 0.65 (1 where full and under a surface), exactly conservative (Casulli and Stelling 2013), with
 * the hydraulics of EPA SWMM's dynamic wave (SWMM Reference Manual II). Head at nodes, flow in links; what a
 * step moves out of one node is what it moves into the other, and volumes are carried from these flows.
 * @throws SewerNetworkError when a section has no valid dimensions
 */
export function createSewer(network: SewerNetwork, solverOptions: SewerSolverOptions = {}): Sewer {
  const coupled = solverOptions.coupled === true
  const plan = layOut(network, solverOptions.middleDepthFromM ?? (coupled ? COUPLED_MIDDLE_FROM_M : 0))
  const overflows = !coupled
  const { nodes, links, options } = network
  const { unknowns, nodeOf, conduits } = plan
  const kernelInput = { plan, sections: layOutSections(conduits, options), options, implicit: coupled }
  const kernel = solverOptions.wasm
    ? createWasmKernel(kernelInput, solverOptions.wasm)
    : createReferenceKernel(kernelInput)
  const { state } = kernel
  const { head, trial, volume } = state
  const views = createViews(network, plan, kernelInput.sections, state, coupled)
  const lateral = new Float64Array(nodes.length)
  const outfalls = createOutfalls(network, plan, state.outfallGate)
  const devices = createDevices(network, plan, state.outfallGate)
  const reaches = createReaches(plan, options, kernel.room)
  const newton = createNewton({ plan, kernel, devices, reaches, overflows })
  const inflows = createInflows(network)
  const entry = createEntry(plan, state, views, lateral, coupled)
  const refinement = createRefinement({ plan, kernel, newton, entry })
  const ledger = createLedger({ plan, state, views, lateral, devices, reaches, refinement, overflows })
  const { arriving, totals } = ledger
  const solution = createStep({
    plan,
    kernel,
    newton,
    devices,
    outfalls,
    entry,
    refinement,
    refines: coupled,
    arriving,
  })
  const lengths = createStepLength({
    coupled,
    maxStepS: solverOptions.maxStepS,
    switches: network.rules.length > 0 || links.some((link) => link.kind === 'pump'),
  })

  head.set(initialHeads(network, plan))
  // Before the reaches: what they hold at the start also hangs on the outfalls' levels.
  outfalls.update(head, state.flow, 0)
  trial.set(head)
  for (let k = 0; k < unknowns; k++) volume[k] = volumeAt(plan.volumes, k, head[k] - plan.invert[k])
  if (reaches.count > 0) {
    reaches.start(head, volume)
    reaches.update(head, state.endDepth, volume)
  }
  totals.initial = sum(volume)

  let timeS = 0
  let steps = 0
  let rejected = 0
  let longest = lengths.usual
  const controls = createControls(network, {
    plan,
    devices,
    open: state.open,
    heads: views.heads,
    depths: views.depths,
    volumes: views.volumes,
    flows: views.flows,
    linkDepths: views.linkDepths,
    velocities: views.velocities,
    lateral,
  })

  function accept(dt: number) {
    ledger.accept(dt, solution.lostM3)
    timeS += dt
    steps++
    longest = lengths.after(dt, solution.bendM, solution.apart, refinement.whole)
    refinement.clear()
  }

  // --- a step of the caller, in parts
  let stepS = 0
  let leftS = 0
  let given: Float64Array | undefined
  let fresh = false
  let fitting = 0
  let nextStepS = longest

  function begin(dtS: number, lateralVolumeM3?: Float64Array) {
    stepS = dtS
    leftS = dtS
    given = lateralVolumeM3
    fresh = true
    fitting = longest
  }

  function proceed(): boolean {
    if (leftS <= 1e-12 * stepS) return false
    if (fresh) {
      views.clear()
      endS = timeS + stepS
      fresh = false
    }
    const parts = Math.max(1, Math.ceil(leftS / fitting - 1e-9))
    const dt = leftS / parts
    for (let n = 0; n < nodes.length; n++) lateral[n] = given ? (given[n] * dt) / stepS : 0
    if (inflows.any) inflows.addTo(lateral, timeS, timeS + dt)
    controls.apply(timeS, dt)
    devices.move(dt)
    if (solution.solve(dt, timeS)) {
      accept(dt)
      leftS = parts > 1 ? leftS - dt : 0
      fitting = longest
    } else {
      rejected++
      devices.back()
      fitting = dt / 2
      if (fitting < SHORTEST_STEP_S) force(dt, parts)
    }
    return leftS > 1e-12 * stepS
  }
  let endS = 0

  function force(dt: number, parts: number) {
    devices.move(dt)
    if (!solution.force(dt, timeS)) throw new SewerStepError(worstNode(), timeS)
    accept(dt)
    leftS = parts > 1 ? leftS - dt : 0
    fitting = longest
  }

  function end() {
    while (proceed());
    timeS = endS
    nextStepS = longest
    views.publish(stepS)
  }

  views.publish(0)

  return {
    network,
    nodeIndex: indexOf(nodes),
    linkIndex: indexOf(links),
    get timeS() {
      return timeS
    },
    heads: views.heads,
    depths: views.depths,
    volumes: views.volumes,
    flows: views.flows,
    get linkDepths() {
      views.describeLinks()
      return views.linkDepths
    },
    get velocities() {
      views.describeLinks()
      return views.velocities
    },
    settings: devices.setting,
    groundElevations: views.groundElevations,
    invertElevations: views.invertElevations,
    surfaceLevels: views.surfaceLevels,
    openingAreas: views.openingAreas,
    floodVolumes: views.floodVolumes,
    outfallVolumes: views.outfallVolumes,
    lateralVolumes: views.lateralVolumes,
    linkFullDepths: views.linkFullDepths,
    crowns: views.crowns,
    get nextStepS() {
      return nextStepS
    },
    get steps() {
      return steps
    },
    get rejectedSteps() {
      return rejected
    },
    counts: newton.counts,
    step(dtS, lateralVolumeM3) {
      begin(dtS, lateralVolumeM3)
      end()
    },
    begin,
    proceed,
    end,
    totals() {
      const stored = sum(volume)
      const { initial, inflow, outfall, flooded, loss } = totals
      return { ...totals, stored, error: stored - initial - (inflow - outfall - flooded - loss) }
    },
  }

  /** Where to look: the node with the most open balance of the failed step; where all are met, that whose head moved most. */
  function worstNode(): string {
    const moved = (k: number) => Math.abs(trial[k] - head[k])
    const open = (k: number) => Math.abs(state.vector[k]) / state.diagonal[k]
    return nodes[nodeOf[largest(open) ?? largest(moved) ?? 0]]?.name ?? ''
  }

  function largest(of: (k: number) => number): number | undefined {
    let most = 0
    let at: number | undefined
    for (let k = 0; k < unknowns; k++) {
      const value = of(k)
      if (Number.isNaN(value)) return k
      if (value <= most) continue
      most = value
      at = k
    }
    return at
  }
}

function layOut(network: SewerNetwork, middleDepthFromM: number): SewerPlan {
  try {
    return planSewer(network, middleDepthFromM)
  } catch (error) {
    if (error instanceof RangeError)
      throw new SewerNetworkError(
        `Une section du réseau n'a pas de géométrie valide (${error.message}). Corrigez [XSECTIONS].`,
      )
    throw error
  }
}

function indexOf(items: { name: string }[]): (name: string) => number {
  const index = new Map(items.map((item, i) => [item.name, i]))
  return (name) => index.get(name) ?? -1
}

function sum(values: Float64Array): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}
