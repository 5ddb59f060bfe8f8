import type { RadarVolume } from '@radx/contracts/radar-volume'
import type { Site } from '@radx/contracts/site'
import { type Geometry, type RainAt, seenSweep, USUAL_VIEW } from './radar-view.ts'
import type { Scene } from './scene.ts'

/** Elevations of a volume, degrees, lowest first. */
export const ELEVATIONS_DEG = [0.8, 1.7, 3, 6]
/** Time of one turn. */
const TURN_MS = 15_000

export interface VolumeOptions {
  site: Pick<Site, 'radar'>
  instantMs: number
  rainAt: RainAt
  scene: Scene
  celsius: number
  /** Of drop sizes and noise. */
  seed: number
  /** @default 360 rays of 200 gates of 300 m */
  geometry?: Pick<Geometry, 'nrays' | 'nbins' | 'rangeStepM'>
}

/** Of the demonstration's volumes. */
export const VOLUME_GEOMETRY = { nrays: 360, nbins: 200, rangeStepM: 300 }
const LIGHT_GHZ_M = 0.299792458

/** A volume, and what rain took from the wave there and back in each sweep, dB. */
export interface SeenVolume {
  volume: RadarVolume
  lostDb: Float32Array[]
}

/** A volume as the site's radar would see it. */
export function seenVolume(options: VolumeOptions): SeenVolume {
  const { site, instantMs, rainAt, scene, celsius, seed, geometry = VOLUME_GEOMETRY } = options
  const { name, position, altitudeM, wavelengthM, beamwidthDeg } = site.radar
  const seen = ELEVATIONS_DEG.map((elevationDeg, turn) => {
    const datetime = new Date(instantMs + turn * TURN_MS).toISOString().replace('.000', '')
    const frequencyGHz = LIGHT_GHZ_M / wavelengthM
    return seenSweep(
      rainAt,
      { ...geometry, datetime, elevationDeg },
      { ...USUAL_VIEW, frequencyGHz, celsius, beamWidthDeg: beamwidthDeg, seed, scene },
    )
  })
  const volume: RadarVolume = {
    format: 'rainbow5',
    site: { name, lat: position.lat, lon: position.lng, altitudeM },
    wavelengthM,
    beamWidthDeg: beamwidthDeg,
    sweeps: seen.map(({ sweep }) => sweep),
    notes: [],
  }
  return { volume, lostDb: seen.map(({ lostDb }) => lostDb) }
}
