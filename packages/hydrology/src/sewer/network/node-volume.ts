import type { SewerNetwork, SewerStorage } from '@radx/contracts'
import { type SectionTable, storedWidth } from '../sections/section-table.ts'

/** A pipe's half that stores at a node: barrels * length / 2 times the section above `offsetM`. */
export interface PipeEnd {
  table: SectionTable
  offsetM: number
  halfLengthM: number
}

/**
 * Volume of water at nodes against depth, split for nested Newton (Casulli and Zanolli 2012): surface p = p1 - p2
 * with p1 and p2 both growing. A row is [volume m3, surface m2, volume of p2, p2]; surfaces are linear between rows,
 * volumes their exact integrals. Below depth 0 the surface stays what it is at 0.
 */
export interface NodeVolumes {
  rows: Float64Array
  /** First row of a node, intervals, and intervals a metre. */
  first: Int32Array
  intervals: Int32Array
  perMetre: Float64Array
}

const ROW = 4

/** Surface of a storage node's own shape, m2. */
export function storageArea(shape: SewerStorage['shape'], depthM: number): number {
  const d = Math.max(depthM, 0)
  if (shape.type === 'functional')
    return Math.max(0, shape.coefficient * d ** shape.exponent + shape.constant)
  if (shape.type === 'quadratic') return Math.max(0, shape.a0 + d * (shape.a1 + d * shape.a2))
  const { x, y } = shape.table
  const n = x.length
  if (n === 1 || d <= x[0]) return y[0]
  let i = 1
  while (i < n - 1 && x[i] < d) i++
  return Math.max(0, y[i - 1] + ((d - x[i - 1]) / (x[i] - x[i - 1])) * (y[i] - y[i - 1]))
}

export interface NodeVolumeInput {
  /** Own surface of the node at a depth (storage), m2; 0 for junctions. */
  ownArea: (depthM: number) => number
  ends: PipeEnd[]
  /** Ends of pipes that store by themselves (`createReaches`): what surface they bring, the least one need not. */
  reachEnds: PipeEnd[]
  /** Depth of the highest crown of its pipes, m. */
  crownM: number
  /** EXTRAN: above this depth what stores dies away (`fadedDepth`), m; Infinity where it does not. */
  closesM: number
  /** Depth up to which the own surface varies, m. */
  ownTopM: number
  /** Area that stands above this depth in addition (ponding), m2. */
  pondedAreaM2: number
  rimM: number
  /** Whether it has a surcharge depth: its cover holds the pressure. */
  sealed: boolean
}

/** Tabulates every node. */
export function nodeVolumes(nodes: NodeVolumeInput[], options: SewerNetwork['options']): NodeVolumes {
  const first = new Int32Array(nodes.length)
  const intervals = new Int32Array(nodes.length)
  const perMetre = new Float64Array(nodes.length)
  const tables: Float64Array[] = []
  let total = 0
  nodes.forEach((node, k) => {
    const table = tabulate(node, options)
    first[k] = total * ROW
    intervals[k] = table.rows.length / ROW - 1
    perMetre[k] = table.perMetre
    total += table.rows.length / ROW
    tables.push(table.rows)
  })
  const rows = new Float64Array(total * ROW)
  let at = 0
  for (const table of tables) {
    rows.set(table, at)
    at += table.length
  }
  return { rows, first, intervals, perMetre }
}

/**
 * Above a closed node EPA SWMM lets its last surface die away as exp(-x), x = 15 (d / d0 - 1). Here it is (1 - x / 8)^8,
 * which ends at 1.53 d0 and needs no exponential.
 */
const FADE = 15
const POWER = 8

/** Depth that counts for what is stored: above `closesM` it grows ever less, by the surface that is left. */
export function fadedDepth(depthM: number, closesM: number): number {
  if (!(depthM > closesM)) return depthM
  const left = Math.max(0, 1 - (FADE / POWER) * (depthM / closesM - 1))
  const square = left * left
  const fourth = square * square
  return closesM + (closesM / FADE) * (POWER / (POWER + 1)) * (1 - fourth * fourth * left)
}

