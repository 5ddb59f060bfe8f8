import { GRAVITY } from '@radx/contracts/constants'
import { HydrologyError } from '../errors.ts'
import type { Stateful, StateVisitor } from '../state/state.ts'
import type { KernelEdge } from './full/water.ts'
import type { Layout } from './layout.ts'
import { paddedIndex, sideOf } from './layout.ts'
import type { Kernel } from './types.ts'
import { slotOf } from './types.ts'

/**
 * What holds at a boundary: a level, m; a discharge into the model, m3/s; normal flow of a slope, or free fall, out of it;
 * or nothing passes.
 */
export type BoundaryKind = 'level' | 'discharge' | 'normal' | 'critical' | 'closed'
/** 0 east, 1 west, 2 south, 3 north. */
export type Side = 0 | 1 | 2 | 3

/** A value over time: linear between its moments, the first before them and the last after them. */
export interface TimeSeries {
  timesS: ArrayLike<number>
  values: ArrayLike<number>
}

export interface Boundary {
  name: string
  kind: BoundaryKind
  /** Slope of normal flow. */
  slope?: number
  series?: TimeSeries
  /** Faces of the model's edge. Cells are row * ncols + col. */
  faces: { cell: number; side: Side }[]
  /** Cells away from the edge: a discharge is shared among them, a level held in them. */
  cells: number[]
}

/** What has passed a boundary, m3, into the model. */
export interface BoundaryVolume {
  name: string
  kind: BoundaryKind
  inM3: number
}

export function valueAt({ timesS, values }: TimeSeries, timeS: number): number {
  const last = timesS.length - 1
  if (timeS <= timesS[0]) return values[0]
  if (timeS >= timesS[last]) return values[last]
  const k = pieceAt(timesS, timeS)
  const share = (timeS - timesS[k]) / (timesS[k + 1] - timesS[k])
  return values[k] + share * (values[k + 1] - values[k])
}

/** The last moment that is not after `timeS`, which lies between the first and the last. */
function pieceAt(timesS: ArrayLike<number>, timeS: number): number {
  let low = 0
  let high = timesS.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (timesS[middle] <= timeS) low = middle
    else high = middle
  }
  return low
}

/** Mean of a series over `lengthS` from `fromS` on: what passes in steps of any length adds up to the series. */
export function meanOver(series: TimeSeries, fromS: number, lengthS: number): number {
  const { timesS } = series
  const last = timesS.length - 1
  const toS = fromS + lengthS
  if (last === 0 || toS <= timesS[0] || fromS >= timesS[last]) return valueAt(series, fromS)
  let sum = 0
  let at = fromS
  let k = fromS < timesS[0] ? 0 : pieceAt(timesS, fromS) + 1
  while (at < toS) {
    const next = k <= last && timesS[k] < toS ? timesS[k] : toS
    // Linear between two moments.
    sum += 0.5 * (valueAt(series, at) + valueAt(series, next)) * (next - at)
    at = next
    k++
  }
  return sum / lengthS
}

/** Changes the depth of a padded cell by so much at most; answers by how much, m. */
type AddDepth = (index: number, changeM: number) => number

interface Placed {
  boundary: Boundary
  /** Padded cells that the host itself fills and empties. */
  cells: Int32Array
  edges: KernelEdge[]
  inM: number
}

/**
 * Boundaries of a surface. The full scheme is told what holds at faces of the edge; for local inertia the cells beside
 * the edge are filled and emptied before each part of a step.
 */
export class Boundaries implements Stateful {
  private readonly placed: Placed[]
  private readonly layout: Layout
  private readonly kernel: Kernel
  private readonly addDepth: AddDepth
  private readonly openEdges: KernelEdge[]

  /** @throws HydrologyError `surface.boundary` for one that touches no cell where water can be */
  constructor(layout: Layout, kernel: Kernel, boundaries: readonly Boundary[], addDepth: AddDepth) {
    this.layout = layout
    this.kernel = kernel
    this.addDepth = addDepth
    const { live } = layout
    const byFace = new Map<string, KernelEdge>()
    this.placed = boundaries.map((boundary) => {
      const faces = boundary.faces
        .map(({ cell, side }) => ({ index: paddedIndex(layout, cell), side }))
        .filter(({ index }) => live[index])
      const inner = boundary.cells.map((cell) => paddedIndex(layout, cell)).filter((index) => live[index])
      if (faces.length + inner.length === 0)
        throw new HydrologyError(
          'surface.boundary',
          `La limite « ${boundary.name} » ne touche aucune maille active. La déplacer dans boundaries.geojson.`,
        )
      if (!kernel.placeEdges) {
        const beside = boundary.kind === 'closed' ? [] : faces.map(({ index }) => index)
        return { boundary, cells: Int32Array.from(new Set([...inner, ...beside])), edges: [], inM: 0 }
      }
      const edges = faces.map(({ index, side }) => {
        const key = `${index}:${side}`
        const edge = byFace.get(key) ?? emptyEdge(index, side)
        // A level beside a discharge says how deep flow enters that is faster than its waves.
        if (edge.kind !== 'discharge') edge.kind = boundary.kind
        byFace.set(key, edge)
        return edge
      })
      return { boundary, cells: Int32Array.from(new Set(inner)), edges, inM: 0 }
    })
    this.openEdges = kernel.placeEdges
      ? openEdges(layout).filter((e) => !byFace.has(`${e.index}:${e.side}`))
      : []
    kernel.placeEdges?.([...byFace.values(), ...this.openEdges])
  }

