import type { RadarSweep } from '@radx/contracts/radar-volume'
import { gateHeights } from './geometry.ts'
import type { MeltingLayer } from './melting.ts'
import { median } from './phase.ts'

/** How reflectivity changes with height, against rain below the melting layer. */
export interface VerticalProfile {
  /** dB to take off at each `stepM` above sea level, from 0 on; 0 below the layer. */
  offsetDb: Float64Array
  stepM: number
  source: 'volume' | 'climate'
}

const STEP_M = 200
const BINS = 75
const MIN_GATES = 60
/** dB within which a measured profile is believed. */
const BOUNDS = [-20, 8] as const
/** Above the layer reflectivity falls by this, and within it rises by this at most (Koistinen et al. 2003). */
const ABOVE_DB_M = -0.0045
const PEAK_DB = 5

/**
 * The profile of a volume: medians of 200 m of reflectivity from 5 to 30 km against the median of the 600 m below the
 * layer, where a bin has 60 gates and more; else that of the climate: 5 dB more in the middle of the layer, 4.5 dB less a
 * km above it.
 * @param dbz corrected reflectivity of each sweep, dBZ
 * @param altitudeM of the antenna above sea level
 */
export function verticalProfile(
  sweeps: readonly { sweep: RadarSweep; dbz: ArrayLike<number> }[],
  layer: MeltingLayer,
  altitudeM: number,
): VerticalProfile {
  const bins: number[][] = Array.from({ length: BINS }, () => [])
  for (const { sweep, dbz } of sweeps) {
    const { nbins, rangeStartM, rangeStepM, elevationDeg } = sweep
    if (elevationDeg < 2 || elevationDeg > 40) continue
    const heights = gateHeights(sweep)
    const from = Math.max(0, Math.ceil((5_000 - rangeStartM) / rangeStepM))
    const to = Math.min(nbins, Math.floor((30_000 - rangeStartM) / rangeStepM))
    for (let bin = from; bin < to; bin++) {
      const into = bins[Math.floor((altitudeM + heights[bin]) / STEP_M)]
      if (into) for (let k = bin; k < dbz.length; k += nbins) if (dbz[k] > 5) into.push(dbz[k])
    }
  }
  const below = bins.filter((_, at) => {
    const height = (at + 0.5) * STEP_M
    return height < layer.bottomM && height > layer.bottomM - 600
  })
  const reference = below.flat()
  const climate = climateProfile(layer)
  if (reference.length < MIN_GATES) return { offsetDb: climate, stepM: STEP_M, source: 'climate' }
  const base = median(reference)
  let known = 0
  const offsetDb = climate.map((usual, at) => {
    if (usual === 0 || bins[at].length < MIN_GATES) return usual
    known++
    return Math.min(BOUNDS[1], Math.max(BOUNDS[0], median(bins[at]) - base))
  })
  return { offsetDb, stepM: STEP_M, source: known > 0 ? 'volume' : 'climate' }
}

function climateProfile({ bottomM, topM }: MeltingLayer): Float64Array {
  return Float64Array.from({ length: BINS }, (_, at) => {
    const height = (at + 0.5) * STEP_M
    if (height <= bottomM) return 0
    if (height >= topM) return Math.max(BOUNDS[0], ABOVE_DB_M * (height - topM))
    return PEAK_DB * Math.sin((Math.PI * (height - bottomM)) / (topM - bottomM))
  })
}

/** What to take off at a height above sea level, dB. */
export function profileOffset({ offsetDb, stepM }: VerticalProfile, heightM: number): number {
  const at = Math.min(offsetDb.length - 1.001, Math.max(0, heightM / stepM - 0.5))
  const low = Math.floor(at)
  return offsetDb[low] + (at - low) * (offsetDb[low + 1] - offsetDb[low])
}
