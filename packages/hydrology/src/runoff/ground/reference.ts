import { DRY_RATE, ZERO } from '../constants.ts'
import { drain } from '../drainage.ts'
import { type GroundArrays, type GroundLoops, HOLLOW, PERVIOUS } from './arrays.ts'
import { handedOver } from './hand-over.ts'

/** What `assembly/runoff.ts` does, operation by operation. */
export function referenceLoops(arrays: GroundArrays): GroundLoops {
  const { count, pairs } = arrays
  const each = (from: number, to: number, move: (i: number) => void) => {
    for (let n = from; n < to; n++) {
      const i = 2 * pairs[n]
      move(i)
      if (i + 1 < count) move(i + 1)
    }
  }
  return {
    move(dt, from, to) {
      let runs = false
      each(from, to, (i) => {
        if (moveOne(arrays, i, dt) > DRY_RATE) runs = true
      })
      return runs
    },
    note: (dt, endS, from, to) => each(from, to, (i) => noteOne(arrays, i, dt, endS)),
  }
}

/** @returns rate at which water runs, before it is led on, m/s */
function moveOne(arrays: GroundArrays, i: number, dt: number): number {
  arrays.evaporatedM3[i] = 0
  arrays.infiltratedM3[i] = 0
  arrays.outM3[i] = 0
  arrays.flow[i] = 0
  if (!(arrays.groundM2[i] > 0)) return 0
  for (let k = 0; k < 3; k++) moveGround(arrays, i, k, dt)
  return route(arrays, i, dt)
}

function moveGround(arrays: GroundArrays, i: number, k: number, dt: number): void {
  const at = k * arrays.stride + i
  const { depth, left, rate, passed } = arrays
  const given = handedOver(passed[at], arrays.passRate[at] * dt, dt)
  passed[at] -= given
  arrays.passRate[at] = 0
  if (!(arrays.share[at] > 0)) {
    left[at] = rate[at] = 0
    return
  }
  const rain = arrays.rain[i]
  const area = arrays.m2[at]
  const inflow = arrays.onGround[i] + given / area / dt
  const before = depth[at]
  // Most ground is dry most of the time.
  if (before === 0 && rain === 0 && inflow === 0) {
    left[at] = rate[at] = 0
    return
  }
  const evaporated = Math.min(before / dt, arrays.evaporation[i])
  const supply = before / dt + rain + inflow
  // Both take from what there is: evaporation first.
  const infiltrated = k === PERVIOUS ? Math.min(arrays.taken[i], supply - evaporated) : 0
  const store = arrays.store[at]
  const rough = arrays.rough[at]
  const alpha = arrays.alpha[at]
  const net = rain + inflow - evaporated - infiltrated
  let after: number
  if (evaporated + infiltrated >= supply) after = 0
  else if (rough === 0) after = Math.min(before + net * dt, Math.max(store, 0))
  else after = Math.max(0, store + drain(before - store, net, alpha, dt))
  // What depths cannot say to the last bit is no runoff.
  const gone = (supply - evaporated - infiltrated) * dt - after
  if (gone <= 1e-15) after += gone
  depth[at] = Math.max(0, after)
  left[at] = gone > 1e-15 ? gone : 0
  rate[at] = rough === 0 ? left[at] / dt : flowOver(after - store, alpha)
  arrays.evaporatedM3[i] += evaporated * dt * area
  arrays.infiltratedM3[i] += infiltrated * dt * area
}

function flowOver(above: number, alpha: number): number {
  if (!(above > ZERO)) return 0
  const root = Math.cbrt(above)
  return alpha * above * (root * root)
}

/** Leads on what left each kind of ground. @returns rate at which water runs, before it is led on, m/s */
function route(arrays: GroundArrays, i: number, dt: number): number {
  const { stride, left, rate, passed, passRate } = arrays
  let out = 0
  let flow = 0
  let running = 0
  for (let k = 0; k < 3; k++) {
    const at = k * stride + i
    const m2 = arrays.m2[at]
    const volume = left[at] * m2
    const flowing = rate[at] * m2
    const onward = arrays.onward[at]
    const to = (k === PERVIOUS ? HOLLOW : PERVIOUS) * stride + i
    passed[to] += volume * onward
    passRate[to] += flowing * onward
    out += volume * (1 - onward)
    flow += flowing * (1 - onward)
    running += rate[at] * arrays.share[at]
    if (k === PERVIOUS) {
      arrays.perviousM3[i] += volume
      arrays.ratedPerviousM3[i] += flowing * dt
    } else {
      arrays.imperviousM3[i] += volume
      arrays.ratedImperviousM3[i] += flowing * dt
    }
  }
  arrays.outM3[i] = out
  arrays.flow[i] = flow
  return running
}

function noteOne(arrays: GroundArrays, i: number, dt: number, endS: number): void {
  const drained = arrays.drainedM3[i]
  arrays.rainM3[i] += arrays.rain[i] * dt * arrays.areaM2[i]
  arrays.runonSumM3[i] += arrays.usedM3[i]
  arrays.evaporationM3[i] += arrays.evaporatedM3[i]
  arrays.infiltrationM3[i] += arrays.infiltratedM3[i]
  arrays.runoffM3[i] += arrays.outM3[i] + drained
  arrays.ratedM3[i] += arrays.flow[i] * dt + drained
  const peak = arrays.flow[i] + drained / dt
  if (peak > arrays.peak[i]) {
    arrays.peak[i] = peak
    arrays.peakS[i] = endS
  }
}
