// The sewer's inner loops in f64; the formulas, and the order of every operation, are those of src/sewer/step/momentum.ts
// and src/sewer/step/balances.ts, so that both give the same bits. The host lays everything out (src/sewer/step/wasm.ts).

// A conduit: what its law and its flow in every look at the balances need lies together. Bytes.
export const CONDUIT: usize = 208
/** Ends as byte offsets into arrays by position; entries of the matrix likewise, negative where there is none. */
export const FROM: usize = 0
export const TO: usize = 4
export const PAIR: usize = 8
export const FLAGS: usize = 12
export const BARRELS: usize = 16
export const CONSTANT: usize = 24
export const FROM_SLOPE: usize = 32
export const TO_SLOPE: usize = 40
export const HIGH_SLOPE: usize = 48
export const HIGH: usize = 56
export const LOW: usize = 64
export const Z1: usize = 72
export const Z2: usize = 80
export const CROWN: usize = 88
export const SCALE: usize = 96
export const DROP1: usize = 104
export const DROP2: usize = 112
export const FRICTION: usize = 120
export const PER_LENGTH: usize = 128
export const BETA: usize = 136
export const LENGTH: usize = 144
export const MAX_FLOW: usize = 152
export const LOSS_IN: usize = 160
export const LOSS_OUT: usize = 168
export const LOSS_MEAN: usize = 176
/** Address of its section's table. */
export const TABLE: usize = 184
export const WEIGHT: usize = 192
export const CARRIED: usize = 200

export const CLOSED: i32 = 1
export const LOSSY: i32 = 2
export const AT_OUTFALL: i32 = 4
export const FORCE_MAIN: i32 = 8
export const FLAP_ALONG: i32 = 16
export const FLAP_AGAINST: i32 = 32
export const LIMITED: i32 = 64
export const CULVERT: i32 = 128

// A table: its head, then a row of four a depth, the last one twice, then the critical flow of each row.
export const STEP: usize = 0
export const FULL_DEPTH: usize = 8
export const FACTOR_LAST: usize = 16
export const CRITICAL_LAST: usize = 20
export const ROWS: usize = 32
export const ROW: usize = 32
export const INTERVALS: i32 = 256
export const CRITICAL: usize = ROWS + 258 * ROW

// A node. Rows of its volumes are pairs of volume and surface.
export const NODE: usize = 32
export const INVERT: usize = 0
export const PER_METRE: usize = 8
export const METRES: usize = 16
export const FIRST: usize = 24
export const COUNT: usize = 28

// Options of the network.
export const SLOT: i32 = 1
export const DAMP_NONE: i32 = 2
export const DAMP_FULL: i32 = 4
export const CAP_BY_SLOPE: i32 = 8
export const CAP_BY_FROUDE: i32 = 16
export const IMPLICIT: i32 = 32

export let options: i32 = 0
/** Byte offset of the first outfall in arrays by position. */
export let unknowns: i32 = 0
export let CONDUITS: usize = 0
export let NODES: usize = 0
export let FLOW: usize = 0
export let AREA: usize = 0
export let LAST_STEP: usize = 0
export let NEXT_AREA: usize = 0
export let DEPTH: usize = 0
export let END_DEPTH: usize = 0
export let CONDUIT_FLOW: usize = 0
export let MEAN_FLOW: usize = 0
export let OPEN: usize = 0
export let CAN_LEAVE: usize = 0
export let GATES: usize = 0
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

/** @param header 32-bit words in the order of src/sewer/step/wasm.ts */
export function bind(header: usize): void {
  let at = header
  options = load<i32>(at)
  unknowns = load<i32>((at += 4))
  CONDUITS = load<u32>((at += 4))
  NODES = load<u32>((at += 4))
  FLOW = load<u32>((at += 4))
  AREA = load<u32>((at += 4))
  LAST_STEP = load<u32>((at += 4))
  NEXT_AREA = load<u32>((at += 4))
  DEPTH = load<u32>((at += 4))
  END_DEPTH = load<u32>((at += 4))
  CONDUIT_FLOW = load<u32>((at += 4))
  MEAN_FLOW = load<u32>((at += 4))
  OPEN = load<u32>((at += 4))
  CAN_LEAVE = load<u32>((at += 4))
  GATES = load<u32>((at += 4))
  FLOOD_LEVEL = load<u32>((at += 4))
  FLOOD_AREA = load<u32>((at += 4))
  VECTOR = load<u32>((at += 4))
  DIAGONAL = load<u32>((at += 4))
  UPPER = load<u32>((at += 4))
  LOWER = load<u32>((at += 4))
  INVERSES = load<u32>((at += 4))
  START = load<u32>((at += 4))
  PARTNER = load<u32>((at += 4))
  UPDATE_START = load<u32>((at += 4))
  UPDATE = load<u32>((at += 4))
}
