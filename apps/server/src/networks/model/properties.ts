import type { NetworkJunction, NetworkLink, SewerLink, SewerNetwork, SewerNode } from '@radx/contracts'

/** What a node says of itself in a profile, m and m². */
export const nodeProperties = (node: SewerNode): Omit<NetworkJunction, 'data'> => ({
  Name: node.name,
  Elevation: node.invertM,
  MaxDepth: node.fullDepthM,
  InitDepth: node.initDepthM,
  SurDepth: node.surchargeDepthM,
  Aponded: node.pondedAreaM2,
})

/** What a link says of itself, m and m³/s; 0 where it is no conduit and so has none. */
export function linkProperties(network: SewerNetwork, link: SewerLink): Omit<NetworkLink, 'data'> {
  const conduit = link.kind === 'conduit' ? link : null
  return {
    Name: link.name,
    From_Node: network.nodes[link.from].name,
    To_Node: network.nodes[link.to].name,
    Length: conduit?.lengthM ?? 0,
    Roughness: conduit?.roughness ?? 0,
    InOffset: conduit?.inOffsetM ?? 0,
    OutOffset: conduit?.outOffsetM ?? 0,
    InitFlow: conduit?.initFlowM3S ?? 0,
    MaxFlow: conduit?.maxFlowM3S ?? 0,
    Shape: conduit?.section.shape ?? link.kind.toUpperCase(),
    Geom1: conduit?.section.dims[0] ?? 0,
    Barrels: conduit?.section.barrels ?? 1,
  }
}
