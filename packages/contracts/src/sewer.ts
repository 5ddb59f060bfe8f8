import type { MonthlyFactors, RunoffEvaporation } from './runoff.ts'

/**
 * A sewer network in SI units (m, m2, m3, s, m3/s), as the `.inp` reader makes it and the solver takes it.
 * Elevations are absolute (m, the file's datum); offsets are heights above the node's invert.
 */

/** Value against time. `timesS` counts from the start of the simulation, ascending, and may be negative. */
export interface SewerSeries {
  name: string
  timesS: number[]
  values: number[]
}

/** A table `y(x)`, x ascending. Which units it carries stands where it is used. */
export interface SewerTable {
  name: string
  x: number[]
  y: number[]
}

interface SewerNodeBase {
  name: string
  /** Bottom, m. */
  invertM: number
  /** Rim above the invert, m. Ground level is `invertM + fullDepthM`. 0: up to the highest crown. */
  fullDepthM: number
  initDepthM: number
  /** Head that the closed rim bears before the node floods, m. */
  surchargeDepthM: number
  /** Area on which flooded water stands and flows back, m2; used when `options.allowPonding`. */
  pondedAreaM2: number
  /** Map position in the file's own coordinates. */
  x?: number
  y?: number
  inflows: SewerInflow[]
}

export interface SewerJunction extends SewerNodeBase {
  kind: 'junction'
}

export interface SewerOutfall extends SewerNodeBase {
  kind: 'outfall'
  boundary:
    | { type: 'free' }
    | { type: 'normal' }
    | { type: 'fixed'; stageM: number }
    /** x: hour of the day, y: stage m. */
    | { type: 'tidal'; curve: SewerTable }
    /** Stage m against time. */
    | { type: 'timeseries'; series: SewerSeries }
  flapGate: boolean
}

export interface SewerStorage extends SewerNodeBase {
  kind: 'storage'
  shape: /** Area = coefficient * depth^exponent + constant (m2, m). */
    | { type: 'functional'; coefficient: number; exponent: number; constant: number }
    /** Area = a0 + a1 depth + a2 depth^2: cylinder, cone, paraboloid and pyramid. */
    | { type: 'quadratic'; a0: number; a1: number; a2: number }
    /** x: depth m, y: area m2; the last slope goes on above the table. */
    | { type: 'tabular'; table: SewerTable }
  /** What it loses to the air and through its bed, where it does. */
  losses?: SewerStorageLosses
}

export interface SewerStorageLosses {
  /** Share of the potential evaporation that its surface gives. */
  evaporationShare: number
  /** Of the soil below: conductivity m/s, suction m and moisture deficit; without deficit it takes the conductivity all along. */
  conductivity: number
  suctionM: number
  deficit: number
}

export type SewerNode = SewerJunction | SewerOutfall | SewerStorage

/** A flow into a node: `scale * series(t) + baseline * pattern(t)` (direct), or `average * patterns` (dry weather). */
export interface SewerInflow {
  /** m3/s, or null. */
  series: SewerSeries | null
  scale: number
  baselineM3S: number
  /** Multipliers that act together on the baseline. */
  patterns: SewerPattern[]
}

export interface SewerPattern {
  name: string
  type: 'monthly' | 'daily' | 'hourly' | 'weekend'
  factors: number[]
}

/**
 * A closed or open section. `fullDepthM`, areas and radii are tabulated by the solver from these.
 * `shape` is the name EPA SWMM uses, in capitals; `dims` are geom1 to geom4 in metres (side slopes,
 * exponents and codes as they are).
 */
export interface SewerSection {
  shape: string
  dims: [number, number, number, number]
  barrels: number
  culvertCode: number
  /** Station-elevation profile of IRREGULAR and STREET sections. */
  transect?: SewerTransect
  /** CUSTOM: x = depth / full depth, y = width / full depth. */
  curve?: SewerTable
}

/** Cross-section of natural or street channels, left to right. */
export interface SewerTransect {
  name: string
  stationsM: number[]
  elevationsM: number[]
  leftBankM: number
  rightBankM: number
  nLeft: number
  nRight: number
  nChannel: number
  /** Channel length over overbank length (meander). */
  lengthFactor: number
}

interface SewerLinkBase {
  name: string
  from: number
  to: number
  /** Bends of the map line, from upstream to downstream, the file's own coordinates. */
  vertices: [number, number][]
}

export interface SewerConduit extends SewerLinkBase {
  kind: 'conduit'
  lengthM: number
  /** Manning n (s m^-1/3). For FORCE_MAIN the pressurised roughness stands in `section.dims[1]`. */
  roughness: number
  inOffsetM: number
  outOffsetM: number
  initFlowM3S: number
  /** Of each barrel; 0: no limit. */
  maxFlowM3S: number
  section: SewerSection
  lossInlet: number
  lossOutlet: number
  lossAverage: number
  flapGate: boolean
  /** m/s over the wetted width. */
  seepageMS: number
}

