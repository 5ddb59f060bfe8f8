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
  /** Largest mean of an interval; null when the file has no series. */
  peakM: number | null
  overflows: boolean
}

export interface SewerLink {
  name: string
  from: string
  to: string
  lengthM: number
  /** Largest size of the flow; null when the file has no series. */
  peakM3S: number | null
  /** Places between the two nodes, [lng, lat]; straight without any. */
  bends?: readonly [number, number][]
}

/** A subcatchment that has an outline. */
export interface SewerArea {
  name: string
  ring: readonly [number, number][]
  areaM2: number
  /** Depth over the run, mm, and largest runoff, m3/s; null without a run. */
  runoffMm: number | null
  peakM3S: number | null
}

export interface SewerNetwork {
  nodes: readonly SewerNode[]
  links: readonly SewerLink[]
  node: ReadonlyMap<string, SewerNode>
  link: ReadonlyMap<string, SewerLink>
  areas?: readonly SewerArea[]
}

/** Places along a link from end to end, [lng, lat]; null while one end has none. */
export function courseOf(
  { node }: Pick<SewerNetwork, 'node'>,
  { from, to, bends = [] }: SewerLink,
): [number, number][] | null {
  const [a, b] = [node.get(from), node.get(to)]
  return a && b ? [[a.lon, a.lat], ...bends, [b.lon, b.lat]] : null
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
    const peakM = result?.peak ?? null
    return {
      name,
      lon,
      lat,
      kind,
      elevationM: result?.Elevation ?? null,
      maxDepthM: result?.MaxDepth ?? null,
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
      peakM3S: link.peak ?? null,
    }),
  )
  return {
    nodes,
    links: pipes,
    node: new Map(nodes.map((node) => [node.name, node])),
    link: new Map(pipes.map((link) => [link.name, link])),
  }
}
