import type { NetworkJunction, NetworkLink, NetworkNode } from '@radx/contracts/simulation'

/** A mean depth may lie so much below the rim and still round to it, m. */
const RIM_ROUNDING_M = 1e-4

export interface SewerNode {
  name: string
  lon: number
  lat: number
  kind: string
  /** Invert, m; null while the depths are not known. */
  elevationM: number | null
  maxDepthM: number | null
  /** Mean of each interval, m; empty when the file has none. */
  depthM: readonly number[]
  peakM: number | null
  overflows: boolean
}

export interface SewerLink {
  name: string
  from: string
  to: string
  lengthM: number
  /** Mean of each interval, m3/s; empty when the file has none. */
  flowM3S: readonly number[]
  /** Largest size of the flow. */
  peakM3S: number | null
}

export interface SewerNetwork {
  nodes: readonly SewerNode[]
  links: readonly SewerLink[]
  node: ReadonlyMap<string, SewerNode>
  link: ReadonlyMap<string, SewerLink>
}

const largest = (values: readonly number[], size: (value: number) => number): number | null => {
  if (values.length === 0) return null
  let top = 0
  for (const value of values) top = Math.max(top, size(value))
  return top
}

/** The network and what a run did in it. Either output may be missing: its parts are then left open. */
export function networkOf(
  places: readonly NetworkNode[],
  junctions: readonly NetworkJunction[],
  links: readonly NetworkLink[],
  /** Names of those that gave water back; null when the run did not note it. */
  overflowing: readonly string[] | null = null,
): SewerNetwork {
  const noted = overflowing && new Set(overflowing)
  const results = new Map(junctions.map((junction) => [junction.Name, junction]))
  const nodes = places.map(({ name, lon, lat, kind }): SewerNode => {
    const result = results.get(name)
    const peakM = result ? largest(result.data, (value) => value) : null
    return {
      name,
      lon,
      lat,
      kind,
      elevationM: result?.Elevation ?? null,
      maxDepthM: result?.MaxDepth ?? null,
      depthM: result?.data ?? [],
      peakM,
      overflows:
        noted?.has(name) ??
        (kind !== 'outfall' &&
          result !== undefined &&
          result.MaxDepth > 0 &&
          (peakM ?? 0) > result.MaxDepth - RIM_ROUNDING_M),
    }
  })
  const pipes = links.map(
    (link): SewerLink => ({
      name: link.Name,
      from: link.From_Node,
      to: link.To_Node,
      lengthM: link.Length,
      flowM3S: link.data,
      peakM3S: largest(link.data, Math.abs),
    }),
  )
  return {
    nodes,
    links: pipes,
    node: new Map(nodes.map((node) => [node.name, node])),
    link: new Map(pipes.map((link) => [link.name, link])),
  }
}
