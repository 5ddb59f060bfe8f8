import { EARTH_RADIUS_M, type ProductGrid } from './grid.ts'

/** One turn of the antenna at one elevation, as a volume reader gives it. */
export interface PolarSweep {
  elevationDeg: number
  nrays: number
  nbins: number
  /** Clockwise from north; rays in any order, a stop may be smaller than its start at north. */
  azimuthStartDeg: Float64Array
  azimuthStopDeg: Float64Array
  /** Distance to the near edge of the first gate and length of a gate, along the beam. */
  rangeStartM: number
  rangeStepM: number
  /** Reflectivity in dBZ, `[ray * nbins + bin]`; -Infinity = no echo, NaN = no data. */
  values: Float32Array
}

/** Place of a radar, WGS84; the altitude is that of the antenna above sea level. */
export interface RadarPlace {
  lat: number
  lon: number
  altitudeM: number
}

/** Relation Z = a R^b between reflectivity Z (mm6/m3) and rain rate R (mm/h). */
export interface ReflectivityLaw {
  a: number
  b: number
}

/** Marshall, Langille and Palmer (1947): Z = 200 R^1.6. */
export const MARSHALL_PALMER: ReflectivityLaw = { a: 200, b: 1.6 }

/** Rain rate in mm/h of a reflectivity in dBZ; -Infinity gives 0, NaN stays NaN. */
export function rateFromDbz(dbz: number, { a, b }: ReflectivityLaw = MARSHALL_PALMER): number {
  return (10 ** (dbz / 10) / a) ** (1 / b)
}

/**
 * Standard refraction bends the beam as if the earth's radius were 4/3 of itself (Doviak and Zrnić 1993, section
 * 2.2.3).
 */
const EFFECTIVE_RADIUS_M = (4 / 3) * EARTH_RADIUS_M
const RAD = Math.PI / 180

/**
 * Distance along the beam at which it stands above a point at `groundM` from the radar along the earth, 4/3
 * earth radius (Doviak and Zrnić 1993, eq. 2.28, solved for the range by the law of sines).
 * @returns NaN where the beam never gets there
 */
export function slantRange(groundM: number, elevationDeg: number, altitudeM: number): number {
  const angle = groundM / EFFECTIVE_RADIUS_M
  const atTarget = Math.cos(angle + elevationDeg * RAD)
  return atTarget > 0 ? ((EFFECTIVE_RADIUS_M + altitudeM) * Math.sin(angle)) / atTarget : Number.NaN
}

/** Height of the middle of the beam above the antenna, m (Doviak and Zrnic 1993, equation 2.28b). */
export function beamHeight(rangeM: number, elevationDeg: number): number {
  const r = EFFECTIVE_RADIUS_M
  return Math.sqrt(rangeM ** 2 + r ** 2 + 2 * rangeM * r * Math.sin(elevationDeg * RAD)) - r
}

/** Distance along the earth to below a place on the beam, m (Doviak and Zrnic 1993, equation 2.28c). */
export function groundDistance(rangeM: number, elevationDeg: number): number {
  const r = EFFECTIVE_RADIUS_M
  return r * Math.asin((rangeM * Math.cos(elevationDeg * RAD)) / (r + beamHeight(rangeM, elevationDeg)))
}

const WGS84 = { a: 6_378_137, f: 1 / 298.257223563 }

/**
 * Distance (m) and azimuth (degrees clockwise from north at the first point) between two points of the WGS84
 * ellipsoid (Vincenty 1975, eq. 13 to 20, inverse formula). Points nearly opposite on the globe are not meant.
 */
export function geodesic(lat1: number, lon1: number, lat2: number, lon2: number): [number, number] {
  const { a, f } = WGS84
  const b = a * (1 - f)
  const L = (lon2 - lon1) * RAD
  const u1 = Math.atan((1 - f) * Math.tan(lat1 * RAD))
  const u2 = Math.atan((1 - f) * Math.tan(lat2 * RAD))
  const [sinU1, cosU1, sinU2, cosU2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)]
  let lambda = L
  let [sinSigma, cosSigma, sigma, cosSqAlpha, cos2Mid] = [0, 1, 0, 1, 0]
  for (let i = 0; i < 20; i++) {
    const [sinL, cosL] = [Math.sin(lambda), Math.cos(lambda)]
    sinSigma = Math.hypot(cosU2 * sinL, cosU1 * sinU2 - sinU1 * cosU2 * cosL)
    if (sinSigma === 0) return [0, 0]
    cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosL
    sigma = Math.atan2(sinSigma, cosSigma)
    const sinAlpha = (cosU1 * cosU2 * sinL) / sinSigma
    cosSqAlpha = 1 - sinAlpha ** 2
    cos2Mid = cosSqAlpha === 0 ? 0 : cosSigma - (2 * sinU1 * sinU2) / cosSqAlpha
    const C = (f / 16) * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
    const previous = lambda
    lambda =
      L + (1 - C) * f * sinAlpha * (sigma + C * sinSigma * (cos2Mid + C * cosSigma * (2 * cos2Mid ** 2 - 1)))
    if (Math.abs(lambda - previous) < 1e-11) break
  }
  const uSq = (cosSqAlpha * (a * a - b * b)) / (b * b)
  const A = 1 + (uSq / 16384) * (4096 + uSq * (-768 + uSq * (320 - 175 * uSq)))
  const B = (uSq / 1024) * (256 + uSq * (-128 + uSq * (74 - 47 * uSq)))
  const dSigma =
    B *
    sinSigma *
    (cos2Mid +
      (B / 4) *
        (cosSigma * (2 * cos2Mid ** 2 - 1) -
          (B / 6) * cos2Mid * (4 * sinSigma ** 2 - 3) * (4 * cos2Mid ** 2 - 3)))
  const [sinL, cosL] = [Math.sin(lambda), Math.cos(lambda)]
  const azimuth = Math.atan2(cosU2 * sinL, cosU1 * sinU2 - sinU1 * cosU2 * cosL) / RAD
  return [b * A * (sigma - dSigma), (azimuth + 360) % 360]
}

