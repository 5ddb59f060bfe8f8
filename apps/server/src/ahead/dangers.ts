import { AHEAD_DEPTHS_MM, AHEAD_OUTSIDE, type AheadCycle, type LatLng } from '@radx/contracts'
import proj4 from 'proj4'
import { type CatchmentPackage, projectionOf } from '../simulation/api.ts'
import { placesOf } from './places.ts'
import { countsOf, type Element, sortWatch, watchElements, watchStreets } from './watch.ts'

/** Probabilities of a moment, by cell, node and link. */
export interface Moment {
  chances: Uint8Array[]
  spills: Uint8Array
  full: Uint8Array
}

type Dangers = Pick<AheadCycle, 'watch' | 'counts' | 'links' | 'nodes' | 'worst'>

/** What is worth watching, and the network's elements in danger. */
export function dangersOf(
  catchment: CatchmentPackage,
  moments: readonly Moment[],
  leadsMin: readonly number[],
): Dangers {
  const { elevation, network, nodeCells, catchment: about } = catchment
  const { nrows, ncols, cellSize, xll, yll } = elevation
  const toWgs84 = proj4(projectionOf(about.crs), 'WGS84')
  const at = (cell: number): LatLng => {
    const x = xll + ((cell % ncols) + 0.5) * cellSize
    const y = yll + (nrows - Math.floor(cell / ncols) - 0.5) * cellSize
    const [lng, lat] = toWgs84.forward([x, y])
    return { lat, lng }
  }
  const courseOf = (pick: (moment: Moment) => Uint8Array, k: number) => moments.map((m) => pick(m)[k])
  const elements = (
    names: readonly string[],
    cellOf: (k: number) => number,
    pick: (m: Moment) => Uint8Array,
  ) =>
    names
      .map((name, k): Element => ({ name, cell: cellOf(k), lat: 0, lng: 0, course: courseOf(pick, k) }))
      .filter(({ course }) => course.some((p) => p > 0))
      .map((element) => ({ ...element, ...at(Math.max(0, element.cell)) }))
  const nodes = elements(
    network.nodes.map(({ name }) => name),
    (k) => nodeCells[k],
    ({ spills }) => spills,
  )
  const links = elements(
    network.links.map(({ name }) => name),
    (k) => nodeCells[network.links[k].from],
    ({ full }) => full,
  )
  const told = ({ name, course }: Element) => ({ name, percent: [...course] })
  const all = [
    ...watchStreets(
      moments.map(({ chances }) => chances),
      leadsMin,
      { nrows, ncols, at, ...placesOf(catchment) },
    ),
    ...watchElements('node', nodes, leadsMin),
    ...watchElements('link', links, leadsMin),
  ]
  return {
    counts: countsOf(all),
    watch: sortWatch(all),
    nodes: nodes.map(told),
    links: links.map(told),
    worst: worstOf(moments),
  }
}

/** Of each depth the moment at which most cells are likely under more. */
function worstOf(moments: readonly Moment[]): Dangers['worst'] {
  return AHEAD_DEPTHS_MM.map((depthMm, d) => {
    let [cells, inside] = [0, 1]
    for (const { chances } of moments) {
      let [count, all] = [0, 0]
      for (const p of chances[d]) {
        if (p === AHEAD_OUTSIDE) continue
        all++
        if (p >= 50) count++
      }
      cells = Math.max(cells, count)
      inside = Math.max(1, all)
    }
    return { depthMm, cells, percent: Math.round((100 * cells) / inside) }
  })
}
