import type { VolumeSection } from '@radx/contracts/radar-volumes'
import { EARTH_RADIUS_M } from '@radx/rainfall/grid'
import { beamHeight, slantRange } from '@radx/rainfall/polar'
import { valueAt } from './lines.ts'

const RAD = Math.PI / 180
const EFFECTIVE_RADIUS_M = (4 / 3) * EARTH_RADIUS_M
/** Rain is seldom seen above this, m. */
const MOST_HEIGHT_M = 15_000
const LEAST_HEIGHT_M = 2000

type SectionSweep = VolumeSection['sweeps'][number]

/** Distance and height above the antenna to which a section is drawn. */
export function extentOf(sweeps: readonly SectionSweep[]): { reachM: number; topM: number } {
  const ends = sweeps.map(({ rangeStartM, rangeStepM, values, elevationDeg }) => {
    const rangeM = rangeStartM + rangeStepM * values.length
    return { rangeM, topM: beamHeight(rangeM, elevationDeg) }
  })
  const topM = Math.max(LEAST_HEIGHT_M, ...ends.map((end) => end.topM))
  return {
    reachM: Math.max(1000, ...ends.map(({ rangeM }) => rangeM)),
    topM: 1000 * Math.ceil(Math.min(MOST_HEIGHT_M, topM) / 1000),
  }
}

/** The beam that passes a place: by its elevation seen from the antenna, and the distance along it. */
export function beamTo(groundM: number, heightM: number): { elevationDeg: number; rangeM: number } {
  const angle = groundM / EFFECTIVE_RADIUS_M
  const across = (EFFECTIVE_RADIUS_M + heightM) * Math.sin(angle)
  const up = (EFFECTIVE_RADIUS_M + heightM) * Math.cos(angle) - EFFECTIVE_RADIUS_M
  return { elevationDeg: Math.atan2(up, across) / RAD, rangeM: Math.hypot(across, up) }
}

/** The value of the sweep whose beam holds a place; null between beams and where nothing was seen. */
export function sectionValue(
  sweeps: readonly SectionSweep[],
  beamWidthDeg: number,
  groundM: number,
  heightM: number,
): number | null {
  const { elevationDeg, rangeM } = beamTo(groundM, heightM)
  let best: SectionSweep | null = null
  let nearest = beamWidthDeg / 2
  for (const sweep of sweeps) {
    const off = Math.abs(sweep.elevationDeg - elevationDeg)
    if (off > nearest) continue
    nearest = off
    best = sweep
  }
  return best && valueAt(best, best.values, rangeM)
}

/** What each beam says above a place on the ground, lowest first. */
export function profileAbove(
  sweeps: readonly SectionSweep[],
  groundM: number,
): { elevationDeg: number; heightM: number; value: number | null }[] {
  return sweeps.flatMap((sweep) => {
    const rangeM = slantRange(groundM, sweep.elevationDeg, 0)
    if (!(rangeM <= sweep.rangeStartM + sweep.rangeStepM * sweep.values.length)) return []
    return [
      {
        elevationDeg: sweep.elevationDeg,
        heightM: beamHeight(rangeM, sweep.elevationDeg),
        value: valueAt(sweep, sweep.values, rangeM),
      },
    ]
  })
}
