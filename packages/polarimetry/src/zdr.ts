import type { RadarSweep } from '@radx/contracts/radar-volume'
import type { Band } from './bands.ts'
import { median, systemPhase, wrapped } from './phase.ts'

/** How far a volume's ZDR lies from that of light rain. */
export interface ZdrBias {
  /** dB, to be taken off. */
  biasDb: number
  /** Gates of light rain that it was found from. */
  gates: number
}

const FIRST_DBZ = 20
const STEP_DBZ = 2
/** Gates a class of reflectivity, and classes, without which nothing is said. */
const MIN_GATES = 100
const MIN_CLASSES = 3

/**
 * Bias of ZDR from light rain: median of each class of 2 dBZ around 20 to 30 dBZ less what rain of that reflectivity
 * has, averaged over the classes (Ryzhkov and Zrnic 2019, p. 155-156). Counted are gates of RHOHV above 0.98 where the
 * phase has risen by less than 10 degrees (there is little differential attenuation before them), below 20 degrees of
 * elevation, from 1 km of the radar to 1.5 km above it (higher up snow may melt). Null where they are too few.
 */
export function zdrBias(sweeps: readonly RadarSweep[], { zdrOfRain }: Band): ZdrBias | null {
  const classes = zdrOfRain.map((): number[] => [])
  for (const sweep of sweeps) collect(sweep, classes)
  const known = classes.flatMap((values, i) =>
    values.length >= MIN_GATES ? [{ gates: values.length, off: median(values) - zdrOfRain[i] }] : [],
  )
  if (known.length < MIN_CLASSES) return null
  return {
    biasDb: known.reduce((sum, { off }) => sum + off, 0) / known.length,
    gates: known.reduce((sum, { gates }) => sum + gates, 0),
  }
}

/**
 * Mean ZDR of all echoes (where RHOHV is above 0.9, if it is there), dB; null for fewer than 100 gates. One well below
 * 0 tells that ZDR is not calibrated, also where light rain is missing.
 */
export function meanZdr(sweeps: readonly RadarSweep[]): number | null {
  let sum = 0
  let count = 0
  for (const { moments } of sweeps) {
    const z = (moments.DBZH ?? moments.TH)?.values
    const rho = moments.RHOHV?.values
    moments.ZDR?.values.forEach((value, k) => {
      if (!(Number.isFinite(value) && Number.isFinite(z?.[k]) && (!rho || rho[k] > 0.9))) return
      sum += value
      count++
    })
  }
  return count < MIN_GATES ? null : sum / count
}

function collect(sweep: RadarSweep, classes: number[][]): void {
  const { moments, nbins, elevationDeg, rangeStartM, rangeStepM } = sweep
  const z = (moments.DBZH ?? moments.TH)?.values
  const zdr = moments.ZDR?.values
  const rho = moments.RHOHV?.values
  if (!z || !zdr || !rho || elevationDeg < 0 || elevationDeg > 20) return
  const phase = moments.PHIDP?.values
  const system = phase
    ? systemPhase(phase, nbins, 10, (k) => (rho[k] > 0.9 ? wrapped(phase[k]) : Number.NaN))
    : Number.NaN
  const from = Math.ceil((1000 - rangeStartM) / rangeStepM)
  const highest = 1500 / Math.sin((Math.max(elevationDeg, 0.1) * Math.PI) / 180)
  const to = Math.min(nbins, Math.floor((highest - rangeStartM) / rangeStepM))
  for (let start = 0; start + nbins <= z.length; start += nbins)
    for (let k = start + Math.max(0, from); k < start + to; k++) {
      const i = Math.floor((z[k] - FIRST_DBZ) / STEP_DBZ + 0.5)
      if (!(i >= 0 && i < classes.length && rho[k] > 0.98 && Number.isFinite(zdr[k]))) continue
      const rise = phase && Number.isFinite(system) ? wrapped(phase[k] - system) : 0
      if (Math.abs(rise) < 10) classes[i].push(zdr[k])
    }
}
