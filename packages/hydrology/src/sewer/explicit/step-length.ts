import type { ExplicitInput } from './arrays.ts'
import { DEFAULTS, FILM_M, FILM_M2, FILM_M3S, SHORTEST_STEP_S } from './limits.ts'

/**
 * Longest stable step, s: the file's, or less by Courant's condition along the conduits, and no more than lets a node rise by a
 * quarter of its crown (SWMM Reference Manual II, 3.3.7).
 */
export function createStepLength(
  { network, plan, arrays }: ExplicitInput,
  crown: Float64Array,
): () => number {
  const { options } = network
  const { conduits, unknowns } = plan
  const { length } = conduits
  const { flow, area, endArea, froude, depth, rise } = arrays
  const longest = options.routingStepS
  const courant = options.courantFactor ?? DEFAULTS.courant
  const shortest = Math.max(SHORTEST_STEP_S, Math.min(longest, options.minRoutingStepS ?? DEFAULTS.minStepS))
  if (courant === 0 || longest < SHORTEST_STEP_S) return () => longest
  let begun = false
  return () => {
    if (!begun) {
      begun = true
      return shortest
    }
    let step = longest
    for (let c = 0; c < conduits.count; c++) {
      const q = Math.abs(flow[c])
      const fr = froude[c]
      if (q <= FILM_M3S || area[c] <= FILM_M2 || fr <= 0.01) continue
      const t = ((endArea[c] * length[c]) / q) * (fr / (1 + fr)) * courant
      if (t < step) step = t
    }
    for (let p = 0; p < unknowns; p++) {
      const top = crown[p]
      if (depth[p] <= FILM_M || depth[p] + FILM_M >= top || top * 0.25 < FILM_M || rise[p] < FILM_M) continue
      const t = (top * 0.25) / rise[p]
      if (t < step) step = t
    }
    return Math.max(shortest, Math.floor(1000 * step) / 1000)
  }
}
