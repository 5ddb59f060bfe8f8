import type { SewerSection } from '@radx/contracts'
import * as data from './section-data.ts'
import { transectAt, transectDepth } from './transect.ts'

/** A section as functions of depth, m. `area` grows with depth; `radius` is area over wetted perimeter. */
export interface SectionShape {
  fullDepthM: number
  /** Width that scales the slot above the crown, m. */
  maxWidthM: number
  closed: boolean
  area(depthM: number): number
  radius(depthM: number): number
  /** Width of the water where it is not the slope of the area, m. */
  width?(depthM: number): number
  /** Width above the full depth of an open section whose walls go on there, m; without it the width stays. */
  flare?(depthM: number): number
  /** Equal intervals of depth between which critical flows lie on straight lines; without it they are those of each row. */
  criticalIntervals?: number
}

const FOOT = 0.3048
const INCH = 0.0254

/** Names that EPA SWMM writes differently from its tables. */
const ALIASES: Record<string, string> = {
  EGGSHAPED: 'EGG',
  BASKET_HANDLE: 'BASKETHANDLE',
  MODBASKETHANDLE: 'MODBASKETHANDLE',
  MOD_BASKET: 'MODBASKETHANDLE',
  FORCE_MAIN: 'CIRCULAR',
}

const BUILDERS: Record<string, (dims: SewerSection['dims'], section: SewerSection) => SectionShape> = {
  CIRCULAR: ([diameter]) => circular(diameter),
  FILLED_CIRCULAR: ([diameter, filled]) => filledCircular(diameter, filled),
  RECT_CLOSED: ([depth, width]) =>
    closedTop(depth, width, 0.97, (y) => ({ area: y * width, perimeter: width + 2 * y })),
  RECT_OPEN: ([depth, width, sidesLeftOut]) =>
    open(depth, width, (y) => ({ area: y * width, perimeter: width + (2 - sidesLeftOut) * y })),
  TRAPEZOIDAL: ([depth, bottom, left, right]) =>
    open(depth, bottom + depth * (left + right), (y) => ({
      area: y * (bottom + (y * (left + right)) / 2),
      perimeter: bottom + y * (Math.hypot(1, left) + Math.hypot(1, right)),
    })),
  TRIANGULAR: ([depth, width]) => {
    const side = width / depth / 2
    return open(depth, width, (y) => ({ area: y * y * side, perimeter: 2 * y * Math.hypot(1, side) }))
  },
  PARABOLIC: ([depth, width]) => {
    const r = width / 2 / Math.sqrt(depth)
    return open(depth, width, (y) => {
      const x = (2 * Math.sqrt(y)) / r
      const t = Math.hypot(1, x)
      return { area: (4 / 3) * r * y * Math.sqrt(y), perimeter: 0.5 * r * r * (x * t + Math.log(x + t)) }
    })
  },
  POWER: ([depth, width, exponent]) => power(depth, width, exponent),
  RECT_TRIANGULAR: ([depth, width, bottomDepth]) => {
    const side = width / bottomDepth / 2
    const slant = Math.hypot(1, side)
    return closedTop(depth, width, 0.98, (y) =>
      y <= bottomDepth
        ? { area: y * y * side, perimeter: 2 * y * slant }
        : {
            area: (bottomDepth * width) / 2 + (y - bottomDepth) * width,
            perimeter: 2 * bottomDepth * slant + 2 * (y - bottomDepth),
          },
    )
  },
  RECT_ROUND: ([depth, width, radius]) => {
    const r = Math.max(radius, width / 2)
    const angle = 2 * Math.asin(width / 2 / r)
    const rise = r * (1 - Math.cos(angle / 2))
    return closedTop(depth, width, 0.98, (y) => {
      if (y > rise)
        return { area: segment(r, angle) + (y - rise) * width, perimeter: r * angle + 2 * (y - rise) }
      const wet = 2 * Math.acos(1 - y / r)
      return { area: segment(r, wet), perimeter: r * wet }
    })
  },
  MODBASKETHANDLE: ([depth, width, radius]) => {
    const r = Math.max(radius, width / 2)
    const angle = 2 * Math.asin(Math.min(1, width / 2 / r))
    const wall = depth - r * (1 - Math.cos(angle / 2))
    const full = wall * width + segment(r, angle)
    return closed(depth, width, (y) => {
      if (y <= wall) return { area: y * width, perimeter: width + 2 * y }
      const left = 2 * Math.acos(Math.min(1, 1 - (depth - y) / r))
      return { area: full - segment(r, left), perimeter: width + 2 * wall + r * (angle - left) }
    })
  },
  EGG: ([depth]) => byDepth(depth, 'EGG', data.EGG),
  HORSESHOE: ([depth]) => byDepth(depth, 'HORSESHOE', data.HORSESHOE),
  BASKETHANDLE: ([depth]) => byDepth(depth, 'BASKETHANDLE', data.BASKETHANDLE),
  GOTHIC: ([depth]) => byArea(depth, 'GOTHIC', data.GOTHIC),
  CATENARY: ([depth]) => byArea(depth, 'CATENARY', data.CATENARY),
  SEMIELLIPTICAL: ([depth]) => byArea(depth, 'SEMIELLIPTICAL', data.SEMIELLIPTICAL),
  SEMICIRCULAR: ([depth]) => byArea(depth, 'SEMICIRCULAR', data.SEMICIRCULAR),
  HORIZ_ELLIPSE: ([depth, width, code]) => {
    const size = standard(data.ELLIPSE_SIZES, code)
    if (size) return tabulated(size.minor, size.major, size.area, size.radius, data.HORIZ_ELLIPSE)
    return tabulated(depth, width, 1.2692 * depth * depth, 0.3061 * depth, data.HORIZ_ELLIPSE)
  },
  VERT_ELLIPSE: ([depth, width, code]) => {
    const size = standard(data.ELLIPSE_SIZES, code)
    if (size) return tabulated(size.major, size.minor, size.area, size.radius, data.VERT_ELLIPSE)
    return tabulated(depth, width, 1.2692 * width * width, 0.3061 * width, data.VERT_ELLIPSE)
  },
  ARCH: ([depth, width, code]) => {
    const size = standard(data.ARCH_SIZES, code)
    if (size) return tabulated(size.rise, size.span, size.area, size.radius, data.ARCH)
    return tabulated(depth, width, 0.7879 * depth * width, 0.2991 * depth, data.ARCH)
  },
  IRREGULAR: (_, section) => natural(section),
  STREET: (_, section) => natural(section),
  CUSTOM: ([depth], section) => custom(depth, section),
}

