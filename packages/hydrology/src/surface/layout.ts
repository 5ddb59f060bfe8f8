import { GRAVITY } from '@radx/contracts/constants'
import type { RaisedFace, SurfaceGrid, SurfaceOptions, SurfaceParams } from './types.ts'
import { MIN_EDGE_SLOPE } from './types.ts'

/** Padding: two rows above (slack and ghosts), two below, four columns left so that quads of cells are aligned. */
export const TOP = 2
export const LEFT = 4
const BOTTOM = 2

/**
 * A bed step so large that a face with it never carries water: f32(1e15 + h) - 1e15 is 0 for every depth that there is. (At 1e9
 * the depths of f32 that stand beside it are 64 m apart, and from 32 m of water on a wall would leak.)
 */
export const WALL = 1e15

/** Steepest bed for which the limiter lets normal flow pass: beyond it a step is a brink, not a street. */
export const MAX_NORMAL_SLOPE = 0.15

/**
 * Share of the kinematic limit at the last two faces before open water, which takes all that comes. A wave that outruns
 * the step swings there from step to step, dies away below twice the limit, and finds no further cell to grow in.
 */
export const LEAVING_CFL = 1.5

/** A face at an open edge. Sorted by the row that stores the face. */
export interface EdgeFace {
  /** Padded index of the cell that loses water. */
  cell: number
  /** Padded index of the face: in `qy` when `vertical`, else in `qx`. */
  face: number
  vertical: boolean
  /** +1 when outflow is positive on this face. */
  sign: 1 | -1
  /** sqrt(slope) / n: q = factor * h^(5/3). */
  factor: number
}

/** A face raised above the beds of both its cells. */
export interface Crest {
  /** Padded index of the cell before the face, which is also the face's. */
  index: number
  /** Of the cell to the east or south. */
  other: number
  vertical: boolean
  crestM: number
}

/** Everything that does not change during a run, in padded layout. */
export interface Layout {
  grid: SurfaceGrid
  stride: number
  rows: number
  size: number
  live: Uint8Array
  /** Padded indices of live cells. */
  liveCells: Int32Array
  /** Bed of cells inside the grid, m; NaN outside. */
  bed: Float64Array
  manning: Float64Array
  /** Bed step to the eastern and southern neighbour, m; `WALL` where nothing passes. */
  stepX: Float64Array
  stepY: Float64Array
  /** g n^2 at the eastern and southern face. */
  frictionX: Float64Array
  frictionY: Float64Array
  /** sqrt(bed slope) / n: normal flow q = normal h^(5/3), slope at most `MAX_NORMAL_SLOPE`. */
  normalX: Float64Array
  normalY: Float64Array
  /** Factor of the speed in the kinematic limit of the step: below 1 where water is about to leave into open water. */
  paceX: Float64Array
  paceY: Float64Array
  /** The least of a cell's faces. */
  pace: Float64Array
  kh: Float64Array
  capsh: Float64Array
  soilmd: Float64Array
  interception: Float64Array
  edges: EdgeFace[]
  /** By padded index, faces to the east first; to local inertia they are walls. */
  crests: Crest[]
  options: Required<SurfaceOptions>
}

export function paddedIndex(layout: { stride: number; grid: SurfaceGrid }, cell: number): number {
  const { ncols } = layout.grid
  const row = Math.floor(cell / ncols)
  return (row + TOP) * layout.stride + (cell - row * ncols) + LEFT
}

/** Pads the grid and computes face properties: bed steps, friction (mean n of the two cells), walls and edges. */
export function createLayout(
  grid: SurfaceGrid,
  params: SurfaceParams,
  options: Required<SurfaceOptions>,
): Layout {
  const { nrows, ncols, elevationM } = grid
  const stride = 4 * Math.ceil((LEFT + ncols + 1) / 4)
  const rows = nrows + TOP + BOTTOM
  const size = rows * stride
  const zero = () => new Float64Array(size)
  const layout: Layout = {
    grid,
    stride,
    rows,
    size,
    live: new Uint8Array(size),
    liveCells: new Int32Array(0),
    bed: zero().fill(Number.NaN),
    manning: zero(),
    stepX: zero().fill(WALL),
    stepY: zero().fill(WALL),
    frictionX: zero(),
    frictionY: zero(),
    normalX: zero(),
    normalY: zero(),
    paceX: zero().fill(1),
    paceY: zero().fill(1),
    pace: zero().fill(1),
    kh: zero(),
    capsh: zero(),
    soilmd: zero(),
    interception: zero(),
    edges: [],
    crests: [],
    options,
  }
  const { bed, manning } = layout
  const live: number[] = []
  for (let cell = 0; cell < nrows * ncols; cell++) {
    if (Number.isNaN(elevationM[cell])) continue
    const i = paddedIndex(layout, cell)
    bed[i] = elevationM[cell]
    manning[i] = params.manning[cell]
    if (params.permanentWater?.[cell]) continue
    layout.live[i] = 1
    live.push(i)
    layout.interception[i] = params.interceptionM?.[cell] ?? 0
    if (params.soil) {
      layout.kh[i] = params.soil.khMS[cell]
      layout.capsh[i] = params.soil.capshM[cell]
      layout.soilmd[i] = params.soil.soilmd[cell]
    }
  }
  layout.liveCells = Int32Array.from(live)
  joinFaces(layout, bed, manning)
  raiseFaces(layout, params.raised ?? [])
  if (params.edges === 'open') {
    const bounded = new Set(params.bounded?.map(({ cell, side }) => 4 * paddedIndex(layout, cell) + side))
    layout.edges = edgeFaces(layout, bed, manning).filter(
      (edge) => !bounded.has(4 * edge.cell + sideOf(edge)),
    )
  }
  return layout
}

