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
  const zTexture = reflectivityTexture(z, nbins)
  const phaseTexture = moments.PHIDP && phaseDeviation(moments.PHIDP.values, nbins)
  const rho = moments.RHOHV?.values
  const velocity = moments.VRADH?.values
  const still = map && map.nrays === nrays && map.nbins === nbins ? map.share : null
  let gates = 0
  for (let k = 0; k < size; k++) {
    if (!Number.isFinite(z[k])) continue
    let sum = ramp(zTexture[k], 20, 60)
    let weight = 1
    const add = (value: number, by: number): void => {
      if (Number.isNaN(value)) return
      sum += by * value
      weight += by
    }
    if (rho) add(ramp(rho[k], 0.85, 0.65), 1)
    if (phaseTexture) add(ramp(phaseTexture[k], 15, 40), 1)
    // Weather may stand still as well: velocity only tells beside something else.
    if (velocity && Number.isFinite(velocity[k]) && sum > 0.3 * weight)
      add(ramp(Math.abs(velocity[k]), 1, 0.3), 0.5)
    if (still) add(ramp(still[k], 0.2, 0.6), 2)
    likelihood[k] = sum / weight
    if (likelihood[k] >= CLUTTER) {
      isLeftOut[k] = 1
      gates++
    }
  }
  return { likelihood, isLeftOut, gates, speckles: markSpeckles(z, isLeftOut, nrays, nbins) }
}

/** Mean square difference between neighbouring gates over a window along the ray, dB^2; 0 where there are no two. */
function reflectivityTexture(z: Float32Array, nbins: number): Float32Array {
  const half = TEXTURE_Z >> 1
  const out = new Float32Array(z.length)
  const steps = new Float64Array(nbins)
  for (let start = 0; start < z.length; start += nbins) {
    for (let bin = 1; bin < nbins; bin++) steps[bin] = (z[start + bin] - z[start + bin - 1]) ** 2
    steps[0] = Number.NaN
    for (let bin = 0; bin < nbins; bin++) {
      let sum = 0
      let count = 0
      for (let k = Math.max(1, bin - half + 1); k <= Math.min(nbins - 1, bin + half); k++)
        if (Number.isFinite(steps[k])) {
          sum += steps[k]
          count++
        }
      out[start + bin] = count > 1 ? sum / count : 0
    }
  }
  return out
}

/** Standard deviation of the phase along the ray, on the circle, degrees; NaN for fewer than five gates. */
function phaseDeviation(phase: Float32Array, nbins: number): Float32Array {
  const half = TEXTURE_PHASE >> 1
  const out = new Float32Array(phase.length)
  const cos = new Float64Array(nbins)
  const sin = new Float64Array(nbins)
  for (let start = 0; start < phase.length; start += nbins) {
    for (let bin = 0; bin < nbins; bin++) {
      const angle = (phase[start + bin] * Math.PI) / 180
      cos[bin] = Number.isFinite(angle) ? Math.cos(angle) : Number.NaN
      sin[bin] = Math.sin(angle)
    }
    let [x, y, count] = [0, 0, 0]
    const take = (bin: number, sign: number): void => {
      if (bin < 0 || bin >= nbins || Number.isNaN(cos[bin])) return
      x += sign * cos[bin]
      y += sign * sin[bin]
      count += sign
    }
    for (let bin = -half; bin < nbins; bin++) {
      take(bin + half, 1)
      take(bin - half - 1, -1)
      if (bin < 0) continue
      const length = Math.hypot(x, y) / count
      out[start + bin] =
        count < 5
          ? Number.NaN
          : (Math.sqrt(-2 * Math.log(Math.min(1, Math.max(1e-3, length)))) * 180) / Math.PI
    }
  }
  return out
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
