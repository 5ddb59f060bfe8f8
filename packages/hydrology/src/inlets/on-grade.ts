import type { GrateKind, InletDesign } from '@radx/contracts/inlets'
import { FOOT_M } from '../runoff/constants.ts'
import { flowArea, type Gutter, grateAreaShare, gutterShare, spreadOf } from './gutter.ts'
import { sagFlow } from './on-sag.ts'

/** Coefficients of the velocity from which water shoots over a grate by its length in ft (HEC-22, chart 5B). */
const SPLASH: Record<Exclude<GrateKind, 'GENERIC'>, readonly [number, number, number, number]> = {
  'P_BAR-50': [2.22, 4.03, 0.65, 0.06],
  'P_BAR-50X100': [0.74, 2.44, 0.27, 0.02],
  'P_BAR-30': [1.76, 3.12, 0.45, 0.03],
  CURVED_VANE: [0.3, 4.85, 1.31, 0.15],
  'TILT_BAR-45': [0.99, 2.64, 0.36, 0.03],
  'TILT_BAR-30': [0.51, 2.34, 0.2, 0.01],
  RETICULINE: [0.28, 2.28, 0.18, 0.01],
}

/** A channel with an inlet in its floor: how water runs in it, in feet. */
export interface Channel {
  /** Manning's 1.486 sqrt(slope) / n. */
  beta: number
  /** Normal depth, ft, of a flow, ft3/s; area and width at a depth. */
  depthOf(flow: number): number
  areaAt(depth: number): number
  /** Bottom and, of a trapezoid, run over rise of its sides. */
  bottom: number
  side: number
}

/**
 * What one inlet on a slope takes of the flow that passes it, ft3/s.
 * @param depth at the node below, ft: drops into a kerb take by it
 */
export function gradeFlow(
  design: InletDesign,
  gutter: Gutter,
  channel: Channel | null,
  flow: number,
  depth: number,
): number {
  const { grate, curb, slot, drop } = design
  if (drop) {
    if (curb) return Math.min(flow, sagFlow(design, gutter, depth))
    return channel && grate ? Math.min(flow, throughDrop(grate, gutter, channel, flow)) : 0
  }
  const spread = spreadOf(gutter, flow)
  if (slot) return throughCurb(slot.lengthM / FOOT_M, gutter, flow, spread)
  // A longer kerb opening sweeps the flow before it comes to the grate.
  const sweep = ((curb?.lengthM ?? 0) - (grate?.lengthM ?? 0)) / FOOT_M
  const swept = sweep > 0 ? throughCurb(sweep, gutter, flow, spread) : 0
  const rest = flow - swept
  if (!grate || !(rest > 0)) return swept
  return swept + throughGrate(grate, gutter, rest, spreadOf(gutter, rest))
}

type Grate = NonNullable<InletDesign['grate']>

function throughGrate(grate: Grate, gutter: Gutter, flow: number, spread: number): number {
  const { depression, width, factor, crown } = gutter
  const grateWidth = grate.widthM / FOOT_M
  const area = flowArea(gutter, spread)
  let front = gutterShare(gutter, spread, depression === 0 ? grateWidth : width)
  let over = flow
  // Where the crown is under water the flow on this side is what finds room there.
  if (spread >= crown && (depression === 0 || front < 1))
    over = (factor * crown ** 2.67) / (depression === 0 ? 1 : 1 - front)
  if (depression > 0 && front < 1) front *= grateAreaShare(gutter, spread, grateWidth)
  return taken(grate, flow, over / area, front, gutter.crossSlope)
}

function throughDrop(grate: Grate, gutter: Gutter, channel: Channel, flow: number): number {
  const depth = channel.depthOf(flow)
  let grateWidth = grate.widthM / FOOT_M
  const front =
    (channel.beta * (depth * grateWidth) ** 1.67) / (grateWidth + 2 * depth) ** 0.67 / Math.max(flow, 1e-12)
  let slope = gutter.crossSlope
  if (grateWidth > 0.99 * channel.bottom && channel.side > 0) {
    grateWidth = channel.bottom
    slope = 1 / channel.side
  }
  return taken(grate, flow, flow / channel.areaAt(depth), front, slope)
}

/** Frontal and side flow that a grate takes (eq. 4-18 to 4-21). */
function taken(grate: Grate, flow: number, velocity: number, front: number, crossSlope: number): number {
  const length = grate.lengthM / FOOT_M
  const splash = splashOver(grate)
  const ofFront = velocity > splash ? 1 - 0.09 * (velocity - splash) : 1
  const ofSide = front < 1 ? 1 / (1 + (0.15 * velocity ** 1.8) / crossSlope / length ** 2.3) : 0
  return flow * (ofFront * front + ofSide * (1 - front))
}

function splashOver({ kind, lengthM, splashMS }: Grate): number {
  if (kind === 'GENERIC') return splashMS / FOOT_M
  const [a, b, c, d] = SPLASH[kind]
  const length = lengthM / FOOT_M
  return a + b * length - c * length ** 2 + d * length ** 3
}

/** Kerb openings and slots (eq. 4-22 to 4-24). */
function throughCurb(length: number, gutter: Gutter, flow: number, spread: number): number {
  const { crossSlope, depression, width, slope, n } = gutter
  const equivalent =
    crossSlope + (depression > 0 ? (depression / width) * gutterShare(gutter, spread, width) : 0)
  const whole = 0.6 * flow ** 0.42 * slope ** 0.3 * (1 / (n * equivalent)) ** 0.6
  return length < whole ? flow * (1 - (1 - length / whole) ** 1.8) : flow
}
