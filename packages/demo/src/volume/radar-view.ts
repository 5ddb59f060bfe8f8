import type { RadarMoment, RadarSweep } from '@radx/contracts/radar-volume'
import { BAND_DB, convectiveShare, SNOW_DB } from '../layers.ts'
import { DropSizes, momentTable, type Patch } from './drop-sizes.ts'
import { type BeamLayer, beamLayer, groundEcho, passing, type Scene } from './scene.ts'

/** The radar that looks, and how well. */
export interface ViewOptions {
  frequencyGHz: number
  /** Temperature of the drops, degrees Celsius. */
  celsius: number
  /** Width of the beam between half powers, degrees. */
  beamWidthDeg: number
  /** Seeds drop sizes, and noise with the elevation: the same numbers give the same sweep. */
  seed: number
  /** Added to ZDR and to the phase. */
  zdrBiasDb: number
  systemPhaseDeg: number
  /** Standard deviations of one gate. */
  noise: { dbz: number; zdrDb: number; phaseDeg: number }
  /** Weakest reflectivity seen at 1 km, dBZ; it rises with the square of distance. */
  sensitivityDbz: number
  /** What the beam meets besides rain; without it there is rain alone, at all heights as at the ground. */
  scene?: Scene
}

/** As an X-band magnetron on a roof. */
export const USUAL_VIEW: ViewOptions = {
  frequencyGHz: 9.4,
  celsius: 12,
  beamWidthDeg: 1,
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

/** Rain at the ground, mm/h, by azimuth (degrees) and distance (m). */
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

const UNITS = {
  DBZH: 'dBZ',
  ZDR: 'dB',
  PHIDP: 'deg',
  RHOHV: '1',
  KDP: 'deg/km',
  VRADH: 'm/s',
  WRADH: 'm/s',
} as const
type Fields = Record<keyof typeof UNITS, Float32Array>

const RAD = Math.PI / 180
/** Rain that no radar sees, mm/h. */
const LEAST_MM_H = 1e-3

/** What was measured, and what was there, `[ray * nbins + bin]`. */
export interface SeenSweep {
  sweep: RadarSweep
  /** Rain at the ground below each gate, mm/h. */
  truthMmH: Float32Array
  /** What rain took from the wave there and back, dB. */
  lostDb: Float32Array
}

/**
 * One turn of the antenna through rain: drop sizes are drawn for each patch of some 2 km, their moments summed along the
 * beam, attenuated, and measured with the radar's noise, bias and threshold.
 */
export function seenSweep(rainAt: RainAt, geometry: Geometry, options: ViewOptions = USUAL_VIEW): SeenSweep {
  const { nrays, nbins, rangeStepM, elevationDeg } = geometry
  const size = nrays * nbins
  const fields = Object.fromEntries(
    Object.keys(UNITS).map((name) => [name, new Float32Array(size).fill(Number.NaN)]),
  ) as Fields
  const [truthMmH, lostDb] = [new Float32Array(size), new Float32Array(size)]
  const { scene, beamWidthDeg } = options
  const layers = Array.from({ length: nbins }, (_, bin) =>
    scene ? beamLayer((bin + 0.5) * rangeStepM, elevationDeg, beamWidthDeg, scene.meltingM) : RAIN_ALONE,
  )
  const view: View = {
    geometry,
    options,
    layers,
    fields,
    truthMmH,
    lostDb,
    moments: momentTable(options.frequencyGHz, options.celsius),
    drops: new DropSizes(options.seed),
    next: numbers(options.seed * 7919 + Math.round(elevationDeg * 100)),
  }
  for (let ray = 0; ray < nrays; ray++) lookAlong(view, ray, rainAt)
  return {
    sweep: {
      ...geometry,
      rangeStartM: 0,
      azimuthDeg: Float64Array.from({ length: nrays }, (_, ray) => ((ray + 0.5) * 360) / nrays),
      moments: Object.fromEntries(
        Object.entries(fields).map(([name, values]): [string, RadarMoment] => [
          name,
          { unit: UNITS[name as keyof Fields], values },
        ]),
      ),
    },
    truthMmH,
    lostDb,
  }
}

const RAIN_ALONE: BeamLayer = { heightM: 0, snow: 0, band: 0, growth: () => 1 }

interface View {
  geometry: Geometry
  options: ViewOptions
  layers: readonly BeamLayer[]
  fields: Fields
  truthMmH: Float32Array
  lostDb: Float32Array
  moments: ReturnType<typeof momentTable>
  drops: DropSizes
  next: () => number
}

/** One ray: what falls in each gate, what is lost on the way, what is measured. */
function lookAlong(view: View, ray: number, rainAt: RainAt): void {
  const { geometry, options, layers, truthMmH, moments, drops } = view
  const { nrays, nbins, rangeStepM, elevationDeg } = geometry
  const { scene, beamWidthDeg } = options
  const azimuth = ((ray + 0.5) * 360) / nrays
  const along = Math.cos(elevationDeg * RAD)
  const [east, north] = [along * Math.sin(azimuth * RAD), along * Math.cos(azimuth * RAD)]
  const halfKm = rangeStepM / 2000
  const patch: Patch = { size: 1, mu: 0, tilt: 0 }
  let [lossH, lossV, phase] = [0, 0, options.systemPhaseDeg]
  for (let bin = 0; bin < nbins; bin++) {
    const k = ray * nbins + bin
    const range = (bin + 0.5) * rangeStepM
    const ground = rainAt(azimuth, range * along)
    truthMmH[k] = ground
    const echo: Echo = {
      h: Number.NEGATIVE_INFINITY,
      v: Number.NEGATIVE_INFINITY,
      phase,
      rho: 0,
      range,
      kdp: 0,
    }
    const gate =
      ground > LEAST_MM_H
        ? falling(layers[bin], ground, drops.at(range * east, range * north, patch), moments)
        : null
    if (gate) {
      // To the middle of the gate, there and back.
      lossH += 2 * halfKm * gate.ah
      lossV += 2 * halfKm * gate.av
      phase += 2 * halfKm * gate.kdp
      const hidden = scene
        ? 10 * Math.log10(passing(scene.obstacles, azimuth, range, elevationDeg, beamWidthDeg))
        : 0
      Object.assign(echo, {
        h: gate.h - lossH + hidden,
        v: gate.v - lossV + hidden,
        phase,
        rho: gate.rho,
        kdp: gate.kdp,
      })
    }
    const still = scene
      ? groundEcho(scene, range * east, range * north, elevationDeg)
      : Number.NEGATIVE_INFINITY
    const wind = scene ? scene.wind.eastMS * east + scene.wind.northMS * north : 0
    view.lostDb[k] = lossH
    measure(view, k, echo, { dbz: still, wind })
    if (gate) {
      lossH += 2 * halfKm * gate.ah
      lossV += 2 * halfKm * gate.av
      phase += 2 * halfKm * gate.kdp
    }
  }
}

/** What falls in a gate: reflectivities (dBZ), one-way losses (dB a km) and phase (degrees a km). */
interface Gate {
  h: number
  v: number
  ah: number
  av: number
  kdp: number
  rho: number
}

/** How much more melting snow takes from the wave than the rain it becomes. */
const MELTING_LOSS = 1.5
const SNOW_ZDR_DB = 0.25
const BAND_ZDR_DB = 0.9
const BAND_RHO = 0.11

function falling(
  { heightM, snow, band, growth }: BeamLayer,
  groundMmH: number,
  patch: Patch,
  moments: View['moments'],
): Gate | null {
  const rate = groundMmH * growth(groundMmH) * Math.exp((patch.tilt * heightM) / 1000)
  if (rate < LEAST_MM_H) return null
  const one = moments(rate, patch)
  const still = 1 - convectiveShare(groundMmH)
  const rain = 10 * Math.log10(one.zh * rate)
  const zdr = 10 * Math.log10(one.zh / one.zv)
  const h = rain + still * (BAND_DB * band - SNOW_DB * snow)
  const take = (1 - snow) * (1 + MELTING_LOSS * band) * rate
  return {
    h,
    v: h - ((1 - snow) * zdr + snow * SNOW_ZDR_DB + band * still * BAND_ZDR_DB),
    ah: one.ah * take,
    av: one.av * take,
    kdp: one.kdp * (1 - snow) * (1 + 0.5 * band) * rate,
    rho: 0.995 - BAND_RHO * band * still,
  }
}

/** What comes back from a gate before it is measured; -Infinity of nothing. */
interface Echo {
  h: number
  v: number
  phase: number
  rho: number
  range: number
  kdp: number
}

const STILL_ROUGH_DB = 7
const FALL_SPREAD_MS = 0.4
/** Slope of the phase as the instrument itself takes it, over so few gates that it is mostly noise, degrees a km. */
const OWN_KDP_NOISE = 1.2

/** @param still echo of the ground, dBZ, and the wind along the ray, m/s */
function measure(view: View, k: number, echo: Echo, still: { dbz: number; wind: number }): void {
  const { fields, next } = view
  const { noise, sensitivityDbz, zdrBiasDb } = view.options
  const least = sensitivityDbz + 20 * Math.log10(echo.range / 1000)
  const [a, b, c, d] = [gauss(next), gauss(next), gauss(next), next()]
  const ground = still.dbz > least ? still.dbz + STILL_ROUGH_DB * gauss(next) : Number.NEGATIVE_INFINITY
  const { h, v } = echo
  if (ground > h - 3) {
    measureGround(view, k, ground, h)
    return
  }
  if (h < least || v < least) {
    fields.DBZH[k] = Number.NEGATIVE_INFINITY
    return
  }
  // Near the threshold what is measured is partly noise.
  const weak = 1 + 3 * Math.exp(-(h - least) / 5)
  const mixed = 10 ** ((ground - h) / 10)
  fields.DBZH[k] = h + 10 * Math.log10(1 + mixed) + noise.dbz * a
  fields.ZDR[k] = h - v + zdrBiasDb + noise.zdrDb * weak * b
  fields.PHIDP[k] = onCircle(echo.phase + noise.phaseDeg * weak * c)
  fields.RHOHV[k] = Math.max(0, echo.rho - 0.01 * weak * d - 0.4 * mixed)
  fields.KDP[k] = echo.kdp + OWN_KDP_NOISE * weak * gauss(next)
  fields.VRADH[k] = still.wind + FALL_SPREAD_MS * gauss(next)
  fields.WRADH[k] = 0.8 + 0.2 * Math.abs(gauss(next))
}

/** A gate whose echo is mostly that of the ground. */
function measureGround({ fields, next }: View, k: number, ground: number, weather: number): void {
  fields.DBZH[k] = 10 * Math.log10(10 ** (ground / 10) + 10 ** (weather / 10))
  fields.ZDR[k] = 3 * gauss(next)
  fields.PHIDP[k] = onCircle(360 * next())
  fields.RHOHV[k] = 0.35 + 0.45 * next()
  fields.KDP[k] = 5 * gauss(next)
  fields.VRADH[k] = 0.1 * gauss(next)
  fields.WRADH[k] = 0.2 + 0.1 * next()
}

const onCircle = (degrees: number): number => (((degrees % 360) + 540) % 360) - 180
