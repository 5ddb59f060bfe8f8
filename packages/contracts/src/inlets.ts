/**
 * Inlets of streets and channels, in SI units (m, m/s, m3/s), after FHWA's Hydraulic Engineering Circular 22 as EPA SWMM 5.2
 * has it (Reference Manual II, addendum of 2022).
 */

/** Grates whose splash-over velocity and openings HEC-22 tabulates; `generic` gives its own. */
export const GRATE_KINDS = [
  'P_BAR-50X100',
  'P_BAR-50',
  'P_BAR-30',
  'CURVED_VANE',
  'TILT_BAR-45',
  'TILT_BAR-30',
  'RETICULINE',
  'GENERIC',
] as const
export type GrateKind = (typeof GRATE_KINDS)[number]

export interface InletGrate {
  lengthM: number
  widthM: number
  kind: GrateKind
  /** Open share of its area and velocity from which water shoots over it, m/s: of a generic one. */
  openShare: number
  splashMS: number
}

export interface InletCurb {
  lengthM: number
  heightM: number
  throat: 'horizontal' | 'inclined' | 'vertical'
}

export interface InletDesign {
  name: string
  /** Lies in the floor of a channel instead of beside a kerb. */
  drop: boolean
  grate: InletGrate | null
  curb: InletCurb | null
  slot: { lengthM: number; widthM: number } | null
  /** What it takes, m3/s, by the flow that comes, m3/s, or by the depth at the node below, m. */
  custom: { by: 'flow' | 'depth'; x: number[]; y: number[] } | null
}

/** Section of a street as [STREETS] gives it. */
export interface StreetShape {
  /** Rise over run towards the crown. */
  crossSlope: number
  depressionM: number
  gutterM: number
  /** From the kerb to the crown. */
  crownM: number
  n: number
  sides: number
}

/** Inlets of one design along a conduit. */
export interface StreetInlet {
  /** Place of the conduit among the links, and of the node that gets what they take. */
  link: number
  node: number
  design: InletDesign
  count: number
  /** Share that is not clogged. */
  freeShare: number
  /** What one takes at most, m3/s; 0: no limit. */
  mostM3S: number
  /** Depression of the gutter at the inlet, and its width. */
  localDepthM: number
  localWidthM: number
  placement: 'auto' | 'grade' | 'sag'
  /** Of the conduit, where it is a street. */
  street: StreetShape | null
}
