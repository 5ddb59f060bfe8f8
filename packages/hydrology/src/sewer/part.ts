/** Nodes (positions of unknowns, rising) and conduits that are solved together; a list may be longer than it is filled. */
export interface Part {
  nodes: Int32Array
  nodeCount: number
  conduits: Int32Array
  conduitCount: number
}

/** All of a network. */
export function wholeNetwork(unknowns: number, conduits: number): Part {
  return {
    nodes: Int32Array.from({ length: unknowns }, (_, k) => k),
    nodeCount: unknowns,
    conduits: Int32Array.from({ length: conduits }, (_, c) => c),
    conduitCount: conduits,
  }
}
