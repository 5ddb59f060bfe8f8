/** Nodes (positions of unknowns, rising) and conduits that are solved together; a list may be longer than it is filled. */
export interface Part {
  nodes: Int32Array
  nodeCount: number
  conduits: Int32Array
  conduitCount: number
  /** Whether it is all of the network, with what joins nodes otherwise than by pipes. */
  whole: boolean
}

/** Makes a part all of its network. */
export function takeAll(part: Part): Part {
  part.whole = true
  part.nodeCount = part.nodes.length
  part.conduitCount = part.conduits.length
  for (let k = 0; k < part.nodeCount; k++) part.nodes[k] = k
  for (let c = 0; c < part.conduitCount; c++) part.conduits[c] = c
  return part
}