export const canonicalShape = (shape: string): string => ALIASES[shape] ?? shape

/** Shapes that the solver knows, by EPA SWMM's names (without DUMMY). */
export const SECTION_SHAPES: readonly string[] = [...Object.keys(BUILDERS), 'FORCE_MAIN', 'EGGSHAPED']

/**
 * Geometry of a section (SWMM Reference Manual II, chapter 5).
 * @throws RangeError when the dimensions make no section
 */
export function sectionShape(section: SewerSection): SectionShape {
  const build = BUILDERS[canonicalShape(section.shape)]
  if (!build) throw new RangeError(`unknown section ${section.shape}`)
  const shape = build(section.dims, section)
  if (!(shape.fullDepthM > 0 && shape.area(shape.fullDepthM) > 0))
    throw new RangeError(`empty section ${section.shape}`)
  return shape
}

interface Wetted {
  area: number
  perimeter: number
}

function closed(depth: number, width: number, at: (y: number) => Wetted): SectionShape {
  return {
    fullDepthM: depth,
    maxWidthM: width,
    closed: true,
    area: (y) => at(y).area,
    radius: (y) => ratio(at(y)),
  }
}

function open(depth: number, width: number, at: (y: number) => Wetted): SectionShape {
  return { ...closed(depth, width, at), closed: false }
}

