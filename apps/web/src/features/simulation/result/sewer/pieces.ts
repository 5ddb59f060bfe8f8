import type { NodePath } from '@radx/contracts/simulation'

/** A path in pieces of at most so many links; each begins with the node that the one before ends with. */
export function piecesOf(path: readonly string[], links: number): (readonly string[])[] {
  const pieces: (readonly string[])[] = []
  for (let from = 0; from < path.length - 1; from += links) pieces.push(path.slice(from, from + links + 1))
  return pieces
}

/** The path of its pieces, in their order; the node that two of them share is there once. */
export function joinPaths([first, ...others]: readonly NodePath[]): NodePath {
  return {
    nodes: [...first.nodes, ...others.flatMap(({ nodes }) => nodes.slice(1))],
    links: [first, ...others].flatMap(({ links }) => links),
    data: first.data.map(({ timeS, depths, speeds }, k) => ({
      timeS,
      depths: [...depths, ...others.flatMap(({ data }) => data[k].depths.slice(1))],
      ...(speeds && { speeds: [...speeds, ...others.flatMap(({ data }) => data[k].speeds ?? [])] }),
    })),
  }
}
