import type { SewerJunction, SewerLink, SewerNode } from '@radx/contracts'
import type { InpContext } from './context.ts'

const routingAsked = (context: InpContext): string =>
  context
    .lines('OPTIONS')
    .findLast(({ words }) => words[0].toUpperCase() === 'FLOW_ROUTING')
    ?.words[1]?.toUpperCase() ?? 'DYNWAVE'

/** Nodes from which no link leads on, and to which one leads at most. */
function openEnds(nodes: readonly SewerNode[], links: readonly SewerLink[]): number[] {
  const leaves = new Uint8Array(nodes.length)
  const comes = new Int32Array(nodes.length)
  for (const { from, to } of links) {
    leaves[from] = 1
    comes[to]++
  }
  return nodes.flatMap(({ kind }, i) => (kind === 'junction' && leaves[i] === 0 && comes[i] < 2 ? [i] : []))
}

/**
 * Refuses networks without outfall and outfalls that are none; warns of what no water can leave.
 * @returns names of the nodes from which no way leads to an outfall
 */
export function checkNetwork(context: InpContext, links: SewerLink[]): string[] {
  const { nodes, nodeLine } = context
  // Catchments without a network: rain and runoff only.
  if (nodes.length === 0 && context.lines('SUBCATCHMENTS').length > 0) return []
  if (nodes.length === 0)
    throw context.fail(
      1,
      'noNode',
      'aucun nœud. Le fichier doit avoir [JUNCTIONS], [OUTFALLS] et [CONDUITS].',
    )
  if (!nodes.some((node) => node.kind === 'outfall')) {
    // Where EPA SWMM computes no dynamic wave, water leaves at the ends of the network.
    const routing = routingAsked(context)
    const ends = /^(DYNWAVE|DW)/.test(routing) ? [] : openEnds(nodes, links)
    if (ends.length === 0)
      throw context.fail(
        nodeLine[0],
        'noOutfall',
        "le réseau n'a aucun exutoire. Ajoutez-en un dans [OUTFALLS].",
      )
    for (const i of ends) {
      const { kind: _, ...node } = nodes[i] as SewerJunction
      const dry = { fullDepthM: 0, initDepthM: 0, surchargeDepthM: 0, pondedAreaM2: 0 }
      nodes[i] = { ...node, ...dry, kind: 'outfall', boundary: { type: 'free' }, flapGate: false }
    }
    context.warn(
      nodeLine[ends[0]],
      `aucun exutoire : l'eau sort par ${ends.length} nœud(s) dont rien ne part (${someOf(ends.map((i) => nodes[i].name))}), comme dans EPA SWMM avec FLOW_ROUTING ${routing}.`,
    )
  }

  const group = Int32Array.from(nodes, (_, i) => i)
  const find = (i: number) => {
    let root = i
    while (group[root] !== root) root = group[root]
    while (group[i] !== root) {
      const next = group[i]
      group[i] = root
      i = next
    }
    return root
  }
  const linksAt = new Int32Array(nodes.length)
  links.forEach((link, i) => {
    group[find(link.from)] = find(link.to)
    linksAt[link.from]++
    linksAt[link.to]++
    for (const end of [link.from, link.to]) {
      if (nodes[end].kind === 'outfall' && linksAt[end] > 1)
        throw context.fail(
          context.linkLine[i],
          'outfallLinks',
          `l'exutoire « ${nodes[end].name} » a plus d'un lien. Donnez un exutoire à chaque arrivée, ou un regard avant lui.`,
        )
    }
  })
  const drained = new Set<number>()
  nodes.forEach((node, i) => {
    if (node.kind === 'outfall') drained.add(find(i))
  })
  const shut = nodes.flatMap((_, i) => (drained.has(find(i)) ? [] : [i]))
  const alone = shut.filter((i) => linksAt[i] === 0)
  const islands = shut.filter((i) => linksAt[i] > 0)
  if (alone.length > 0)
    context.warn(
      nodeLine[alone[0]],
      `${alone.length} nœud(s) sans aucun lien : ${someOf(alone.map((i) => nodes[i].name))}. L'eau qui y entre y reste ou déborde.`,
    )
  if (islands.length > 0)
    context.warn(
      nodeLine[islands[0]],
      `${islands.length} nœud(s) sur un îlot, d'où aucun chemin ne mène à un exutoire : ${someOf(islands.map((i) => nodes[i].name))}. L'eau qui y entre y reste ou déborde.`,
    )
  return shut.map((i) => nodes[i].name)
}

/** The first names of a list, so that a message stays readable. */
const someOf = (names: string[]) =>
  names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} et ${names.length - 8} autres`
