import { criticalFlow, type SectionTable } from './section-table.ts'

/** From m^0.5 to ft^0.5: what the coefficients below were measured in. */
const US = 1 / Math.sqrt(0.3048)
/** Depth over height up to which an inlet runs free (as in EPA SWMM; FHWA leaves it open). */
const FREE_UP_TO = 0.95
/** Q / (A D^0.5) in ft and s from which an inlet is submerged (FHWA HDS-5). */
const SUBMERGED_FROM = 4
/** Entrances mitered to the slope of the bank. */
const MITERED = [5, 37, 46]

/**
 * Coefficients of inlet control by culvert code 1 to 57: form of the free equation, K, M, c, Y (FHWA HDS-5, 2012, table
 * A.2; numbered as in the SWMM User's Manual, table A.10).
 */
const COEFFICIENTS: readonly (readonly [1 | 2, number, number, number, number])[] = [
  // Circular: concrete (3), corrugated metal (3), bevelled ring (2).
  [1, 0.0098, 2, 0.0398, 0.67],
  [1, 0.0018, 2, 0.0292, 0.74],
  [1, 0.0045, 2, 0.0317, 0.69],
  [1, 0.0078, 2, 0.0379, 0.69],
  [1, 0.021, 1.33, 0.0463, 0.75],
  [1, 0.034, 1.5, 0.0553, 0.54],
  [1, 0.0018, 2.5, 0.03, 0.74],
  [1, 0.0018, 2.5, 0.0243, 0.83],
  // Boxes: flared wingwalls (3), with bevelled top (2), square headwall (3), skewed headwall (4), non-offset flares (3), offset flares (3).
  [1, 0.026, 1, 0.0347, 0.81],
  [1, 0.061, 0.75, 0.04, 0.8],
  [1, 0.061, 0.75, 0.0423, 0.82],
  [2, 0.51, 0.667, 0.0309, 0.8],
  [2, 0.486, 0.667, 0.0249, 0.83],
  [2, 0.515, 0.667, 0.0375, 0.79],
  [2, 0.495, 0.667, 0.0314, 0.82],
  [2, 0.486, 0.667, 0.0252, 0.865],
  [2, 0.545, 0.667, 0.04505, 0.73],
  [2, 0.533, 0.667, 0.0425, 0.705],
  [2, 0.522, 0.667, 0.0402, 0.68],
  [2, 0.498, 0.667, 0.0327, 0.75],
  [2, 0.497, 0.667, 0.0339, 0.803],
  [2, 0.493, 0.667, 0.0361, 0.806],
  [2, 0.495, 0.667, 0.0386, 0.71],
  [2, 0.497, 0.667, 0.0302, 0.835],
  [2, 0.495, 0.667, 0.0252, 0.881],
  [2, 0.493, 0.667, 0.0227, 0.887],
  // Corrugated metal boxes (3), lying ellipses (3), standing ellipses (3).
  [1, 0.0083, 2, 0.0379, 0.69],
  [1, 0.0145, 1.75, 0.0419, 0.64],
  [1, 0.034, 1.5, 0.0496, 0.57],
  [1, 0.01, 2, 0.0398, 0.67],
  [1, 0.0018, 2.5, 0.0292, 0.74],
  [1, 0.0045, 2, 0.0317, 0.69],
  [1, 0.01, 2, 0.0398, 0.67],
  [1, 0.0018, 2.5, 0.0292, 0.74],
  [1, 0.0095, 2, 0.0317, 0.69],
  // Pipe arches with corners of 18 inches (3 and 3) and 31 inches (3), arches (3).
  [1, 0.0083, 2, 0.0379, 0.69],
  [1, 0.03, 1, 0.0463, 0.75],
  [1, 0.034, 1.5, 0.0496, 0.57],
  [1, 0.03, 1.5, 0.0496, 0.57],
  [1, 0.0088, 2, 0.0368, 0.68],
  [1, 0.003, 2, 0.0269, 0.77],
  [1, 0.03, 1.5, 0.0496, 0.57],
  [1, 0.0088, 2, 0.0368, 0.68],
  [1, 0.003, 2, 0.0269, 0.77],
  [1, 0.0083, 2, 0.0379, 0.69],
  [1, 0.03, 1, 0.0473, 0.75],
  [1, 0.034, 1.5, 0.0496, 0.57],
  // Tapered inlets: circular (2), elliptical face (3), rectangular (1), side-tapered (2), slope-tapered (2).
  [2, 0.534, 0.555, 0.0196, 0.9],
  [2, 0.519, 0.64, 0.021, 0.9],
  [2, 0.536, 0.622, 0.0368, 0.83],
  [2, 0.5035, 0.719, 0.0478, 0.8],
  [2, 0.547, 0.8, 0.0598, 0.75],
  [2, 0.475, 0.667, 0.0179, 0.97],
  [2, 0.56, 0.667, 0.0446, 0.85],
  [2, 0.56, 0.667, 0.0378, 0.87],
  [2, 0.5, 0.667, 0.0446, 0.65],
  [2, 0.5, 0.667, 0.0378, 0.71],
]

