import { depthQuantiles, exceedance, quantiles, reached } from '@radx/hydrology/ensemble/spread'
import type { MemberCourse } from './engine.ts'

/** Depths whose probability is told, mm. */
export const FORECAST_DEPTHS_MM = [50, 200, 500] as const
/** Quantiles that are told. */
export const FORECAST_SHARES = [0.1, 0.5, 0.9] as const
/** A node that gives back more than this overflows, m3. */
const OVERFLOW_M3 = 0.01

/** How the members spread at a moment. Arrays of shares are by `FORECAST_SHARES`, those of depths by `FORECAST_DEPTHS_MM`. */
export interface ForecastMoment {
  /** s since the start of the run. */
  timeS: number
  /** By cell: share of the members with more water than each depth, whole %, 255 outside the model. */
  exceedance: Uint8Array[]
  /** By cell, whole mm, 65535 outside the model. */
  depthMm: Uint16Array[]
  nodes: {
    headM: Float32Array[]
    /** What nodes gave back since the moment before, m3, and the share of the members in which they did at all, whole %. */
    overflowM3: Float32Array[]
    overflows: Uint8Array
  }
  links: {
    /** Largest filling since the moment before, and the share of the members in which they ran full, whole %. */
    filling: Float32Array[]
    full: Uint8Array
  }
}

/**
 * Quantiles and probabilities of members that were looked at at the same moments. Of 21 members of 161,000 cells at 24 moments
 * depths are 160 MB.
 *
 * @throws RangeError without members, or for members of different moments
 */
export function forecastOf(members: readonly MemberCourse[]): ForecastMoment[] {
  const times = members[0]?.timesS
  if (!times || members.some(({ timesS }) => timesS.join() !== times.join()))
    throw new RangeError('members of the same moments, at least one')
  return times.map((timeS, k) => {
    const depths = members.map(({ depthsMm }) => depthsMm[k])
    const overflows = members.map(({ overflowsM3 }) => overflowsM3[k])
    const fillings = members.map((member) => member.fillings[k])
    return {
      timeS,
      exceedance: FORECAST_DEPTHS_MM.map((depth) => exceedance(depths, depth)),
      depthMm: depthQuantiles(depths, FORECAST_SHARES),
      nodes: {
        headM: quantiles(
          members.map(({ headsM }) => headsM[k]),
          FORECAST_SHARES,
        ),
        overflowM3: quantiles(overflows, FORECAST_SHARES),
        overflows: reached(overflows, OVERFLOW_M3),
      },
      links: { filling: quantiles(fillings, FORECAST_SHARES), full: reached(fillings, 1) },
    }
  })
}
