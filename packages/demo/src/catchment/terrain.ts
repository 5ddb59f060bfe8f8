/**
 * Valley of the demonstration catchment: a river with an island and bends, a tributary, two banks and
 * valley sides, in the form of Melun. Local metres, x east and y north of the lower-left corner.
 * Ground over a stream: z + bank step + a (1 - exp(-(d/b)^p)), d the distance from the bank.
 */
import { lengthOf, nearestOn, type Point, smooth } from './geometry.ts'
import { noise } from './noise.ts'

export const CELL = 10
export const NCOLS = 340
export const NROWS = 340
export const NODATA = -9999

/** Places of the form, in local metres. */
export const PLACES = {
  centre: { x: 1830, y: 1640 },
  eogn: [
    { x: 1330, y: 2330 },
    { x: 1600, y: 2620 },
    { x: 1960, y: 2290 },
    { x: 1690, y: 2000 },
  ],
  oxygene: [
    { x: 560, y: 2310 },
    { x: 900, y: 2520 },
    { x: 1060, y: 2260 },
    { x: 720, y: 2050 },
  ],
} satisfies Record<string, Point | Point[]>

interface Stream {
  line: Point[]
  length: number
  /** Water level at the downstream end (m) and its rise upstream (m/m). */
  level: number
  slope: number
  bankStep: number
  /** Half width of the water (m) at a length along the line. */
  halfWidth(along: number): number
}

const seineLine = smooth(
  [
    { x: 2700, y: -300 },
    { x: 2640, y: 250 },
    { x: 2480, y: 750 },
    { x: 2100, y: 1170 },
    { x: 1600, y: 1420 },
    { x: 1120, y: 1430 },
    { x: 620, y: 1050 },
    { x: 150, y: 640 },
    { x: -350, y: 380 },
  ],
  20,
)
const seineLength = lengthOf(seineLine)
const ISLAND = { from: seineLength * 0.39, to: seineLength * 0.585 }

/** How far the river is widened by the island: 0 off it, 1 at its middle. */
function islandBulge(along: number): number {
  const u = (along - ISLAND.from) / (ISLAND.to - ISLAND.from)
  return u <= 0 || u >= 1 ? 0 : Math.sin(Math.PI * u) ** 0.7
}

const seine: Stream = {
  line: seineLine,
  length: seineLength,
  level: 37,
  slope: 0.0001,
  bankStep: 4,
  halfWidth: (along) => 46 + 82 * islandBulge(along),
}

const almontLine = smooth(
  [
    { x: 3750, y: 2900 },
    { x: 3250, y: 2560 },
    { x: 2800, y: 2210 },
    { x: 2380, y: 1900 },
    { x: 2250, y: 1560 },
    { x: 2220, y: 1240 },
  ],
  20,
)
const almont: Stream = {
  line: almontLine,
  length: lengthOf(almontLine),
  level: 37.2,
  slope: 0.0022,
  bankStep: 3.2,
  halfWidth: () => 7,
}

export interface Valley {
  /** 1 inside the catchment; `[row * NCOLS + col]`, row 0 north, as all grids here. */
  active: Uint8Array
  /** 1 open water. */
  water: Uint8Array
  /** m, before streets and houses are cut in and pits are filled. */
  ground: Float64Array
  /** m to the nearest open water, 0 on it. */
  waterDistance: Float64Array
}

export const cellCentre = (row: number, col: number): Point => ({
  x: (col + 0.5) * CELL,
  y: (NROWS - row - 0.5) * CELL,
})

/** Index of the cell that holds a point, or -1 off the grid. */
export function cellAt(p: Point): number {
  const col = Math.floor(p.x / CELL)
  const row = NROWS - 1 - Math.floor(p.y / CELL)
  return col < 0 || row < 0 || col >= NCOLS || row >= NROWS ? -1 : row * NCOLS + col
}

