import { GRAVITY } from '@radx/contracts/constants'
import { hazenConveyance } from '../sections/friction.ts'
import { EXTRAN_FROM } from '../sections/section-table.ts'
import { conduitFacts, type SchemeOptions, schemeOptions } from '../step/conduit-facts.ts'
import type { ExplicitInput } from './arrays.ts'
import { FILM_M } from './limits.ts'
import type { FIGURES, TRAITS } from './records.ts'
import { createSectionLook, SLOT_LOWEST } from './section-look.ts'

/**
 * What stays of conduits, as the momentum needs it: traits, 0 or 1, and figures in SI. `closesAt` is the depth from which a closed
 * conduit stores otherwise than by its water's width (EXTRAN: by `topWidth`). `plain` ones have but Manning's friction, and where an end `falls` water
 * may leave freely.
 */
export type ExplicitFacts = Record<(typeof TRAITS)[number], Uint8Array> &
  Record<(typeof FIGURES)[number], Float64Array>

export const optionsOf = (input: ExplicitInput): SchemeOptions => schemeOptions(momentumInput(input))

const momentumInput = ({ network, plan, sections }: ExplicitInput) => ({
  plan,
  sections,
  options: network.options,
  theta: 1,
  thetaFull: 1,
})

export function explicitFacts(input: ExplicitInput): ExplicitFacts {
  const { plan, sections, network } = input
  const { conduits } = plan
  const facts = conduitFacts(momentumInput(input))
  const slot = network.options.surchargeMethod === 'SLOT'
  const share = slot ? SLOT_LOWEST : EXTRAN_FROM
  // Open ones never close; under SLOT their walls may go on above the rim.
  const closesAt = sections.fullDepth.map((full, c) => {
    if (sections.closed[c] === 1) return share * full
    return slot && conduits.tables[c].flare ? full : Infinity
  })
  const { look } = createSectionLook(sections)
  return {
    ...facts,
    plain: facts.lossy.map((lossy, c) => (lossy === 1 || facts.forceMain[c] === 1 ? 0 : 1)),
    falls: facts.atOutfall.map((at, c) => (at === 1 || facts.dropFrom[c] > 0 || facts.dropTo[c] > 0 ? 1 : 0)),
    ...shutOf(input),
    rimmed: limitedAtRim(input),
    seeping: Uint8Array.from(conduits.seepage, (speed) => (speed > 0 ? 1 : 0)),
    closesAt,
    topWidth: closesAt.map((y, c) => look(c, y, 1)),
    seepage: conduits.seepage,
    widestDepth: Float64Array.from(conduits.tables, (table) => table.widestDepthM),
    mainFriction: Float64Array.from(conduits.tables, ({ fullRadiusM }, c) =>
      conduits.forceMain[c] > 0 && network.options.forceMainEquation === 'H-W'
        ? GRAVITY / hazenConveyance(conduits.forceMain[c], fullRadiusM)
        : 0,
    ),
    filmArea: Float64Array.from(conduits.tables, (_, c) => look(c, FILM_M, 0)),
    fullArea: sections.fullDepth.map((y, c) => look(c, y, 0)),
    fullRadius43: sections.fullDepth.map((y, c) => look(c, y, 2)),
  }
}

const FT = 0.3048

/**
 * 1 for conduits that normal flow limits although the node above stands at its rim, which is their top. EPA SWMM asks for a depth below the top, and
 * reckons it in feet as (depth + bottom) - bottom: rounding decides, and is done here as there.
 */
function limitedAtRim({ plan }: ExplicitInput): Uint8Array {
  const { conduits, invert, fullDepth } = plan
  return Uint8Array.from(conduits.tables, ({ fullDepthM }, c) => {
    const p = conduits.from[c]
    const bottom = invert[p] / FT
    const end = bottom + (conduits.fromInvert[c] - invert[p]) / FT
    return fullDepth[p] / FT + bottom - end < fullDepthM / FT ? 1 : 0
  })
}

/** Whether a conduit's own gate or that of its outfall lets nothing back, or nothing along it. */
function shutOf({ network, plan }: ExplicitInput): { shutBack: Uint8Array; shutAlong: Uint8Array } {
  const { conduits, unknowns, nodeOf } = plan
  const gated = (p: number) => {
    if (p < unknowns) return false
    const node = network.nodes[nodeOf[p]]
    return node.kind === 'outfall' && node.flapGate
  }
  const shutBack = new Uint8Array(conduits.count)
  const shutAlong = new Uint8Array(conduits.count)
  for (let c = 0; c < conduits.count; c++) {
    const own = conduits.flapGate[c] === 1
    shutBack[c] = (own && conduits.direction[c] > 0) || gated(conduits.to[c]) ? 1 : 0
    shutAlong[c] = (own && conduits.direction[c] < 0) || gated(conduits.from[c]) ? 1 : 0
  }
  return { shutBack, shutAlong }
}
