import type { RunoffModel } from '@radx/contracts/runoff'
import { createClimate } from './climate.ts'
import { createGage } from './gages.ts'
import { PERVIOUS } from './ground/arrays.ts'
import { handedOver } from './ground/hand-over.ts'
import { createGround } from './ground/loops.ts'
import { createRest } from './ground/rest.ts'
import { GROUND_SIZE, takeWater } from './infiltration.ts'
import { designOf } from './measures/layers.ts'
import { createNodeFlows } from './node-flows.ts'
import { createRainInflow, type RainInflow } from './rdii.ts'
import { Subcatchment, type Weather } from './subcatchment.ts'

/** Pairs of subcatchments that are taken through a step at a time. */
const NEAR_PAIRS = 64

/** Volumes of all subcatchments since the start, m3; `error` is what their balance lacks. */
export interface RunoffTotals {
  rain: number
  evaporation: number
  infiltration: number
  /** Over the surface to nodes or out of the model, and through drains of measures. */
  runoff: number
  /** What went over the surface by the rate at each step's end for the whole step, as EPA SWMM sums it. */
  rated: number
  drains: number
  /** From outfalls that lead onto subcatchments. */
  received: number
  /** What left and did not reach nodes yet; may be a debt (ground/hand-over.ts). */
  held: number
  initial: number
  stored: number
  error: number
}

export interface Runoff {
  readonly subcatchments: readonly Subcatchment[]
  readonly rainInflow: RainInflow
  /** End of the step made last, s since the start. */
  readonly timeS: number
  readonly steps: number
  /** Makes one step, wet or dry, ending no later than `endS`. */
  step(endS: number): void
  /**
   * Goes on to a moment and adds up what reaches nodes until then, m3 by node.
   * @param toS not before the moment asked for last
   * @param ratesM3S gets the rates at that former moment, m3/s by node; both arrays come with zeros
   */
  volumesTo(toS: number, volumesM3: Float64Array, ratesM3S?: Float64Array): void
  /** Outfalls whose water goes onto a subcatchment. */
  readonly returns: RunoffModel['returns']
  /** Gives a subcatchment water for its next step, m3. */
  receive(subcatchment: number, volumeM3: number): void
  /**
   * What a subcatchment does at a moment of the step made last: flow m3/s (drains of measures included) between the step's ends, the
   * step's rain, evaporation and infiltration, m/s, and water in its measures, m over their area.
   */
  stateOf(
    subcatchment: number,
    timeS: number,
  ): { flow: number; rain: number; evaporation: number; infiltration: number; measuresM: number }
  totals(): RunoffTotals
}

/**
 * Runoff of a model through time, in EPA SWMM's wet and dry steps, which end where rain or evaporation changes. What
 * reaches a node within a step goes along a line from the rate at its beginning to that at its end, as in EPA SWMM.
 * @param nodes number of nodes that subcatchments may drain into
 * @param wasm compiled loops, `build/runoff.wasm`; without them TypeScript does the same, bit by bit
 * @throws HydrologyError `runoff.stale` when the kernel is not of these sources
 */
