// What stands in the sewer kernel's memory. The build exports the place of each field (tools/kernel-transform.js), by which
// the host fills it in (src/sewer/step/records.ts): names and types are the same on both sides, and a kernel that has others
// is refused. A field whose meaning changes gets another name.

/** Options of the network, and where its arrays lie; nodes and their entries by position, conduits as in the plan. */
@unmanaged
export class SewerHeader {
  /** How many nodes are unknown: they come before the outfalls. */
  unknowns: i32
  /** SURCHARGE_METHOD SLOT. */
  slot: bool
  /** INERTIAL_DAMPING NONE and FULL. */
  dampNone: bool
  dampFull: bool
  /** NORMAL_FLOW_LIMITED: by slope, by the Froude number. */
  capBySlope: bool
  capByFroude: bool
  /** Takes flows and heads at the end of every step. */
  implicit: bool

  conduits: usize
  nodes: usize

  flow: usize
  area: usize
  lastStepS: usize
  nextArea: usize
  depth: usize
  endDepth: usize
  conduitFlow: usize
  meanFlow: usize
  open: usize
  canLeave: usize
  outfallGate: usize
  floodLevel: usize
  floodArea: usize

  vector: usize
  diagonal: usize
  upper: usize
  lower: usize
  inverses: usize
  start: usize
  partner: usize
  updateStart: usize
  update: usize
}

/** A conduit: what its law and its flow in every look at the balances need lies together. */
@unmanaged
export class Conduit {
  /** Positions of its ends and entry of the matrix, negative where there is none. */
  from: i32
  to: i32
  pair: i32
  /** Its section. */
  table: usize
  closed: bool
  lossy: bool
  atOutfall: bool
  forceMain: bool
  flapAlong: bool
  flapAgainst: bool
  limited: bool
  culvert: bool
  barrels: f64

  // Its law for one step, a barrel: see `ConduitLaws`.
  constant: f64
  fromSlope: f64
  toSlope: f64
  highSlope: f64
  high: f64
  low: f64
  weight: f64
  carried: f64

  /** Inverts and height, m; rows of its table a metre; heights of the ends above their nodes' bottoms, m. */
  fromInvert: f64
  toInvert: f64
  fullDepth: f64
  perMetre: f64
  dropFrom: f64
  dropTo: f64
  /** g n^2, 1 / length, sqrt(slope) / n. */
  friction: f64
  perLength: f64
  beta: f64
  length: f64
  maxFlow: f64
  lossIn: f64
  lossOut: f64
  lossMean: f64
}

/** A section by depth. `rows` is the address of `SectionRow`s, the last one twice; `critical` that of critical flows, f64. */
@unmanaged
export class Section {
  stepM: f64
  fullDepthM: f64
  maxFactorRow: i32
  criticalLast: i32
  rows: usize
  critical: usize
}

/** Area m2, width m, hydraulic radius^(4/3), section factor A R^(2/3). */
@unmanaged
export class SectionRow {
  area: f64
  width: f64
  radius43: f64
  factor: f64
}

/** An unknown node: its bottom, m, and the rows of its volume, of equal height. */
@unmanaged
export class Node {
  invert: f64
  perMetre: f64
  metres: f64
  rows: usize
  intervals: i32
}

/** Volume, m3, and surface, m2. */
@unmanaged
export class VolumeRow {
  volume: f64
  surface: f64
}

/** Arrays by reach (src/sewer/network/reaches.ts), and how many there are. */
@unmanaged
export class ReachHeader {
  count: i32
  /** Positions of the ends. */
  from: usize
  to: usize
  firstArea: usize
  bottomFrom: usize
  bottomTo: usize
  closesFrom: usize
  closesTo: usize
  dropFrom: usize
  dropTo: usize
  quarter: usize
  middles: usize
  hangs: usize
  share: usize
  depthFrom: usize
  heldTo: usize
  areaFrom: usize
  areaTo: usize
  areaMid: usize
  holdsFrom: usize
  holdsTo: usize
  perMetre: usize
  rowM: usize
  fullDepth: usize
  fullArea: usize
  maxWidth: usize
  steadyFrom: usize
  steadyArea: usize
  steadyWidth: usize
  /** Areas of all sections by depth, one behind the other, and sums of the slot's width. */
  areas: usize
  slotSums: usize
  /** EXTRAN above crowns: how far the middle follows, heights at the step's start, what the middle took on, by which width. */
  middleUpTo: usize
  overFrom: usize
  overTo: usize
  extraFrom: usize
  extraTo: usize
  overWidth: usize
}
