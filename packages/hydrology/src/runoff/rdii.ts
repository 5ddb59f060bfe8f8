import type { RunoffModel, RunoffUnitHydrographs } from '@radx/contracts/runoff'
import { FOOT_M } from './constants.ts'
import { createGage, type Gage } from './gages.ts'

/** Flows below this are none, m3/s (1e-4 ft3/s). */
const LEAST = 1e-4 * FOOT_M ** 3

/** Past rain of one of the three hydrographs of a group. */
interface Memory {
  past: Float64Array
  months: Uint8Array
  place: number
  raining: boolean
  dryS: number
  abstractedM: number
}

/** Rain that finds its way into separate sewers, by unit hydrographs (SWMM Reference Manual I, chapter 7). */
export interface RainInflow {
  /** Flow at each of the model's inflows over [timeS, timeS + wetStepS), m3/s, by their order. */
  flows: Float64Array
  advance(timeS: number): void
  /** Rain on the sewered areas and what came of it, m3. */
  totals: { rain: number; inflow: number }
}

export function createRainInflow(model: RunoffModel): RainInflow {
  const { infiltrationInflows: inflows, unitHydrographs, wetStepS } = model
  const used = new Set(inflows.map((inflow) => inflow.hydrographs))
  const groups = unitHydrographs.map((group, k) => (used.has(k) ? createGroup(group, model) : null))
  const flows = new Float64Array(inflows.length)
  const totals = { rain: 0, inflow: 0 }
  return {
    flows,
    totals,
    advance(timeS) {
      const rates = groups.map((group) => group?.at(timeS) ?? 0)
      inflows.forEach(({ hydrographs, areaM2 }, k) => {
        const flow = rates[hydrographs] * areaM2
        flows[k] = flow < LEAST ? 0 : flow
        totals.inflow += flows[k] * wetStepS
        totals.rain += (groups[hydrographs]?.rainM ?? 0) * areaM2
      })
      for (const group of groups) if (group) group.rainM = 0
    },
  }
}

function createGroup(group: RunoffUnitHydrographs, model: RunoffModel) {
  const gage: Gage = createGage(model.gages[group.gage] ?? { name: '', intervalS: 1, startsS: [], rates: [] })
  const step = rainStep(group, model.wetStepS)
  const month0 = new Date(model.startEpochS * 1000).getUTCMonth()
  const memories: Memory[] = [0, 1, 2].map((k) => {
    const periods = Math.max(...group.months.map((month) => Math.floor(month[k].baseS / step) + 1))
    return {
      past: new Float64Array(periods),
      months: new Uint8Array(periods),
      place: 0,
      raining: false,
      dryS: periods * step + 1,
      abstractedM: group.months[month0][k].initialM,
    }
  })
  let gageS = 0
  return {
    rainM: 0,
    /** Flow a unit area, m/s. */
    at(timeS: number): number {
      while (gageS < timeS - 1e-6) {
        const month = new Date((model.startEpochS + gageS) * 1000).getUTCMonth()
        const rain = gage.rateAt(gageS) * (model.adjustments.rain?.[month] ?? 1) * step
        this.rainM += rain
        memories.forEach((memory, k) => {
          remember(memory, excess(memory, group, month, k, rain, step), month, step)
        })
        gageS += step
      }
      let rate = 0
      memories.forEach((memory, k) => {
        if (memory.raining) rate += convolve(memory, group, k, step)
      })
      return rate
    },
  }
}

/** Rain is looked at as often as the wet step, or as the shortest limb of a hydrograph asks for. */
function rainStep({ months }: RunoffUnitHydrographs, wetStepS: number): number {
  let step = wetStepS
  for (const month of months)
    for (const { peakS, baseS } of month)
      if (peakS > 0) {
        step = Math.min(step, peakS)
        if (baseS > peakS) step = Math.min(step, baseS - peakS)
      }
  return Math.max(1, step)
}

/** Rain less what the initial abstraction takes, which comes back in dry weather. */
function excess(
  memory: Memory,
  { months }: RunoffUnitHydrographs,
  month: number,
  k: number,
  rain: number,
  dt: number,
) {
  const { abstractionM, recovery } = months[month][k]
  if (rain <= 0) {
    memory.abstractedM = Math.max(0, memory.abstractedM - recovery * dt)
    return 0
  }
  const left = Math.max(0, rain - Math.max(0, abstractionM - memory.abstractedM))
  memory.abstractedM += rain - left
  return left
}

function remember(memory: Memory, rain: number, month: number, step: number) {
  const { past, months } = memory
  const span = past.length * step
  if (rain > 0) {
    if (memory.dryS >= span) {
      past.fill(0)
      memory.place = 0
    }
    memory.dryS = 0
    memory.raining = true
  } else {
    memory.dryS += step
    memory.raining = memory.dryS < span
  }
  if (memory.place >= past.length) memory.place = 0
  past[memory.place] = rain
  months[memory.place] = month
  memory.place++
}

function convolve(
  { past, months, place }: Memory,
  group: RunoffUnitHydrographs,
  k: number,
  step: number,
): number {
  let rate = 0
  let i = place - 1
  for (let p = 1; p < past.length; p++) {
    if (i < 0) i = past.length - 1
    const rain = past[i]
    if (rain > 0) {
      const { share, peakS, baseS } = group.months[months[i]][k]
      const t = (p - 0.5) * step
      if (t < baseS) {
        const height = t <= peakS ? t / peakS : 1 - (t - peakS) / (baseS - peakS)
        rate += share * rain * Math.max(0, height) * (2 / baseS)
      }
    }
    i--
  }
  return rate
}
