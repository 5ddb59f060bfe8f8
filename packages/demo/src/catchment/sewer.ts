/**
 * Branching sewer under the streets: a cheapest-path tree to each outfall, falling all the way,
 * pipes wide enough for 40 mm/h on the paved cells they serve.
 */
import { between, distance, type Point } from './geometry.ts'
import { CODE } from './land-use.ts'
import type { StreetGraph } from './streets.ts'
import { cellAt, cellCentre, NCOLS, NROWS, toWater } from './terrain.ts'

const MAX_PIPE_M = 70
const MIN_SLOPE = 0.003
const COVER_M = 0.8
const MAX_DEPTH_M = 5.5
const MAX_JUNCTIONS = 1100
const OUTFALL_SPACING_M = 430
const MANNING = 0.013
const DESIGN_RATE_M_S = 40 / 3.6e6
const DIAMETERS_M = [0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 1.8, 2]

export interface Junction {
  name: string
  at: Point
  cell: number
  groundM: number
  invertM: number
}
export interface Conduit {
  name: string
  from: string
  to: string
  lengthM: number
  diameterM: number
}
export interface Gully {
  name: string
  cell: number
  junction: string
  distanceM: number
}
export interface SewerPlan {
  junctions: Junction[]
  outfalls: { name: string; at: Point; invertM: number }[]
  conduits: Conduit[]
  gullies: Gully[]
}

interface Node {
  at: Point
  cell: number
  ground: number
  links: { to: number; length: number }[]
  /** Next node downstream; -1 at the node that gives to an outfall, -2 where nothing leads. */
  down: number
  pipe: number
  cost: number
  outfall: Point | null
  invert: number
  diameter: number
  paved: number
}

function makeNodes(streets: StreetGraph, elevation: Float64Array): Node[] {
  const node = (at: Point): Node => {
    const cell = cellAt(at)
    const far = Number.POSITIVE_INFINITY
    return {
      at,
      cell,
      ground: elevation[cell],
      links: [],
      down: -2,
      pipe: 0,
      cost: far,
      outfall: null,
      invert: 0,
      diameter: 0.3,
      paved: 0,
    }
  }
  const nodes = streets.nodes.map(node)
  for (const { a, b } of streets.edges) {
    const length = distance(streets.nodes[a], streets.nodes[b])
    const n = Math.max(1, Math.ceil(length / MAX_PIPE_M))
    let last = a
    for (let k = 1; k <= n; k++) {
      const next = k === n ? b : nodes.push(node(between(streets.nodes[a], streets.nodes[b], k / n))) - 1
      nodes[last].links.push({ to: next, length: length / n })
      nodes[next].links.push({ to: last, length: length / n })
      last = next
    }
  }
  return nodes
}

/** Straight down to the water: the first point well inside it, or null when it is too far. */
function mouthOf(at: Point): Point | null {
  let p = at
  for (let walked = 0; walked < 130; walked += 5) {
    if (toWater(p) < -6) return p
    const here = toWater(p)
    const gx = (toWater({ x: p.x + 2, y: p.y }) - here) / 2
    const gy = (toWater({ x: p.x, y: p.y + 2 }) - here) / 2
    const g = Math.hypot(gx, gy) || 1
    p = { x: p.x - (5 * gx) / g, y: p.y - (5 * gy) / g }
  }
  return null
}

/** Number of the connected part of the town that each node lies in. */
function partsOf(nodes: Node[]): Int32Array {
  const part = new Int32Array(nodes.length).fill(-1)
  nodes.forEach((_, start) => {
    const stack = part[start] < 0 ? [start] : []
    while (stack.length > 0) {
      const i = stack.pop() as number
      if (part[i] >= 0) continue
      part[i] = start
      for (const { to } of nodes[i].links) stack.push(to)
    }
  })
  return part
}

function chooseOutfalls(nodes: Node[]): void {
  const part = partsOf(nodes)
  const chosen: number[] = []
  const near = [...nodes.keys()].filter((i) => nodes[i].links.length > 0 && toWater(nodes[i].at) < 80)
  // Low ground first, so that mouths lie where streets come down to the water.
  near.sort((a, b) => nodes[a].ground - nodes[b].ground || a - b)
  for (const i of near) {
    const n = nodes[i]
    if (chosen.some((c) => part[c] === part[i] && distance(nodes[c].at, n.at) < OUTFALL_SPACING_M)) continue
    const mouth = mouthOf(n.at)
    if (mouth === null || cellAt(mouth) < 0) continue
    n.outfall = mouth
    chosen.push(i)
  }
}

/** Cheapest way down from every node; uphill costs 60 m a metre. */
function growTree(nodes: Node[]): number[] {
  const order: number[] = []
  const open = new Set<number>()
  nodes.forEach((n, i) => {
    if (n.outfall !== null) {
      n.cost = 0
      n.down = -1
      open.add(i)
    }
  })
  const done = new Uint8Array(nodes.length)
  while (open.size > 0 && order.length < MAX_JUNCTIONS) {
    let best = -1
    for (const i of open) if (best < 0 || nodes[i].cost < nodes[best].cost) best = i
    open.delete(best)
    done[best] = 1
    order.push(best)
    for (const { to, length } of nodes[best].links) {
      if (done[to]) continue
      const uphill = Math.max(0, nodes[best].ground - nodes[to].ground)
      const cost = nodes[best].cost + length + 60 * uphill
      if (cost < nodes[to].cost) {
        nodes[to].cost = cost
        nodes[to].down = best
        nodes[to].pipe = length
        open.add(to)
      }
    }
  }
  return order
}

