import type { Watch } from '@radx/contracts'
import { AHEAD_DEPTHS_MM, AHEAD_OUTSIDE, type AheadCycle, certaintyOf } from '@radx/contracts'

/** A list of this length can be read. */
const MOST = 100
/** Streets are those that a tenth of the members flood. */
const STREET_PERCENT = 10
/** Cells of a place lie so near to each other, in rows and columns. */
const APART = 2

/** Probabilities of something by moment, %. */
type Course = readonly number[]

/** The first moment with at least half of the largest probability. */
function danger(course: Course, leadsMin: readonly number[]): { percent: number; fromMin: number } {
  const percent = Math.max(0, ...course)
  return {
    percent,
    fromMin:
      leadsMin[
        Math.max(
          0,
          course.findIndex((p) => 2 * p >= percent),
        )
      ],
  }
}

export interface Element {
  name: string
  cell: number
  lat: number
  lng: number
  course: Course
}

/** What is worth watching of pipes and nodes. */
export function watchElements(
  kind: 'link' | 'node',
  elements: readonly Element[],
  leadsMin: readonly number[],
): Watch[] {
  return elements
    .map(({ name, lat, lng, course }) => ({
      kind,
      name,
      cell: -1,
      lat,
      lng,
      cells: 0,
      depthMm: 0,
      ground: null,
      near: null,
      ...danger(course, leadsMin),
      gravity: kind === 'node' ? 2 : 1,
    }))
    .filter(({ percent }) => percent > 0)
}

export interface Grid {
  nrows: number
  ncols: number
  at(cell: number): { lat: number; lng: number }
  /** What most of some cells are, and what of the network is near one of them; null where nobody knows. */
  groundOf(cells: readonly number[]): string | null
  nearTo(cell: number): string | null
  /** Whether nothing seeps in there. */
  isSealed(cell: number): boolean
}

/**
 * Streets in danger: cells that pass a depth in a tenth of the members or more at some moment; puddles that lie a cell apart
 * are one place.
 * @param exceedance `[moment][depth][cell]`, whole %, depths as `AHEAD_DEPTHS_MM`
 */
export function watchStreets(
  exceedance: readonly (readonly Uint8Array[])[],
  leadsMin: readonly number[],
  grid: Grid,
): Watch[] {
  const all = AHEAD_DEPTHS_MM.flatMap((depthMm, d) => {
    // A puddle is no danger by itself: of the least depth only what is likely, on roads and at houses, counts.
    const least = d === 0 ? 50 : STREET_PERCENT
    const counts = (cell: number) => d > 0 || grid.isSealed(cell)
    const most = largest(exceedance.map((moment) => moment[d]))
    const isIn = Uint8Array.from(most, (p, cell) =>
      p >= least && p !== AHEAD_OUTSIDE && counts(cell) ? 1 : 0,
    )
    return groups(isIn, grid).map((cells) => street(cells, depthMm, d, exceedance, most, leadsMin, grid))
  })
  // A group of a larger depth lies in one of a smaller: the worse is told.
  const worse = all.sort((a, b) => b.gravity - a.gravity || b.percent - a.percent || b.cells - a.cells)
  const told: Watch[] = []
  const taken = new Set<number>()
  for (const one of worse) {
    if (one.members.some((cell) => taken.has(cell))) continue
    for (const cell of one.members) taken.add(cell)
    const { members, ...rest } = one
    told.push({ ...rest, name: String(told.length + 1) })
  }
  return told
}

function street(
  cells: number[],
  depthMm: number,
  d: number,
  exceedance: readonly (readonly Uint8Array[])[],
  most: Uint8Array,
  leadsMin: readonly number[],
  grid: Grid,
): Watch & { members: number[] } {
  const worst = cells.reduce((best, cell) => (most[cell] > most[best] ? cell : best), cells[0])
  const course = exceedance.map((moment) => moment[d][worst])
  return {
    ...{ kind: 'street', name: '', cell: worst, ...grid.at(worst), cells: cells.length, depthMm },
    ...{ ground: grid.groundOf(cells), near: grid.nearTo(worst) },
    ...danger(course, leadsMin),
    gravity: d + 1,
    members: cells,
  }
}

function largest(moments: readonly Uint8Array[]): Uint8Array {
  const most = Uint8Array.from(moments[0] ?? [])
  for (const moment of moments)
    for (let cell = 0; cell < most.length; cell++) if (moment[cell] > most[cell]) most[cell] = moment[cell]
  return most
}

/** Cells with at most one other between them. */
function groups(isIn: Uint8Array, { nrows, ncols }: Grid): number[][] {
  const found: number[][] = []
  const seen = new Uint8Array(isIn.length)
  for (let start = 0; start < isIn.length; start++) {
    if (!isIn[start] || seen[start]) continue
    const group = [start]
    seen[start] = 1
    for (let k = 0; k < group.length; k++)
      for (const next of around(group[k], nrows, ncols))
        if (isIn[next] && !seen[next]) {
          seen[next] = 1
          group.push(next)
        }
    found.push(group)
  }
  return found
}

function* around(cell: number, nrows: number, ncols: number): Generator<number> {
  const [row, col] = [Math.floor(cell / ncols), cell % ncols]
  for (let r = Math.max(0, row - APART); r <= Math.min(nrows - 1, row + APART); r++)
    for (let c = Math.max(0, col - APART); c <= Math.min(ncols - 1, col + APART); c++)
      if (r !== row || c !== col) yield r * ncols + c
}

/** By time, then the worse and the surer first; the least grave are left out when there are too many. */
export const sortWatch = (all: Watch[]): Watch[] =>
  all
    .sort((a, b) => b.gravity - a.gravity || b.percent - a.percent || b.cells - a.cells)
    .slice(0, MOST)
    .sort((a, b) => a.fromMin - b.fromMin || b.gravity - a.gravity || b.percent - a.percent)

/** How many there are of each kind, by how sure they are. */
export const countsOf = (all: readonly Watch[]): AheadCycle['counts'] =>
  (['street', 'node', 'link'] as const).map((kind) => {
    const own = all.filter((one) => one.kind === kind)
    const count = (level: ReturnType<typeof certaintyOf>) =>
      own.filter(({ percent }) => certaintyOf(percent) === level).length
    return { kind, certain: count('certain'), likely: count('likely'), possible: count('possible') }
  })
