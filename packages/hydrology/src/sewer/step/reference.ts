import { heap } from '../network/room.ts'
import { createBalances } from './balances.ts'
import { createState, emptyPart, type KernelInput, type SewerKernel } from './kernel.ts'
import { createMomentum } from './momentum.ts'

/** The inner loops in TypeScript: slower than the compiled ones, and what they are held against. */
export function createReferenceKernel(input: KernelInput): SewerKernel {
  const { plan } = input
  const { elimination } = plan
  const state = createState(plan, heap, elimination)
  const { vector, diagonal } = state
  const { laws, prepare } = createMomentum(input, state)
  const { stored, flows } = createBalances(plan, state)
  return {
    state,
    room: heap,
    part: () => emptyPart(heap, plan),
    prepare,
    stored,
    flows: flows(laws),
    openBalances({ nodes, nodeCount }, toleranceM, hopelessM) {
      let open = 0
      for (let j = 0; j < nodeCount; j++) {
        const k = nodes[j]
        const off = Math.abs(vector[k])
        if (off <= toleranceM * diagonal[k]) continue
        if (!(off < hopelessM * diagonal[k])) return -1
        open++
      }
      return open
    },
    move(heads, { nodes, nodeCount }) {
      elimination.solve(nodes, nodeCount)
      for (let j = 0; j < nodeCount; j++) heads[nodes[j]] += vector[nodes[j]]
    },
  }
}
