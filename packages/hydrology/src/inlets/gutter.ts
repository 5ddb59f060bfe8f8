/**
 * Flow along a kerb (FHWA, HEC-22, 3rd edition, chapter 4), in feet and seconds: the circular's coefficients are those.
 */
export interface Gutter {
  /** Slopes along the street, across it and across its depressed gutter. */
  slope: number
  crossSlope: number
  gutterSlope: number
  /** Depth and width of the depression, ft; 0 without. */
  depression: number
  width: number
  /** From the kerb to the crown, ft. */
  crown: number
  n: number
  /** In Q = factor T^2.67 (Izzard's form of Manning's law, eq. 4-2). */
  factor: number
  sides: number
}

/** Flow over a plane gutter, Q = factor spread^EXPONENT. */
const EXPONENT = 2.67

/** Depressions that are less deep or wide are none, ft. */
const LEAST_FT = 1e-4

/** @param street shape in feet, its depression with that at the inlet */
export function gutterOf(
  street: { crossSlope: number; crown: number; n: number; sides: number },
  slope: number,
  depression: number,
  width: number,
): Gutter {
  const deep = depression > LEAST_FT && width > LEAST_FT
  return {
    ...street,
    slope,
    gutterSlope: street.crossSlope + (deep ? depression / width : 0),
    depression: deep ? depression : 0,
    width: deep ? width : 0,
    factor: (0.56 / street.n) * Math.sqrt(slope) * street.crossSlope ** 1.67,
  }
}

/** Width of the water, ft, no more than to the crown. */
export function spreadOf(gutter: Gutter, flow: number): number {
  const { factor, depression, width, crossSlope, crown } = gutter
  const plane = (q: number) => (q / factor) ** (1 / EXPONENT)
  if (depression === 0) return Math.min(plane(flow), crown)
  const within = (flow / (factor * (depression / width / crossSlope) ** 1.67)) ** (1 / EXPONENT)
  if (within <= width) return Math.min(within, crown)
  // Beyond the gutter, where the flow that its share leaves over runs on the plane: this grows with the spread.
  let [low, high] = [0, Math.max(plane(flow), width)]
  for (let k = 0; k < 60 && high - low > 1e-6; k++) {
    const beyond = (low + high) / 2
    if (plane((1 - gutterShare(gutter, beyond + width, width)) * flow) > beyond) low = beyond
    else high = beyond
  }
  return Math.min(high + width, crown)
}

/** Share of the flow within `width` of the kerb for a spread (eq. 4-4 and 4-16). */
export function gutterShare({ gutterSlope, crossSlope, depression }: Gutter, spread: number, width: number) {
  if (spread <= width) return 1
  if (depression === 0) return 1 - (1 - width / spread) ** EXPONENT
  const steeper = gutterSlope / crossSlope
  return 1 / (1 + steeper / ((1 + steeper / (spread / width - 1)) ** EXPONENT - 1))
}

/** Area of the flow, ft2. */
export function flowArea({ depression, width, crossSlope, gutterSlope }: Gutter, spread: number): number {
  if (depression === 0) return (spread * spread * crossSlope) / 2
  return spread <= width
    ? (spread * spread * gutterSlope) / 2
    : (spread * spread * crossSlope + depression * width) / 2
}

/** Share of the flow's area above the gutter that lies above a grate in it. */
export function grateAreaShare(gutter: Gutter, spread: number, grateWidth: number): number {
  const { width, crossSlope, gutterSlope, depression } = gutter
  if (grateWidth >= width || spread <= grateWidth) return 1
  if (spread <= width) return grateWidth / spread
  const beyond = 0.5 * (spread - width) ** 2 * crossSlope
  const above = grateWidth * (spread * crossSlope + depression - (grateWidth * gutterSlope) / 2)
  return above / (flowArea(gutter, spread) - beyond)
}