export function createRunoff(model: RunoffModel, nodes: number, wasm?: BufferSource): Runoff {
  const gages = model.gages.map(createGage)
  const climate = createClimate(model)
  const designs = model.controls.map(designOf)
  const { arrays, loops } = createGround(model.subcatchments.length, wasm)
  const soils = new Float64Array(GROUND_SIZE * model.subcatchments.length)
  const subcatchments = model.subcatchments.map(
    (input, i) => new Subcatchment(input, designs, model, arrays, i, soils),
  )
  const treated = subcatchments.filter(({ measures }) => measures.length > 0)
  const grounds = subcatchments.map(({ ground }) => ground)
  const laws = Uint8Array.from(grounds, ({ law }) => law)
  const gageOf = new Int32Array(arrays.stride).fill(-1)
  gageOf.set(model.subcatchments.map(({ gage }) => gage))
  /** Node and subcatchment that each leads to; -1 for none. One that leads to itself leads nowhere. */
  const toNode = Int32Array.from(subcatchments, ({ input: { outlet } }) =>
    outlet !== null && 'node' in outlet ? outlet.node : -1,
  )
  const toOther = Int32Array.from(subcatchments, ({ input: { outlet } }, i) =>
    outlet !== null && 'subcatchment' in outlet && outlet.subcatchment !== i ? outlet.subcatchment : -1,
  )
  const rainInflow = createRainInflow(model)
  const addRainInflow = rainVolumes(model, rainInflow)
  const rates = new Float64Array(gages.length)
  const weather: Weather = {
    dt: 0,
    timeS: 0,
    month: -1,
    rain: 0,
    evaporation: 0,
    recovery: 1,
    conductivity: 1,
  }
  const nodeFlows = createNodeFlows(nodes)
  let timeS = 0
  let steps = 0
  let wet = false
  let drained = 0
  /** Length of the step made last, s, and what left at the end of the one before. */
  let lastS = 0
  const before = { flow: arrays.flow.slice(), drainedM3: arrays.drainedM3.slice(), stepS: 0 }
  /** Whether others give a subcatchment water, and whether its kinds of ground or measures give each other any. */
  const isFed = fedOf(model)
  const mixes = Uint8Array.from(model.subcatchments, ({ routeTo, measures }) =>
    routeTo !== 'outlet' || measures.some(({ toPervious }) => toPervious) ? 1 : 0,
  )
  const pending = new Float64Array(subcatchments.length)
  /** Dry time that soil was not brought forward by, s. */
  const drySinceS = new Float64Array(subcatchments.length)
  const canRest = Uint8Array.from(subcatchments, ({ measures }) => (measures.length > 0 ? 0 : 1))
  const rest = createRest(arrays, grounds, gageOf, canRest, pending)
  subcatchments.forEach((one, i) => {
    one.bringUp = () => rest.settle(i, timeS)
  })
  let received = 0
  let released = 0
  let rated = 0
  const initial = subcatchments.reduce((sum, one) => sum + one.initialM3, 0)

  function stepLength(raining: boolean, endS: number): number {
    let longest = Math.min(model.dryStepS, climate.nextChange(timeS) - timeS)
    for (const gage of gages) {
      const until = gage.nextChange(timeS) - timeS
      if (until > 1e-6 && until < longest) longest = until
    }
    const usual = raining || wet ? model.wetStepS : model.dryStepS
    return Math.min(usual, longest, endS - timeS)
  }

  function step(endS: number): void {
    const now = climate.at(timeS)
    let raining = false
    gages.forEach((gage, g) => {
      rates[g] = gage.rateAt(timeS) * now.rain
      if (rates[g] > 0) raining = true
    })
    const dt = stepLength(raining, endS)
    if (!(dt > 0)) return
    before.flow.set(arrays.flow)
    before.drainedM3.set(arrays.drainedM3)
    before.stepS = lastS
    lastS = dt
    weather.dt = dt
    weather.timeS = timeS
    if (now.month !== weather.month || now.recovery !== weather.recovery) {
      rest.settleAll(timeS)
      for (let i = 0; i < subcatchments.length; i++) dryOut(i)
      rest.ask()
      weather.month = now.month
      weather.recovery = now.recovery
      weather.conductivity = model.adjustments.conductivity?.[now.month] ?? 1
      for (const one of subcatchments) one.beginMonth(weather)
    }
    nodeFlows.begin(timeS, dt)
    rest.begin(timeS, rates, now.evaporation)
    wet = moveAll(now.evaporation, dt)
    for (const one of treated) {
      one.treat(weather)
      if (one.wet) wet = true
    }
    if (treated.length > 0) loops.note(dt, timeS + dt, 0, rest.awake)
    for (let n = 0; n < rest.awake; n++) {
      const i = 2 * arrays.pairs[n]
      handOn(i, dt)
      if (i + 1 < subcatchments.length) handOn(i + 1, dt)
    }
    for (const one of treated) handOnDrains(one, dt)
    timeS += dt
    steps++
  }

  /** Moves the water of all that are awake, some pairs at a time, so that what they need stays near. */
  function moveAll(evaporation: number, dt: number): boolean {
    let runs = false
    for (let from = 0; from < rest.awake; from += NEAR_PAIRS) {
      const to = Math.min(from + NEAR_PAIRS, rest.awake)
      for (let n = from; n < to; n++) {
        const i = 2 * arrays.pairs[n]
        comeDown(i, evaporation, dt)
        if (i + 1 < subcatchments.length) comeDown(i + 1, evaporation, dt)
      }
      if (loops.move(dt, from, to)) runs = true
      // Measures change what a step comes to: with any it is noted behind them.
      if (treated.length === 0) loops.note(dt, timeS + dt, from, to)
    }
    return runs
  }

  const { rain, runonM3, runonRate, usedM3, onGround, groundM2, m2, passed, passRate, depth, taken } = arrays

  /** What comes to a subcatchment in the step, and what its ground can take of it. */
  function comeDown(i: number, evaporation: number, dt: number): void {
    const rate = gageOf[i] < 0 ? 0 : rates[gageOf[i]]
    rain[i] = rate
    arrays.evaporation[i] = model.evaporatesWhenDryOnly && rate > 0 ? 0 : evaporation
    if (isFed[i] === 1) {
      usedM3[i] = handedOver(runonM3[i], runonRate[i] * dt, dt)
      runonM3[i] -= usedM3[i]
      runonRate[i] = 0
      usedM3[i] += pending[i]
      pending[i] = 0
      onGround[i] = groundM2[i] > 0 ? usedM3[i] / groundM2[i] / dt : 0
    }
    const at = PERVIOUS * arrays.stride + i
    if (!(m2[at] > 0)) return
    const given = mixes[i] === 1 ? handedOver(passed[at], passRate[at] * dt, dt) : 0
    // Where nothing stands and nothing comes, soil dries as well in one long step as in many: that is caught up with later.
    if (rate === 0 && given === 0 && onGround[i] === 0 && depth[at] === 0) {
      taken[i] = 0
      drySinceS[i] += dt
      return
    }
    if (drySinceS[i] > 0) dryOut(i)
    const runon = onGround[i] + given / m2[at] / dt
    taken[i] = takeWater(laws[i], soils, GROUND_SIZE * i, dt, rate, runon, depth[at])
  }

  /** Brings soil forward by the dry time of steps that passed it by. */
  function dryOut(i: number): void {
    const seconds = drySinceS[i]
    drySinceS[i] = 0
    if (seconds > 0) grounds[i].take(seconds, 0, 0, 0)
  }

  /** Gives a subcatchment water for its next step, and the rate at which it comes. */
  function give(to: number, volumeM3: number, flow: number): void {
    runonM3[to] += volumeM3
    runonRate[to] += flow
    if (rest.resting[to] === 1) rest.ask()
  }

  /** Water that left in this step reaches other subcatchments in the next one, at the rate that it has now. */
  function handOn(i: number, dt: number): void {
    const volume = arrays.outM3[i]
    const flow = arrays.flow[i]
    if (volume === 0 && flow === 0) return
    if (toOther[i] >= 0) give(toOther[i], volume, flow)
    else {
      released += volume
      rated += flow * dt
      if (toNode[i] >= 0) nodeFlows.add(toNode[i], volume, flow)
    }
  }

  function handOnDrains(one: Subcatchment, dt: number): void {
    one.measures.forEach((measure, m) => {
      const volume = one.drainM3[m]
      if (volume === 0) return
      const to = measure.placed.drainTo ?? one.input.outlet
      if (to !== null && 'subcatchment' in to && subcatchments[to.subcatchment] !== one) {
        give(to.subcatchment, volume, volume / dt)
      } else {
        drained += volume
        if (to !== null && 'node' in to) nodeFlows.add(to.node, volume, volume / dt)
      }
    })
  }

  let askedS = 0

  return {
    subcatchments,
    rainInflow,
    get timeS() {
      return timeS
    },
    get steps() {
      return steps
    },
    step,
    volumesTo(toS, volumes, rates) {
      addRainInflow(askedS, toS, volumes)
      // That goes evenly.
      rates?.forEach((_, node) => {
        rates[node] = volumes[node] / (toS - askedS)
      })
      let from = askedS
      while (from < toS - 1e-9) {
        if (timeS <= from + 1e-9) {
          if (subcatchments.length === 0) break
          step(model.durationS)
          if (timeS <= from + 1e-9) break
        }
        const until = Math.min(toS, timeS)
        if (rates && from === askedS) nodeFlows.rates(from, rates)
        nodeFlows.volumes(from, until, volumes)
        from = until
      }
      askedS = toS
    },
    stateOf(i, at) {
      const share = lastS > 0 ? Math.min(1, Math.max(0, 1 - (timeS - at) / lastS)) : 1
      const area = Math.max(1e-9, arrays.areaM2[i]) * Math.max(1e-9, lastS)
      const { measures } = subcatchments[i]
      const measuresM2 = measures.reduce((sum, { totalM2 }) => sum + totalM2, 0)
      const held = measures.reduce((sum, one) => sum + one.volume() * one.totalM2, 0)
      return {
        flow: flowIn(before, before.stepS, i) * (1 - share) + flowIn(arrays, lastS, i) * share,
        rain: arrays.rain[i],
        evaporation:
          rest.resting[i] === 1
            ? rest.evaporates(i, at) / Math.max(1e-9, arrays.areaM2[i])
            : arrays.evaporatedM3[i] / area,
        infiltration: arrays.infiltratedM3[i] / area,
        measuresM: measuresM2 > 0 ? held / measuresM2 : 0,
      }
    },
    returns: model.returns,
    receive(subcatchment, volumeM3) {
      pending[subcatchment] += volumeM3
      received += volumeM3
      if (volumeM3 !== 0) rest.ask()
    },
    totals() {
      const sums = { rain: 0, evaporation: 0, infiltration: 0, stored: 0 }
      for (const one of subcatchments) {
        const { rain, evaporation, infiltration } = one.totals
        sums.rain += rain
        sums.evaporation += evaporation
        sums.infiltration += infiltration
        sums.stored += one.storedM3() + one.runonM3
      }
      sums.stored += pending.reduce((sum, volume) => sum + volume, 0)
      const error =
        initial +
        sums.rain +
        received -
        sums.evaporation -
        sums.infiltration -
        released -
        drained -
        sums.stored
      return {
        ...sums,
        runoff: released,
        rated,
        drains: drained,
        received,
        held: nodeFlows.heldM3(),
        initial,
        error,
      }
    },
  }
}

