import type { RunFigures, RunFlows, SewerPeakTable, WaterBalance } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { FLOODED_M3 } from '../run/sewer-results.ts'

/** A kerb, and what stops a car; ascending. */
const FLOODED_FROM_M = [0.1, 0.2] as const

interface Facts {
  maxDepth: EsriGrid
  /** null without a network, and for a run of before. */
  sewer: SewerPeakTable | null
  /** null for a run of before. */
  flows: RunFlows | null
  balance: WaterBalance
  durationS: number
}

/** The figures that stand above a result. */
export function figuresOf({ maxDepth, sewer, flows, balance, durationS }: Facts): RunFigures {
  const { data, ncols, cellSize } = maxDepth
  const cellM2 = cellSize ** 2
  let deepest = -1
  let active = 0
  const counts = FLOODED_FROM_M.map(() => 0)
  for (let k = 0; k < data.length; k++) {
    const depth = data[k]
    if (Number.isNaN(depth)) continue
    active++
    for (let l = 0; l < counts.length && depth >= FLOODED_FROM_M[l]; l++) counts[l]++
    if (depth > 0 && (deepest < 0 || depth > data[deepest])) deepest = k
  }
  const millimetres = (m3: number) => (1000 * m3) / Math.max(1, active * cellM2)
  return {
    durationS,
    deepest:
      deepest < 0 ? null : { depthM: data[deepest], row: Math.floor(deepest / ncols), col: deepest % ncols },
    flooded: FLOODED_FROM_M.map((fromM, l) => ({ fromM, areaM2: counts[l] * cellM2 })),
    sewer: sewer && sewerFigures(sewer),
    outfallPeak: flows && sewer && outfallPeak(flows),
    rainMm: millimetres(balance.rainM3),
    infiltratedMm: millimetres(balance.infiltratedM3),
    interceptedMm: millimetres(balance.interceptedM3),
    rainPeak: flows && rainPeak(flows),
    relativeError: balance.relativeError,
  }
}

function sewerFigures({ nodes, links }: SewerPeakTable): RunFigures['sewer'] {
  const worst = (names: readonly string[], values: readonly number[]) => {
    const k = largest(values)
    return k >= 0 && values[k] > 0 ? names[k] : null
  }
  const over = nodes.floodedM3.filter((volume) => volume > FLOODED_M3)
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  return {
    nodes: nodes.name.length,
    links: links.name.length,
    overflowing: over.length,
    overflowM3: sum(over),
    worstNode: over.length > 0 ? worst(nodes.name, nodes.floodedM3) : null,
    surcharged: links.surchargedS.filter((seconds) => seconds > 0).length,
    worstLink: worst(links.name, links.surchargedS),
    outfallM3: sum(nodes.outfallM3),
    largestOutfall: worst(nodes.name, nodes.outfallM3),
  }
}

/** First of the largest; -1 of nothing. */
function largest(values: readonly number[]): number {
  let best = -1
  for (let k = 0; k < values.length; k++) if (best < 0 || values[k] > values[best]) best = k
  return best
}

/** The largest mean between two moments, and that time. */
function peakOf(values: readonly number[], timesS: readonly number[]) {
  const k = largest(values)
  if (k < 1) return null
  return { value: values[k], timeS: timesS[k], meanS: timesS[k] - timesS[k - 1] }
}

function outfallPeak({ outfallM3S, timesS }: RunFlows): RunFigures['outfallPeak'] {
  const peak = peakOf(outfallM3S, timesS)
  return peak && { flowM3S: peak.value, timeS: peak.timeS, meanS: peak.meanS }
}

function rainPeak({ rainMmH, timesS }: RunFlows): RunFigures['rainPeak'] {
  const peak = peakOf(rainMmH, timesS)
  return peak && { rateMmH: peak.value, timeS: peak.timeS, meanS: peak.meanS }
}
