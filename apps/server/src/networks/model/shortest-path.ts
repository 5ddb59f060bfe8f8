import { RadxError, type SewerNetwork } from '@radx/contracts'

class NoPath extends RadxError {
  constructor(start: string, end: string) {
    super(
      'network.noPath',
      404,
      `Aucun chemin ne relie ${start} à ${end} : ils ne sont pas dans la même partie du réseau.`,
      { details: { start, end } },
    )
  }
}

/**
 * Shortest way along the pipes between two nodes, in either direction of flow (Dijkstra).
 * @returns names of the nodes from start to end
 * @throws NoPath
 */
export function shortestPath(network: SewerNetwork, start: string, end: string): string[] {
  const index = new Map(network.nodes.map((node, i) => [node.name, i]))
  const from = index.get(start)
  const to = index.get(end)
  if (from === undefined || to === undefined) throw new NoPath(start, end)
  const around: { node: number; length: number }[][] = network.nodes.map(() => [])
  for (const link of network.links) {
    const length = link.kind === 'conduit' ? link.lengthM : 1
    around[link.from].push({ node: link.to, length })
    around[link.to].push({ node: link.from, length })
  }
  const cost = new Float64Array(network.nodes.length).fill(Number.POSITIVE_INFINITY)
  const before = new Int32Array(network.nodes.length).fill(-1)
  const open = new MinHeap(cost)
  cost[from] = 0
  open.push(from, 0)
  for (let node = open.pop(); node >= 0 && node !== to; node = open.pop())
    for (const way of around[node]) {
      const through = cost[node] + way.length
      if (through >= cost[way.node]) continue
      cost[way.node] = through
      before[way.node] = node
      open.push(way.node, through)
    }
  if (!Number.isFinite(cost[to])) throw new NoPath(start, end)
  const path: string[] = []
  for (let node = to; node >= 0; node = before[node]) path.unshift(network.nodes[node].name)
  return path
}

/** Nodes by cost; an entry that a cheaper one has overtaken is passed over. */
class MinHeap {
  private readonly cost: Float64Array
  private readonly heap: { node: number; cost: number }[] = []

  constructor(cost: Float64Array) {
    this.cost = cost
  }

  push(node: number, cost: number): void {
    const heap = this.heap
    heap.push({ node, cost })
    let k = heap.length - 1
    while (k > 0) {
      const parent = (k - 1) >> 1
      if (heap[parent].cost <= heap[k].cost) break
      ;[heap[k], heap[parent]] = [heap[parent], heap[k]]
      k = parent
    }
  }

  /** -1 when empty. */
  pop(): number {
    const heap = this.heap
    while (heap.length > 0) {
      const top = heap[0]
      const last = heap.pop()
      if (heap.length > 0 && last) {
        heap[0] = last
        let k = 0
        for (;;) {
          let child = 2 * k + 1
          if (child >= heap.length) break
          if (child + 1 < heap.length && heap[child + 1].cost < heap[child].cost) child++
          if (heap[child].cost >= heap[k].cost) break
          ;[heap[k], heap[child]] = [heap[child], heap[k]]
          k = child
        }
      }
      if (top.cost <= this.cost[top.node]) return top.node
    }
    return -1
  }
}
