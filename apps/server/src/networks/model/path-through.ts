import { RadxError, type SewerNetwork } from '@radx/contracts'
import { NodeHeap } from './node-heap.ts'
import { NoPath, shortestPath, waysOf } from './shortest-path.ts'

class NoPathThrough extends RadxError {
  constructor(start: string, end: string, via: string) {
    super(
      'network.noPath',
      404,
      `Aucun chemin de ${start} à ${end} ne passe par ${via} sans revenir sur ses pas.`,
      { details: { start, end, via } },
    )
  }
}

/** A way that the flow may still take, or give back; `back` is the same the other way round. */
interface Arc {
  to: number
  cost: number
  free: boolean
  back: number
}

/**
 * Shortest way along the pipes between two nodes through a third that comes by no node twice, in either direction of flow: the
 * other way round a loop. Two units of the cheapest flow from the third node, one to each end, where each node lets one pass
 * (Suurballe 1974, with a node as two, in and out).
 * @returns names of the nodes from start to end
 * @throws NoPath, NoPathThrough
 */
export function pathThrough(network: SewerNetwork, start: string, end: string, via: string): string[] {
  if (via === start || via === end) return shortestPath(network, start, end)
  const index = new Map(network.nodes.map((node, i) => [node.name, i]))
  const [from, to, through] = [start, end, via].map((name) => index.get(name))
  if (from === undefined || to === undefined) throw new NoPath(start, end)
  if (through === undefined || from === to) throw new NoPathThrough(start, end, via)
  const flow = new CheapestFlow(network)
  const sink = flow.sinkOf([from, to])
  const source = out(through)
  if (!flow.send(source, sink) || !flow.send(source, sink)) throw new NoPathThrough(start, end, via)
  const branches = flow.branchesFrom(source, sink)
  const [first, second] = branches[0].at(-1) === from ? branches : [branches[1], branches[0]]
  return [...first.toReversed(), through, ...second].map((node) => network.nodes[node].name)
}

const into = (node: number): number => 2 * node
const out = (node: number): number => 2 * node + 1

class CheapestFlow {
  private readonly arcs: Arc[] = []
  /** Indexes of the arcs of each half of a node. */
  private readonly around: number[][]
  /** Cost from the source when the flow before was sent: what is left to pay is never below 0 beside it. */
  private potential: Float64Array

  constructor(network: SewerNetwork) {
    // One more than the halves: the sink.
    this.around = Array.from({ length: 2 * network.nodes.length + 1 }, () => [])
    this.potential = new Float64Array(this.around.length)
    waysOf(network).forEach((ways, node) => {
      this.add(into(node), out(node), 0)
      for (const way of ways) this.add(out(node), into(way.node), way.length)
    })
  }

  /** One unit may end at each of these nodes. */
  sinkOf(nodes: readonly number[]): number {
    const sink = this.around.length - 1
    for (const node of nodes) this.add(out(node), sink, 0)
    return sink
  }

  private add(from: number, to: number, cost: number): void {
    this.around[from].push(this.arcs.length)
    this.arcs.push({ to, cost, free: true, back: this.arcs.length + 1 })
    this.around[to].push(this.arcs.length)
    this.arcs.push({ to: from, cost: -cost, free: false, back: this.arcs.length - 1 })
  }

  /** Sends one unit the cheapest way. @returns whether there was one */
  send(source: number, sink: number): boolean {
    const { potential, arcs, around } = this
    const cost = new Float64Array(around.length).fill(Number.POSITIVE_INFINITY)
    const by = new Int32Array(around.length).fill(-1)
    const open = new NodeHeap(cost)
    cost[source] = 0
    open.push(source, 0)
    for (let at = open.pop(); at >= 0; at = open.pop())
      for (const k of around[at]) {
        const { to, free, cost: own } = arcs[k]
        if (!free) continue
        // Rounding may leave a hair below zero.
        const reached = cost[at] + Math.max(0, own + potential[at] - potential[to])
        if (!(reached < cost[to])) continue
        cost[to] = reached
        by[to] = k
        open.push(to, reached)
      }
    if (!Number.isFinite(cost[sink])) return false
    this.potential = potential.map((before, k) => (Number.isFinite(cost[k]) ? before + cost[k] : before))
    for (let at = sink; at !== source; ) {
      const arc = arcs[by[at]]
      arc.free = false
      arcs[arc.back].free = true
      at = arcs[arc.back].to
    }
    return true
  }

  /** The nodes that each unit went by, without the one that it came from. */
  branchesFrom(source: number, sink: number): number[][] {
    const carries = (k: number) => k % 2 === 0 && !this.arcs[k].free
    return this.around[source].filter(carries).map((first) => {
      const nodes: number[] = []
      for (let k = first; this.arcs[k].to !== sink; ) {
        const { to } = this.arcs[k]
        // A node is entered once; how it goes on is the way out of its other half.
        if (to % 2 === 0) nodes.push(to / 2)
        k = this.around[to].find(carries) as number
      }
      return nodes
    })
  }
}
