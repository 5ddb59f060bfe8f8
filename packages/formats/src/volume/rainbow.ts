import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { type RainbowSweep, type RainbowVolume, readRainbowVolume } from '../rainbow5/volume.ts'
import { momentNames, unitOf } from './moments.ts'
import { inOrder } from './rays.ts'

/** Whether bytes look like the XML that a Rainbow 5 file begins with. */
export const isRainbow = (bytes: Uint8Array): boolean =>
  /^\s*</.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))

/** @throws FormatError `rainbow5.*` */
export const readRainbow = (bytes: Uint8Array): RadarVolume => fromRainbow(readRainbowVolume(bytes))

/** A Rainbow 5 volume, as a rule of one moment, in the common model. */
export function fromRainbow({ sensor, sweeps }: RainbowVolume): RadarVolume {
  const notes: string[] = []
  const names = momentNames([...new Set(sweeps.map(({ quantity }) => quantity))])
  const joined: RadarSweep[] = []
  const byAngles = new Map<string, RadarSweep>()
  for (const sweep of sweeps) {
    const moment = names.get(sweep.quantity)!
    const { azimuthDeg, ...rest } = polar(sweep, moment)
    const key = `${sweep.elevationDeg} ${sweep.datetime} ${sweep.nrays} ${sweep.nbins}`
    const ordered = inOrder({ azimuthDeg, ...rest }, notes)
    const same = byAngles.get(key)
    if (same && !same.moments[moment]) same.moments[moment] = ordered.moments[moment]
    else {
      byAngles.set(key, ordered)
      joined.push(ordered)
    }
  }
  return {
    format: 'rainbow5',
    site: { name: sensor.name || sensor.id, lat: sensor.lat, lon: sensor.lon, altitudeM: sensor.altitudeM },
    wavelengthM: sensor.wavelengthM,
    beamWidthDeg: sensor.beamwidthDeg,
    sweeps: joined,
    notes,
  }
}

function polar(sweep: RainbowSweep, moment: string): RadarSweep {
  const { datetime, elevationDeg, nrays, nbins, rangeStartM, rangeStepM, noiseDbz, values } = sweep
  return {
    datetime,
    elevationDeg,
    nrays,
    nbins,
    azimuthDeg: sweep.azimuthStartDeg.map((start, ray) => middle(start, sweep.azimuthStopDeg[ray])),
    rangeStartM,
    rangeStepM,
    ...(noiseDbz !== null && { noiseDbz }),
    moments: { [moment]: { unit: unitOf(moment), values } },
  }
}

/** Middle of two directions less than half a turn apart, [0, 360). */
export function middle(start: number, stop: number): number {
  const turn = ((((stop - start) % 360) + 540) % 360) - 180
  return (((start + turn / 2) % 360) + 360) % 360
}