/** Where the cells of a grid lie as the radar sees them, `[row * steps + col]`, row 0 north. */
export interface PolarCells {
  /** Along the earth from the radar to the cell's centre, m. */
  groundM: Float64Array
  azimuthDeg: Float64Array
}

/** Computed once for a radar and a grid, and good for all their sweeps (0.2 s for 500 x 500 cells). */
export function polarCells(radar: RadarPlace, { bounds, steps }: ProductGrid): PolarCells {
  const groundM = new Float64Array(steps * steps)
  const azimuthDeg = new Float64Array(steps * steps)
  const { ul, lr } = bounds
  for (let row = 0, cell = 0; row < steps; row++) {
    const lat = ul.lat - ((row + 0.5) / steps) * (ul.lat - lr.lat)
    for (let col = 0; col < steps; col++, cell++) {
      const lon = ul.lng + ((col + 0.5) / steps) * (lr.lng - ul.lng)
      ;[groundM[cell], azimuthDeg[cell]] = geodesic(radar.lat, radar.lon, lat, lon)
    }
  }
  return { groundM, azimuthDeg }
}

/** Slots of the azimuth index: 1/32 of a degree each, finer than any antenna turns. */
const SLOTS = 360 * 32

/**
 * The ray that looks into each slot of azimuth, -1 where none does. A slot belongs to the ray whose centre is
 * nearest; hairline cracks between neighbouring rays (a quarter of a ray on either side) are closed, wider
 * gaps stay gaps.
 */
function rayOfAzimuth(sweep: PolarSweep): Int32Array {
  const rays = new Int32Array(SLOTS).fill(-1)
  const nearest = new Float64Array(SLOTS).fill(Number.POSITIVE_INFINITY)
  for (let ray = 0; ray < sweep.nrays; ray++) {
    const start = sweep.azimuthStartDeg[ray]
    // Rays turn either way; the short way round is the ray.
    const width = ((((sweep.azimuthStopDeg[ray] - start) % 360) + 540) % 360) - 180
    const centre = start + width / 2
    const reach = Math.abs(width) * 0.75
    const first = Math.ceil(((centre - reach) / 360) * SLOTS - 0.5)
    const last = Math.floor(((centre + reach) / 360) * SLOTS - 0.5)
    for (let s = first; s <= last; s++) {
      const off = Math.abs(((s + 0.5) / SLOTS) * 360 - centre)
      const slot = ((s % SLOTS) + SLOTS) % SLOTS
      if (off < nearest[slot]) {
        nearest[slot] = off
        rays[slot] = ray
      }
    }
  }
  return rays
}

/**
 * Index `[ray * nbins + bin]` of the gate above the centre of every cell, `[row * steps + col]`; -1 where the
 * sweep does not reach: before the first gate, beyond the last, in a gap between rays.
 */
export function gatesOfCells(sweep: PolarSweep, radar: RadarPlace, cells: PolarCells): Int32Array {
  const rays = rayOfAzimuth(sweep)
  const gates = new Int32Array(cells.groundM.length).fill(-1)
  const { nbins, rangeStartM, rangeStepM, elevationDeg } = sweep
  for (let cell = 0; cell < gates.length; cell++) {
    const ray = rays[Math.min(SLOTS - 1, Math.floor((cells.azimuthDeg[cell] / 360) * SLOTS))]
    const range = slantRange(cells.groundM[cell], elevationDeg, radar.altitudeM)
    const bin = Math.floor((range - rangeStartM) / rangeStepM)
    if (ray >= 0 && bin >= 0 && bin < nbins) gates[cell] = ray * nbins + bin
  }
  return gates
}

/**
 * Rain rate at the ground from a sweep of reflectivity, each cell taking the gate above its centre.
 * @param cells from `polarCells` for the same radar and grid
 * @returns mm/h, `[row * steps + col]`, row 0 north; NaN = no data, 0 = no echo
 */
export function rainFromSweep(
  sweep: PolarSweep,
  radar: RadarPlace,
  cells: PolarCells,
  law: ReflectivityLaw = MARSHALL_PALMER,
): Float32Array {
  const gates = gatesOfCells(sweep, radar, cells)
  const rates = new Float32Array(gates.length)
  for (let cell = 0; cell < gates.length; cell++)
    rates[cell] = gates[cell] < 0 ? Number.NaN : rateFromDbz(sweep.values[gates[cell]], law)
  return rates
}
