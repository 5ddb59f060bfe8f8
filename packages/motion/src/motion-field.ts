import type { Shape } from './field.ts'

/**
 * How rain moves: a velocity at every `step`-th row and column, bilinear between. A grid of 500 x 500 has 64 x 64
 * of them.
 */
export interface MotionField {
  /** The grid that it is for. */
  shape: Shape
  /** Cells between two nodes; node (j, i) lies at row j step, column i step. */
  step: number
  nodes: Shape
  /** Cells a minute to the east, `[j * nodes.ncols + i]`. */
  u: Float32Array
  /** Cells a minute to the south. */
  v: Float32Array
}

/** @default spacing of nodes, cells */
const STEP = 8

/** Rows and columns of nodes that reach past the last cell of a grid. */
export function nodesOf({ nrows, ncols }: Shape, step: number): Shape {
  return { nrows: Math.floor((nrows - 1) / step) + 2, ncols: Math.floor((ncols - 1) / step) + 2 }
}

/** A motion field whose velocity is given at each node by a function of its place in cells. */
export function motionFieldOf(
  shape: Shape,
  velocity: (x: number, y: number) => readonly [u: number, v: number],
  step = STEP,
): MotionField {
  const nodes = nodesOf(shape, step)
  const u = new Float32Array(nodes.nrows * nodes.ncols)
  const v = new Float32Array(u.length)
  for (let j = 0; j < nodes.nrows; j++)
    for (let i = 0; i < nodes.ncols; i++) {
      const k = j * nodes.ncols + i
      ;[u[k], v[k]] = velocity(i * step, j * step)
    }
  return { shape, step, nodes, u, v }
}

/** Bilinear between nodes; beyond the outermost nodes as at the nearest. */
export function atPlace(values: Float32Array, { nodes, step }: MotionField, x: number, y: number): number {
  const gx = Math.min(Math.max(x / step, 0), nodes.ncols - 1)
  const gy = Math.min(Math.max(y / step, 0), nodes.nrows - 1)
  const i = Math.min(Math.floor(gx), nodes.ncols - 2)
  const j = Math.min(Math.floor(gy), nodes.nrows - 2)
  const [fx, fy] = [gx - i, gy - j]
  const k = j * nodes.ncols + i
  const top = values[k] + fx * (values[k + 1] - values[k])
  const low = values[k + nodes.ncols]
  const bottom = low + fx * (values[k + nodes.ncols + 1] - low)
  return top + fy * (bottom - top)
}
