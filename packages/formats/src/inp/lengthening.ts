import type { SewerConduit, SewerLink, SewerNode } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'

/** Height of a conduit's section, m; a coded or unknown one counts as 0. */
const heightOf = ({ section: { dims, transect } }: SewerConduit) =>
  transect ? Math.max(...transect.elevationsM) - Math.min(...transect.elevationsM) : dims[0]

/**
 * About what LENGTHENING_STEP does: EPA SWMM makes a conduit as long as a wave runs in the step when it is full
 * (sqrt(g y) plus Manning's velocity; SWMM Reference Manual II, 3.3.4). The hydraulic radius is taken as y / 4.
 * @returns how many conduits it would lengthen, and by which factor at most
 */
export function lengthenedBy(
  stepS: number,
  links: readonly SewerLink[],
  nodes: readonly SewerNode[],
): { count: number; conduits: number; most: number } {
  let count = 0
  let conduits = 0
  let most = 1
  for (const link of links) {
    if (link.kind !== 'conduit') continue
    conduits++
    const y = heightOf(link)
    if (!(y > 0 && link.roughness > 0)) continue
    const from = nodes[link.from].invertM + link.inOffsetM
    const to = nodes[link.to].invertM + link.outOffsetM
    const slope = Math.abs(from - to) / link.lengthM
    const full = ((y / 4) ** (2 / 3) * Math.sqrt(slope)) / link.roughness
    const factor = ((Math.sqrt(GRAVITY * y) + full) * stepS) / link.lengthM
    if (factor > 1) count++
    most = Math.max(most, factor)
  }
  return { count, conduits, most }
}
