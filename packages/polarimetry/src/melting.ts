import type { RadarSweep } from '@radx/contracts/radar-volume'
import { beamHeight } from '@radx/rainfall/polar'
import { median } from './phase.ts'

/** The layer in which snow melts, heights above sea level, m. */
export interface MeltingLayer {
  bottomM: number
  topM: number
  source: 'volume' | 'temperature' | 'freezing-level' | 'micro-rain-radar'
}

const BIN_M = 100
const MIN_GATES = 40
/** A layer thinner or thicker than this is none, m. */
const THICKNESS_M = [150, 1200] as const
/** Of the mean atmosphere, degrees a m. */
const LAPSE = 0.0065
/** Snow needs some 500 m below 0 degrees to melt. */
const MELTING_M = 500

/**
 * Finds the melting layer in a volume by the dip of correlation with height (after Giangrande et al. 2008, J. Appl.
 * Meteor. Climatol. 47, 1354-1364): medians of 100 m of RHOHV at 4 to 40 degrees of elevation, where the echo is 10 dBZ
 * and more. The layer lies where it is below 0.965 between rain of 0.98 and more below and snow above.
 * @param altitudeM of the antenna above sea level
 * @returns null where no such layer shows
 */
export function meltingLayerOf(sweeps: readonly RadarSweep[], altitudeM: number): MeltingLayer | null {
  const bins: number[][] = []
  for (const { moments, nbins, elevationDeg, rangeStartM, rangeStepM } of sweeps) {
    const z = (moments.DBZH ?? moments.TH)?.values
    const rho = moments.RHOHV?.values
    if (!z || !rho || elevationDeg < 4 || elevationDeg > 40) continue
    // Where the beam is wider than the layer the dip is smeared.
    const last = Math.min(nbins, Math.floor((25_000 - rangeStartM) / rangeStepM))
    for (let bin = 0; bin < last; bin++) {
      const height = beamHeight(rangeStartM + (bin + 0.5) * rangeStepM, elevationDeg)
      const at = Math.floor(height / BIN_M)
      if (at < 2) continue
      bins[at] ??= []
      for (let k = bin; k < z.length; k += nbins) if (z[k] >= 10 && rho[k] > 0.6) bins[at].push(rho[k])
    }
  }
  const profile = Array.from(bins, (values) =>
    values && values.length >= MIN_GATES ? median(values) : Number.NaN,
  )
  const dip = deepestDip(profile)
  return (
    dip && { bottomM: altitudeM + dip[0] * BIN_M, topM: altitudeM + (dip[1] + 1) * BIN_M, source: 'volume' }
  )
}

/** First and last bin of the dip whose lowest value is lowest, with clear rain below it and clear snow above. */
function deepestDip(profile: readonly number[]): [number, number] | null {
  let best: [number, number] | null = null
  let lowest = 0.965
  for (let at = 0; at < profile.length; at++) {
    if (!(profile[at] < lowest)) continue
    let from = at
    while (from > 0 && profile[from - 1] < 0.975) from--
    let to = at
    while (to + 1 < profile.length && profile[to + 1] < 0.975) to++
    const thickness = (to - from + 1) * BIN_M
    const below = from > 0 && profile[from - 1] >= 0.975
    const above = profile[to + 1] >= 0.97
    if (!below || !above || thickness < THICKNESS_M[0] || thickness > THICKNESS_M[1]) continue
    best = [from, to]
    lowest = profile[at]
  }
  return best
}

/** From the height of 0 degrees above sea level, m. */
export const meltingLayerFromFreezingLevel = (freezingM: number): MeltingLayer => ({
  bottomM: freezingM - MELTING_M,
  topM: freezingM,
  source: 'freezing-level',
})

/**
 * From a thermometer, by the mean atmosphere's lapse of 6.5 degrees a km.
 * @param altitudeM of the thermometer above sea level
 */
export function meltingLayerFromTemperature(celsius: number, altitudeM: number): MeltingLayer {
  const freezingM = altitudeM + celsius / LAPSE
  return { ...meltingLayerFromFreezingLevel(freezingM), source: 'temperature' }
}

/**
 * From the fall velocity that a vertically pointing radar sees: snow falls at 1 to 2 m/s, the rain it becomes at 4 to 8. The layer lies
 * around the steepest rise downwards, between the heights where the velocity is 20 and 80 % of the way.
 * @param heightsM above sea level, rising
 * @param velocityMS downwards positive, NaN where there is no echo
 * @returns null where nothing rises by 2.5 m/s within 800 m
 */
export function meltingLayerFromVelocity(
  heightsM: ArrayLike<number>,
  velocityMS: ArrayLike<number>,
): MeltingLayer | null {
  let best = 2.5
  let found: MeltingLayer | null = null
  for (let low = 0; low < heightsM.length; low++)
    for (let high = low + 1; high < heightsM.length && heightsM[high] - heightsM[low] <= 800; high++) {
      const rise = velocityMS[low] - velocityMS[high]
      if (!(rise > best * (1 + 1e-9) && velocityMS[high] < 3)) continue
      best = rise
      const crossing = (share: number): number => {
        const aim = velocityMS[high] + share * rise
        for (let k = low; k < high; k++)
          if (velocityMS[k] >= aim && velocityMS[k + 1] < aim)
            return (
              heightsM[k] +
              ((velocityMS[k] - aim) / (velocityMS[k] - velocityMS[k + 1])) * (heightsM[k + 1] - heightsM[k])
            )
        return share > 0.5 ? heightsM[low] : heightsM[high]
      }
      found = { bottomM: crossing(0.8), topM: crossing(0.2), source: 'micro-rain-radar' }
    }
  return found
}

/** Temperature of a height above sea level by a melting layer whose top is at 0 degrees, degrees Celsius. */
export const temperatureAt = ({ topM }: MeltingLayer, heightM: number): number => (topM - heightM) * LAPSE
