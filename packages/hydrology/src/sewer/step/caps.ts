import { GRAVITY } from '@radx/contracts/constants'
import { TINY_M } from './free-ends.ts'
import type { Momentum } from './momentum.ts'
import type { Terms } from './terms.ts'

/**
 * Limits of a conduit's flow (SWMM Reference Manual II, 3.3.3): inlet control of culverts, normal flow, the file's largest
 * flow, flap gates, and nodes that let nothing out. Limits from above follow the upper head within the step.
 */
export function caps(terms: Terms, momentum: Momentum, c: number, headFrom: number, headTo: number): void {
  const { facts, laws, from, to } = momentum
  const guess = laws.constant[c] + laws.fromSlope[c] * headFrom - laws.toSlope[c] * headTo
  if (facts.culvert[c] === 1 && guess > 0 && !terms.isFull) inletControl(terms, momentum, c, guess, headFrom)
  else if (terms.limited && guess > 0 && terms.y1 <= facts.fullDepth[c] + TINY_M) {
    if (runsNormal(terms, momentum, c, guess)) normalFlow(terms, momentum, c, headFrom)
  }
  if (facts.limited[c] === 1) {
    const most = facts.maxFlow[c]
    if (laws.high[c] + laws.highSlope[c] * headFrom > most) stopAt(momentum, c, most)
    laws.low[c] = -most
  }
  if (facts.flapAlong[c] === 1) laws.low[c] = 0
  if (facts.flapAgainst[c] === 1) stopAt(momentum, c, 0)
  if (isShut(momentum, from[c])) stopAt(momentum, c, 0)
  if (isShut(momentum, to[c]) && laws.low[c] < 0) laws.low[c] = 0
}

function stopAt({ laws }: Momentum, c: number, most: number): void {
  laws.high[c] = most
  laws.highSlope[c] = 0
}

function inletControl(terms: Terms, momentum: Momentum, c: number, guess: number, headFrom: number): void {
  const { sections, laws } = momentum
  const through = sections.inletFlow(c, terms.y1)
  if (!(through < guess)) return
  const growth = terms.hold1 ? 0 : sections.inletSlope(c, terms.y1)
  laws.highSlope[c] = growth
  laws.high[c] = through - growth * headFrom
}

/** Whether the water runs steep, its surface falling less than the bed, or supercritical. */
function runsNormal(terms: Terms, { options, facts }: Momentum, c: number, guess: number): boolean {
  const atOutfall = facts.atOutfall[c] === 1
  const bySlope = options.capBySlope || (options.capByFroude && atOutfall)
  if (bySlope && terms.y1 < terms.y2) return true
  if (!options.capByFroude || atOutfall) return false
  const { area1 } = terms
  return guess * guess * terms.width1 >= GRAVITY * area1 * area1 * area1
}

/** Q <= beta A1 R1^(2/3), which grows with the depth of the upper end unless that is held. */
function normalFlow(terms: Terms, { facts, laws }: Momentum, c: number, headFrom: number): void {
  const beta = facts.beta[c]
  const growth = terms.factorSlope > 0 && !terms.hold1 ? beta * terms.factorSlope : 0
  laws.highSlope[c] = growth
  laws.high[c] = beta * terms.factor1 - growth * headFrom
}

/** Whether a node lets nothing out: a dry one, or an outfall with a gate. */
function isShut({ state, unknowns }: Momentum, position: number): boolean {
  if (state.canLeave[position] === 0) return true
  return position >= unknowns && state.outfallGate[position - unknowns] === 1
}