/** Flat roofs wet gradually over the last share of the area, so that the radius has no jump. */
function closedTop(depth: number, width: number, from: number, at: (y: number) => Wetted): SectionShape {
  const full = at(depth).area
  return closed(depth, width, (y) => {
    const wet = at(y)
    const roof = Math.max(0, (wet.area / full - from) / (1 - from)) * width
    return { area: wet.area, perimeter: wet.perimeter + roof }
  })
}

const ratio = ({ area, perimeter }: Wetted) => (perimeter > 0 ? area / perimeter : 0)

/** Area of a circle's segment that subtends `angle` at the centre. */
const segment = (radius: number, angle: number) => ((radius * radius) / 2) * (angle - Math.sin(angle))

function circular(diameter: number): SectionShape {
  const r = diameter / 2
  return closed(diameter, diameter, (y) => {
    const angle = 2 * Math.acos(Math.max(-1, Math.min(1, 1 - y / r)))
    return { area: segment(r, angle), perimeter: r * angle }
  })
}

function filledCircular(diameter: number, filled: number): SectionShape {
  const r = diameter / 2
  const angleAt = (y: number) => 2 * Math.acos(Math.max(-1, Math.min(1, 1 - y / r)))
  const bottom = angleAt(filled)
  return closed(diameter - filled, diameter, (y) => {
    const angle = angleAt(y + filled)
    return {
      area: segment(r, angle) - segment(r, bottom),
      perimeter: r * (angle - bottom) + 2 * r * Math.sin(bottom / 2),
    }
  })
}

function power(depth: number, width: number, exponent: number): SectionShape {
  const s = 1 / exponent
  const steps = 512
  // Wetted length by chords of the curve width/2 * (y/depth)^s.
  const half = (y: number) => (width / 2) * (y / depth) ** s
  const lengths = new Float64Array(steps + 1)
  for (let i = 1; i <= steps; i++) {
    const y0 = ((i - 1) / steps) * depth
    const y1 = (i / steps) * depth
    lengths[i] = lengths[i - 1] + Math.hypot(y1 - y0, half(y1) - half(y0))
  }
  return open(depth, width, (y) => {
    const at = Math.min(steps - 1e-9, (y / depth) * steps)
    const i = Math.floor(at)
    return {
      area: (2 * half(y) * y) / (s + 1),
      perimeter: 2 * (lengths[i] + (at - i) * (lengths[i + 1] - lengths[i])),
    }
  })
}

function byDepth(depth: number, name: string, table: data.DepthShape): SectionShape {
  const full = data.ROUND_FULL[name]
  return tabulated(depth, full.width * depth, full.area * depth * depth, full.radius * depth, table)
}

function byArea(depth: number, name: string, table: data.AreaShape): SectionShape {
  const full = data.ROUND_FULL[name]
  const n = table.depth.length - 1
  const share = Float64Array.from(table.depth, (_, i) => i / n)
  // S = A R^(2/3) gives the radius where the tables hold the section factor.
  const radius = Float64Array.from(table.factor, (s, i) => (i === 0 ? 0.005 : (s / (i / n)) ** 1.5))
  const area = monotone(table.depth, share)
  return {
    fullDepthM: depth,
    maxWidthM: full.width * depth,
    closed: true,
    area: (y) => full.area * depth * depth * area(y / depth),
    radius: (y) => full.radius * depth * linear(table.depth, radius, y / depth),
  }
}

function tabulated(
  depth: number,
  width: number,
  area: number,
  radius: number,
  table: data.DepthShape,
): SectionShape {
  const n = table.area.length - 1
  const at = Float64Array.from(table.area, (_, i) => i / n)
  const share = monotone(at, table.area)
  return {
    fullDepthM: depth,
    maxWidthM: width,
    closed: true,
    area: (y) => area * share(y / depth),
    radius: (y) => radius * linear(at, table.radius, y / depth),
  }
}

