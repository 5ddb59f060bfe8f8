import type { SewerSection, SewerTransect } from '@radx/contracts'
import * as data from './section-data.ts'
import { canonicalShape, type SectionShape, sectionShape } from './section-shapes.ts'
import { CIRCLE, WIDTHS } from './section-widths.ts'

/** Intervals of depth in which EPA SWMM tabulates profiles and shape curves. */
const INTERVALS = 50

interface Rows {
  area: Float64Array
  width: Float64Array
  radius: Float64Array
}

/**
 * Sections as EPA SWMM's own tables have them, coarse as they are: rounded shapes by shares of the full depth, profiles and shape
 * curves at 51 depths. Water steers by their widths, which are not the slopes of their areas. Other shapes are those of
 * `sectionShape`.
 */
export function epaShape(section: SewerSection): SectionShape {
  const shape = tabulatedShape(section)
  const name = canonicalShape(section.shape)
  const widthAt = FLARES[name]
  if (widthAt) shape.flare = (y) => widthAt(section.dims, y)
  if (ANALYTICAL.includes(name)) return shape
  const { fullDepthM } = shape
  const share = shape.area(fullDepthM) / ((Math.PI / 4) * fullDepthM * fullDepthM)
  return share >= 0.5 && share <= 2 ? { ...shape, criticalIntervals: CRITICAL_INTERVALS } : shape
}

/** Intervals of depth between which EPA SWMM finds critical depths by straight lines, in sections of about a circle's area. */
const CRITICAL_INTERVALS = 25
/** Widths that EPA SWMM goes on reckoning above the rim, where SURCHARGE_METHOD SLOT lets depths go. */
const FLARES: Record<string, (dims: SewerSection['dims'], y: number) => number> = {
  TRAPEZOIDAL: ([, bottom, left, right], y) => bottom + y * (left + right),
  TRIANGULAR: ([depth, width], y) => (width * y) / depth,
  PARABOLIC: ([depth, width], y) => width * Math.sqrt(y / depth),
  POWER: ([depth, width, exponent], y) => width * (y / depth) ** (1 / exponent),
}
/** Sections of which it has a formula. */
const ANALYTICAL = ['RECT_OPEN', 'RECT_CLOSED', 'TRIANGULAR', 'PARABOLIC', 'POWER']

function tabulatedShape(section: SewerSection): SectionShape {
  const shape = sectionShape(section)
  const name = canonicalShape(section.shape)
  if (section.transect) return byRows(shape, shape.fullDepthM, transectRows(section.transect))
  if (name === 'CUSTOM' && section.curve) return customShape(shape, section)
  if (name === 'FILLED_CIRCULAR') return filledCircle(shape, section)
  const widths = WIDTHS[name]
  if (!widths) return shape
  const full = shape.fullDepthM
  const width = (y: number) => shape.maxWidthM * interpolated(widths, y / full)
  const byDepth = DEPTH_SHAPES[name]
  if (byDepth) {
    const area = shape.area(full)
    const radius = shape.radius(full)
    return {
      ...shape,
      area: (y) => area * interpolated(byDepth.area, y / full),
      radius: (y) => radius * interpolated(byDepth.radius, y / full),
      width,
    }
  }
  return { ...shape, ...byShares(shape, AREA_SHAPES[name]), width }
}

const DEPTH_SHAPES: Record<string, data.DepthShape> = {
  CIRCULAR: CIRCLE,
  EGG: data.EGG,
  HORSESHOE: data.HORSESHOE,
  BASKETHANDLE: data.BASKETHANDLE,
  HORIZ_ELLIPSE: data.HORIZ_ELLIPSE,
  VERT_ELLIPSE: data.VERT_ELLIPSE,
  ARCH: data.ARCH,
}

const AREA_SHAPES: Record<string, data.AreaShape> = {
  GOTHIC: data.GOTHIC,
  CATENARY: data.CATENARY,
  SEMIELLIPTICAL: data.SEMIELLIPTICAL,
  SEMICIRCULAR: data.SEMICIRCULAR,
}

/**
 * A circle whose bottom is filled, by the circle's tables less what is filled. The width of the filling, which is wetted too, is read at
 * twice its depth over the circle's and the filling's, as EPA SWMM does.
 */
function filledCircle(shape: SectionShape, { dims: [diameter, filled] }: SewerSection): SectionShape {
  const areaTo = (y: number) =>
    ((Math.PI * diameter * diameter) / 4) * interpolated(CIRCLE.area, y / diameter)
  const perimeterTo = (y: number) => (4 * areaTo(y)) / (diameter * interpolated(CIRCLE.radius, y / diameter))
  const lost = areaTo(filled)
  const bed =
    diameter * interpolated(WIDTHS.CIRCULAR, (2 * filled) / (diameter + filled)) - perimeterTo(filled)
  const area = (y: number) => Math.max(0, areaTo(y + filled) - lost)
  return {
    ...shape,
    area,
    radius: (y) => area(y) / (perimeterTo(y + filled) + bed),
    width: (y) => diameter * interpolated(WIDTHS.CIRCULAR, (y + filled) / diameter),
  }
}

/** Value of a table over 0 to 1; in its first two intervals a parabola, as in EPA SWMM. */
export function interpolated(table: Float64Array, at: number): number {
  const n = table.length - 1
  const x = at * n
  const i = Math.floor(x)
  if (!(x > 0)) return table[0]
  if (i >= n) return table[n]
  const share = x - i
  const linear = table[i] + share * (table[i + 1] - table[i])
  if (i >= 2) return Math.max(0, linear)
  const bent = linear + (share * (share - 1) * (table[i] - 2 * table[i + 1] + table[i + 2])) / 2
  return bent > 0 ? bent : Math.max(0, linear)
}

