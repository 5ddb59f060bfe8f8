import type { RadarSweep } from '@radx/contracts/radar-volume'
import { ramp } from './geometry.ts'

/** What is no weather in a sweep; `[ray * nbins + bin]`. */
export interface Clutter {
  /** 0 (weather) to 1 (clutter), 0 where there is no echo. */
  likelihood: Float32Array
  /** 1 where the echo is left out: likelihood of a half and more, or speckle. */
  isLeftOut: Uint8Array
  gates: number
  speckles: number
}

/** How often gates of one sweep had an echo on dry days, 0 to 1. */
export interface ClutterMap {
  elevationDeg: number
  nrays: number
  nbins: number
  share: Float32Array
}

const CLUTTER = 0.5
/** Gates of a window along the ray. */
const TEXTURE_Z = 5
const TEXTURE_PHASE = 9
/** Echoes among the nine gates around and with a gate below which it is speckle. */
const MIN_NEIGHBOURS = 3

/**
 * Finds clutter by fuzzy logic after Hubbert et al. (2009), J. Atmos. Oceanic Technol. 26, 1181-1197, and Gourley et al.
 * (2007), 24, 1439-1451: texture of reflectivity (mean square difference from gate to gate), texture of phase (standard
 * deviation), correlation, velocity near 0, and what had an echo on dry days. Moments that are missing are left out
 * of the mean; reflectivity alone gives texture and speckle.
 * @param map of the same elevation, from `clutterMap`; one of another geometry is not used
 */
export function findClutter(sweep: RadarSweep, map: ClutterMap | null = null): Clutter {
  const { nrays, nbins, moments } = sweep
  const z = (moments.DBZH ?? moments.TH)?.values
  const size = nrays * nbins
  const likelihood = new Float32Array(size)
  const isLeftOut = new Uint8Array(size)
  if (!z) return { likelihood, isLeftOut, gates: 0, speckles: 0 }
  const phase = moments.PHIDP?.values
  const rho = moments.RHOHV?.values
  const velocity = moments.VRADH?.values
  const still = map && map.nrays === nrays && map.nbins === nbins ? map.share : null
  const texture = new Float32Array(nbins)
  const deviation = new Float32Array(nbins).fill(Number.NaN)
  const room = { first: new Float64Array(nbins), second: new Float64Array(nbins) }
  let gates = 0
  for (let start = 0; start < size; start += nbins) {
    if (!hasEcho(z, start, nbins)) continue
    reflectivityTexture(z, start, room, texture)
    if (phase) phaseDeviation(phase, z, { start, room, out: deviation })
    for (let bin = 0; bin < nbins; bin++) {
      const k = start + bin
      if (!Number.isFinite(z[k])) continue
      let sum = ramp(texture[bin], 20, 60)
      let weight = 1
      const byRho = rho ? ramp(rho[k], 0.85, 0.65) : Number.NaN
      if (byRho >= 0) {
        sum += byRho
        weight++
      }
      const byPhase = ramp(deviation[bin], 15, 40)
      if (byPhase >= 0) {
        sum += byPhase
        weight++
      }
      // Weather may stand still as well: velocity only tells beside something else.
      if (velocity && Number.isFinite(velocity[k]) && sum > 0.3 * weight) {
        sum += 0.5 * ramp(Math.abs(velocity[k]), 1, 0.3)
        weight += 0.5
      }
      if (still && still[k] >= 0) {
        sum += 2 * ramp(still[k], 0.2, 0.6)
        weight += 2
      }
      likelihood[k] = sum / weight
      if (likelihood[k] < CLUTTER) continue
      isLeftOut[k] = 1
      gates++
    }
  }
  return { likelihood, isLeftOut, gates, speckles: markSpeckles(z, isLeftOut, nrays, nbins) }
}

function hasEcho(z: Float32Array, start: number, nbins: number): boolean {
  for (let k = start; k < start + nbins; k++) if (Number.isFinite(z[k])) return true
  return false
}

/** Scratch of a ray. */
interface Room {
  first: Float64Array
  second: Float64Array
}

/**
 * Mean square difference between neighbouring gates over a window along the ray at `start`, dB^2; 0 where there are no two,
 * nothing new where there is no echo.
 */
