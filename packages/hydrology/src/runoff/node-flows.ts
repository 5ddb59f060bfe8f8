/** Flows into nodes within the step under way. */
export interface NodeFlows {
  begin(timeS: number, stepS: number): void
  /** Adds what a subcatchment gives in the step, m3, and its rate at the step's end, m3/s. */
  add(node: number, volumeM3: number, flow: number): void
  /** Adds what comes between two moments of the step, m3 by node. */
  volumes(fromS: number, toS: number, into: Float64Array): void
}

export function createNodeFlows(nodes: number): NodeFlows {
  const before = new Float64Array(nodes)
  const after = new Float64Array(nodes)
  const volume = new Float64Array(nodes)
  const fed: number[] = []
  const isFed = new Uint8Array(nodes)
  let beginS = 0
  let dt = 0
  return {
    begin(timeS, stepS) {
      beginS = timeS
      dt = stepS
      for (const node of fed) {
        before[node] = after[node]
        after[node] = 0
        volume[node] = 0
      }
    },
    add(node, volumeM3, flow) {
      if (isFed[node] === 0) {
        isFed[node] = 1
        fed.push(node)
      }
      volume[node] += volumeM3
      after[node] += flow
    },
    volumes(fromS, toS, into) {
      const a = Math.max(0, (fromS - beginS) / dt)
      const b = Math.min(1, (toS - beginS) / dt)
      for (const node of fed) {
        const held = volume[node]
        if (held === 0) continue
        const mean = held / dt
        into[node] +=
          held *
          (shareUntil(b, before[node] / mean, after[node] / mean) -
            shareUntil(a, before[node] / mean, after[node] / mean))
      }
    },
  }
}

/**
 * Share of a step's volume that has come until `x` (0 to 1), for rates `q0` and `q1` at its ends in units of the mean.
 * Where the mean lies between them, the rate goes from one to the other by a power of x, without passing either; where
 * it lies above both, over a peak in the middle; below both, along a line that is too high everywhere by the same factor.
 */
export function shareUntil(x: number, q0: number, q1: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const between = (1 - q0) / (q1 - q0)
  if (between > 1e-3 && between <= 1) return q0 * x + (q1 - q0) * between * x ** (1 / between)
  const line = (top: number, end: number, at: number) => at * (top + ((end - top) * at) / 2)
  const middle = 2 - (q0 + q1) / 2
  if (q0 < 1 && q1 < 1) {
    const rising = line(q0, middle, Math.min(1, 2 * x)) / 2
    return x <= 0.5 ? rising : rising + line(middle, q1, 2 * x - 1) / 2
  }
  return q0 + q1 > 0 ? line(q0, q1, x) / ((q0 + q1) / 2) : x
}
