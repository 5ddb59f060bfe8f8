import type { Ground } from '../infiltration.ts'
import { BARE, type GroundArrays, HOLLOW, PERVIOUS } from './arrays.ts'

/** Which subcatchments have nothing to do but to dry, so that steps pass them by. */
export interface Rest {
  /** How many of `arrays.pairs` the step moves. */
  readonly awake: number
  readonly resting: Uint8Array
  /** Finds who rests in the step that begins, by the rain of each gage and what could evaporate, m/s. */
  begin(timeS: number, rates: ArrayLike<number>, evaporation: number): void
  /** Someone who rests may have been given water, or what holds for the month has changed. */
  ask(): void
  /** Brings who rests up to a moment. */
  settle(subcatchment: number, timeS: number): void
  settleAll(timeS: number): void
  /** What evaporates at a moment from a subcatchment that rests, m3/s. */
  evaporates(subcatchment: number, timeS: number): number
}

/**
 * Ground without rain and inflow, with water in hollows at most, needs no steps: hollows lose what evaporates, evenly, and soil
 * dries in one step of any length as in many (each law is closed in time). Two lie in a pair, as the compiled loops take them;
 * a pair rests when both do.
 * @param gageOf gage by subcatchment, -1 for none
 * @param canRest 0 for those with measures, which have something to do always
 */
export function createRest(
  arrays: GroundArrays,
  grounds: readonly Pick<Ground, 'take'>[],
  gageOf: Int32Array,
  canRest: Uint8Array,
  pending: Float64Array,
): Rest {
  const { count, stride, pairs, depth, store, m2, passRate, runonRate } = arrays
  const resting = new Uint8Array(stride)
  const sinceS = new Float64Array(stride)
  const rained = new Uint8Array(1 + Math.max(-1, ...gageOf))
  let evaporation = 0
  let asked = true
  let awake = 0

  function isIdle(i: number, rates: ArrayLike<number>): boolean {
    if (i >= count) return true
    if (canRest[i] === 0 || (gageOf[i] >= 0 && rates[gageOf[i]] !== 0)) return false
    const hollow = HOLLOW * stride + i
    const pervious = PERVIOUS * stride + i
    return (
      depth[BARE * stride + i] === 0 &&
      depth[pervious] === 0 &&
      depth[hollow] <= store[hollow] &&
      passRate[pervious] === 0 &&
      passRate[hollow] === 0 &&
      runonRate[i] === 0 &&
      pending[i] === 0
    )
  }

  /** What a step without anything would leave. */
  function lieDown(i: number, timeS: number): void {
    resting[i] = 1
    sinceS[i] = timeS
    arrays.rain[i] = 0
    arrays.evaporatedM3[i] = 0
    arrays.infiltratedM3[i] = 0
    arrays.outM3[i] = 0
    arrays.flow[i] = 0
    arrays.usedM3[i] = 0
    arrays.onGround[i] = 0
  }

  function settle(i: number, timeS: number): void {
    const seconds = timeS - sinceS[i]
    if (resting[i] === 0 || !(seconds > 0)) return
    sinceS[i] = timeS
    if (i >= count) return
    if (m2[PERVIOUS * stride + i] > 0) grounds[i].take(seconds, 0, 0, 0)
    const hollow = HOLLOW * stride + i
    const lost = Math.min(depth[hollow], evaporation * seconds)
    if (!(lost > 0)) return
    depth[hollow] -= lost
    arrays.evaporationM3[i] += lost * m2[hollow]
  }

  function settleAll(timeS: number): void {
    for (let i = 0; i < count; i++) settle(i, timeS)
  }

  function getUp(i: number, timeS: number): void {
    settle(i, timeS)
    resting[i] = 0
  }

  /** Looks at a pair. @returns whether it is awake */
  function look(i: number, timeS: number, rates: ArrayLike<number>): boolean {
    if (isIdle(i, rates) && isIdle(i + 1, rates)) {
      if (resting[i] === 0) {
        lieDown(i, timeS)
        lieDown(i + 1, timeS)
      }
      return false
    }
    if (resting[i] === 1) {
      getUp(i, timeS)
      getUp(i + 1, timeS)
    }
    return true
  }

  return {
    get awake() {
      return awake
    },
    resting,
    begin(timeS, rates, nowEvaporates) {
      if (nowEvaporates !== evaporation) {
        settleAll(timeS)
        evaporation = nowEvaporates
      }
      for (let g = 0; g < rained.length; g++) {
        const rains = rates[g] === 0 ? 0 : 1
        if (rains > rained[g]) asked = true
        rained[g] = rains
      }
      let kept = 0
      if (asked) {
        for (let p = 0; 2 * p < count; p++) if (look(2 * p, timeS, rates)) pairs[kept++] = p
      } else {
        for (let n = 0; n < awake; n++) {
          const p = pairs[n]
          if (look(2 * p, timeS, rates)) pairs[kept++] = p
        }
      }
      awake = kept
      asked = false
    },
    ask() {
      asked = true
    },
    settle,
    settleAll,
    evaporates(i, timeS) {
      const hollow = HOLLOW * stride + i
      const stands = depth[hollow] - evaporation * Math.max(0, timeS - sinceS[i]) > 0
      return stands ? evaporation * m2[hollow] : 0
    },
  }
}
