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
  /** Share of flows and heads at a step's end, of the rest at its start; where conduits are full another. */
  theta: f64
  thetaFull: f64

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

/**
 * What a step begins and ends with, and where its arrays lie: of `lateral` to `floodVolumes` by the file's order of nodes, of
 * `passed` by the file's order of links, the others by position and as conduits are in the plan.
 */
@unmanaged
export class StepHeader {
  /** Under a surface: nodes give out above its level, through their openings. */
  coupled: bool
  /** See `NewtonInput`. */
  overflows: bool
  conduitCount: i32
  /** The file's number of each node and each link, i32, and -1 or 1 by the conduit's direction, f64. */
  nodeOf: usize
  link: usize
  direction: usize

  head: usize
  trial: usize
  rate: usize
  leaving: usize
  volume: usize
  wanted: usize

  lateral: usize
  rim: usize
  surfaceLevels: usize
  openingAreas: usize
  floodVolumes: usize
  passed: usize
  net: usize
  arriving: usize

  inside: usize
  conduitInside: usize
  carried: usize
  flooded: usize
  incoming: usize
  brought: usize
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

/** How many reaches there are, where their records lie, and sums of the slot's width, f64. */
@unmanaged
export class ReachHeader {
  count: i32
  reaches: usize
  slotSums: usize
}

/** A reach: what src/sewer/network/reach-arrays.ts has by array. */
@unmanaged
export class Reach {
  /** Positions of the ends, its conduit, and the areas of its section by depth, f64. */
  from: i32
  to: i32
  conduit: i32
  areas: usize
  bottomFrom: f64
  bottomTo: f64
  closesFrom: f64
  closesTo: f64
  dropFrom: f64
  dropTo: f64
  quarter: f64
  middles: f64
  hangs: f64
  share: f64
  depthFrom: f64
  heldTo: f64
  areaFrom: f64
  areaTo: f64
  areaMid: f64
  holdsFrom: f64
  holdsTo: f64
  perMetre: f64
  rowM: f64
  fullDepth: f64
  fullArea: f64
  maxWidth: f64
  steadyFrom: f64
  steadyArea: f64
  steadyWidth: f64
  /** EXTRAN above crowns: how far the middle follows, heights at the step's start, what the middle took on, by which width. */
  middleUpTo: f64
  overFrom: f64
  overTo: f64
  extraFrom: f64
  extraTo: f64
  overWidth: f64
}
