// The sewer's inner loops in f64; the formulas, and the order of every operation, are those of src/sewer/step and of
// src/sewer/network, so that both give the same bits. The host lays everything out (src/sewer/step/wasm.ts).
import { Conduit, Node, SewerHeader } from './records'

export let header: SewerHeader = changetype<SewerHeader>(0)
/** How many nodes are unknown: outfalls come behind them. */
export let unknowns: i32 = 0
export let CONDUITS: usize = 0
export let NODES: usize = 0
export let FLOW: usize = 0
export let AREA: usize = 0
export let LAST_STEP_S: usize = 0
export let NEXT_AREA: usize = 0
export let DEPTH: usize = 0
export let END_DEPTH: usize = 0
export let CONDUIT_FLOW: usize = 0
export let MEAN_FLOW: usize = 0
export let OPEN: usize = 0
export let CAN_LEAVE: usize = 0
export let OUTFALL_GATE: usize = 0
export let FLOOD_LEVEL: usize = 0
export let FLOOD_AREA: usize = 0
export let VECTOR: usize = 0
export let DIAGONAL: usize = 0
export let UPPER: usize = 0
export let LOWER: usize = 0
export let INVERSES: usize = 0
export let START: usize = 0
export let PARTNER: usize = 0
export let UPDATE_START: usize = 0
export let UPDATE: usize = 0

/** Reads options and addresses. */
export function bind(at: usize): void {
  header = changetype<SewerHeader>(at)
  unknowns = header.unknowns
  CONDUITS = header.conduits
  NODES = header.nodes
  FLOW = header.flow
  AREA = header.area
  LAST_STEP_S = header.lastStepS
  NEXT_AREA = header.nextArea
  DEPTH = header.depth
  END_DEPTH = header.endDepth
  CONDUIT_FLOW = header.conduitFlow
  MEAN_FLOW = header.meanFlow
  OPEN = header.open
  CAN_LEAVE = header.canLeave
  OUTFALL_GATE = header.outfallGate
  FLOOD_LEVEL = header.floodLevel
  FLOOD_AREA = header.floodArea
  VECTOR = header.vector
  DIAGONAL = header.diagonal
  UPPER = header.upper
  LOWER = header.lower
  INVERSES = header.inverses
  START = header.start
  PARTNER = header.partner
  UPDATE_START = header.updateStart
  UPDATE = header.update
}

// @inline
export function conduitAt(c: i32): Conduit {
  return changetype<Conduit>(CONDUITS + <usize>c * offsetof<Conduit>())
}

// @inline
export function nodeAt(k: i32): Node {
  return changetype<Node>(NODES + <usize>k * offsetof<Node>())
}