  /** What has passed; what holds is told before each part of a step. */
  visit(state: StateVisitor): void {
    const edges = new Set(this.placed.flatMap((placed) => placed.edges))
    const get = (one: { inM: number }) => one.inM
    const take = (one: { inM: number }, value: number) => {
      one.inM = value
    }
    state.column('cellsInM', this.placed, get, take)
    state.column('edgesInM', [...edges], get, take)
    state.column('openInM', this.openEdges, get, take)
  }

  /** What holds at `timeS`, before a part of a step of `partS`. */
  apply(timeS: number, partS: number): void {
    for (const placed of this.placed) {
      const { boundary, edges, cells } = placed
      const { kind, series } = boundary
      const value = !series
        ? 0
        : kind === 'discharge'
          ? meanOver(series, timeS, partS)
          : valueAt(series, timeS)
      if (edges.length > 0) this.tellEdges(boundary, value, edges)
      if (cells.length > 0) placed.inM += this.fill(boundary, value, cells, partS, edges.length)
    }
  }

  private tellEdges({ kind, slope }: Boundary, value: number, edges: KernelEdge[]): void {
    const { manning, grid } = this.layout
    if (kind === 'level') for (const edge of edges) edge.depthM = value - edge.bedM
    if (kind === 'normal')
      for (const edge of edges)
        edge.factor =
          manning[edge.index] > 0 ? Math.sqrt(slope!) / manning[edge.index] : Number.POSITIVE_INFINITY
    if (kind !== 'discharge') return
    // Shared as uniform flow would be: by h^(5/3) of each face, evenly where all is dry.
    const { depth } = this.kernel.fields
    const weights = edges.map(({ index }) => depth.values[slotOf(depth, index)] ** (5 / 3))
    const all = weights.reduce((sum, weight) => sum + weight, 0)
    for (const [k, edge] of edges.entries())
      edge.inflowM2S = (value / grid.cellSizeM) * (all > 0 ? weights[k] / all : 1 / edges.length)
  }

  /** Fills and empties cells. @returns what has come in, m of a cell */
  private fill(
    { kind, slope }: Boundary,
    value: number,
    cells: Int32Array,
    partS: number,
    faces: number,
  ): number {
    const { bed, manning, grid } = this.layout
    const { depth } = this.kernel.fields
    const dx = grid.cellSizeM
    let inM = 0
    for (const i of cells) {
      const h = depth.values[slotOf(depth, i)]
      if (kind === 'level') inM += this.addDepth(i, Math.max(0, value - bed[i]) - h)
      else if (kind === 'discharge') {
        if (faces === 0) inM += this.addDepth(i, (value * partS) / (cells.length * dx * dx))
      } else if (kind !== 'closed') {
        const free = Math.sqrt(GRAVITY * h) * h
        const normal = kind === 'normal' && manning[i] > 0
        const q = normal ? Math.min(free, (Math.sqrt(slope!) / manning[i]) * h ** (5 / 3)) : free
        inM += this.addDepth(i, -(q * partS) / dx)
      }
    }
    return inM
  }

  /** Net volume in, of each boundary. */
  volumes(): BoundaryVolume[] {
    const area = this.layout.grid.cellSizeM ** 2
    const counted = new Set<KernelEdge>()
    return this.placed.map(({ boundary: { name, kind }, edges, inM }) => {
      let sum = inM
      for (const edge of edges) {
        if (counted.has(edge)) continue
        counted.add(edge)
        sum += edge.inM
      }
      return { name, kind, inM3: sum * area }
    })
  }

  /** What has left at open edges, m3. */
  openOutM3(): number {
    const area = this.layout.grid.cellSizeM ** 2
    return -this.openEdges.reduce((sum, { inM }) => sum + inM, 0) * area
  }
}

const emptyEdge = (index: number, side: Side): KernelEdge => ({
  index,
  side,
  kind: 'closed',
  depthM: 0,
  inflowM2S: 0,
  factor: 0,
  bedM: 0,
  inM: 0,
})

/** Edges at which water leaves at normal depth, as local inertia has them (`Layout.edges`). */
function openEdges({ edges }: Layout): KernelEdge[] {
  return edges.map((edge) => ({
    ...emptyEdge(edge.cell, sideOf(edge)),
    kind: 'normal',
    factor: edge.factor,
  }))
}
