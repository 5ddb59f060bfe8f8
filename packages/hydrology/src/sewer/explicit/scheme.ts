import type { ExplicitInput } from './arrays.ts'
import { createConduitFlows } from './conduits.ts'
import type { DeviceFlows } from './devices.ts'
import { DEFAULTS } from './limits.ts'
import { createNodeDepths, type NodeFacts } from './nodes.ts'
import { createStableStep } from './step-length.ts'

/** The loops of a step: the reference in TypeScript, or the same formulas compiled, with the same bits. */
export interface Scheme {
  /** Makes a step by trials, each from the heads of the one before. @returns trials made, negative where the last ones still differ */
  step(dt: number): number
  /** Longest step that is stable, s, not yet within the file's shortest one; `lastS`: how long the last one was. */
  stableStep(lastS: number): number
}

/** What the loops are given beside the input. */
export interface SchemeParts {
  nodes: NodeFacts
  devices: DeviceFlows
  setOutfalls(): void
}

export const maxTrialsOf = ({ network }: ExplicitInput) => network.options.maxTrials ?? DEFAULTS.maxTrials
export const toleranceOf = ({ network }: ExplicitInput) =>
  network.options.headToleranceM ?? DEFAULTS.headToleranceM

export function createReferenceScheme(input: ExplicitInput, parts: SchemeParts): Scheme {
  const { plan, arrays } = input
  const flows = createConduitFlows(input)
  const nodes = createNodeDepths(input, parts.nodes)
  const gather = createGathering(input)
  const maxTrials = maxTrialsOf(input)
  const toleranceM = toleranceOf(input)
  const { settled } = arrays
  const { from, to, count } = plan.conduits

  return {
    stableStep: createStableStep(input, parts.nodes),
    step(dt) {
      for (let i = 0; i < maxTrials; i++) {
        nodes.begin()
        // From the third trial on what lies between settled nodes stays.
        for (let c = 0; c < count; c++)
          if (i < 2 || (settled[from[c]] & settled[to[c]]) === 0) flows.move(c, dt, i === 0)
        gather()
        parts.devices.trial(dt, i)
        parts.setOutfalls()
        if (nodes.trial(dt, i === 0, toleranceM) && i > 0) return i + 1
      }
      return -maxTrials
    },
  }
}

/** Adds up what conduits bring to their nodes. */
function createGathering({ plan, arrays }: ExplicitInput): () => void {
  const { conduits, unknowns } = plan
  const { inflow, outflow, surface, slopes, flow, slope, fromSurface, toSurface, loss } = arrays

  /** Takes seepage out of the ends that are no outfalls. */
  const lose = (a: number, b: number, much: number) => {
    const each = a < unknowns && b < unknowns ? much / 2 : much
    if (a < unknowns) outflow[a] += each
    if (b < unknowns) outflow[b] += each
  }

  return () => {
    for (let c = 0; c < conduits.count; c++) {
      const a = conduits.from[c]
      const b = conduits.to[c]
      const q = flow[c] * conduits.barrels[c]
      if (q >= 0) {
        outflow[a] += q
        inflow[b] += q
      } else {
        inflow[a] -= q
        outflow[b] -= q
      }
      surface[a] += fromSurface[c]
      surface[b] += toSurface[c]
      slopes[a] += slope[c]
      slopes[b] += slope[c]
      if (loss[c] > 0) lose(a, b, loss[c])
    }
  }
}
