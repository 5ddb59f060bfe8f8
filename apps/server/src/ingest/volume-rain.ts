import type { Site, SitePolarimetry } from '@radx/contracts'
import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { tunedAs, tuningNote, tuningOf } from '@radx/polarimetry/bands'
import { horizonBlockage } from '@radx/polarimetry/blockage'
import type { MeltingLayer } from '@radx/polarimetry/melting'
import { rainOfVolume, type VolumeRain } from '@radx/polarimetry/rain-chain'
import { gatesOfCells, type PolarCells, type PolarSweep, type RadarPlace } from '@radx/rainfall/polar'

/** Rain of a volume at the ground, `[row * steps + col]`, row 0 north. */
export interface GroundRain {
  /** Begin of the lowest sweep, ISO 8601. */
  datetime: string
  /** mm/h, NaN no data. */
  rateMmH: Float32Array
  /** 0 to 1, NaN where there is no rate. */
  quality: Float32Array
  /** What was recognised, in French. */
  notes: string[]
  /** Where snow melts, by the volume or by what was known of it; null where neither tells. */
  melting: MeltingLayer | null
}

/** A radar; what a volume of it does not say is taken from here. */
export interface KnownRadar {
  lat: number
  lng: number
  altitudeM: number
  wavelengthM?: number
  beamwidthDeg?: number
}

/** The site's own radar. */
export function radarOfSite({ radar }: Pick<Site, 'radar'>): KnownRadar {
  const { position, altitudeM, wavelengthM, beamwidthDeg } = radar
  return { ...position, altitudeM, wavelengthM, beamwidthDeg }
}

/** A volume with its place, and with what is known of the radar where its file does not say it. */
export interface PlacedVolume extends RadarVolume {
  site: RadarVolume['site'] & RadarPlace
  /** It is of the site's own radar: what hides the beam there is known. */
  isOwn: boolean
}

/** Completes what the file of a volume does not say by what the site knows of its own radar. */
export function placedVolume(volume: RadarVolume, radar: KnownRadar): PlacedVolume {
  const { site } = volume
  const place = {
    lat: site.lat ?? radar.lat,
    lon: site.lon ?? radar.lng,
    altitudeM: site.altitudeM ?? radar.altitudeM,
  }
  const isOwn = Math.abs(place.lat - radar.lat) < 0.01 && Math.abs(place.lon - radar.lng) < 0.01
  return {
    ...volume,
    isOwn,
    wavelengthM: volume.wavelengthM ?? (isOwn ? (radar.wavelengthM ?? null) : null),
    beamWidthDeg: volume.beamWidthDeg ?? (isOwn ? (radar.beamwidthDeg ?? null) : null),
    site: { ...site, ...place },
  }
}

/**
 * Takes a volume through the chain of polarimetry with the settings of a site. A radar whose wavelength is not known is not
 * corrected for attenuation.
 * @param meltingElse what other instruments know of the melting layer, for a volume that shows none
 * @returns null where no sweep has reflectivity
 */
export function chainOfVolume(
  volume: PlacedVolume,
  settings: SitePolarimetry,
  meltingElse: MeltingLayer | null = null,
): VolumeRain | null {
  const usable = volume.sweeps.filter(({ moments }) => moments.DBZH ?? moments.TH)
  if (usable.length === 0) return null
  const beamWidthDeg = volume.beamWidthDeg ?? 1
  const tuning = tunedAs(tuningOf(volume.wavelengthM), settings)
  const made = rainOfVolume(
    { ...volume, sweeps: usable },
    {
      tuning,
      meltingElse,
      noPhase: settings.noPhase,
      beamWidthDeg,
      blockage: (sweep) => horizonBlockage(sweep, volume.isOwn ? settings.horizon : [], beamWidthDeg),
    },
  )
  return { ...made, notes: [...volume.notes, tuningNote(tuning, volume.wavelengthM), ...made.notes] }
}

/**
 * Takes a volume through the chain of polarimetry onto a grid: each cell has the gate above it of the best quality among
 * the lowest sweeps; higher ones look over the rain, while the melting layer is looked for in them all the same.
 * @param cells of the grid as the radar sees them
 * @returns null where no sweep has reflectivity
 */
export function groundRain(
  volume: PlacedVolume,
  cells: PolarCells,
  settings: SitePolarimetry,
  meltingElse: MeltingLayer | null = null,
): GroundRain | null {
  const made = chainOfVolume(volume, settings, meltingElse)
  if (!made) return null
  const { sweeps, notes, melting } = made
  const low = sweeps
    .filter(({ sweep }) => sweep.elevationDeg <= settings.highestDeg)
    .sort((a, b) => a.sweep.elevationDeg - b.sweep.elevationDeg)
    .slice(0, settings.sweeps)
  const chosen = low.length > 0 ? low : sweeps.slice(0, 1)
  const rateMmH = new Float32Array(cells.groundM.length).fill(Number.NaN)
  const quality = new Float32Array(cells.groundM.length).fill(Number.NaN)
  for (const made of chosen) {
    const gates = gatesOfCells(polarSweep(made.sweep), volume.site, cells)
    for (let cell = 0; cell < gates.length; cell++) {
      const gate = gates[cell]
      if (gate < 0 || Number.isNaN(made.rate[gate]) || made.quality[gate] <= quality[cell]) continue
      rateMmH[cell] = made.rate[gate]
      quality[cell] = made.quality[gate]
    }
  }
  return {
    datetime: chosen[0].sweep.datetime,
    rateMmH,
    quality,
    notes,
    melting,
  }
}

/** The geometry of a sweep whose rays meet half-way between their middles. */
export function polarSweep({ azimuthDeg, moments, ...sweep }: RadarSweep): PolarSweep {
  const half = 180 / Math.max(1, sweep.nrays)
  return {
    ...sweep,
    azimuthStartDeg: azimuthDeg.map((azimuth) => (azimuth - half + 360) % 360),
    azimuthStopDeg: azimuthDeg.map((azimuth) => (azimuth + half) % 360),
    values: (moments.DBZH ?? moments.TH)!.values,
  }
}
