import type { RunoffInfiltration, RunoffModel, RunoffSubcatchment } from '@radx/contracts/runoff'
import { numbers } from '../tests/conformance/runoff-model.ts'

const MM_H = 1e-3 / 3600
const DAY_S = 86_400
const STEP_S = 300
const YEAR_S = 365 * DAY_S
const GAGES = 5

/** Some 650 mm in 140 showers of hours, a value every 5 min: starts, s, and mm/h. */
function rainOfYear(random: () => number): { startsS: number[]; mmH: number[] } {
  const byStart = new Map<number, number>()
  let t = 0
  for (;;) {
    t += -Math.log(1 - random()) * 62 * 3600
    if (t >= YEAR_S) break
    const steps = 6 + Math.floor(-Math.log(1 - random()) * 50)
    const mean = 0.3 - 0.9 * Math.log(1 - random())
    let k = Math.floor(t / STEP_S)
    for (let n = 0; n < steps && k * STEP_S < YEAR_S; n++, k++) {
      const rate = mean * -Math.log(1 - random()) * (random() < 0.75 ? 1 : 0)
      if (rate > 0.05) byStart.set(k * STEP_S, rate)
    }
    t = k * STEP_S
  }
  const startsS = [...byStart.keys()].sort((a, b) => a - b)
  return { startsS, mmH: startsS.map((start) => byStart.get(start) ?? 0) }
}

function infiltration(k: number, at: (low: number, high: number) => number): RunoffInfiltration {
  switch (k % 5) {
    case 0:
    case 1:
      return {
        type: k % 5 === 0 ? 'horton' : 'modified-horton',
        ...{ maxRate: at(30, 90) * MM_H, minRate: at(1, 12) * MM_H, decay: at(2, 6) / 3600 },
        ...{ dryingS: at(2, 8) * DAY_S, maxVolumeM: 0 },
      }
    case 2:
    case 3:
      return {
        type: k % 5 === 2 ? 'green-ampt' : 'modified-green-ampt',
        ...{ suctionM: at(0.03, 0.2), conductivity: at(1, 15) * MM_H, deficit: at(0.1, 0.35) },
      }
    default:
      return { type: 'curve-number', curveNumber: at(50, 95), dryingS: at(2, 8) * DAY_S }
  }
}

/**
 * A year of rain every 5 min on subcatchments drawn at random: five kinds of infiltration, ways of routing within them, every
 * fourth onto its neighbour, evaporation of the months of a temperate climate.
 * @param dryStepS step where nothing falls or runs
 */
export function yearOfRunoff(count: number, dryStepS: number): RunoffModel {
  const random = numbers(2023)
  const at = (low: number, high: number) => low + random() * (high - low)
  const rain = rainOfYear(random)
  const gages = Array.from({ length: GAGES }, (_, g) => ({
    name: `R${g}`,
    intervalS: STEP_S,
    startsS: rain.startsS,
    rates: rain.mmH.map((mmH) => mmH * MM_H * (0.8 + 0.1 * g)),
  }))
  const subcatchments = Array.from({ length: count }, (_, k): RunoffSubcatchment => {
    const routeTo = (['outlet', 'outlet', 'pervious', 'impervious'] as const)[Math.floor(random() * 4)]
    return {
      name: `S${k}`,
      gage: Math.floor((k * GAGES) / count),
      outlet: k % 4 === 3 ? { subcatchment: k - 1 } : { node: k % 1000 },
      areaM2: at(2000, 80_000),
      imperviousShare: at(0.05, 0.95),
      widthM: at(30, 300),
      slope: at(0.002, 0.06),
      imperviousN: at(0.01, 0.03),
      perviousN: at(0.1, 0.4),
      imperviousStoreM: at(0.0005, 0.002),
      perviousStoreM: at(0.001, 0.006),
      bareShare: at(0, 0.6),
      routeTo,
      routedShare: routeTo === 'outlet' ? 1 : at(0.2, 1),
      infiltration: infiltration(k, at),
      measures: [],
      monthly: { roughness: null, store: null, conductivity: null },
    }
  })
  const mmDay = [0.4, 0.7, 1.4, 2.3, 3.2, 4, 4.3, 3.6, 2.3, 1.2, 0.5, 0.3]
  return {
    startEpochS: Date.UTC(2023, 0, 1) / 1000,
    ...{ durationS: YEAR_S, wetStepS: STEP_S, dryStepS, dryDays: 5, gages },
    evaporation: { type: 'monthly', rates: mmDay.map((mm) => mm / 1000 / DAY_S) },
    ...{ evaporatesWhenDryOnly: false, recovery: null },
    adjustments: { evaporation: null, rain: null, conductivity: null },
    ...{ subcatchments, controls: [], unitHydrographs: [], infiltrationInflows: [], returns: [] },
  }
}
