// What stands in memory for EPA SWMM's own scheme (src/sewer/explicit/records.ts fills it in); nodes by position, conduits as
// in the plan. SI; flows of conduits a barrel.

/** Options, and where arrays lie: `ExplicitArrays` of src/sewer/explicit/arrays.ts, under the same names. */
@unmanaged
export class ExplicitHeader {
  unknowns: i32
  nodeCount: i32
  conduitCount: i32
  linkCount: i32
  deviceCount: i32
  maxTrials: i32
  /** SURCHARGE_METHOD. */
  slot: bool
  /** INERTIAL_DAMPING NONE and FULL. */
  dampNone: bool
  dampFull: bool
  /** NORMAL_FLOW_LIMITED: by slope, by the Froude number. */
  capBySlope: bool
  capByFroude: bool
  /** Whether a conduit loses water to the ground. */
  seeping: bool
  toleranceM: f64
  leastSurface: f64
  /** ROUTING_STEP and the share of Courant’s step that is taken, s. */
  longestStepS: f64
  courant: f64
  /** Power of the speed in force mains, and tables by which it is found (src/sewer/sections/power.ts). */
  hazenPower: f64
  hazenScales: usize
  hazenMiddles: usize

  nodes: usize
  conduits: usize

  head: usize
  depth: usize
  oldDepth: usize
  surface: usize
  openSurface: usize
  inflow: usize
  outflow: usize
  oldNet: usize
  sampled: usize
  lateral: usize
  slopes: usize
  overflow: usize
  rise: usize
  own: usize
  oldOwn: usize
  carried: usize
  flow: usize
  oldFlow: usize
  area: usize
  oldArea: usize
  endArea: usize
  middle: usize
  square: usize
  wave: usize
  slope: usize
  fromSurface: usize
  toSurface: usize
  loss: usize
  oldLoss: usize
  direction: usize
  fullAreas: usize
  rates: usize
  oldRates: usize
  entering: usize
  heads: usize
  depths: usize
  volumes: usize
  floodVolumes: usize
  outfallVolumes: usize
  lateralVolumes: usize
  flows: usize
  linkDepths: usize
  velocities: usize
  deviceFlow: usize
  oldDeviceFlow: usize
  settled: usize
  active: usize
  open: usize
  nodeOf: usize
  linkOf: usize
  deviceLink: usize
  deviceFrom: usize
  deviceTo: usize
  outfallKind: usize
  outfallConduit: usize
  outfallOffset: usize
  stages: usize
  sums: usize
}

/** What stays of a conduit. */
@unmanaged
export class ExplicitConduit {
  /** Positions of its ends; its section (`Section`). */
  from: i32
  to: i32
  table: usize
  closed: bool
  lossy: bool
  atOutfall: bool
  forceMain: bool
  culvert: bool
  seeping: bool
  /** Lets nothing back, nothing along. */
  shutBack: bool
  shutAlong: bool
  /** Normal flow limits it although its upper node stands at the rim. */
  rimmed: bool
  /** Has but Manning's friction; has an end that water may leave freely. */
  plain: bool
  falls: bool
  barrels: f64
  fromInvert: f64
  toInvert: f64
  fullDepth: f64
  perMetre: f64
  dropFrom: f64
  dropTo: f64
  friction: f64
  beta: f64
  length: f64
  perLength: f64
  maxFlow: f64
  lossIn: f64
  lossOut: f64
  lossMean: f64
  /** EXTRAN: depth from which the width stays, m, and that width, m. SLOT: depth below which there is no slot, m. */
  closesAt: f64
  topWidth: f64
  /** m/s through the wet width, and depth where the section is widest, m. */
  seepage: f64
  widestDepth: f64
  /** Friction of a full force main by Hazen and Williams over its speed^0.852; 0: the host knows it. */
  mainFriction: f64
  /** Area of a film, m2, and of a full barrel, and its radius^(4/3). */
  filmArea: f64
  fullArea: f64
  fullRadius43: f64
}

/** What stays of a node. */
@unmanaged
export class ExplicitNode {
  /** Whether it is a storage node, and whether no link leads to it. */
  tank: bool
  terminal: bool
  /** How a storage node is shaped (`TankShape` of src/sewer/explicit/tanks.ts): by what, rows of its table, and where they are. */
  shape: i32
  rowCount: i32
  rows: usize
  invert: f64
  fullDepth: f64
  pondedArea: f64
  surcharge: f64
  crown: f64
  fullOwn: f64
  /** Surface a0 + a1 y + a2 y^2, m2. */
  a0: f64
  a1: f64
  a2: f64
}

/** Where `createPeaks` (src/sewer/results/peaks.ts) has its arrays, by link and node of the file. */
@unmanaged
export class PeakArrays {
  from: usize
  to: usize
  fullDepth: usize
  crowns: usize
  maxAbsFlow: usize
  flowTimeS: usize
  maxVelocity: usize
  maxFullDepthRatio: usize
  deepest: usize
  passed: usize
  surchargedS: usize
  maxDepth: usize
  maxHead: usize
  depthTimeS: usize
  maxInflow: usize
  flooded: usize
  left: usize
  arriving: usize
}

/** Where `createStatistics` (src/sewer/results/statistics.ts) has its arrays, by link and node of the file. */
@unmanaged
export class StatisticArrays {
  from: usize
  to: usize
  fullDepth: usize
  crowns: usize
  fullS: usize
  fullUpS: usize
  fullDownS: usize
  dryS: usize
  arriving: usize
  leaving: usize
  crown: usize
  maxLateral: usize
  lateralVolume: usize
  inflowVolume: usize
  maxInflow: usize
  inflowTimeS: usize
  surchargedS: usize
  floodedS: usize
  maxFlooding: usize
  floodTimeS: usize
}