/** Share of the surface that is left at a depth. */
export function fading(depthM: number, closesM: number): number {
  if (!(depthM > closesM)) return 1
  const left = Math.max(0, 1 - (FADE / POWER) * (depthM / closesM - 1))
  const square = left * left
  const fourth = square * square
  return fourth * fourth
}

function tabulate(node: NodeVolumeInput, options: SewerNetwork['options']) {
  const slot = options.surchargeMethod === 'SLOT'
  let top = Math.max(node.crownM, node.ownTopM, 0.1)
  for (const end of [...node.ends, ...node.reachEnds])
    if (end.table.closed) top = Math.max(top, end.offsetM + end.table.fullDepthM * (slot ? 1.79 : 1.02))
  if (!slot && node.closesM < Infinity) top = Math.max(top, 1.6 * node.closesM)
  if (node.pondedAreaM2 > 0) top = Math.max(top, node.rimM + 0.05)
  const n = Math.min(400, Math.max(64, Math.ceil(top / 0.015)))
  const step = top / n
  const rows = new Float64Array((n + 1) * ROW)
  for (let i = 0; i <= n; i++) {
    const surface = surfaceAt(node, i * step, options)
    const row = i * ROW
    rows[row + 1] = surface
    if (i === 0) continue
    const before = row - ROW
    rows[row] = rows[before] + ((rows[before + 1] + surface) / 2) * step
    rows[row + 3] = rows[before + 3] + Math.max(0, rows[before + 1] - surface)
    rows[row + 2] = rows[before + 2] + ((rows[before + 3] + rows[row + 3]) / 2) * step
  }
  return { rows, perMetre: n / top }
}

/** Surface of a pipe's half at a depth of its node, what stands for pressure included, m2. */
function endSurface(end: PipeEnd, depth: number, method: SewerNetwork['options']['surchargeMethod']): number {
  const y = depth - end.offsetM
  return y < 0 ? 0 : end.halfLengthM * storedWidth(end.table, y, method)
}

/** 0 to 1: while a pipe's end begins to fill, the node keeps its least surface, for Newton's sake. */
function filling({ table, offsetM }: PipeEnd, depth: number): number {
  const share = (depth - offsetM) / table.fullDepthM
  return Math.min(1, Math.max(0, (share - FILLING_FROM) / (FILLING_TO - FILLING_FROM)))
}
/** No node is smaller, m2: a shaft 39 cm wide. */
const LEAST_AREA_M2 = 0.12
/** A sealed node stores nothing under pressure; this is what Newton's method needs, m2. */
const SEALED_AREA_M2 = 0.01
const FILLING_FROM = 0.05
const FILLING_TO = 0.2

function surfaceAt(node: NodeVolumeInput, depth: number, options: SewerNetwork['options']): number {
  const left = options.surchargeMethod === 'EXTRAN' ? fading(depth, node.closesM) : 1
  let surface = left * node.ownArea(depth)
  for (const end of node.ends) surface += left * endSurface(end, depth, options.surchargeMethod)
  if (node.pondedAreaM2 > 0 && depth > node.rimM) return Math.max(surface, node.pondedAreaM2)
  let least = left * options.minSurfaceAreaM2
  for (const end of node.reachEnds)
    least -= left * filling(end, depth) * endSurface(end, depth, options.surchargeMethod)
  return Math.max(surface, least, node.sealed && depth > node.closesM ? SEALED_AREA_M2 : LEAST_AREA_M2)
}

/** Volume that a node's table holds at a depth, m3. */
export function volumeAt({ rows, first, intervals, perMetre }: NodeVolumes, k: number, depthM: number) {
  const d = Math.max(0, depthM)
  const i = Math.min(Math.floor(d * perMetre[k]), intervals[k] - 1)
  const row = first[k] + i * ROW
  const h = 1 / perMetre[k]
  const t = d * perMetre[k] - i
  if (t > 1) return rows[row + 4] + (t - 1) * h * rows[row + 5]
  return rows[row] + t * h * (rows[row + 1] + (t * (rows[row + 5] - rows[row + 1])) / 2)
}
