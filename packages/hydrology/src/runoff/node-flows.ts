import { handedOver } from './ground/hand-over.ts'

/** Flows into nodes within the step under way. */
export interface NodeFlows {
  begin(timeS: number, stepS: number): void
  /** Adds what a subcatchment gives in the step, m3, and its rate at the step's end, m3/s. */
  add(node: number, volumeM3: number, flow: number): void
  /** Adds what comes between two moments of the step, m3 by node. */
  volumes(fromS: number, toS: number, into: Float64Array): void
  /** Adds what flows at a moment of the step, m3/s by node. */
  rates(atS: number, into: Float64Array): void
  /** What was given and did not come yet, m3; may be a debt. */
  heldM3(): number
}

/** Each node's flow goes along a line between the rates at the ends of the step. */
export function createNodeFlows(nodes: number): NodeFlows {
  const before = new Float64Array(nodes)
  const after = new Float64Array(nodes)
  const held = new Float64Array(nodes)
  const fed: number[] = []
  const isFed = new Uint8Array(nodes)
  let beginS = 0
  let dt = 0
  /** What comes in the whole step, m3. */
  const comes = (node: number) => handedOver(held[node], ((before[node] + after[node]) / 2) * dt, dt)
  return {
    begin(timeS, stepS) {
      for (const node of fed) {
        // Most are dry most of the time.
        if (before[node] === 0 && after[node] === 0) continue
        if (dt > 0) held[node] -= comes(node)
        before[node] = after[node]
        after[node] = 0
      }
      beginS = timeS
      dt = stepS
    },
    add(node, volumeM3, flow) {
      if (isFed[node] === 0) {
        isFed[node] = 1
        fed.push(node)
      }
      held[node] += volumeM3
      after[node] += flow
    },
    volumes(fromS, toS, into) {
      const a = Math.max(0, (fromS - beginS) / dt)
      const b = Math.min(1, (toS - beginS) / dt)
      for (const node of fed) {
        const q0 = before[node]
        const q1 = after[node]
        if (q0 === 0 && q1 === 0) continue
        const volume = comes(node)
        into[node] += volume * (shareUntil(b, q0, q1) - shareUntil(a, q0, q1))
      }
    },
    rates(atS, into) {
      const x = Math.min(1, Math.max(0, (atS - beginS) / dt))
      for (const node of fed) {
        const [q0, q1] = [before[node], after[node]]
        const line = ((q0 + q1) / 2) * dt
        if (line > 0) into[node] += (q0 + (q1 - q0) * x) * (comes(node) / line)
      }
    },
    heldM3: () => fed.reduce((sum, node) => sum + held[node] - (dt > 0 ? comes(node) : 0), 0),
  }
}

/** Share of a step's volume that has come until `x` (0 to 1), along a line between the rates at its ends. */
export function shareUntil(x: number, q0: number, q1: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  return q0 + q1 > 1e-200 ? (x * (2 * q0 + (q1 - q0) * x)) / (q0 + q1) : x
}
