import type { AheadCycle, AheadNetwork } from '@radx/contracts/ahead'
import type { LatLng } from '@radx/contracts/site'
import { cellAt } from '../../map/grid-cell.ts'
import { lngLatAt } from '../../town/lines.ts'
import type { Place } from './api.ts'

/** A pointer hits what is in danger so near, px. */
const REACH_PX = 8
/** Of the rest nodes and pipes that are so near on the ground as well, m: streets are above them. */
const NODE_M = 12
const PIPE_M = 6
/** A tile of zoom 0, px, and a degree of latitude, m. */
const TILE_PX = 512
const DEGREE_M = 111_320

type Dangers = Pick<AheadCycle, 'place' | 'nodes' | 'links'>

/**
 * What a click means: nodes and pipes in danger at the moment first, then other nodes and pipes, then the cell; null beside
 * the model's grid.
 * @param network what can be hit; undefined while it is not shown
 * @param at the moment that is shown
 * @param zoom of the map, tiles of 512 px
 */
export function hitOf(
  { place, nodes, links }: Dangers,
  network: AheadNetwork | undefined,
  at: number,
  point: LatLng,
  zoom: number,
): Place | null {
  const pixelM = (360 * Math.cos((point.lat * Math.PI) / 180) * DEGREE_M) / (TILE_PX * 2 ** zoom)
  const reachM = REACH_PX * pixelM
  if (network) {
    const inDanger = (list: AheadCycle['nodes']) => {
      const names = new Set(list.flatMap(({ name, percent }) => (percent[at] > 0 ? [name] : [])))
      return ({ name }: { name: string }) => names.has(name)
    }
    const node = (nearM: number, counts: (one: { name: string }) => boolean) =>
      nearest(network.nodes.filter(counts), (one) => [one, one], point, nearM)
    const link = (nearM: number, counts: (one: { name: string }) => boolean) =>
      nearest(
        network.links.filter(counts),
        ({ from, to }) => [network.nodes[from], network.nodes[to]],
        point,
        nearM,
      )
    const all = () => true
    const tries = [
      ['node', node(reachM, inDanger(nodes))],
      ['link', link(reachM, inDanger(links))],
      ['node', node(Math.min(reachM, NODE_M), all)],
      ['link', link(Math.min(reachM, PIPE_M), all)],
    ] as const
    for (const [kind, name] of tries) if (name !== null) return { kind, name }
  }
  const { nrows, ncols, corners } = place
  const { row, col } = cellAt(point.lng, point.lat, corners, { width: ncols, height: nrows })
  if (row < 0 || col < 0 || row >= nrows || col >= ncols) return null
  return { kind: 'cell', name: String(row * ncols + col) }
}

/** Name of the nearest within a distance; each is a line between two points. */
function nearest<T extends { name: string }>(
  list: readonly T[],
  endsOf: (one: T) => readonly [LatLng, LatLng],
  to: LatLng,
  withinM: number,
): string | null {
  const eastM = DEGREE_M * Math.cos((to.lat * Math.PI) / 180)
  const local = ({ lat, lng }: LatLng) => [(lng - to.lng) * eastM, (lat - to.lat) * DEGREE_M] as const
  let best: { name: string; m: number } | null = null
  for (const one of list) {
    const [[ax, ay], [bx, by]] = endsOf(one).map(local)
    const [dx, dy] = [bx - ax, by - ay]
    const length2 = dx * dx + dy * dy
    const t = length2 > 0 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length2)) : 0
    const m = Math.hypot(ax + t * dx, ay + t * dy)
    if (m <= withinM && (best === null || m < best.m)) best = { name: one.name, m }
  }
  return best?.name ?? null
}

/** Where a place lies; null for one that this town does not have. */
export function positionOf(
  { kind, name }: Place,
  { nrows, ncols, corners }: AheadCycle['place'],
  network: AheadNetwork | undefined,
): LatLng | null {
  if (kind === 'cell') {
    const cell = Number(name)
    if (!Number.isInteger(cell) || cell < 0 || cell >= nrows * ncols) return null
    const middle = [(cell % ncols) + 0.5, Math.floor(cell / ncols) + 0.5] as const
    const [lng, lat] = lngLatAt({ nrows, ncols, corners }, ...middle)
    return { lat, lng }
  }
  const node = network?.nodes.find((one) => kind === 'node' && one.name === name)
  if (node) return { lat: node.lat, lng: node.lng }
  const link = network?.links.find((one) => kind === 'link' && one.name === name)
  if (!network || !link) return null
  const [a, b] = [network.nodes[link.from], network.nodes[link.to]]
  return { lat: (a.lat + b.lat) / 2, lng: (a.lng + b.lng) / 2 }
}
