import type { NetworkModel, NetworkPeaks } from '@radx/contracts/networks'
import type { SewerArea, SewerLink, SewerNetwork, SewerNode } from '../../sewer/network.ts'

/** A network whose place on the globe is not known is drawn this wide, degrees, where the globe is flat enough. */
const SPAN_DEG = 0.02
/** A smaller volume is rounding, m3. */
const FLOODED_M3 = 1e-6

type Place = readonly [number, number]

/** From the file's plane to the map: as it is in degrees, else put round longitude 0 and latitude 0. */
function projection({ placed, nodes }: NetworkModel): (at: Place) => [number, number] {
  if (placed === 'degrees') return ([x, y]) => [x, y]
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { at } of nodes) {
    west = Math.min(west, at[0])
    east = Math.max(east, at[0])
    south = Math.min(south, at[1])
    north = Math.max(north, at[1])
  }
  const span = Math.max(east - west, north - south) || 1
  const [x0, y0] = [(west + east) / 2, (south + north) / 2]
  return ([x, y]) => [((x - x0) / span) * SPAN_DEG, ((y - y0) / span) * SPAN_DEG]
}

/** A model as the map, the tables and the profile take it; without a run what it did stays open. */
export function sewerOf(model: NetworkModel, peaks: NetworkPeaks | null): SewerNetwork {
  const onMap = projection(model)
  const nodes = model.nodes.map(({ name, kind, at, invertM, depthM }, n): SewerNode => {
    const [lon, lat] = onMap(at)
    return {
      name,
      lon,
      lat,
      kind,
      elevationM: invertM,
      maxDepthM: depthM,
      peakM: peaks?.nodes.maxDepthM[n] ?? null,
      overflows: (peaks?.nodes.floodedM3[n] ?? 0) > FLOODED_M3,
    }
  })
  const links = model.links.map(({ name, from, to, bends, lengthM }, i): SewerLink => {
    return {
      name,
      from: nodes[from].name,
      to: nodes[to].name,
      lengthM,
      peakM3S: peaks?.links.maxFlowM3S[i] ?? null,
      bends: bends.map(onMap),
    }
  })
  const areas = model.subcatchments.flatMap(({ name, ring, areaM2 }, k): SewerArea[] => {
    if (ring.length < 3) return []
    const [runoffMm, peakM3S] = [peaks?.subcatchments.runoffMm[k], peaks?.subcatchments.peakM3S[k]]
    return [{ name, ring: ring.map(onMap), areaM2, runoffMm: runoffMm ?? null, peakM3S: peakM3S ?? null }]
  })
  return {
    nodes,
    links,
    areas,
    node: new Map(nodes.map((node) => [node.name, node])),
    link: new Map(links.map((link) => [link.name, link])),
  }
}
