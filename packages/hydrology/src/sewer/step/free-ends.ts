import { criticalDepth, normalDepth } from '../sections/section-table.ts'
import type { Momentum } from './momentum.ts'
import type { Terms } from './terms.ts'

/** A depth or a height below this counts as none, m (0.0001 ft). */
export const TINY_M = 3.048e-5

/**
 * Heads and depths at a conduit's ends, and which of them the water leaves freely (SWMM Reference Manual II, 3.3.4): there it
 * stands at the lower of normal and critical depth of its last flow `q`, m3/s, whatever the node's head is.
 */
export function freeEnds(
  terms: Terms,
  momentum: Momentum,
  c: number,
  q: number,
  headFrom: number,
  headTo: number,
): void {
  const { facts, from, to, state } = momentum
  const z1 = facts.fromInvert[c]
  const z2 = facts.toInvert[c]
  const h1 = Math.max(headFrom, z1)
  const h2 = Math.max(headTo, z2)
  const wet1 = h1 - z1 > TINY_M
  const wet2 = h2 - z2 > TINY_M
  terms.h1 = h1
  terms.h2 = h2
  terms.y1 = wet1 ? h1 - z1 : TINY_M
  terms.y2 = wet2 ? h2 - z2 : TINY_M
  terms.hold1 = false
  terms.hold2 = false
  terms.dry = !wet1 && !wet2
  const drop1 = dropTo(momentum, facts.dropFrom[c], from[c], headFrom)
  const drop2 = dropTo(momentum, facts.dropTo[c], to[c], headTo)
  if (wet1 && wet2) {
    if (drop1 > 0 || drop2 > 0) fallAtOne(terms, momentum, c, q, drop1, drop2)
  } else if (wet2) {
    if (h2 < z1) terms.dry = true
    else if (drop1 > 0) holdFrom(terms, z1, depthOfFall(momentum, c, Math.abs(q)))
  } else if (wet1) {
    if (h1 < z2) terms.dry = true
    else if (drop2 > 0) {
      const y = depthOfFall(momentum, c, Math.abs(q))
      state.endDepth[c] = y
      holdTo(terms, z2, y)
    }
  }
  terms.limited = !(terms.hold1 || terms.hold2)
  if (terms.h1 === z1) terms.hold1 = true
  if (terms.h2 === z2) terms.hold2 = true
}

/** Height of an end above the outfall's water or, in a manhole, above the bottom it falls to, m. */
function dropTo({ invert, unknowns }: Momentum, drop: number, position: number, head: number): number {
  if (position < unknowns) return drop
  return Math.max(0, drop - (head - invert[position]))
}

/** Both ends are wet: the one that the flow leaves may hang. */
function fallAtOne(
  terms: Terms,
  momentum: Momentum,
  c: number,
  q: number,
  drop1: number,
  drop2: number,
): void {
  const { fullDepth, fromInvert, toInvert } = momentum.facts
  const crown = fullDepth[c]
  if (q < 0) {
    if (!(drop1 > 0 && terms.y1 < crown)) return
    const y = depthOfFall(momentum, c, -q)
    if (terms.y1 < y) holdFrom(terms, fromInvert[c], y)
  } else if (drop2 > 0 && terms.y2 < crown) {
    const y = depthOfFall(momentum, c, q)
    momentum.state.endDepth[c] = y
    if (terms.y2 < y) holdTo(terms, toInvert[c], y)
  }
}

/** The lower of normal and critical depth, m. */
function depthOfFall({ tables, facts }: Momentum, c: number, q: number): number {
  const table = tables[c]
  return Math.max(TINY_M, Math.min(normalDepth(table, q, facts.beta[c]), criticalDepth(table, q)))
}

function holdFrom(terms: Terms, invert: number, y: number): void {
  terms.hold1 = true
  terms.y1 = y
  terms.h1 = invert + y
}

function holdTo(terms: Terms, invert: number, y: number): void {
  terms.hold2 = true
  terms.y2 = y
  terms.h2 = invert + y
}
