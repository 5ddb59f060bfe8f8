import type { ExplicitInput } from './arrays.ts'
import type { NodeFacts } from './nodes.ts'

/** A film has no meaningful velocity, m. */
const SLOW_M = 0.01 * 0.3048

/** What `sums` holds. */
export const SUMS = { inflow: 0, flooded: 1, outfall: 2, loss: 3, backflow: 4 } as const

/** What comes in with a step, what it moved, and what of it is shown. */
export interface Books {
  /** What the file's inflows bring at the step's start, and what enters in all. */
  enter(dt: number): void
  /** Moves volumes by the mean of the flows at the step's two ends: what leaves one node enters the other. */
  account(dt: number): void
  /** Zeroes what is told of the time since it was shown last. */
  forget(): void
  /** Shows the state, in the file's order. */
  publish(): void
}

/** What the compiled books (assembly/explicit/books.ts) are held against. */
export function createReferenceBooks({ plan, arrays }: ExplicitInput, { fullOwn }: NodeFacts): Books {
  const { nodeOf, unknowns, conduits } = plan
  const { rates, oldRates, sampled, lateral, entering, inflow, outflow, oldNet, overflow, own, carried } =
    arrays
  const { floodVolumes, outfallVolumes, lateralVolumes, sums, loss, oldLoss } = arrays
  return {
    enter(dt) {
      for (let p = 0; p < nodeOf.length; p++) {
        const n = nodeOf[p]
        const rate = rates[n]
        sampled[p] = rate
        // Rules and the balance see the mean of both ends of the step, as the nodes take it.
        entering[n] = lateral[p] * dt + 0.5 * (oldRates[n] + rate) * dt
        oldRates[n] = rate
      }
    },
    account(dt) {
      let entered = 0
      let flooded = 0
      let left = 0
      let back = 0
      for (let p = 0; p < nodeOf.length; p++) {
        const n = nodeOf[p]
        const net = inflow[p] - outflow[p]
        const gain = 0.5 * (oldNet[p] + net) * dt + lateral[p] * dt
        oldNet[p] = net
        entered += entering[n]
        lateralVolumes[n] += entering[n]
        if (p >= unknowns) {
          outfallVolumes[n] += gain
          left += gain
          if (gain < 0) back -= gain
          continue
        }
        // What ponds stays.
        const over = overflow[p] > 0 && own[p] <= fullOwn[p] ? overflow[p] * dt : 0
        carried[p] += gain - over
        floodVolumes[n] += over
        flooded += over
      }
      sums[SUMS.inflow] += entered
      sums[SUMS.flooded] += flooded
      sums[SUMS.outfall] += left
      sums[SUMS.backflow] += back
      for (let c = 0; c < loss.length; c++)
        if (loss[c] + oldLoss[c] > 0) sums[SUMS.loss] += 0.5 * (loss[c] + oldLoss[c]) * dt
    },
    forget() {
      for (const values of [floodVolumes, outfallVolumes, lateralVolumes]) values.fill(0)
    },
    publish() {
      const { head, depth, middle, flow, area, fullAreas, deviceFlow, direction, linkOf, deviceLink } = arrays
      const { heads, depths, volumes, flows, linkDepths, velocities } = arrays
      for (let p = 0; p < nodeOf.length; p++) {
        const n = nodeOf[p]
        heads[n] = head[p]
        depths[n] = depth[p]
        volumes[n] = carried[p]
      }
      for (let c = 0; c < conduits.count; c++) {
        const i = linkOf[c]
        const y = middle[c]
        const q = direction[c] * flow[c]
        flows[i] = q * conduits.barrels[c]
        linkDepths[i] = y
        velocities[i] = y > SLOW_M ? q / Math.min(area[c], fullAreas[c]) : 0
      }
      for (let k = 0; k < deviceLink.length; k++) flows[deviceLink[k]] = deviceFlow[k]
    },
  }
}
