import type { RunoffGage } from '@radx/contracts/runoff'

/** Rain of a gage as the clock goes on. */
export interface Gage {
  /** Rate at a moment not before the last one asked for, m/s. */
  rateAt(timeS: number): number
  /** When the rate changes next after a moment, s; Infinity when never. */
  nextChange(timeS: number): number
}

/** Moments closer than this are one: the file's clock counts seconds. */
const SAME_S = 1e-3

/**
 * Each value holds for the recording interval from its start, even where the next one begins before its end; between
 * them there is no rain (as in EPA SWMM's gage.c).
 */
export function createGage({ intervalS, startsS, rates }: RunoffGage): Gage {
  let k = 0
  let end = startsS.length > 0 ? startsS[0] + intervalS : -Infinity
  /** Moves to the value in force at a moment. */
  const moveTo = (timeS: number) => {
    while (timeS >= end && k + 1 < startsS.length && timeS >= startsS[k + 1]) {
      k++
      end = startsS[k] + intervalS
    }
  }
  return {
    rateAt(timeS) {
      if (startsS.length === 0) return 0
      moveTo(timeS + SAME_S)
      return timeS + SAME_S >= startsS[k] && timeS + SAME_S < end ? rates[k] : 0
    },
    nextChange(timeS) {
      if (startsS.length === 0) return Infinity
      moveTo(timeS + SAME_S)
      if (timeS + SAME_S < startsS[k]) return startsS[k]
      if (timeS + SAME_S < end) return end
      return k + 1 < startsS.length ? startsS[k + 1] : Infinity
    },
  }
}