/** Shapes whose depths and section factors are tabulated by shares of the area. */
function byShares(shape: SectionShape, { depth, factor }: data.AreaShape) {
  const full = shape.fullDepthM
  const area = shape.area(full)
  const radius = shape.radius(full)
  const n = depth.length - 1
  const shareAt = (y: number) => {
    const at = y / full
    let i = 1
    while (i < n && depth[i] < at) i++
    return Math.min(1, Math.max(0, (i - 1 + (at - depth[i - 1]) / (depth[i] - depth[i - 1])) / n))
  }
  return {
    area: (y: number) => area * shareAt(y),
    radius: (y: number) => {
      const share = shareAt(y)
      return share > 0 ? radius * (interpolated(factor, share) / share) ** 1.5 : 0
    },
  }
}

function byRows(shape: SectionShape, fullDepthM: number, { area, width, radius }: Rows): SectionShape {
  return {
    ...shape,
    fullDepthM,
    maxWidthM: Math.max(...width),
    area: (y) => interpolated(area, y / fullDepthM),
    radius: (y) => interpolated(radius, y / fullDepthM),
    width: (y) => interpolated(width, y / fullDepthM),
  }
}

/** Area, width and radius of a slice of a profile below a level. */
function sliceBelow(level: number, run: number, low: number, high: number) {
  const slant = Math.hypot(run, high - low)
  if (level > high) return { area: run * (level - (low + high) / 2), width: run, perimeter: slant }
  const share = high > low ? (level - low) / (high - low) : 1
  return { area: (run * (high - low) * share * share) / 2, width: run * share, perimeter: slant * share }
}

/**
 * A profile at 51 depths: walls stand at both ends, the left one's wetted; conveyances are those of each pool and, where Manning's n
 * changes at a bank, of each side of it (SWMM Reference Manual II, 5.2).
 */
function transectRows(transect: SewerTransect): Rows {
  const { stationsM, elevationsM, leftBankM, rightBankM, lengthFactor } = transect
  const top = Math.max(...elevationsM)
  const bottom = Math.min(...elevationsM)
  const x = [stationsM[0], ...stationsM, stationsM[stationsM.length - 1]]
  const z = [top, ...elevationsM, top]
  const last = stationsM.length
  const channel = transect.nChannel * Math.sqrt(lengthFactor)
  const left = transect.nLeft || transect.nChannel
  const right = transect.nRight || transect.nChannel
  const ends = (k: number, level: number) =>
    z[k] >= level ||
    k === last ||
    (x[k] === leftBankM && left !== channel && x[k] !== x[k - 1]) ||
    (x[k] === rightBankM && right !== channel && x[k] !== x[k + 1])
  const rows = emptyRows()
  for (let i = 1; i <= INTERVALS; i++) {
    const level = bottom + (i * (top - bottom)) / INTERVALS
    let pool = 0
    let perimeter = 0
    let conveyance = 0
    for (let k = 1; k < x.length; k++) {
      const low = Math.min(z[k - 1], z[k])
      if (low >= level) continue
      const slice = sliceBelow(level, Math.abs(x[k] - x[k - 1]), low, Math.max(z[k - 1], z[k]))
      pool += slice.area
      perimeter += slice.perimeter
      rows.area[i] += slice.area
      rows.width[i] += slice.width
      if (!ends(k, level) || !(pool > 0)) continue
      const n = x[k] > rightBankM ? right : x[k - 1] < leftBankM ? left : channel
      conveyance += (pool / n) * Math.cbrt(pool / perimeter) ** 2
      pool = 0
      perimeter = 0
    }
    rows.radius[i] = rows.area[i] > 0 ? ((conveyance * channel) / rows.area[i]) ** 1.5 : rows.radius[i - 1]
  }
  rows.width[0] = rows.width[1]
  return rows
}

const emptyRows = (): Rows => ({
  area: new Float64Array(INTERVALS + 1),
  width: new Float64Array(INTERVALS + 1),
  radius: new Float64Array(INTERVALS + 1),
})

/** A shape curve at 51 depths up to the full depth; steps in its width wet nothing. */
function customShape(shape: SectionShape, section: SewerSection): SectionShape {
  const [depth] = section.dims
  const curve = section.curve ?? { x: [], y: [] }
  const x = curve.x[0] > 0 ? [0, ...curve.x] : [...curve.x]
  const w = curve.x[0] > 0 ? [0, ...curve.y] : [...curve.y]
  if (x[x.length - 1] < 1) {
    x.push(1)
    w.push(w[w.length - 1])
  }
  const rows = emptyRows()
  for (let i = 0; i <= INTERVALS; i++) {
    const level = i / INTERVALS
    let area = 0
    let perimeter = w[0]
    let width = w[0]
    for (let k = 1; k < x.length && x[k - 1] < level; k++) {
      if (x[k] <= x[k - 1]) continue
      const to = Math.min(level, x[k])
      width = w[k - 1] + ((to - x[k - 1]) / (x[k] - x[k - 1])) * (w[k] - w[k - 1])
      area += ((w[k - 1] + width) / 2) * (to - x[k - 1])
      perimeter += 2 * Math.hypot(to - x[k - 1], (width - w[k - 1]) / 2)
    }
    if (i === INTERVALS) perimeter += width
    rows.area[i] = area * depth * depth
    rows.width[i] = width * depth
    rows.radius[i] = perimeter > 0 ? (area / perimeter) * depth : 0
  }
  return { ...byRows(shape, depth, rows), maxWidthM: Math.max(...w) * depth }
}
