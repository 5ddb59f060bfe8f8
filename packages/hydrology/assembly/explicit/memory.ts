// EPA SWMM's own scheme in f64: the formulas, and the order of every operation, are those of src/sewer/explicit.
import { ExplicitConduit, ExplicitHeader, ExplicitNode } from './records'

export let header: ExplicitHeader = changetype<ExplicitHeader>(0)
export let unknowns: i32 = 0
export let CONDUITS: usize = 0
export let NODES: usize = 0
export let HEAD: usize = 0
export let DEPTH: usize = 0
export let OLD_DEPTH: usize = 0
export let SURFACE: usize = 0
export let OPEN_SURFACE: usize = 0
export let INFLOW: usize = 0
export let OUTFLOW: usize = 0
export let OLD_NET: usize = 0
export let SAMPLED: usize = 0
export let LATERAL: usize = 0
export let SLOPES: usize = 0
export let OVERFLOW: usize = 0
export let RISE: usize = 0
export let OWN: usize = 0
export let OLD_OWN: usize = 0
export let SETTLED: usize = 0
export let ACTIVE: usize = 0
export let FLOW: usize = 0
export let OLD_FLOW: usize = 0
export let AREA: usize = 0
export let OLD_AREA: usize = 0
export let END_AREA: usize = 0
export let MIDDLE: usize = 0
export let SQUARE: usize = 0
export let WAVE: usize = 0
export let SLOPE: usize = 0
export let FROM_SURFACE: usize = 0
export let TO_SURFACE: usize = 0
export let LOSS: usize = 0
export let OPEN: usize = 0

/** Reads options and addresses. */
export function bindExplicit(at: usize): void {
  header = changetype<ExplicitHeader>(at)
  unknowns = header.unknowns
  CONDUITS = header.conduits
  NODES = header.nodes
  HEAD = header.head
  DEPTH = header.depth
  OLD_DEPTH = header.oldDepth
  SURFACE = header.surface
  OPEN_SURFACE = header.openSurface
  INFLOW = header.inflow
  OUTFLOW = header.outflow
  OLD_NET = header.oldNet
  SAMPLED = header.sampled
  LATERAL = header.lateral
  SLOPES = header.slopes
  OVERFLOW = header.overflow
  RISE = header.rise
  OWN = header.own
  OLD_OWN = header.oldOwn
  SETTLED = header.settled
  ACTIVE = header.active
  FLOW = header.flow
  OLD_FLOW = header.oldFlow
  AREA = header.area
  OLD_AREA = header.oldArea
  END_AREA = header.endArea
  MIDDLE = header.middle
  SQUARE = header.square
  WAVE = header.wave
  SLOPE = header.slope
  FROM_SURFACE = header.fromSurface
  TO_SURFACE = header.toSurface
  LOSS = header.loss
  OPEN = header.open
}

// @inline
export function conduitAt(c: i32): ExplicitConduit {
  return changetype<ExplicitConduit>(CONDUITS + <usize>c * offsetof<ExplicitConduit>())
}

// @inline
export function nodeAt(p: i32): ExplicitNode {
  return changetype<ExplicitNode>(NODES + <usize>p * offsetof<ExplicitNode>())
}