/** Size `code` (1-based) of a list of standard pipes, in metres, or null when the code names none. */
function standard<K extends string>(sizes: Record<K, Float64Array>, code: number): Record<K, number> | null {
  const i = Math.floor(code) - 1
  const keys = Object.keys(sizes) as K[]
  if (!(i >= 0)) return null
  if (i >= sizes[keys[0]].length) throw new RangeError(`no standard size ${code}`)
  const unit = (key: string) => (key === 'area' ? FOOT * FOOT : key === 'radius' ? FOOT : INCH)
  return Object.fromEntries(keys.map((key) => [key, sizes[key][i] * unit(key)])) as Record<K, number>
}

function natural(section: SewerSection): SectionShape {
  const transect = section.transect
  if (!transect) throw new RangeError('a natural section needs its transect')
  const depth = transectDepth(transect)
  return {
    fullDepthM: depth,
    maxWidthM: transectAt(transect, depth).width,
    closed: false,
    area: (y) => transectAt(transect, y).area,
    radius: (y) => transectAt(transect, y).radius,
  }
}

/** Shape curve: width against depth, both as shares of the full depth; symmetric about its axis. */
function custom(depth: number, section: SewerSection): SectionShape {
  const curve = section.curve
  if (!curve || curve.x.length < 2) throw new RangeError('a custom section needs its curve')
  const y = curve.x.map((share) => share * depth)
  const w = curve.y.map((share) => share * depth)
  const top = y.length - 1
  const at = (level: number): Wetted => {
    let area = 0
    let perimeter = w[0]
    for (let i = 1; i <= top; i++) {
      if (level <= y[i - 1]) break
      const to = Math.min(level, y[i])
      const share = y[i] > y[i - 1] ? (to - y[i - 1]) / (y[i] - y[i - 1]) : 1
      const width = w[i - 1] + share * (w[i] - w[i - 1])
      area += ((w[i - 1] + width) / 2) * (to - y[i - 1])
      perimeter += 2 * Math.hypot(to - y[i - 1], (width - w[i - 1]) / 2)
    }
    if (level >= y[top]) perimeter += w[top]
    return { area, perimeter }
  }
  return closed(y[top], Math.max(...w), at)
}

function linear(x: ArrayLike<number>, y: ArrayLike<number>, at: number): number {
  const n = x.length - 1
  if (at <= x[0]) return y[0]
  if (at >= x[n]) return y[n]
  let i = 1
  while (x[i] < at) i++
  return y[i - 1] + ((at - x[i - 1]) / (x[i] - x[i - 1])) * (y[i] - y[i - 1])
}

/** Monotone cubic through the points (Fritsch and Carlson 1980), so that the width has no steps. */
function monotone(x: ArrayLike<number>, y: ArrayLike<number>): (at: number) => number {
  const n = x.length
  const slope = new Float64Array(n)
  const secant = (i: number) => (y[i + 1] - y[i]) / (x[i + 1] - x[i])
  for (let i = 1; i < n - 1; i++) {
    const a = secant(i - 1)
    const b = secant(i)
    slope[i] = a * b > 0 ? (2 * a * b) / (a + b) : 0
  }
  slope[0] = secant(0) / 2
  slope[n - 1] = secant(n - 2) / 2
  return (at) => {
    if (at <= x[0]) return y[0]
    if (at >= x[n - 1]) return y[n - 1]
    let i = 0
    while (x[i + 1] < at) i++
    const h = x[i + 1] - x[i]
    const t = (at - x[i]) / h
    const u = 1 - t
    return (
      u * u * (1 + 2 * t) * y[i] +
      t * t * (1 + 2 * u) * y[i + 1] +
      t * u * h * (u * slope[i] - t * slope[i + 1])
    )
  }
}
