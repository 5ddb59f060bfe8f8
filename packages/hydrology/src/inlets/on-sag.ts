import type { GrateKind, InletCurb, InletDesign, InletGrate } from '@radx/contracts/inlets'
import { FOOT_M } from '../runoff/constants.ts'
import type { Gutter } from './gutter.ts'

/** Twice the acceleration of gravity as HEC-22 has it, ft/s2. */
const TWO_G = 64.32
/** Share of each kind of grate that is open (HEC-22, chart 9B). */
export const OPEN_SHARES: Record<Exclude<GrateKind, 'GENERIC'>, number> = {
  'P_BAR-50': 0.9,
  'P_BAR-50X100': 0.8,
  'P_BAR-30': 0.6,
  CURVED_VANE: 0.35,
  'TILT_BAR-45': 0.17,
  'TILT_BAR-30': 0.34,
  RETICULINE: 0.8,
}

export const openShareOf = ({ kind, openShare }: InletGrate) =>
  kind === 'GENERIC' ? openShare : OPEN_SHARES[kind]

/** What one inlet in a sag takes, ft3/s, under a depth of water at the kerb, ft: as a weir, then as an orifice. */
export function sagFlow({ drop, grate, curb, slot }: InletDesign, gutter: Gutter, depth: number): number {
  if (!(depth > 0)) return 0
  if (slot) return slotFlow(slot.lengthM / FOOT_M, slot.widthM / FOOT_M, depth)
  const through = grate ? grateFlow(grate, gutter, drop, depth) : { flow: 0, orifice: false }
  if (!curb) return through.flow
  const grateLength = (grate?.lengthM ?? 0) / FOOT_M
  const sweep = curb.lengthM / FOOT_M - grateLength
  let flow = through.flow
  if (sweep > 0) flow += curbFlow(curb, gutter, drop, sweep, depth).flow
  // The kerb behind a grate counts once the grate is drowned.
  if (through.orifice) flow += curbFlow(curb, gutter, drop, grateLength, depth).orifice
  return flow
}

/** Weir and orifice meet where they give the same (eq. 4-26, 4-27). */
function grateFlow(grate: InletGrate, gutter: Gutter, drop: boolean, depth: number) {
  const length = grate.lengthM / FOOT_M
  let width = grate.widthM / FOOT_M
  let mean = depth
  let perimeter = 2 * (length + width)
  if (!drop) {
    width = Math.min(width, depth / gutter.gutterSlope)
    mean = depth - (width / 2) * gutter.gutterSlope
    perimeter = length + 2 * width
  }
  const open = length * width * openShareOf(grate)
  return depth <= (1.79 * open) / perimeter
    ? { flow: 3 * perimeter * mean ** 1.5, orifice: false }
    : { flow: 0.67 * open * Math.sqrt(TWO_G * mean), orifice: true }
}

/** A weir below its lip, an orifice from 1.4 times its height, between them a line (eq. 4-28 to 4-31). */
function curbFlow(curb: InletCurb, gutter: Gutter, drop: boolean, alongFt: number, depth: number) {
  const height = curb.heightM / FOOT_M
  // Drops have openings on four sides.
  const length = drop ? 4 * alongFt : alongFt
  const drowned = 1.4 * height
  const orifice = (at: number) => {
    const lower = { vertical: 0, inclined: (height / 2) * Math.SQRT1_2, horizontal: height / 2 }[curb.throat]
    return 0.67 * height * length * Math.sqrt(TWO_G * Math.max(0, at - lower))
  }
  if (depth > drowned) return { flow: orifice(depth), orifice: orifice(depth) }
  const plane = gutter.depression === 0 || length > 12
  const lip = plane ? height : height + gutter.depression
  const weir = (at: number) =>
    plane ? 3 * length * at ** 1.5 : 2.3 * (length + 1.8 * gutter.width) * at ** 1.5
  if (depth < lip) return { flow: weir(depth), orifice: 0 }
  const share = drowned > lip ? (depth - lip) / (drowned - lip) : 1
  const part = share * orifice(drowned)
  return { flow: (1 - share) * weir(lip) + part, orifice: part }
}

/** Eq. 4-32 and 4-33, which meet at 2.587 widths. */
const slotFlow = (length: number, width: number, depth: number) =>
  depth <= 2.587 * width ? 2.48 * length * depth ** 1.5 : 0.8 * length * width * Math.sqrt(TWO_G * depth)
