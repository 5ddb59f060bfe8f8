import type { RadarMoment, RadarSweep } from '@radx/contracts/radar-volume'
import { DROP_STEP_MM, dropClasses, momentsPerMmH, type RainMoments } from './drops.ts'

/** The radar that looks, and how well. */
export interface ViewOptions {
  frequencyGHz: number
  /** Temperature of the drops, degrees Celsius. */
  celsius: number
  /** Seeds noise and drop sizes: the same numbers give the same sweep. */
  seed: number
  /** Added to ZDR and to the phase. */
  zdrBiasDb: number
  systemPhaseDeg: number
  /** Standard deviations of one gate. */
  noise: { dbz: number; zdrDb: number; phaseDeg: number }
  /** Weakest reflectivity seen at 1 km, dBZ; it rises with the square of distance. */
  sensitivityDbz: number
}

/** As an X-band magnetron on a roof. */
export const USUAL_VIEW: ViewOptions = {
  frequencyGHz: 9.4,
  celsius: 12,
  seed: 1,
  zdrBiasDb: -0.35,
  systemPhaseDeg: 140,
  noise: { dbz: 0.8, zdrDb: 0.2, phaseDeg: 2.5 },
  sensitivityDbz: -35,
}

export interface Geometry {
  datetime: string
  elevationDeg: number
  nrays: number
  nbins: number
  rangeStepM: number
}

/** Rain at the height of the beam, mm/h, by azimuth (degrees) and distance (m). */
export type RainAt = (azimuthDeg: number, rangeM: number) => number

/** Numbers of a seed, evenly within 0 and 1 (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const gauss = (next: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())

/**
 * One turn of the antenna through rain: drop sizes are drawn for each patch of some 2 km, their moments summed along the
 * beam, attenuated, and measured with the radar's noise, bias and threshold.
 * @returns moments DBZH, ZDR, PHIDP, RHOHV and the rain that was there, mm/h, `[ray * nbins + bin]`
 */
export function seenSweep(
  rainAt: RainAt,
  geometry: Geometry,
  options: ViewOptions = USUAL_VIEW,
): { sweep: RadarSweep; truthMmH: Float32Array } {
  const { nrays, nbins, rangeStepM } = geometry
  const moments = momentTable(options)
  const next = numbers(options.seed)
  const field = (): Float32Array => new Float32Array(nrays * nbins).fill(Number.NaN)
  const out = { DBZH: field(), ZDR: field(), PHIDP: field(), RHOHV: field() }
  const truthMmH = new Float32Array(nrays * nbins)
  const half = rangeStepM / 2000
  for (let ray = 0; ray < nrays; ray++) {
    const azimuth = ((ray + 0.5) * 360) / nrays
    let [lossH, lossV, phase] = [0, 0, options.systemPhaseDeg]
    for (let bin = 0; bin < nbins; bin++) {
      const k = ray * nbins + bin
      const range = (bin + 0.5) * rangeStepM
      const rate = rainAt(azimuth, range)
      truthMmH[k] = rate
      const one = rate > 0 ? moments(rate, patchOf(options.seed, azimuth, range)) : null
      // To the middle of the gate, there and back.
      const through = (): void => {
        if (!one) return
        lossH += 2 * half * one.ah * rate
        lossV += 2 * half * one.av * rate
        phase += 2 * half * one.kdp * rate
      }
      through()
      const h = one ? 10 * Math.log10(one.zh * rate) - lossH : Number.NEGATIVE_INFINITY
      const v = one ? 10 * Math.log10(one.zv * rate) - lossV : Number.NEGATIVE_INFINITY
      measure(out, k, { h, v, phase, range }, options, next)
      through()
    }
  }
  return {
    sweep: {
      ...geometry,
      rangeStartM: 0,
      azimuthDeg: Float64Array.from({ length: nrays }, (_, ray) => ((ray + 0.5) * 360) / nrays),
      moments: Object.fromEntries(
        Object.entries(out).map(([name, values]): [string, RadarMoment] => [
          name,
          { unit: UNITS[name], values },
        ]),
      ),
    },
    truthMmH,
  }
}

const UNITS: Record<string, string> = { DBZH: 'dBZ', ZDR: 'dB', PHIDP: 'deg', RHOHV: '1' }

function measure(
  out: Record<'DBZH' | 'ZDR' | 'PHIDP' | 'RHOHV', Float32Array>,
  k: number,
  { h, v, phase, range }: { h: number; v: number; phase: number; range: number },
  { noise, sensitivityDbz, zdrBiasDb }: ViewOptions,
  next: () => number,
): void {
  const least = sensitivityDbz + 20 * Math.log10(range / 1000)
  const [a, b, c, d] = [gauss(next), gauss(next), gauss(next), next()]
  if (h < least || v < least) {
    out.DBZH[k] = Number.NEGATIVE_INFINITY
    return
  }
  // Near the threshold what is measured is partly noise.
  const weak = 1 + 3 * Math.exp(-(h - least) / 5)
  out.DBZH[k] = h + noise.dbz * a
  out.ZDR[k] = h - v + zdrBiasDb + noise.zdrDb * weak * b
  out.PHIDP[k] = ((((phase + noise.phaseDeg * weak * c) % 360) + 540) % 360) - 180
  out.RHOHV[k] = Math.max(0, 0.995 - 0.01 * weak * d)
}

/** What of drop sizes is drawn for a patch. */
interface Patch {
  /** Median volume diameter against the usual one. */
  size: number
  mu: number
}

const PATCH_M = 2000

/** Drop sizes of a place: of its patch, blended into those of the next along the beam. */
function patchOf(seed: number, azimuthDeg: number, rangeM: number): Patch {
  const x = (rangeM * Math.sin((azimuthDeg * Math.PI) / 180)) / PATCH_M
  const y = (rangeM * Math.cos((azimuthDeg * Math.PI) / 180)) / PATCH_M
  const [i, j] = [Math.floor(x), Math.floor(y)]
  const [u, w] = [x - i, y - j]
  let [size, mu] = [0, 0]
  for (const [di, dj, share] of [
    [0, 0, (1 - u) * (1 - w)],
    [1, 0, u * (1 - w)],
    [0, 1, (1 - u) * w],
    [1, 1, u * w],
  ] as const) {
    const next = numbers(
      Math.imul(i + di, 73856093) ^ Math.imul(j + dj, 19349663) ^ Math.imul(seed, 83492791),
    )
    size += share * 0.15 * gauss(next)
    mu += share * 6 * next()
  }
  return { size: Math.exp(size), mu }
}

/** Usual median volume diameter of a rate, mm (after Bringi et al. 2003, stratiform and convective rain together). */
const usualD0 = (mmH: number): number => 1.1 * mmH ** 0.14

/** Moments a mm/h by rate and patch, from a table of median diameter and mu. */
function momentTable({ frequencyGHz, celsius }: ViewOptions): (mmH: number, patch: Patch) => RainMoments {
  const drops = dropClasses(frequencyGHz, celsius)
  const step = DROP_STEP_MM / 4
  const table = new Map<number, RainMoments>()
  return (mmH, { size, mu }) => {
    const d0 = Math.min(3.2, Math.max(0.5, usualD0(mmH) * size))
    const at = Math.round(d0 / step)
    const m = Math.round(Math.min(8, mu) * 2)
    const key = at * 100 + m
    let found = table.get(key)
    if (!found) {
      found = momentsPerMmH(drops, at * step, m / 2)
      table.set(key, found)
    }
    return found
  }
}