/** Distance of a point from the water's edge: negative on water. The island is land. */
function beyondBank(stream: Stream, p: Point): { beyond: number; along: number } {
  const near = nearestOn(stream.line, p)
  const half = stream.halfWidth(near.along)
  if (stream === seine) {
    const island = 90 * islandBulge(near.along) - 12
    if (island > 0 && near.distance < island) return { beyond: island - near.distance, along: near.along }
  }
  return { beyond: near.distance - half, along: near.along }
}

/** m from a point to the nearest water's edge, negative on water. */
export function toWater(p: Point): number {
  return Math.min(beyondBank(seine, p).beyond, beyondBank(almont, p).beyond)
}

export function makeValley(): Valley {
  const n = NCOLS * NROWS
  const valley: Valley = {
    active: new Uint8Array(n),
    water: new Uint8Array(n),
    ground: new Float64Array(n),
    waterDistance: new Float64Array(n),
  }
  for (let row = 0; row < NROWS; row++)
    for (let col = 0; col < NCOLS; col++) {
      const i = row * NCOLS + col
      const p = cellCentre(row, col)
      const u = (p.x - 1700) / 1760
      const v = (p.y - 1640) / 1730
      const rim = 0.93 + 0.1 * noise(p.x / 500, p.y / 500, 3)
      valley.active[i] = (u ** 4 + v ** 4) ** 0.25 < rim ? 1 : 0
      let ground = Number.POSITIVE_INFINITY
      let nearest = Number.POSITIVE_INFINITY
      let level = 0
      for (const stream of [seine, almont]) {
        const { beyond, along } = beyondBank(stream, p)
        const z = stream.level + stream.slope * (stream.length - along)
        if (beyond < nearest) {
          nearest = beyond
          level = z
        }
        const d = Math.max(0, beyond)
        ground = Math.min(ground, z + stream.bankStep + 150 * (1 - Math.exp(-((d / 3600) ** 1.6))))
      }
      valley.waterDistance[i] = Math.max(0, nearest)
      if (nearest <= 0) {
        valley.water[i] = 1
        valley.ground[i] = level
      } else {
        const relief = 0.55 * noise(p.x / 260, p.y / 260, 11) + 0.25 * noise(p.x / 70, p.y / 70, 12)
        valley.ground[i] = ground + relief * Math.min(1, nearest / 120)
      }
    }
  return valley
}

/**
 * Raises pits so that every cell drains to open water over its four neighbours, by at least 1 mm a cell
 * (priority flood, Barnes et al. 2014). In place; water keeps its level.
 */
export function fillPits(active: Uint8Array, water: Uint8Array, z: Float64Array): void {
  const n = z.length
  const done = new Uint8Array(n)
  const heap: number[] = []
  const less = (a: number, b: number) => z[a] < z[b] || (z[a] === z[b] && a < b)
  const push = (i: number) => {
    heap.push(i)
    let k = heap.length - 1
    while (k > 0) {
      const parent = (k - 1) >> 1
      if (!less(heap[k], heap[parent])) break
      ;[heap[k], heap[parent]] = [heap[parent], heap[k]]
      k = parent
    }
  }
  const pop = (): number => {
    const top = heap[0]
    const last = heap.pop() as number
    if (heap.length > 0) {
      heap[0] = last
      let k = 0
      for (;;) {
        let child = 2 * k + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && less(heap[child + 1], heap[child])) child++
        if (!less(heap[child], heap[k])) break
        ;[heap[k], heap[child]] = [heap[child], heap[k]]
        k = child
      }
    }
    return top
  }
  for (let i = 0; i < n; i++)
    if (active[i] && water[i]) {
      done[i] = 1
      push(i)
    }
  while (heap.length > 0) {
    const i = pop()
    const col = i % NCOLS
    for (const j of [i - NCOLS, i + NCOLS, col > 0 ? i - 1 : -1, col < NCOLS - 1 ? i + 1 : -1]) {
      if (j < 0 || j >= n || done[j] || !active[j]) continue
      done[j] = 1
      z[j] = Math.max(z[j], z[i] + 0.001)
      push(j)
    }
  }
  // What water does not reach is not part of the catchment.
  for (let i = 0; i < n; i++) if (!done[i]) active[i] = 0
}