export const CULVERT_CODES = COEFFICIENTS.length

/** Flow that an inlet lets into one barrel, m3/s, for the water's height above its invert, m. */
export type InletLaw = (depthM: number) => number

/**
 * Inlet control of a culvert (FHWA HDS-5, 2012, eq. A.1 to A.3; as in EPA SWMM): free below 0.95 of the height, submerged
 * from Q / (A D^0.5) = 4 on, a straight line between. It grows with the depth, so that heads can be solved for.
 * @param code 1 to 57
 * @param slope of the barrel
 */
export function inletLaw(code: number, table: SectionTable, slope: number): InletLaw {
  const [form, K, M, c, Y] = COEFFICIENTS[code - 1]
  const D = table.fullDepthM
  const unit = (table.fullAreaM2 * Math.sqrt(D)) / US
  const correction = MITERED.includes(code) ? -7 * slope : 0.5 * slope
  const freeTo = FREE_UP_TO * D
  const free = form === 1 ? criticalInlet(table, K, M, unit, correction) : powerInlet(D, K, M, unit)
  const submerged = (depth: number) => unit * Math.sqrt(Math.max(0, (depth / D - Y + correction) / c))
  const submergedFrom = D * (SUBMERGED_FROM ** 2 * c + Y - correction)
  const atFree = free(freeTo)
  // Steep or mitered barrels may be drowned before they are free: the line then has no length.
  const gap = submergedFrom - freeTo
  return (depth) => {
    if (!(depth > 0)) return 0
    if (depth >= submergedFrom) return submerged(depth)
    if (depth <= freeTo || gap <= 0) return free(depth)
    return atFree + ((submerged(submergedFrom) - atFree) * (depth - freeTo)) / gap
  }
}

/** Form 2: a power of the depth. */
const powerInlet = (D: number, K: number, M: number, unit: number) => (depth: number) =>
  unit * (depth / D / K) ** (1 / M)

/** Form 1: energy at critical depth and a loss; tabulated by critical depth, read by the depth before the inlet. */
function criticalInlet(table: SectionTable, K: number, M: number, unit: number, correction: number) {
  const { criticalLast, stepM, fullDepthM: D, rows } = table
  const stride = rows.length / (Math.round(D / stepM) + 1)
  const depths = [0]
  const flows = [0]
  for (let i = 1; i <= criticalLast; i++) {
    const width = Math.max(rows[i * stride + 1], 1e-9)
    const hydraulic = rows[i * stride] / width
    const flow = criticalFlow(rows, i)
    const depth = i * stepM + hydraulic / 2 + D * (K * (flow / unit) ** M - correction)
    if (depth <= depths[depths.length - 1]) continue
    depths.push(depth)
    flows.push(flow)
  }
  return (depth: number) => {
    let low = 0
    let high = depths.length - 1
    if (depth >= depths[high]) return flows[high]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (depths[middle] <= depth) low = middle
      else high = middle
    }
    return flows[low] + ((depth - depths[low]) / (depths[high] - depths[low])) * (flows[high] - flows[low])
  }
}
