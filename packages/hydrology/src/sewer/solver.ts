import type { SewerNetwork } from '@radx/contracts'
import { layOutSections } from './conduit-sections.ts'
import { createControls } from './controls.ts'
import { createDevices } from './device-set.ts'
import { SewerNetworkError, SewerStepError } from './errors.ts'
import { createInflows } from './inflows.ts'
import { initialHeads } from './initial.ts'
import { TINY_M } from './momentum.ts'
import { createNewton } from './newton.ts'
import { createOutfalls } from './outfalls.ts'
import { takeAll } from './part.ts'
import { planSewer, type SewerPlan } from './plan.ts'
import { createReaches } from './reaches.ts'
import { createReferenceKernel } from './reference.ts'
import { createRefinement } from './refine.ts'
import { G, tableAt } from './section-table.ts'
import type { Sewer, SewerSolverOptions, SewerTotals } from './types.ts'
import { createWasmKernel } from './wasm.ts'

const LONGEST_STEP_S = 4
/** The surface feeds the sewer gently: its own steps of 5 s are taken whole. */
const COUPLED_STEP_S = 5
/**
 * Coupled, the step grows up to LONGEST_COUPLED_STEP_S while heads go on as they went: what they are off a straight
 * line over a step is about twice the error of the implicit scheme, and is held to BEND_M.
 */
const LONGEST_COUPLED_STEP_S = 20
const BEND_M = 0.01
/** Over a surge heads bend by more than this: the step is taken again in shorter ones, down to SURGE_STEP_S. */
const SURGE_M = 0.05
const SURGE_STEP_S = 0.5
/** Where only what swings is taken again: whose heads bend by more than this. The others' step may then grow. */
const SEED_M = SURGE_M / 2
/** What a node gives out is reckoned with a head over its level of at least this, m. */
const LEAST_OVER_M = 0.01
const LEAST_OVER_ROOT = Math.sqrt((2 * G) / LEAST_OVER_M)
/** A step that does not converge is halved down to this. */
const SHORTEST_STEP_S = 1e-3
/** Area over which a node's rim lets go what it cannot hold, m2: the head stays at the rim within a hair. */
const FLOOD_AREA_M2 = 1e4
/** Nodes shallower than DRY_M that rise above HEAP_M within a step are solved again in steps down to this. */
const WETTING_STEP_S = 0.5
/** From this step down a device that keeps Newton from settling is held through the step. */
const FREEZE_STEP_S = 1
const DRY_M = 0.02
const HEAP_M = 0.1
const ORIFICE_COEFFICIENT = 0.6

/**
 * The sewer as a system in time: semi-implicit, theta 1, exactly conservative (Casulli and Stelling 2013), with
 * the hydraulics of EPA SWMM's dynamic wave (SWMM Reference Manual II). Head at nodes, flow in links; what a
 * step moves out of one node is what it moves into the other, and volumes are carried from these flows.
 * @throws SewerNetworkError when a section has no valid dimensions
 */