/** Side of its cell on which an edge lies: 0 east, 1 west, 2 south, 3 north. */
export const sideOf = ({ vertical, sign }: Pick<EdgeFace, 'vertical' | 'sign'>): 0 | 1 | 2 | 3 =>
  vertical ? (sign > 0 ? 2 : 3) : sign > 0 ? 0 : 1

function joinFaces(layout: Layout, bed: Float64Array, manning: Float64Array): void {
  const { stride, size, live } = layout
  const { cellSizeM } = layout.grid
  const water = (i: number) => !Number.isNaN(bed[i]) && !live[i]
  const shore = (i: number) => water(i - 1) || water(i + 1) || water(i - stride) || water(i + stride)
  const leaves = (i: number, j: number) => {
    if (!live[i] || !live[j]) return true
    const [low, high] = bed[i] < bed[j] ? [i, j] : [j, i]
    return shore(low) && !shore(high)
  }
  const join = (
    i: number,
    j: number,
    step: Float64Array,
    friction: Float64Array,
    normal: Float64Array,
    pace: Float64Array,
  ) => {
    if (Number.isNaN(bed[i]) || Number.isNaN(bed[j]) || !(live[i] || live[j])) return
    step[i] = bed[j] - bed[i]
    const n = (manning[i] + manning[j]) / 2
    friction[i] = GRAVITY * n * n
    // Without friction flow has no normal depth.
    normal[i] = n > 0 ? Math.sqrt(Math.min(Math.abs(step[i]) / cellSizeM, MAX_NORMAL_SLOPE)) / n : 0
    if (leaves(i, j)) pace[i] = layout.pace[i] = layout.pace[j] = 1 / LEAVING_CFL
  }
  for (let i = stride; i < size - stride; i++) {
    join(i, i + 1, layout.stepX, layout.frictionX, layout.normalX, layout.paceX)
    join(i, i + stride, layout.stepY, layout.frictionY, layout.normalY, layout.paceY)
  }
}

function raiseFaces(layout: Layout, raised: readonly RaisedFace[]): void {
  const { live, bed, stride, stepX, stepY } = layout
  const found = new Map<number, Crest>()
  for (const { cell, side, crestM } of raised) {
    const index = paddedIndex(layout, cell)
    const vertical = side === 'south'
    const other = index + (vertical ? stride : 1)
    // Open water takes what stands beside it; outside there is a wall already.
    if (!live[index] || !live[other] || !(crestM > Math.max(bed[index], bed[other]))) continue
    const key = 2 * index + (vertical ? 1 : 0)
    const known = found.get(key)
    if (known && known.crestM >= crestM) continue
    found.set(key, { index, other, vertical, crestM })
    ;(vertical ? stepY : stepX)[index] = WALL
  }
  layout.crests = [...found].sort(([a], [b]) => a - b).map(([, crest]) => crest)
}

function edgeFaces(layout: Layout, bed: Float64Array, manning: Float64Array): EdgeFace[] {
  const { stride, liveCells } = layout
  const edges: EdgeFace[] = []
  for (const cell of liveCells) {
    const inner = bed[cell + 1] + bed[cell - 1] + bed[cell + stride] + bed[cell - stride]
    if (!Number.isNaN(inner)) continue
    const sides: Array<[outside: number, inside: number, face: number, vertical: boolean, sign: 1 | -1]> = [
      [cell + 1, cell - 1, cell, false, 1],
      [cell - 1, cell + 1, cell - 1, false, -1],
      [cell + stride, cell - stride, cell, true, 1],
      [cell - stride, cell + stride, cell - stride, true, -1],
    ]
    for (const [outside, inside, face, vertical, sign] of sides) {
      if (!Number.isNaN(bed[outside])) continue
      const rise = Number.isNaN(bed[inside]) ? 0 : bed[inside] - bed[cell]
      if (rise <= 0) continue
      const slope = Math.max(MIN_EDGE_SLOPE, rise / layout.grid.cellSizeM)
      edges.push({ cell, face, vertical, sign, factor: Math.sqrt(slope) / manning[cell] })
    }
  }
  return edges.sort((a, b) => a.face - b.face)
}
