import { type MercatorPoint, toMercator } from '../map/mercator.ts'
import { courseOf, type SewerArea, type SewerNetwork } from './network.ts'

/** Cells of the grid in each direction. */
const CELLS = 64

interface Element {
  name: string
  a: MercatorPoint
  b: MercatorPoint
}

/** Nodes or links by their place, to find the one under a pointer without a look at all of them. */
export class HitGrid {
  private readonly cells = new Map<number, Element[]>()
  private readonly low: MercatorPoint
  private readonly size: number

  constructor(elements: readonly Element[]) {
    const xs = elements.flatMap(({ a, b }) => [a.x, b.x])
    const ys = elements.flatMap(({ a, b }) => [a.y, b.y])
    const least = (values: readonly number[]) => values.reduce((low, v) => Math.min(low, v), Infinity)
    const most = (values: readonly number[]) => values.reduce((high, v) => Math.max(high, v), -Infinity)
    this.low = { x: least(xs), y: least(ys) }
    this.size = Math.max(most(xs) - this.low.x, most(ys) - this.low.y, 1e-12) / CELLS
    for (const element of elements) {
      const { a, b } = element
      this.visit(
        { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y) },
        { x: Math.max(a.x, b.x), y: Math.max(a.y, b.y) },
        (key) => {
          const cell = this.cells.get(key)
          if (cell) cell.push(element)
          else this.cells.set(key, [element])
        },
      )
    }
  }

  /** Name of the nearest within a distance in the units of Mercator's square; null without one. */
  nearest(point: MercatorPoint, reach: number): string | null {
    let best: { name: string; distance: number } | null = null
    this.visit(
      { x: point.x - reach, y: point.y - reach },
      { x: point.x + reach, y: point.y + reach },
      (key) => {
        for (const { name, a, b } of this.cells.get(key) ?? []) {
          const distance = distanceTo(point, a, b)
          if (distance <= reach && (best === null || distance < best.distance)) best = { name, distance }
        }
      },
    )
    return (best as { name: string } | null)?.name ?? null
  }

  private visit(low: MercatorPoint, high: MercatorPoint, cell: (key: number) => void): void {
    const place = (value: number, from: number) =>
      Math.min(CELLS - 1, Math.max(0, Math.floor((value - from) / this.size)))
    const [top, bottom] = [place(low.y, this.low.y), place(high.y, this.low.y)]
    const [left, right] = [place(low.x, this.low.x), place(high.x, this.low.x)]
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) cell(row * CELLS + column)
  }
}

/** Grids of the nodes and of the links that have both ends on the map, along their bends. */
export function hitGrids(network: SewerNetwork): { nodes: HitGrid; links: HitGrid } {
  const at = ([lng, lat]: readonly [number, number]) => toMercator({ lng, lat })
  return {
    nodes: new HitGrid(
      network.nodes.map(({ name, lon, lat }) => ({ name, a: at([lon, lat]), b: at([lon, lat]) })),
    ),
    links: new HitGrid(
      network.links.flatMap((link) => {
        const course = courseOf(network, link)?.map(at) ?? []
        return course.slice(1).map((b, k) => ({ name: link.name, a: course[k], b }))
      }),
    ),
  }
}

/** The area that a place lies in, the last drawn first; null without one. */
export function areaAt(areas: readonly SewerArea[], lng: number, lat: number): string | null {
  return areas.findLast(({ ring }) => isInside(ring, lng, lat))?.name ?? null
}

function isInside(ring: SewerArea['ring'], x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [[x1, y1], [x2, y2]] = [ring[i], ring[j]]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}

/** Distance from a point to a line between two others, in their own units. */
function distanceTo(point: MercatorPoint, a: MercatorPoint, b: MercatorPoint): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / length
  const share = Math.min(1, Math.max(0, along))
  return Math.hypot(a.x + share * dx - point.x, a.y + share * dy - point.y)
}