/** Inverts from the top down; a branch that would force its collector too deep is given up. */
function layPipes(nodes: Node[], order: number[]): number[] {
  const dropped = new Uint8Array(nodes.length)
  const top = [...order].reverse()
  for (const i of top) nodes[i].invert = nodes[i].ground - COVER_M - nodes[i].diameter
  for (const i of top) {
    const n = nodes[i]
    if (dropped[i] || n.down < 0) continue
    const below = nodes[n.down]
    const wanted = n.invert - MIN_SLOPE * n.pipe
    if (below.ground - wanted > MAX_DEPTH_M) dropped[i] = 1
    else below.invert = Math.min(below.invert, wanted)
  }
  for (const i of order) if (nodes[i].down >= 0 && dropped[nodes[i].down]) dropped[i] = 1
  return order.filter((i) => !dropped[i])
}

/** Paved cells go to the nearest junction over land, at most 120 m away. */
function sharePavement(nodes: Node[], kept: number[], codes: Int16Array): void {
  const owner = new Int32Array(codes.length).fill(-1)
  let front: number[] = []
  for (const i of kept) {
    nodes[i].paved = 0
    if (owner[nodes[i].cell] >= 0) continue
    owner[nodes[i].cell] = i
    front.push(nodes[i].cell)
  }
  for (let reach = 0; reach < 12; reach++) {
    const next: number[] = []
    for (const cell of front) {
      const code = codes[cell]
      if (code === CODE.road || code === CODE.house) nodes[owner[cell]].paved += 100
      const col = cell % NCOLS
      for (const j of [
        cell - NCOLS,
        cell + NCOLS,
        col > 0 ? cell - 1 : -1,
        col < NCOLS - 1 ? cell + 1 : -1,
      ]) {
        if (j < 0 || j >= NCOLS * NROWS || owner[j] >= 0 || codes[j] <= 0 || codes[j] === CODE.water) continue
        owner[j] = owner[cell]
        next.push(j)
      }
    }
    front = next
  }
}

/** Smallest diameter whose full-pipe Manning flow carries the design rain of all that lies above. */
function sizePipes(nodes: Node[], kept: number[]): void {
  const area = new Float64Array(nodes.length)
  const least = new Float64Array(nodes.length).fill(DIAMETERS_M[0])
  for (const i of [...kept].reverse()) {
    const n = nodes[i]
    area[i] += n.paved
    const slope = n.down >= 0 ? Math.max(MIN_SLOPE, (n.invert - nodes[n.down].invert) / n.pipe) : MIN_SLOPE
    const flow = area[i] * DESIGN_RATE_M_S
    const carries = (d: number) => (0.3117 / MANNING) * d ** (8 / 3) * Math.sqrt(slope) >= flow
    const wide = DIAMETERS_M.find((d) => d >= least[i] && carries(d)) ?? DIAMETERS_M[DIAMETERS_M.length - 1]
    n.diameter = wide
    if (n.down >= 0) {
      area[n.down] += area[i]
      least[n.down] = Math.max(least[n.down], wide)
    }
  }
}

function placeGullies(nodes: Node[], kept: number[], codes: Int16Array, name: Map<number, string>): Gully[] {
  const gullies: Gully[] = []
  for (const i of kept) {
    const n = nodes[i]
    if (n.down < 0) continue
    const below = nodes[n.down]
    const count = Math.max(1, Math.round(n.pipe / 35))
    for (let k = 0; k < count; k++) {
      const t = (k + 0.5) / count
      const p = between(n.at, below.at, t)
      const cell = cellAt(p)
      if (cell < 0 || codes[cell] !== CODE.road) continue
      codes[cell] = CODE.gully
      const end = t < 0.5 ? i : n.down
      const centre = cellCentre(Math.floor(cell / NCOLS), cell % NCOLS)
      gullies.push({
        name: `G-${String(gullies.length + 1).padStart(4, '0')}`,
        cell,
        junction: name.get(end) as string,
        distanceM: distance(centre, nodes[end].at),
      })
    }
  }
  return gullies
}

/** Plans the sewer and marks gully cells in `codes`. `elevation` in m, as the surface will see it. */
export function makeSewer(streets: StreetGraph, elevation: Float64Array, codes: Int16Array): SewerPlan {
  const nodes = makeNodes(streets, elevation)
  chooseOutfalls(nodes)
  let kept = growTree(nodes)
  // Diameters need slopes, inverts need diameters: a few rounds settle both.
  for (let round = 0; round < 5; round++) {
    kept = layPipes(nodes, kept)
    sharePavement(nodes, kept, codes)
    sizePipes(nodes, kept)
    // Cover is measured over the widest pipe at a node, which is the one that leaves it.
  }
  kept = layPipes(nodes, kept)
  const name = new Map(kept.map((i, k) => [i, `J-${String(k + 1).padStart(4, '0')}`]))
  const plan: SewerPlan = { junctions: [], outfalls: [], conduits: [], gullies: [] }
  for (const i of kept) {
    const n = nodes[i]
    const own = name.get(i) as string
    plan.junctions.push({ name: own, at: n.at, cell: n.cell, groundM: n.ground, invertM: n.invert })
    let to = name.get(n.down)
    let lengthM = n.pipe
    if (n.outfall !== null) {
      to = `OUT-${plan.outfalls.length + 1}`
      lengthM = Math.max(10, distance(n.at, n.outfall))
      plan.outfalls.push({ name: to, at: n.outfall, invertM: n.invert - MIN_SLOPE * lengthM })
    }
    plan.conduits.push({
      name: `C-${String(plan.conduits.length + 1).padStart(4, '0')}`,
      from: own,
      to: to as string,
      lengthM,
      diameterM: n.diameter,
    })
  }
  plan.gullies = placeGullies(nodes, kept, codes, name)
  return plan
}
