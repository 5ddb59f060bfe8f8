// Depths of uniform and critical flow: src/sewer/sections/section-table.ts.
import { Section, SectionRow } from './records'

/** Bytes of a row. */
const ROW: usize = offsetof<SectionRow>()

/** The lower of normal and critical depth. */
export function freeDepth(section: Section, q: f64, beta: f64): f64 {
  return min<f64>(normalDepth(section, q, beta), criticalDepth(section, q))
}

export function normalDepth(section: Section, q: f64, beta: f64): f64 {
  if (!(q > 0)) return 0
  if (!(beta > 0)) return section.fullDepthM
  const factors = section.rows + offsetof<SectionRow>('factor')
  return depthWhere(factors, ROW, q / beta, section.maxFactorRow, section.stepM)
}

export function criticalDepth(section: Section, q: f64): f64 {
  if (!(q > 0)) return 0
  return depthWhere(section.critical, 8, q, section.criticalLast, section.stepM)
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
