import type { KernelInput } from './kernel.ts'
import type { CONDUIT_FIGURES, CONDUIT_TRAITS, OPTIONS } from './records.ts'

/** What of the network's options the momentum asks for. */
export type SchemeOptions = Record<(typeof OPTIONS)[number], boolean> &
  Pick<KernelInput, 'theta' | 'thetaFull'>

/**
 * What stays of conduits, as the momentum needs it: traits, 0 or 1, and figures in SI. `dropFrom` and `dropTo` are the heights
 * of the ends above their nodes' bottoms, from where water falls free; `friction` is g n^2, `beta` sqrt(slope) / n.
 */
export type ConduitFacts = Record<(typeof CONDUIT_TRAITS)[number], Uint8Array> &
  Record<(typeof CONDUIT_FIGURES)[number], Float64Array>

export function schemeOptions({ options, theta, thetaFull }: KernelInput): SchemeOptions {
  const { surchargeMethod, inertialDamping, normalFlowLimited } = options
  return {
    slot: surchargeMethod === 'SLOT',
    dampNone: inertialDamping === 'NONE',
    dampFull: inertialDamping === 'FULL',
    capBySlope: normalFlowLimited === 'SLOPE' || normalFlowLimited === 'BOTH',
    capByFroude: normalFlowLimited === 'FROUDE' || normalFlowLimited === 'BOTH',
    theta,
    thetaFull,
  }
}

export function conduitFacts({ plan, sections }: KernelInput): ConduitFacts {
  const { conduits, invert, unknowns } = plan
  const { from, to, fromInvert, toInvert, length, lossIn, lossOut, lossMean, direction } = conduits
  const trait = (holds: (c: number) => boolean) =>
    Uint8Array.from({ length: conduits.count }, (_, c) => (holds(c) ? 1 : 0))
  const { barrels, friction, beta, maxFlow, flapGate } = conduits
  return {
    closed: sections.closed,
    lossy: trait((c) => lossIn[c] + lossOut[c] + lossMean[c] > 0),
    atOutfall: trait((c) => from[c] >= unknowns || to[c] >= unknowns),
    forceMain: trait((c) => conduits.forceMain[c] > 0),
    flapAlong: trait((c) => flapGate[c] === 1 && direction[c] > 0),
    flapAgainst: trait((c) => flapGate[c] === 1 && direction[c] <= 0),
    limited: trait((c) => maxFlow[c] > 0),
    culvert: trait((c) => conduits.inlets[c] !== null),
    ...{ barrels, fromInvert, toInvert, friction, beta, length, maxFlow, lossIn, lossOut, lossMean },
    fullDepth: sections.fullDepth,
    perMetre: sections.perMetre,
    dropFrom: fromInvert.map((z, c) => z - invert[from[c]]),
    dropTo: toInvert.map((z, c) => z - invert[to[c]]),
    perLength: length.map((metres) => 1 / metres),
  }
}
