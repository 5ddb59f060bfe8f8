import type { SewerNetwork } from '@radx/contracts'

/** Between neighbours of a computed layout; its figures mean nothing else. */
const STEP = 100

export interface Layout {
  /** [node], in the file's own coordinates or those of the layout. */
  at: [number, number][]
  placed: 'file' | 'layout'
  /** Names of nodes that the file does not place, though it places others. */
  guessed: string[]
}

/**
 * Where nodes stand on a map: as the file says; a node that it leaves out beside its neighbours. Where it places none, a
 * tree from each outfall (or the lowest node of a part without any) against the flow: columns by the number of links to
 * it, rows so that branches do not cross. The same file gives the same layout.
 */
export function layoutOf(network: SewerNetwork): Layout {
  const around = neighboursOf(network)
  const known = network.nodes.map(({ x, y }) =>
    x === undefined || y === undefined ? null : ([x, y] as const),
  )
  if (known.every((place) => place === null))
    return { at: treesOf(network, around), placed: 'layout', guessed: [] }
  const at = known.map((place): [number, number] | null => place && [place[0], place[1]])
  const guessed = network.nodes.filter((_, n) => at[n] === null).map(({ name }) => name)
  // From those that are placed outwards; a part that has none stands where the others begin.
  let open = at.flatMap((place, n) => (place ? [n] : []))
  const first = at[open[0]] as [number, number]
  while (open.length > 0) {
    const next: number[] = []
    for (const node of open)
      for (const other of around[node]) {
        if (at[other]) continue
        const placed = around[other].flatMap((n) => at[n] ?? [])
        const count = placed.length / 2
        at[other] = [0, 1].map((axis) => sum(placed, axis) / count) as [number, number]
        next.push(other)
      }
    open = next
  }
  return { at: at.map((place) => place ?? [...first]), placed: 'file', guessed }
}

const sum = (pairs: number[], from: number) => {
  let all = 0
  for (let k = from; k < pairs.length; k += 2) all += pairs[k]
  return all
}

function neighboursOf({ nodes, links }: SewerNetwork): number[][] {
  const around: number[][] = nodes.map(() => [])
  for (const { from, to } of links) {
    around[from].push(to)
    around[to].push(from)
  }
  return around
}

function treesOf({ nodes }: SewerNetwork, around: number[][]): [number, number][] {
  const at: ([number, number] | null)[] = nodes.map(() => null)
  const order = nodes
    .map((_, n) => n)
    .sort(
      (a, b) =>
        Number(nodes[b].kind === 'outfall') - Number(nodes[a].kind === 'outfall') ||
        nodes[a].invertM - nodes[b].invertM ||
        a - b,
    )
  const seen = new Uint8Array(nodes.length)
  let row = 0
  for (const root of order) {
    if (seen[root]) continue
    const { visited, parent, depth } = treeFrom(root, around, seen)
    const rows = new Map<number, { sum: number; count: number }>()
    // Leaves come last: each has a row of its own, and what they hang on stands in their middle.
    for (const node of branchOrder(root, visited, parent).reverse()) {
      const below = rows.get(node)
      const own = below ? below.sum / below.count : row++
      at[node] = [-STEP * (depth.get(node) ?? 0), -STEP * own]
      const above = parent.get(node)
      if (above === undefined) continue
      const there = rows.get(above) ?? { sum: 0, count: 0 }
      rows.set(above, { sum: there.sum + own, count: there.count + 1 })
    }
    row++
  }
  return at as [number, number][]
}

function treeFrom(root: number, around: number[][], seen: Uint8Array) {
  const parent = new Map<number, number>()
  const depth = new Map([[root, 0]])
  const visited = [root]
  seen[root] = 1
  for (let k = 0; k < visited.length; k++) {
    const node = visited[k]
    for (const other of around[node]) {
      if (seen[other]) continue
      seen[other] = 1
      parent.set(other, node)
      depth.set(other, (depth.get(node) ?? 0) + 1)
      visited.push(other)
    }
  }
  return { visited, parent, depth }
}

/** Nodes of a tree, each before those that hang on it, and these together. */
function branchOrder(root: number, visited: number[], parent: Map<number, number>): number[] {
  const children = new Map<number, number[]>()
  for (const node of visited) {
    const above = parent.get(node)
    if (above === undefined) continue
    const there = children.get(above)
    if (there) there.push(node)
    else children.set(above, [node])
  }
  const order: number[] = []
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    order.push(node)
    for (const child of children.get(node) ?? []) open.push(child)
  }
  return order
}
