import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { tuningNote, tuningOf } from '@radx/polarimetry/bands'
import { rainOfVolume } from '@radx/polarimetry/rain-chain'
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
}

/** Sweeps above it look over the rain of a product; the melting layer is looked for in them all the same. */
const HIGHEST_DEG = 10
/** So many of the lowest sweeps are put together. */
const MAX_SWEEPS = 4

/**
 * Takes a volume through the chain of polarimetry onto a grid: each cell has the gate above it of the best quality among
 * the lowest sweeps. A radar whose wavelength is not known is not corrected for attenuation.
 * @param cells of the grid as the radar sees them
 * @returns null where no sweep has reflectivity
 */
export function groundRain(volume: RadarVolume, place: RadarPlace, cells: PolarCells): GroundRain | null {
  const usable = volume.sweeps.filter(({ moments }) => moments.DBZH ?? moments.TH)
  if (usable.length === 0) return null
  const tuning = tuningOf(volume.wavelengthM)
  const { sweeps, notes } = rainOfVolume(
    { ...volume, sweeps: usable },
    { tuning, ...(volume.beamWidthDeg && { beamWidthDeg: volume.beamWidthDeg }) },
  )
  const low = sweeps
    .filter(({ sweep }) => sweep.elevationDeg <= HIGHEST_DEG)
    .sort((a, b) => a.sweep.elevationDeg - b.sweep.elevationDeg)
    .slice(0, MAX_SWEEPS)
  const chosen = low.length > 0 ? low : sweeps.slice(0, 1)
  const rateMmH = new Float32Array(cells.groundM.length).fill(Number.NaN)
  const quality = new Float32Array(cells.groundM.length).fill(Number.NaN)
  for (const made of chosen) {
    const gates = gatesOfCells(polarSweep(made.sweep), place, cells)
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
    notes: [...volume.notes, tuningNote(tuning, volume.wavelengthM), ...notes],
  }
}

/** The geometry of a sweep whose rays meet half-way between their middles. */
function polarSweep({ azimuthDeg, moments, ...sweep }: RadarSweep): PolarSweep {
  const half = 180 / Math.max(1, sweep.nrays)
  return {
    ...sweep,
    azimuthStartDeg: azimuthDeg.map((azimuth) => (azimuth - half + 360) % 360),
    azimuthStopDeg: azimuthDeg.map((azimuth) => (azimuth + half) % 360),
    values: (moments.DBZH ?? moments.TH)!.values,
  }
}
