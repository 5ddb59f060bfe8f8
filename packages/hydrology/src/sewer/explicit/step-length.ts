import type { SewerOptions } from '@radx/contracts'
import type { ExplicitInput } from './arrays.ts'
import { DEFAULTS, FILM_M, FILM_M2, FILM_M3S, SHORTEST_STEP_S } from './limits.ts'
import type { NodeFacts } from './nodes.ts'
import type { Scheme } from './scheme.ts'

/** Share of Courant's step that is taken; 0: always the file's. */
export const courantOf = ({ courantFactor, routingStepS }: SewerOptions) =>
  routingStepS < SHORTEST_STEP_S ? 0 : (courantFactor ?? DEFAULTS.courant)

/**
 * Steps as EPA SWMM takes them: the first is the file's shortest, the others what is stable, in whole milliseconds.
 * @param stable longest step that is stable, s
 */
export function createStepLength(options: SewerOptions, stable: () => number): () => number {
  const longest = options.routingStepS
  if (courantOf(options) === 0) return () => longest
  const shortest = Math.max(SHORTEST_STEP_S, Math.min(longest, options.minRoutingStepS ?? DEFAULTS.minStepS))
  let begun = false
  return () => {
    if (begun) return Math.max(shortest, Math.floor(1000 * stable()) / 1000)
    begun = true
    return shortest
  }
}

/**
 * Longest stable step, s: the file's, or less by Courant's condition along the conduits, and no more than lets a node rise by a
 * quarter of its crown (SWMM Reference Manual II, 3.3.7).
 */
export function createStableStep(
  { network, plan, arrays }: ExplicitInput,
  facts: NodeFacts,
): Scheme['stableStep'] {
  const { options } = network
  const { conduits, unknowns } = plan
  const { length } = conduits
  const { flow, area, endArea, square, wave, depth, rise } = arrays
  const { crown } = facts
  const courant = courantOf(options)
  return (lastS) => {
    let step = options.routingStepS
    for (let c = 0; c < conduits.count; c++) {
      const q = Math.abs(flow[c])
      if (q <= FILM_M3S || square[c] <= 1e-4 * wave[c] || area[c] <= FILM_M2) continue
      const fr = Math.sqrt(square[c] / wave[c])
      const t = (endArea[c] * length[c] * courant * fr) / (q * (1 + fr))
      if (t < step) step = t
    }
    const film = FILM_M * lastS
    for (let p = 0; p < unknowns; p++) {
      if (rise[p] < film) continue
      const top = crown[p]
      if (depth[p] <= FILM_M || depth[p] + FILM_M >= top || top * 0.25 < FILM_M) continue
      const t = (top * 0.25 * lastS) / rise[p]
      if (t < step) step = t
    }
    return step
  }
}