export function createSewer(network: SewerNetwork, solverOptions: SewerSolverOptions = {}): Sewer {
  const plan = layOut(network, solverOptions.middleDepthFromM)
  const { nodes, links, options } = network
  const { unknowns, nodeOf, positionOf, invert, fullDepth, conduits } = plan
  const coupled = solverOptions.coupled === true
  const usual = solverOptions.maxStepS ?? (coupled ? COUPLED_STEP_S : LONGEST_STEP_S)
  // Rules and pumps switch from step to step: theirs stay as they are.
  const switches = network.rules.length > 0 || links.some((link) => link.kind === 'pump')
  const adapts = coupled && solverOptions.maxStepS === undefined && !switches
  let longest = usual

  // What joins nodes otherwise than by pipes is solved with the whole network.
  const refines =
    coupled &&
    plan.devices.length === 0 &&
    plan.reaches.length === 0 &&
    conduits.seepage.every((rate) => rate === 0)
  const kernelInput = { plan, sections: layOutSections(conduits, options), options }
  const kernel = solverOptions.wasm
    ? createWasmKernel(kernelInput, solverOptions.wasm)
    : createReferenceKernel(kernelInput)
  const { head, trial, canLeave, wanted, floodLevel, floodArea, open } = kernel.state
  const { flow, area, nextArea, lastStepS, endDepth: freeDepth, conduitFlow } = kernel.state
  const outfalls = createOutfalls(network, plan, kernel.state.outfallGate)
  const devices = createDevices(network, plan, kernel.state.outfallGate)
  const reaches = createReaches(plan, options)
  const newton = createNewton({ plan, kernel, devices, reaches })
  const inflows = createInflows(network)

  // State by position.
  head.set(initialHeads(network, plan))
  trial.set(head)
  /** How fast heads moved in the last step, m/s. */
  const rate = new Float64Array(unknowns)
  const volume = new Float64Array(unknowns)
  const arriving = new Float64Array(nodes.length)
  const net = new Float64Array(nodes.length)
  let lastStep = 0

  const whole = takeAll(kernel.part())
  const seeds = new Uint8Array(unknowns)
  const refinement = createRefinement({
    conduits,
    unknowns,
    kernel,
    newton,
    rate,
    volume,
    enter,
    floodsDry: (k) => floodsDry(k),
    fitting: (dt, bendM) => fittingStep(dt, bendM, SURGE_M),
    floorS: SURGE_STEP_S,
    mostM: 2 * SURGE_M,
  })

  // What users see, in the file's order.
  const heads = new Float64Array(nodes.length)
  const depths = new Float64Array(nodes.length)
  const volumes = new Float64Array(nodes.length)
  const flows = new Float64Array(links.length)
  const linkDepths = new Float64Array(links.length)
  const velocities = new Float64Array(links.length)
  const groundElevations = new Float64Array(nodes.length)
  const invertElevations = Float64Array.from(nodes, (node) => node.invertM)
  const surfaceLevels = new Float64Array(nodes.length)
  const openingAreas = new Float64Array(nodes.length).fill(Infinity)
  const floodVolumes = new Float64Array(nodes.length)
  const outfallVolumes = new Float64Array(nodes.length)
  const rim = new Float64Array(nodes.length)
  const lateral = new Float64Array(nodes.length)
  const lateralVolumes = new Float64Array(nodes.length)
  const passed = new Float64Array(links.length)
  const linkFullDepths = Float64Array.from(plan.sections, (table) => table?.fullDepthM ?? 0)
  const crowns = new Float64Array(2 * links.length)
  for (let c = 0; c < conduits.count; c++) {
    const [first, second] = conduits.direction[c] > 0 ? [0, 1] : [1, 0]
    crowns[2 * conduits.link[c] + first] = conduits.fromInvert[c] + conduits.tables[c].fullDepthM
    crowns[2 * conduits.link[c] + second] = conduits.toInvert[c] + conduits.tables[c].fullDepthM
  }
  for (let n = 0; n < nodes.length; n++) {
    const p = positionOf[n]
    groundElevations[n] = invert[p] + fullDepth[p]
    const ponds = options.allowPonding && nodes[n].pondedAreaM2 > 0 && !coupled
    rim[n] = ponds ? Infinity : groundElevations[n] + nodes[n].surchargeDepthM
    surfaceLevels[n] = rim[n]
  }

  const totals: SewerTotals = { initial: 0, stored: 0, inflow: 0, outfall: 0, flooded: 0, loss: 0, error: 0 }
  let timeS = 0
  let steps = 0
  let rejected = 0

  for (let k = 0; k < unknowns; k++) volume[k] = newtonVolume(plan, k, head[k])
  if (reaches.count > 0) {
    reaches.start(head, volume)
    reaches.update(head, freeDepth, volume)
  }
  outfalls.update(head, flow, 0)
  totals.initial = sum(volume)
  const controls = createControls(network, {
    plan,
    devices,
    open,
    heads,
    depths,
    volumes,
    flows,
    linkDepths,
    velocities,
    lateral,
    lastStep: () => lastStep,
  })

  /** One internal step; leaves the state alone and returns false when it does not converge. */
  function tryStep(dt: number): boolean {
    return (refines && solveStep(dt, true)) || solveStep(dt, false)
  }

  /** The same; `parted`: what swings, and what Newton leaves open, is solved apart. */
  function solveStep(dt: number, parted: boolean): boolean {
    lostInStep = 0
    for (let k = 0; k < unknowns; k++) enter(k, dt, 1)
    outfalls.update(head, flow, timeS + dt)
    kernel.prepare(dt, head, whole)
    if (devices.count > 0) devices.prepare(dt, head, wanted, arriving)
    seep(dt)
    for (let k = 0; k < unknowns; k++) trial[k] = head[k] + dt * rate[k]
    for (let k = unknowns; k < nodes.length; k++) trial[k] = head[k]
    let solved = newton.solve(dt, trial, head, wanted, whole, parted ? seeds : undefined) > 0
    if (!solved && devices.count > 0 && dt <= FREEZE_STEP_S) {
      devices.freeze(dt, head, canLeave, wanted)
      trial.set(head)
      solved = newton.solve(dt, trial, head, wanted, whole) > 0
      devices.thaw()
    }
    if (!solved) return false
    bend = bendOver(dt)
    if (!parted)
      return (dt <= SURGE_STEP_S || bend <= 2 * SURGE_M) && (dt <= WETTING_STEP_S || !floodsDryNode())
    const swings = dt > SURGE_STEP_S && (bend > SURGE_M || floodsDryNode())
    return !(swings || seeds.includes(1)) || refine(dt, swings)
  }
  let bend = 0

  /**
   * Solves around the seeds again, with `swing` in shorter steps and also around nodes that swing or are wetted; `bend` is
   * then that of the others.
   */
  function refine(dt: number, swing: boolean): boolean {
    if (swing)
      for (let k = 0; k < unknowns; k++)
        if (Math.abs(trial[k] - head[k] - dt * rate[k]) > SEED_M || floodsDry(k)) seeds[k] = 1
    if (!refinement.run(dt, swing ? dt / 2 : dt, seeds)) return false
    bend = bendOver(dt)
    if (refinement.whole) bend = Math.max(bend, refinement.bendM)
    return true
  }

  /** What a step of `dt`, a share of the one that `lateral` belongs to, begins with at a node. */
  function enter(k: number, dt: number, share: number) {
    canLeave[k] = head[k] - invert[k] > TINY_M && volume[k] > 0 ? 1 : 0
    const n = nodeOf[k]
    const level = coupled ? Math.max(rim[n], surfaceLevels[n]) : rim[n]
    floodLevel[k] = level
    const opening = coupled ? openingAreas[n] : Infinity
    // Q = C A sqrt(2 g h), with the root at the old head: linear and rising in the new one.
    if (level === Infinity) floodArea[k] = 0
    else if (opening === Infinity) floodArea[k] = FLOOD_AREA_M2
    else {
      const over = head[k] - level
      const root = over > LEAST_OVER_M ? Math.sqrt((2 * G) / over) : LEAST_OVER_ROOT
      floodArea[k] = dt * ORIFICE_COEFFICIENT * opening * root
    }
    wanted[k] = volume[k] + share * lateral[n]
  }

  /**
   * A dry node lets nothing out in the step that wets it: a long step would heap its inflow up in the shaft.
   */
  function floodsDryNode(): boolean {
    for (let k = 0; k < unknowns; k++) if (floodsDry(k)) return true
    return false
  }
  const floodsDry = (k: number) => head[k] - invert[k] < DRY_M && trial[k] - head[k] > HEAP_M

  /** Seepage through the conduits' beds, taken from both ends. */
  function seep(dt: number) {
    if (!seeps) return
    for (let c = 0; c < conduits.count; c++) {
      const rate = conduits.seepage[c]
      if (rate <= 0 || kernel.state.depth[c] < TINY_M) continue
      const table = conduits.tables[c]
      const depth = Math.min(kernel.state.depth[c], table.widestDepthM)
      const loss = rate * tableAt(table, depth, 1) * conduits.length[c] * conduits.barrels[c] * dt
      const inner = [conduits.from[c], conduits.to[c]].filter((k) => k < unknowns)
      for (const k of inner) {
        const taken = Math.max(0, Math.min(loss / inner.length, wanted[k]))
        wanted[k] -= taken
        lostInStep += taken
      }
    }
  }
  const seeps = conduits.seepage.some((rate) => rate > 0)
  let lostInStep = 0

  /** Takes the converged trial as the new state. */
  function accept(dt: number) {
    net.fill(0)
    arriving.fill(0)
    for (let c = 0; c < conduits.count; c++) {
      if (refinement.conduitInside[c] === 1) {
        moveRefined(c)
        continue
      }
      const q = conduitFlow[c]
      flow[c] = q
      area[c] = nextArea[c]
      lastStepS[c] = dt
      move(
        conduits.from[c],
        conduits.to[c],
        conduits.link[c],
        conduits.direction[c],
        conduits.barrels[c] * q,
        dt,
      )
    }
    for (let k = 0; k < devices.count; k++) {
      move(devices.from[k], devices.to[k], devices.link[k], 1, devices.flow[k], dt)
    }
    for (let k = 0; k < unknowns; k++) {
      const n = nodeOf[k]
      if (refinement.inside[k] === 1) {
        floodVolumes[n] += refinement.flooded[k]
        totals.flooded += refinement.flooded[k]
        continue
      }
      const over = trial[k] - floodLevel[k]
      const flooded = over > 0 ? floodArea[k] * over : 0
      volume[k] = wanted[k] + net[k] - flooded
      floodVolumes[n] += flooded
      totals.flooded += flooded
      arriving[k] += lateral[n] / dt
      rate[k] = (trial[k] - head[k]) / dt
      head[k] = trial[k]
    }
    if (reaches.count > 0) reaches.update(head, freeDepth, volume)
    for (let k = unknowns; k < nodes.length; k++) {
      const n = nodeOf[k]
      const out = net[k] + lateral[n]
      outfallVolumes[n] += out
      totals.outfall += out
    }
    for (let n = 0; n < nodes.length; n++) {
      totals.inflow += lateral[n]
      lateralVolumes[n] += lateral[n]
    }
    totals.loss += lostInStep
    timeS += dt
    lastStep = dt
    steps++
    const fitting = (limit: number) => fittingStep(dt, bend, limit)
    longest = Math.max(Math.min(SURGE_STEP_S, usual), Math.min(usual, fitting(SURGE_M)))
    if (adapts && refinement.whole)
      longest = Math.min(LONGEST_COUPLED_STEP_S, Math.max(longest, fitting(BEND_M)))
    refinement.clear()
  }

  /** What a conduit of the refined part carried; its nodes have it already. */
  function moveRefined(c: number) {
    const moved = refinement.carried[c]
    passed[conduits.link[c]] += conduits.direction[c] * moved
    if (conduits.from[c] >= unknowns) net[conduits.from[c]] -= moved
    if (conduits.to[c] >= unknowns) net[conduits.to[c]] += moved
  }

  /** How far heads of the trial are off the line on which they moved, at most, m. */
  function bendOver(dt: number): number {
    let most = 0
    const { inside } = refinement
    for (let k = 0; k < unknowns; k++) {
      const off = Math.abs(trial[k] - head[k] - dt * rate[k])
      if (off > most && inside[k] === 0) most = off
    }
    return most
  }

  function move(a: number, b: number, link: number, direction: number, q: number, dt: number) {
    net[a] -= q * dt
    net[b] += q * dt
    passed[link] += direction * q * dt
    if (q > 0) arriving[b] += q
    else arriving[a] -= q
  }

  function publish(dt: number) {
    for (let p = 0; p < nodes.length; p++) {
      const n = nodeOf[p]
      const level =
        p < unknowns && floodArea[p] === FLOOD_AREA_M2 ? Math.min(head[p], floodLevel[p]) : head[p]
      heads[n] = Math.max(level, invert[p])
      depths[n] = heads[n] - invert[p]
      volumes[n] = p < unknowns ? volume[p] : 0
    }
    for (let i = 0; i < links.length; i++) flows[i] = dt > 0 ? passed[i] / dt : 0
    described = false
    if (network.rules.length > 0) describeLinks()
  }

  /** Depths and velocities of links, which most steps need not know. */
  let described = false
  function describeLinks() {
    if (described) return
    described = true
    for (let c = 0; c < conduits.count; c++) {
      const i = conduits.link[c]
      const table = conduits.tables[c]
      const y =
        0.5 *
        (endDepth(conduits.from[c], conduits.fromInvert[c], table.fullDepthM) +
          endDepth(conduits.to[c], conduits.toInvert[c], table.fullDepthM))
      linkDepths[i] = Math.min(y, table.fullDepthM)
      const area = tableAt(table, linkDepths[i], 0)
      // A film has no meaningful velocity (EPA SWMM draws the same line at 0.01 ft).
      velocities[i] = linkDepths[i] > 0.003048 && area > 0 ? flows[i] / conduits.barrels[c] / area : 0
    }
  }
  const endDepth = (p: number, bottom: number, full: number) => Math.min(Math.max(head[p] - bottom, 0), full)

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
      floodVolumes.fill(0)
      outfallVolumes.fill(0)
      lateralVolumes.fill(0)
      passed.fill(0)
      endS = timeS + stepS
      fresh = false
    }
    const parts = Math.max(1, Math.ceil(leftS / fitting - 1e-9))
    const dt = leftS / parts
    for (let n = 0; n < nodes.length; n++) lateral[n] = given ? (given[n] * dt) / stepS : 0
    if (inflows.any) inflows.addTo(lateral, timeS, timeS + dt)
    controls.apply(timeS, dt)
    devices.move(dt)
    if (tryStep(dt)) {
      accept(dt)
      leftS = parts > 1 ? leftS - dt : 0
      fitting = longest
    } else {
      rejected++
      fitting = dt / 2
      if (dt / 2 < SHORTEST_STEP_S) throw new SewerStepError(worstNode(), timeS)
    }
    return leftS > 1e-12 * stepS
  }
  let endS = 0

  function end() {
    while (proceed());
    timeS = endS
    nextStepS = longest
    publish(stepS)
  }

  publish(0)

  return {
    network,
    nodeIndex: indexOf(nodes),
    linkIndex: indexOf(links),
    get timeS() {
      return timeS
    },
    heads,
    depths,
    volumes,
    flows,
    get linkDepths() {
      describeLinks()
      return linkDepths
    },
    get velocities() {
      describeLinks()
      return velocities
    },
    settings: devices.setting,
    groundElevations,
    invertElevations,
    surfaceLevels,
    openingAreas,
    floodVolumes,
    outfallVolumes,
    lateralVolumes,
    linkFullDepths,
    crowns,
    get nextStepS() {
      return nextStepS
    },
    get steps() {
      return steps
    },
    get rejectedSteps() {
      return rejected
    },
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

  /** Node whose head moved most in the failed step: where to look. */
  function worstNode(): string {
    let worst = 0
    let at = 0
    for (let k = 0; k < unknowns; k++) {
      const moved = Math.abs(trial[k] - head[k])
      if (!(moved <= worst)) {
        worst = moved
        at = k
      }
    }
    return nodes[nodeOf[at]]?.name ?? ''
  }
}

/** Step over which heads bend by `limit`, from one over which they bent by `bend`: it grows with the square. */
const fittingStep = (dt: number, bend: number, limit: number) =>
  dt * Math.min(2, 0.9 * Math.sqrt(limit / Math.max(bend, 1e-6)))

function layOut(network: SewerNetwork, middleDepthFromM?: number): SewerPlan {
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

/** Volume that a node's table holds at a head, m3. */
function newtonVolume(plan: SewerPlan, k: number, head: number): number {
  const { rows, first, intervals, perMetre } = plan.volumes
  const d = Math.max(0, head - plan.invert[k])
  const i = Math.min(Math.floor(d * perMetre[k]), intervals[k] - 1)
  const row = first[k] + i * 4
  const h = 1 / perMetre[k]
  const t = d * perMetre[k] - i
  if (t > 1) return rows[row + 4] + (t - 1) * h * rows[row + 5]
  return rows[row] + t * h * (rows[row + 1] + (t * (rows[row + 5] - rows[row + 1])) / 2)
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
