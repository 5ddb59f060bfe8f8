import type { Place } from '../grid.ts'

/** A network on its way from lines to an `.inp`. Lengths and levels in m; null where nobody told them. */
export interface DraftNode {
  name: string
  at: Place
  rim: number | null
  invert: number | null
  outfall: boolean
  /** Made at the end of a pipe: no manhole was given there. */
  made: boolean
}

export interface DraftPipe {
  name: string
  from: number
  to: number
  /** From end to end. */
  line: Place[]
  length: number
  shape: string
  height: number
  width: number
  roughness: number
  fromInvert: number | null
  toInvert: number | null
}

export interface Draft {
  nodes: DraftNode[]
  pipes: DraftPipe[]
}

/** Rims that nobody told, taken from the ground; NaN off it. @returns how many were taken, and names of nodes without any */
export function takeRims(
  { nodes }: Draft,
  groundAt: (place: Place) => number,
): { taken: number; without: string[] } {
  let taken = 0
  const without: string[] = []
  for (const node of nodes) {
    if (node.rim !== null) continue
    const ground = groundAt(node.at)
    if (Number.isNaN(ground)) without.push(node.name)
    else {
      node.rim = ground
      if (!node.outfall) taken++
    }
  }
  return { taken, without }
}

/**
 * Settles inverts. A node lies as deep as its deepest pipe; a node that nothing tells lies under its rim by the cover and its
 * largest pipe; an end of a pipe that nobody told lies at its node's bottom.
 * @param cover earth over a pipe whose inverts nobody told, m
 * @returns how many were assumed, and names of nodes that lie lower than they were told
 */
export function settleInverts(
  { nodes, pipes }: Draft,
  cover: number,
): { assumed: number; lowered: string[]; unknown: string[] } {
  const ends = nodes.map(() => ({ least: Number.POSITIVE_INFINITY, largest: 0 }))
  for (const { from, to, fromInvert, toInvert, height } of pipes)
    for (const [node, invert] of [
      [from, fromInvert],
      [to, toInvert],
    ] as const) {
      if (invert !== null) ends[node].least = Math.min(ends[node].least, invert)
      ends[node].largest = Math.max(ends[node].largest, height)
    }
  let assumed = 0
  const lowered: string[] = []
  const unknown: string[] = []
  nodes.forEach((node, k) => {
    const { least, largest } = ends[k]
    if (node.invert !== null) {
      if (least < node.invert - 0.01) lowered.push(node.name)
      node.invert = Math.min(node.invert, least)
    } else if (least < Number.POSITIVE_INFINITY) node.invert = least
    else if (node.rim !== null) {
      node.invert = node.rim - cover - largest
      assumed++
    } else unknown.push(node.name)
  })
  return { assumed, lowered, unknown }
}

/**
 * Marks ends that water leaves by: nodes to which pipes run and from which none does.
 * @returns their names
 */
export function markEnds({ nodes, pipes }: Draft): string[] {
  const leaves = new Uint8Array(nodes.length)
  const arrives = new Uint8Array(nodes.length)
  for (const { from, to } of pipes) {
    leaves[from] = 1
    arrives[to] = 1
  }
  return nodes
    .filter((_, k) => arrives[k] === 1 && leaves[k] === 0)
    .map((node) => {
      node.outfall = true
      return node.name
    })
}

/** EPA SWMM lets an outfall have one pipe: one with more becomes a manhole with a short pipe to an outfall of its own. */
const SHORT_M = 1

/** @returns names of the nodes behind which an outfall was set */
export function partOutfalls(draft: Draft): string[] {
  const { nodes, pipes } = draft
  const joined = nodes.map((): DraftPipe[] => [])
  for (const pipe of pipes) {
    joined[pipe.from].push(pipe)
    joined[pipe.to].push(pipe)
  }
  const taken = new Set(nodes.map(({ name }) => name))
  const names = new Set(pipes.map(({ name }) => name))
  const parted: string[] = []
  for (const [k, node] of nodes.slice().entries()) {
    if (!node.outfall || joined[k].length < 2) continue
    const largest = joined[k].reduce((a, b) => (b.height > a.height ? b : a))
    node.outfall = false
    const name = unused(`${node.name}-EX`, taken)
    // A hand's width lower, so that it falls.
    const invert = node.invert === null ? null : node.invert - 0.01
    nodes.push({ ...node, name, outfall: true, made: true, invert })
    pipes.push({
      ...largest,
      name: unused(`${node.name}-EX`, names),
      from: k,
      to: nodes.length - 1,
      line: [node.at, node.at],
      length: SHORT_M,
      fromInvert: node.invert,
      toInvert: invert,
    })
    parted.push(node.name)
  }
  return parted
}

/** A name that is not taken yet; takes it. */
export function unused(name: string, taken: Set<string>): string {
  let own = name
  for (let k = 2; taken.has(own); k++) own = `${name}-${k}`
  taken.add(own)
  return own
}
