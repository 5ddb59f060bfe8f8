// Shapes of storage nodes: src/sewer/explicit/tanks.ts, which says what is what.
import { tankArea, tankVolume } from './env'
import { ExplicitNode } from './records'

const POLYNOMIAL: i32 = 1
const TABLE: i32 = 2
/** Bytes of a row: depth, surface, water below it. */
const ROW: usize = 24

export function surfaceOf(node: ExplicitNode, p: i32, depth: f64): f64 {
  const d = max<f64>(0, depth)
  if (node.shape === POLYNOMIAL) return max<f64>(0, node.a0 + d * (node.a1 + d * node.a2))
  return node.shape === TABLE ? surfaceAt(node, depth) : tankArea(p, depth)
}

export function waterOf(node: ExplicitNode, p: i32, depth: f64): f64 {
  const d = max<f64>(0, depth)
  if (node.shape === POLYNOMIAL) return d * (node.a0 + d * (node.a1 / 2 + (d * node.a2) / 3))
  if (node.shape !== TABLE) return tankVolume(p, depth)
  const row = rowBefore(node, d)
  if (row === 0) return d * load<f64>(node.rows, 8)
  return load<f64>(row, 16) + ((load<f64>(row, 8) + surfaceAt(node, d)) / 2) * (d - load<f64>(row))
}

function surfaceAt(node: ExplicitNode, d: f64): f64 {
  const row = rowBefore(node, d)
  if (row === 0) return load<f64>(node.rows, 8)
  const share = (d - load<f64>(row)) / (load<f64>(row + ROW) - load<f64>(row))
  return max<f64>(0, load<f64>(row, 8) + share * (load<f64>(row + ROW, 8) - load<f64>(row, 8)))
}

/** Address of the last row that is not above a depth and has one behind it; 0 where there is none. */
function rowBefore(node: ExplicitNode, d: f64): usize {
  if (node.rowCount === 1 || !(d > load<f64>(node.rows))) return 0
  const last = node.rows + <usize>(node.rowCount - 1) * ROW
  let row = node.rows
  while (row + ROW < last && load<f64>(row + ROW) < d) row += ROW
  return row
}
