import type { SewerConduit, SewerNetwork } from '@radx/contracts/sewer'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import type { Context } from '../context.ts'
import { someOf } from '../findings.ts'
import { cellAt } from '../grid.ts'

/** Slopes against the flow below this rise are told, m. */
const RISE_M = 0.005
const SMALLER_M = 0.005
/** A rim so far from the ground is told, m. */
const RIM_M = 0.5

/** What to know of a network: each list with its places. Nothing of it keeps a package from being made. */
export function tellNetwork(network: SewerNetwork, context: Context, z: Float64Array): void {
  const { findings } = context
  const { nodes, links } = network
  const place = (n: number, text: string) => ({ x: nodes[n].x ?? 0, y: nodes[n].y ?? 0, text })
  const tell = (found: { node: number; text: string }[], one: string, many: string) => {
    if (found.length > 0)
      findings.tell(
        'sewer',
        'checked',
        `${countFr(found.length, one, many)} : ${someOf(found.map(({ text }) => text))}.`,
        found.map(({ node, text }) => place(node, text)),
      )
  }
  const outfalls = nodes.filter(({ kind }) => kind === 'outfall').length
  const lengthM = conduitsOf(network).reduce((sum, { lengthM }) => sum + lengthM, 0)
  findings.tell(
    'sewer',
    'figure',
    `Réseau : ${countFr(nodes.length, 'nœud')} dont ${countFr(outfalls, 'exutoire')}, ${countFr(links.length, 'lien')}, ${formatNumberFr(lengthM / 1000, 1)} km de conduites.`,
  )
  tell(against(network), 'conduite à contre-pente', 'conduites à contre-pente')
  tell(shrinking(network), 'rétrécissement vers l’aval', 'rétrécissements vers l’aval')
  const { loops, parts } = shapeOf(network)
  tell(loops, 'maille du réseau fermée', 'mailles du réseau fermées')
  if (parts.length > 1) tell(parts, 'partie séparée', 'parties séparées du réseau')
  const { above, rims, off } = againstGround(network, context, z)
  tell(above, 'radier au-dessus du terrain', 'radiers au-dessus du terrain')
  tell(
    rims,
    `tampon à plus de ${formatNumberFr(RIM_M, 1)} m du terrain`,
    `tampons à plus de ${formatNumberFr(RIM_M, 1)} m du terrain`,
  )
  tell(off, 'nœud hors de la grille ou du contour', 'nœuds hors de la grille ou du contour')
}

interface Told {
  node: number
  text: string
}

const conduitsOf = ({ links }: SewerNetwork) =>
  links.filter((link): link is SewerConduit => link.kind === 'conduit')

function against(network: SewerNetwork): Told[] {
  const { nodes } = network
  return conduitsOf(network).flatMap((link) => {
    const rise = nodes[link.to].invertM + link.outOffsetM - nodes[link.from].invertM - link.inOffsetM
    return rise > RISE_M ? [{ node: link.from, text: `${link.name} (+${formatNumberFr(rise, 2)} m)` }] : []
  })
}

function shrinking(network: SewerNetwork): Told[] {
  const largest = new Map<number, SewerConduit>()
  for (const link of conduitsOf(network)) {
    const known = largest.get(link.to)
    if (known === undefined || link.section.dims[0] > known.section.dims[0]) largest.set(link.to, link)
  }
  return conduitsOf(network).flatMap((link) => {
    const above = largest.get(link.from)
    if (above === undefined || !(link.section.dims[0] < above.section.dims[0] - SMALLER_M)) return []
    const text = `${above.name} (${formatNumberFr(above.section.dims[0], 2, true)} m) vers ${link.name} (${formatNumberFr(link.section.dims[0], 2, true)} m)`
    return [{ node: link.from, text }]
  })
}

/** Links that close a loop, in the order of the file, and a node of each separate part. */
function shapeOf({ nodes, links }: SewerNetwork): { loops: Told[]; parts: Told[] } {
  const group = Int32Array.from(nodes, (_, k) => k)
  const root = (node: number): number => {
    let at = node
    while (group[at] !== at) {
      group[at] = group[group[at]]
      at = group[at]
    }
    return at
  }
  const loops: Told[] = []
  for (const { name, from, to } of links) {
    const [a, b] = [root(from), root(to)]
    if (a === b) loops.push({ node: from, text: `${name} (${nodes[from].name} à ${nodes[to].name})` })
    else group[a] = b
  }
  const sizes = new Map<number, number>()
  for (let k = 0; k < nodes.length; k++) sizes.set(root(k), (sizes.get(root(k)) ?? 0) + 1)
  const parts = [...sizes]
    .sort((a, b) => b[1] - a[1])
    .map(([node, size]) => ({ node, text: `${countFr(size, 'nœud')} autour de ${nodes[node].name}` }))
  return { loops, parts }
}

function againstGround({ nodes }: SewerNetwork, { frame }: Context, z: Float64Array) {
  const above: Told[] = []
  const rims: Told[] = []
  const off: Told[] = []
  nodes.forEach(({ x, y, invertM, fullDepthM, kind, name }, node) => {
    const cell = x === undefined || y === undefined ? -1 : cellAt(frame, [x, y])
    const ground = cell < 0 ? Number.NaN : z[cell]
    if (Number.isNaN(ground)) {
      if (kind !== 'outfall') off.push({ node, text: name })
      return
    }
    if (invertM > ground) above.push({ node, text: `${name} (${formatNumberFr(invertM - ground, 2)} m)` })
    const away = invertM + fullDepthM - ground
    if (kind === 'junction' && fullDepthM > 0 && Math.abs(away) > RIM_M)
      rims.push({ node, text: `${name} (${formatNumberFr(away, 2)} m)` })
  })
  return { above, rims, off }
}

/** Enough nodes to tell a unit by. */
const LEAST_NODES = 5

/**
 * Does the terrain seem to be in feet and the network in metres, or the other way round? Told by the middle ratio of ground to
 * rim; in words, null where not.
 */
export function feetAgainstMetres(
  { nodes }: SewerNetwork,
  { frame }: Context,
  z: Float64Array,
): string | null {
  const ratios: number[] = []
  for (const { x, y, invertM, fullDepthM, kind } of nodes) {
    const cell = x === undefined || y === undefined ? -1 : cellAt(frame, [x, y])
    const rim = invertM + fullDepthM
    if (cell < 0 || kind !== 'junction' || !(fullDepthM > 0) || !(Math.abs(rim) > 3) || Number.isNaN(z[cell]))
      continue
    ratios.push(z[cell] / rim)
  }
  if (ratios.length < LEAST_NODES) return null
  ratios.sort((a, b) => a - b)
  const ratio = ratios[ratios.length >> 1]
  if (ratio > 3 && ratio < 3.6)
    return `terrain : ses altitudes sont ${formatNumberFr(ratio, 2)} fois les cotes des tampons : il est en pieds. Ajoutez "unit": "ft" au terrain.`
  if (ratio > 1 / 3.6 && ratio < 1 / 3)
    return `sewer : les cotes des tampons sont ${formatNumberFr(1 / ratio, 2)} fois les altitudes du terrain : le réseau est en pieds. Convertissez-le en mètres, ou corrigez l’unité du terrain ("unit").`
  return null
}
