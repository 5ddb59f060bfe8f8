import type { SewerLink } from '@radx/contracts'
import type { InpContext } from './context.ts'

/** Refuses networks that no water can leave, and outfalls that are none. */
export function checkNetwork(context: InpContext, links: SewerLink[]) {
  const { nodes, nodeLine } = context
  if (nodes.length === 0)
    throw context.fail(
      1,
      'no-node',
      'aucun nœud. Le fichier doit avoir [JUNCTIONS], [OUTFALLS] et [CONDUITS].',
    )
  if (!nodes.some((node) => node.kind === 'outfall'))
    throw context.fail(
      nodeLine[0],
      'no-outfall',
      "le réseau n'a aucun exutoire. Ajoutez-en un dans [OUTFALLS].",
    )

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
          'outfall-links',
          `l'exutoire « ${nodes[end].name} » a plus d'un lien. Donnez un exutoire à chaque arrivée, ou un regard avant lui.`,
        )
    }
  })
  const drained = new Set<number>()
  nodes.forEach((node, i) => {
    if (node.kind === 'outfall') drained.add(find(i))
  })
  nodes.forEach((node, i) => {
    if (drained.has(find(i))) return
    const alone = linksAt[i] === 0
    throw context.fail(
      nodeLine[i],
      'island',
      alone
        ? `le nœud « ${node.name} » n'a aucun lien. Reliez-le au réseau ou retirez-le.`
        : `le nœud « ${node.name} » est sur un îlot : aucun chemin ne mène à un exutoire. Reliez-le ou retirez l'îlot.`,
    )
  })
}