/** Flow of a subcatchment at a step's end, drains of measures included, m3/s. */
const flowIn = (
  { flow, drainedM3 }: { flow: Float64Array; drainedM3: Float64Array },
  stepS: number,
  i: number,
): number => flow[i] + (stepS > 0 ? drainedM3[i] / stepS : 0)

/** Adds what of the rain gets into separate sewers between two moments, m3 by node. */
function rainVolumes(
  { infiltrationInflows, wetStepS }: RunoffModel,
  rainInflow: RainInflow,
): (fromS: number, toS: number, volumes: Float64Array) => void {
  let at = -Infinity
  return (fromS, toS, volumes) => {
    if (infiltrationInflows.length === 0) return
    let from = fromS
    while (from < toS - 1e-9) {
      if (from >= at + wetStepS - 1e-9) {
        at = Math.floor(from / wetStepS + 1e-9) * wetStepS
        rainInflow.advance(at)
      }
      const until = Math.min(toS, at + wetStepS)
      infiltrationInflows.forEach(({ node }, k) => {
        volumes[node] += rainInflow.flows[k] * (until - from)
      })
      from = until
    }
  }
}

/** 1 for subcatchments that others, drains or outfalls lead to. */
function fedOf({ subcatchments, returns }: RunoffModel): Uint8Array {
  const fed = new Uint8Array(subcatchments.length)
  const note = (to: { node: number } | { subcatchment: number } | null) => {
    if (to !== null && 'subcatchment' in to) fed[to.subcatchment] = 1
  }
  for (const { outlet, measures } of subcatchments) {
    note(outlet)
    for (const { drainTo } of measures) note(drainTo)
  }
  for (const to of returns) fed[to.subcatchment] = 1
  return fed
}
