// Depths of uniform and critical flow: src/sewer/sections/section-table.ts.
import { CRITICAL, CRITICAL_LAST, FACTOR_LAST, FULL_DEPTH, ROW, ROWS, STEP } from './memory'

/** The lower of normal and critical depth. */
export function freeDepth(table: usize, q: f64, beta: f64): f64 {
  if (!(q > 0)) return 0
  const step = load<f64>(table, STEP)
  const normal =
    beta > 0
      ? depthWhere(table + ROWS + 24, ROW, q / beta, load<i32>(table, FACTOR_LAST), step)
      : load<f64>(table, FULL_DEPTH)
  return min<f64>(normal, depthWhere(table + CRITICAL, 8, q, load<i32>(table, CRITICAL_LAST), step))
}

/** Depth at which a rising column reaches a value. */
function depthWhere(column: usize, stride: usize, wanted: f64, last: i32, step: f64): f64 {
  let low = 0
  let high = last
  if (load<f64>(column + <usize>high * stride) <= wanted) return <f64>high * step
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (load<f64>(column + <usize>middle * stride) < wanted) low = middle
    else high = middle
  }
  const a = load<f64>(column + <usize>low * stride)
  const b = load<f64>(column + <usize>high * stride)
  return (<f64>low + (b > a ? (wanted - a) / (b - a) : 1)) * step
}