function reflectivityTexture(
  z: Float32Array,
  start: number,
  { first: steps }: Room,
  out: Float32Array,
): void {
  const half = TEXTURE_Z >> 1
  const nbins = out.length
  for (let bin = 1; bin < nbins; bin++) {
    const step = z[start + bin] - z[start + bin - 1]
    steps[bin] = step * step
  }
  for (let bin = 0; bin < nbins; bin++) {
    if (!Number.isFinite(z[start + bin])) continue
    let sum = 0
    let count = 0
    const last = Math.min(nbins - 1, bin + half)
    for (let k = Math.max(1, bin - half + 1); k <= last; k++)
      if (Number.isFinite(steps[k])) {
        sum += steps[k]
        count++
      }
    out[bin] = count > 1 ? sum / count : 0
  }
}

interface PhaseRay {
  start: number
  room: Room
  out: Float32Array
}

/**
 * Standard deviation of the phase along a ray, on the circle, degrees; NaN for fewer than five gates, nothing new where
 * there is no echo.
 */
function phaseDeviation(phase: Float32Array, z: Float32Array, { start, room, out }: PhaseRay): void {
  const half = TEXTURE_PHASE >> 1
  const nbins = out.length
  const { first: cos, second: sin } = room
  for (let bin = 0; bin < nbins; bin++) {
    const angle = (phase[start + bin] * Math.PI) / 180
    const isKnown = Number.isFinite(angle)
    cos[bin] = isKnown ? Math.cos(angle) : Number.NaN
    sin[bin] = isKnown ? Math.sin(angle) : Number.NaN
  }
  let x = 0
  let y = 0
  let count = 0
  for (let bin = -half; bin < nbins; bin++) {
    const ahead = bin + half
    if (ahead < nbins && !Number.isNaN(cos[ahead])) {
      x += cos[ahead]
      y += sin[ahead]
      count++
    }
    const behind = bin - half - 1
    if (behind >= 0 && !Number.isNaN(cos[behind])) {
      x -= cos[behind]
      y -= sin[behind]
      count--
    }
    if (bin < 0 || !Number.isFinite(z[start + bin])) continue
    const length = Math.sqrt(x * x + y * y) / count
    out[bin] =
      count < 5 ? Number.NaN : (Math.sqrt(-2 * Math.log(Math.min(1, Math.max(1e-3, length)))) * 180) / Math.PI
  }
}

/** Marks echoes that stand nearly alone; the circle closes, the ends of rays do not. */
function markSpeckles(z: Float32Array, isLeftOut: Uint8Array, nrays: number, nbins: number): number {
  const isEcho = new Uint8Array(z.length)
  for (let k = 0; k < isEcho.length; k++) isEcho[k] = Number.isFinite(z[k]) && !isLeftOut[k] ? 1 : 0
  const column = new Uint8Array(nbins)
  let count = 0
  for (let ray = 0; ray < nrays; ray++) {
    const [before, own, after] = [
      ((ray + nrays - 1) % nrays) * nbins,
      ray * nbins,
      ((ray + 1) % nrays) * nbins,
    ]
    for (let bin = 0; bin < nbins; bin++)
      column[bin] = isEcho[before + bin] + isEcho[own + bin] + isEcho[after + bin]
    for (let bin = 0; bin < nbins; bin++) {
      if (!isEcho[own + bin]) continue
      const near = (bin > 0 ? column[bin - 1] : 0) + column[bin] + (bin + 1 < nbins ? column[bin + 1] : 0)
      if (near >= MIN_NEIGHBOURS) continue
      isLeftOut[own + bin] = 1
      count++
    }
  }
  return count
}

/**
 * Learns where there are echoes without weather, one map an elevation.
 * @param sweeps of dry days; those of another geometry than the first of their elevation are not counted
 */
export function clutterMaps(sweeps: readonly RadarSweep[]): ClutterMap[] {
  const maps: (ClutterMap & { seen: number })[] = []
  for (const { elevationDeg, nrays, nbins, moments } of sweeps) {
    const z = (moments.DBZH ?? moments.TH)?.values
    if (!z) continue
    let map = maps.find((one) => Math.abs(one.elevationDeg - elevationDeg) <= 0.15)
    if (!map) {
      map = { elevationDeg, nrays, nbins, share: new Float32Array(nrays * nbins), seen: 0 }
      maps.push(map)
    }
    if (map.nrays !== nrays || map.nbins !== nbins) continue
    map.seen++
    for (let k = 0; k < z.length; k++) if (z[k] > 0) map.share[k]++
  }
  return maps.map(({ seen, ...map }) => ({ ...map, share: map.share.map((count) => count / seen) }))
}

/** The map of a sweep's elevation; null where there is none. */
export const mapOf = (maps: readonly ClutterMap[], sweep: RadarSweep): ClutterMap | null =>
  maps.find(({ elevationDeg }) => Math.abs(elevationDeg - sweep.elevationDeg) <= 0.15) ?? null
