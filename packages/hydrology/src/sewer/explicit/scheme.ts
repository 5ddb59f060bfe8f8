import type { ExplicitInput } from './arrays.ts'
import { type Books, createReferenceBooks } from './books.ts'
import { createConduitFlows } from './conduits.ts'
import type { DeviceFlows } from './devices.ts'
import { DEFAULTS } from './limits.ts'
import { createNodeDepths, type NodeFacts } from './nodes.ts'
import { createStableStep } from './step-length.ts'

/** The loops of a step: the reference in TypeScript, or the same formulas compiled, with the same bits. */
export interface Scheme extends Omit<Books, 'account'> {
  /**
   * Makes a step by trials, each from the heads of the one before, with what `enter` was told; volumes go by its flows.
   * @returns trials made, negative where the last ones still differ
   */
  advance(dt: number): number
  /** Longest step that is stable, s, not yet within the file's shortest one; `lastS`: how long the last one was. */
  stableStep(lastS: number): number
}

/** What the loops are given beside the input. */
export interface SchemeParts {
  nodes: NodeFacts
  devices: DeviceFlows
  setOutfalls(): void
}

/** Trials that take in everything; later ones what moved by more than the tolerance in the trial before, and its neighbours. */
const WHOLE_TRIALS = 2

export const maxTrialsOf = ({ network }: ExplicitInput) => network.options.maxTrials ?? DEFAULTS.maxTrials
export const toleranceOf = ({ network }: ExplicitInput) =>
  network.options.headToleranceM ?? DEFAULTS.headToleranceM

export function createReferenceScheme(input: ExplicitInput, parts: SchemeParts): Scheme {
  const { plan, arrays } = input
  const flows = createConduitFlows(input)
  const nodes = createNodeDepths(input, parts.nodes)
  const books = createReferenceBooks(input, parts.nodes)
  const gather = createGathering(input)
  const wake = createWaking(input, parts.nodes)
  const maxTrials = maxTrialsOf(input)
  const toleranceM = toleranceOf(input)
  const { settled, active } = arrays
  const { from, to, count } = plan.conduits
  const tryOut = (dt: number) => {
    for (let i = 0; i < maxTrials; i++) {
      const whole = i < WHOLE_TRIALS
      if (!whole) wake()
      nodes.begin()
      for (let c = 0; c < count; c++)
        if (whole || (settled[from[c]] & settled[to[c]]) === 0) flows.move(c, dt, i === 0)
      gather()
      parts.devices.trial(dt, i)
      parts.setOutfalls()
      if (nodes.trial(dt, i === 0, toleranceM) && i > 0) return i + 1
    }
    return -maxTrials
  }

  return {
    stableStep: createStableStep(input, parts.nodes),
    advance(dt) {
      active.fill(1)
      for (const [old, now] of REMEMBERED) arrays[old].set(arrays[now])
      const used = tryOut(dt)
      books.account(dt)
      return used
    },
    enter: books.enter,
    forget: books.forget,
    publish: books.publish,
  }
}

/** State at the step's start, and of what. */
const REMEMBERED = [
  ['oldDepth', 'depth'],
  ['oldOwn', 'own'],
  ['oldFlow', 'flow'],
  ['oldArea', 'area'],
  ['oldLoss', 'loss'],
  ['oldDeviceFlow', 'deviceFlow'],
] as const

/** Marks the nodes whose flows and surfaces are added up anew: what moved in the trial before, its neighbours, and shapes. */
function createWaking({ plan, arrays }: ExplicitInput, { tank, pondedArea }: NodeFacts): () => void {
  const { settled, active, deviceFrom, deviceTo } = arrays
  const { from, to } = plan.conduits
  return () => {
    // Of tanks and ponds the surface goes by the depth.
    for (let p = 0; p < active.length; p++)
      active[p] = settled[p] === 0 || tank[p] === 1 || pondedArea[p] > 0 ? 1 : 0
    for (const [a, b] of [
      [from, to],
      [deviceFrom, deviceTo],
    ])
      for (let i = 0; i < a.length; i++)
        if ((settled[a[i]] & settled[b[i]]) === 0) active[a[i]] = active[b[i]] = 1
  }
}

/** Adds up what conduits bring to the nodes that the trial takes in. */
function createGathering({ plan, arrays }: ExplicitInput): () => void {
  const { conduits, unknowns } = plan
  const { inflow, outflow, surface, slopes, flow, slope, fromSurface, toSurface, loss, active } = arrays

  return () => {
    for (let c = 0; c < conduits.count; c++) {
      const a = conduits.from[c]
      const b = conduits.to[c]
      const q = flow[c] * conduits.barrels[c]
      // Seepage leaves the ends that are no outfalls.
      const each = a < unknowns && b < unknowns ? loss[c] / 2 : loss[c]
      if (active[a] === 1) {
        if (q >= 0) outflow[a] += q
        else inflow[a] -= q
        surface[a] += fromSurface[c]
        slopes[a] += slope[c]
        if (each > 0 && a < unknowns) outflow[a] += each
      }
      if (active[b] === 1) {
        if (q >= 0) inflow[b] += q
        else outflow[b] -= q
        surface[b] += toSurface[c]
        slopes[b] += slope[c]
        if (each > 0 && b < unknowns) outflow[b] += each
      }
    }
  }
}
