import type { SewerNetwork } from '@radx/contracts/sewer'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { countFr } from '@radx/locale/format-fr'

/** A rim may differ so much from the ground of its cell before it is worth a word, m. */
const RIM_TOLERANCE_M = 0.5

/** Cell of a point in the grid's own coordinates, -1 outside. */
export function gridCellAt(grid: EsriGrid, x: number | undefined, y: number | undefined): number {
  if (x === undefined || y === undefined) return -1
  const col = Math.floor((x - grid.xll) / grid.cellSize)
  const row = Math.floor((grid.yll + grid.nrows * grid.cellSize - y) / grid.cellSize)
  if (!(col >= 0 && col < grid.ncols && row >= 0 && row < grid.nrows)) return -1
  return row * grid.ncols + col
}

/** Of a package without a sewer. */
export const EMPTY_NETWORK: SewerNetwork = {
  title: [],
  options: {
    flowUnits: 'CMS',
    routing: 'DYNWAVE',
    startEpochS: 0,
    durationS: 0,
    reportStartS: 0,
    reportStepS: 60,
    routingStepS: 5,
    ruleStepS: 0,
    inertialDamping: 'PARTIAL',
    surchargeMethod: 'EXTRAN',
    normalFlowLimited: 'BOTH',
    forceMainEquation: 'H-W',
    minSurfaceAreaM2: 0,
    minSlope: 0,
    allowPonding: false,
  },
  nodes: [],
  links: [],
  rules: [],
}

/** First of a list of names, so that a message stays readable. */
export function someOf(names: string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} et ${countFr(names.length - 5, 'autre')}` : shown
}

/** Does the network lie in and under the catchment's ground? Problems forbid a simulation, warnings do not. */
export function checkNetworkOnGrid(
  network: SewerNetwork,
  nodeCells: Int32Array,
  elevation: EsriGrid,
): { problems: string[]; warnings: string[] } {
  const problems: string[] = []
  const warnings: string[] = []
  const outside: string[] = []
  const rims: string[] = []
  network.nodes.forEach((node, k) => {
    const ground = nodeCells[k] < 0 ? Number.NaN : elevation.data[nodeCells[k]]
    if (Number.isNaN(ground)) {
      if (node.kind !== 'outfall') outside.push(node.name)
      return
    }
    if (node.kind !== 'junction') return
    const rim = node.invertM + node.fullDepthM
    if (Math.abs(rim - ground) > RIM_TOLERANCE_M) rims.push(`${node.name} (${(rim - ground).toFixed(2)} m)`)
  })
  if (outside.length === network.nodes.filter((node) => node.kind !== 'outfall').length)
    problems.push(
      'network.inp : aucun regard ne tombe dans le bassin versant. Vérifier [COORDINATES] : elles doivent être dans la projection de la grille.',
    )
  else if (outside.length > 0)
    warnings.push(
      `network.inp : ${outside.length} regard(s) hors du bassin versant, fermés en surface : ${someOf(outside)}.`,
    )
  if (rims.length > 0)
    warnings.push(
      `network.inp : ${rims.length} regard(s) dont le tampon s’écarte du terrain de plus de ${RIM_TOLERANCE_M} m : ${someOf(rims)}.`,
    )
  const buried: string[] = []
  const uphill: string[] = []
  for (const link of network.links) {
    if (link.kind !== 'conduit') continue
    const from = network.nodes[link.from]
    const to = network.nodes[link.to]
    const upstream = from.invertM + link.inOffsetM
    const downstream = to.invertM + link.outOffsetM
    for (const [node, level] of [
      [from, upstream],
      [to, downstream],
    ] as const)
      if (node.kind === 'junction' && node.fullDepthM > 0 && level > node.invertM + node.fullDepthM)
        buried.push(`${link.name} au regard ${node.name}`)
    if (upstream < downstream) uphill.push(link.name)
  }
  if (buried.length > 0)
    problems.push(`network.inp : conduite dont le radier est au-dessus du tampon : ${someOf(buried)}.`)
  if (uphill.length > 0)
    warnings.push(`network.inp : ${uphill.length} conduite(s) à contre-pente : ${someOf(uphill)}.`)
  return { problems, warnings }
}

/** Gullies that lie so much lower than their junction's rim are worth a word, m. */
const GULLY_TOLERANCE_M = 0.1

/** The rim closes a junction until its head passes it, even where a gully of it lies lower. */
export function checkGullyRims(
  gullies: readonly { junction: string; cell: number }[],
  network: SewerNetwork,
  elevation: EsriGrid,
): string[] {
  const rims = new Map(network.nodes.map((node) => [node.name, node.invertM + node.fullDepthM]))
  const lowest = new Map<string, number>()
  for (const { junction, cell } of gullies) {
    const below = (rims.get(junction) ?? Number.NaN) - elevation.data[cell]
    if (below > GULLY_TOLERANCE_M) lowest.set(junction, Math.max(below, lowest.get(junction) ?? 0))
  }
  if (lowest.size === 0) return []
  const names = [...lowest]
    .sort((a, b) => b[1] - a[1])
    .map(([name, below]) => `${name} (${below.toFixed(2)} m)`)
  return [
    `gullies.csv : ${lowest.size} regard(s) ont un avaloir plus bas que leur tampon de plus de ${GULLY_TOLERANCE_M} m ; le tampon les ferme : ${someOf(names)}.`,
  ]
}
