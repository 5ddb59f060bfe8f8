import { RadxError, type SewerNetwork } from '@radx/contracts'
import { NodeHeap } from './node-heap.ts'

export class NoPath extends RadxError {
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
  const around = waysOf(network)
  const cost = new Float64Array(network.nodes.length).fill(Number.POSITIVE_INFINITY)
  const before = new Int32Array(network.nodes.length).fill(-1)
  const open = new NodeHeap(cost)
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

/** Where one can go from each node, and how far that is, m; what is no pipe counts as a metre. */
export function waysOf({ nodes, links }: SewerNetwork): { node: number; length: number }[][] {
  const around: { node: number; length: number }[][] = nodes.map(() => [])
  for (const link of links) {
    const length = link.kind === 'conduit' ? link.lengthM : 1
    around[link.from].push({ node: link.to, length })
    around[link.to].push({ node: link.from, length })
  }
  return around
}