export interface SewerPump extends SewerLinkBase {
  kind: 'pump'
  /**
   * 1: flow by volume of the wet well (x m3), 2: by depth (x m, steps), 3: by head gain (x m), 4: by depth
   * (x m, continuous), 5: as 3 with affinity laws; y in m3/s. 0 (ideal): passes what arrives.
   */
  type: 0 | 1 | 2 | 3 | 4 | 5
  curve: SewerTable | null
  initiallyOn: boolean
  /** Depths of the inlet node at which the pump starts and stops, m; 0 = not used. */
  startDepthM: number
  stopDepthM: number
}

export interface SewerOrifice extends SewerLinkBase {
  kind: 'orifice'
  orientation: 'side' | 'bottom'
  offsetM: number
  dischargeCoefficient: number
  flapGate: boolean
  /** Seconds from shut to open; 0 = at once. */
  openCloseS: number
  section: SewerSection
}

export interface SewerWeir extends SewerLinkBase {
  kind: 'weir'
  form: 'transverse' | 'sideflow' | 'vnotch' | 'trapezoidal' | 'roadway'
  offsetM: number
  /** SI coefficient (m^0.5/s). */
  coefficient: number
  endContractions: number
  endCoefficient: number
  flapGate: boolean
  canSurcharge: boolean
  roadWidthM: number
  roadSurface: 'paved' | 'gravel' | null
  /** x: head m, y: coefficient (SI), or null. */
  coefficientCurve: SewerTable | null
  section: SewerSection
}

export interface SewerOutlet extends SewerLinkBase {
  kind: 'outlet'
  offsetM: number
  /** Head above the crest (or difference of heads) to flow in SI. */
  rating:
    | { type: 'functional'; coefficient: number; exponent: number }
    | { type: 'tabular'; table: SewerTable }
  basis: 'depth' | 'head'
  flapGate: boolean
}

export type SewerLink = SewerConduit | SewerPump | SewerOrifice | SewerWeir | SewerOutlet

export type SewerObjectRef =
  | { object: 'node'; index: number }
  | { object: 'link'; index: number }
  | { object: 'simulation' }

/** One premise of a control rule; values in SI (m, m3/s, s, hours of the day in s, shares 0 to 1). */
export interface SewerPremise {
  join: 'if' | 'and' | 'or'
  left: SewerOperand
  relation: '=' | '<>' | '<' | '<=' | '>' | '>='
  right: SewerOperand
}

/** A measured quantity, a number, or a formula over quantities. */
export type SewerOperand =
  | { type: 'value'; value: number }
  | { type: 'attribute'; target: SewerObjectRef; attribute: string }
  | { type: 'expression'; tokens: SewerExpressionToken[] }

/** Formula in reverse Polish order. Quantities in the file's units, times `unit` from SI. */
export type SewerExpressionToken =
  | { type: 'value'; value: number }
  | { type: 'attribute'; target: SewerObjectRef; attribute: string; unit: number }
  | { type: 'operator'; operator: '+' | '-' | '*' | '/' | '^' }
  | { type: 'function'; name: string }

export interface SewerAction {
  link: number
  setting:
    | { type: 'value'; value: number }
    | { type: 'curve'; curve: SewerTable }
    | { type: 'series'; series: SewerSeries }
    | { type: 'pid'; kp: number; ki: number; kd: number }
}

export interface SewerRule {
  name: string
  premises: SewerPremise[]
  thenActions: SewerAction[]
  elseActions: SewerAction[]
  priority: number
}

export type SewerFlowUnits = 'CFS' | 'GPM' | 'MGD' | 'CMS' | 'LPS' | 'MLD'

export interface SewerOptions {
  /** Units of the file: results go out in them. */
  flowUnits: SewerFlowUnits
  routing: 'DYNWAVE' | 'KINWAVE' | 'STEADY'
  /** Seconds since 1970-01-01, the file's clock taken as UTC. */
  startEpochS: number
  durationS: number
  reportStartS: number
  reportStepS: number
  routingStepS: number
  /** Share of Courant's condition by which EPA SWMM's step varies, 0: it does not; its shortest step, s; absent: EPA SWMM's own. */
  courantFactor?: number
  minRoutingStepS?: number
  /** Trials a step of EPA SWMM's at most, and the head by which two of them may differ, m; absent: EPA SWMM's own. */
  maxTrials?: number
  headToleranceM?: number
  /** Conduits that a full wave crosses in less are lengthened, s; 0 or absent: none. */
  lengtheningStepS?: number
  ruleStepS: number
  inertialDamping: 'NONE' | 'PARTIAL' | 'FULL'
  surchargeMethod: 'EXTRAN' | 'SLOT'
  normalFlowLimited: 'SLOPE' | 'FROUDE' | 'BOTH' | 'NONE'
  forceMainEquation: 'H-W' | 'D-W'
  minSurfaceAreaM2: number
  minSlope: number
  allowPonding: boolean
}

export interface SewerNetwork {
  title: string[]
  options: SewerOptions
  nodes: SewerNode[]
  links: SewerLink[]
  rules: SewerRule[]
  /** What storage nodes lose by; where it is not given nothing evaporates. */
  climate?: SewerClimate
}

export interface SewerClimate {
  evaporation: RunoffEvaporation
  /** Added to evaporation, m/s, factors on the conductivity of beds, and on how fast they dry, by month. */
  adjustments: { evaporation: MonthlyFactors; conductivity: MonthlyFactors }
  recovery: MonthlyFactors
}
