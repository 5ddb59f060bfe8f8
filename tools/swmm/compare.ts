import { readInp } from '@radx/formats/inp/read'
import { createPeaks } from '@radx/hydrology/sewer/results/peaks'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { sewerWasm } from '@radx/hydrology/testing/kernels'
import { type EpaResult, runEpa, withOptions } from './epa.ts'

/** One link or node, both engines in SI. */
export interface Pair {
  name: string
  reference: number
  value: number
  referenceTimeS: number
  timeS: number
  full: boolean
}

export interface Comparison {
  name: string
  links: Pair[]
  depths: Pair[]
  /** m3. */
  flooded: { reference: number; value: number }
  outfall: { reference: number; value: number }
  epa: { seconds: number; continuityPercent: number; nonConvergingPercent: number }
  ours: { seconds: number; steps: number; rejected: number; relativeError: number }
}

/** EPA SWMM's and our own equations are then the same. */
export const SAME_EQUATIONS = { INERTIAL_DAMPING: 'NONE', SURCHARGE_METHOD: 'SLOT' }
/** EPA SWMM solved finely, so that its own steps do not blur the comparison. */
export const FINE = {
  ROUTING_STEP: 1,
  VARIABLE_STEP: 0.75,
  MINIMUM_STEP: 0.1,
  MAX_TRIALS: 20,
  HEAD_TOLERANCE: 0.0005,
  REPORT_STEP: '00:00:10',
}

/** Our solver as close to EPA SWMM as it goes: steps as short, and storage by middle depths in every pipe. */
export const SAME_STEPS = { maxStepS: 1, middleDepthFromM: 0 }

/** Our solver on a network: peaks, totals and the time it takes. */
export function runOurs(
  inp: string,
  options: { maxStepS?: number; middleDepthFromM?: number; hours?: number } = {},
) {
  const { network, units } = readInp(inp)
  const maxStepS = options.maxStepS ?? 4
  const started = performance.now()
  const sewer = createSewer(network, {
    maxStepS,
    middleDepthFromM: options.middleDepthFromM,
    wasm: sewerWasm(),
  })
  const peaks = createPeaks(sewer)
  const end = options.hours ? options.hours * 3600 : network.options.durationS
  while (sewer.timeS < end - 1e-6) {
    const dt = Math.min(maxStepS, end - sewer.timeS)
    sewer.step(dt)
    peaks.observe(dt)
  }
  const seconds = (performance.now() - started) / 1000
  return { network, units, sewer, peaks, seconds, totals: sewer.totals() }
}

export async function compareWithEpa(
  name: string,
  inp: string,
  options: Record<string, string | number> = SAME_EQUATIONS,
  solver: Parameters<typeof runOurs>[1] = SAME_STEPS,
): Promise<Comparison> {
  const text = withOptions(inp, options)
  const epa = await runEpa(withOptions(text, FINE))
  return compare(name, epa, runOurs(text, solver))
}

/** Both engines' peaks and totals. */
export function compare(name: string, epa: EpaResult, ours: ReturnType<typeof runOurs>): Comparison {
  const { units, sewer, peaks, seconds, totals, network } = ours
  const step = epa.timesS.length > 1 ? epa.timesS[1] - epa.timesS[0] : 0
  const peak = (series: Float32Array) => {
    let at = 0
    for (let k = 1; k < series.length; k++) if (Math.abs(series[k]) > Math.abs(series[at])) at = k
    return { value: Math.abs(series[at] ?? 0), timeS: epa.timesS[at] }
  }
  const links = epa.links.map((link, i): Pair => {
    const j = sewer.linkIndex(link)
    const { value, timeS } = peak(epa.linkSeries(i, 'flow'))
    return {
      name: link,
      reference: value * units.flowFactor,
      value: peaks.link.maxAbsFlow[j],
      referenceTimeS: timeS,
      timeS: peaks.link.timeS[j],
      full: peak(epa.linkSeries(i, 'capacity')).value >= 0.999,
    }
  })
  let flooded = 0
  let outfall = 0
  const depths = epa.nodes.map((node, i): Pair => {
    const j = sewer.nodeIndex(node)
    const { value, timeS } = peak(epa.nodeSeries(i, 'depth'))
    for (const rate of epa.nodeSeries(i, 'flooding')) flooded += rate * step * units.flowFactor
    if (network.nodes[j].kind === 'outfall')
      for (const rate of epa.nodeSeries(i, 'inflow')) outfall += rate * step * units.flowFactor
    return {
      name: node,
      reference: value * units.length,
      value: peaks.node.maxDepth[j],
      referenceTimeS: timeS,
      timeS: peaks.node.timeS[j],
      full: false,
    }
  })
  return {
    name,
    links,
    depths,
    flooded: { reference: flooded, value: totals.flooded },
    outfall: { reference: outfall, value: totals.outfall },
    epa: {
      seconds: epa.seconds,
      continuityPercent: epa.continuityPercent,
      nonConvergingPercent: epa.nonConvergingPercent,
    },
    ours: {
      seconds,
      steps: sewer.steps,
      rejected: sewer.rejectedSteps,
      relativeError: Math.abs(totals.error) / Math.max(1, totals.inflow),
    },
  }
}

/** Change of our peaks from steps of 1 s to 0.25 s, as shares: links above 2 % of the largest flow, never full and full. */
export function stepErrors(inp: string): { open: number[]; full: number[] } {
  const [coarse, fine] = [1, 0.25].map((maxStepS) => runOurs(inp, { maxStepS }).peaks.link)
  const largest = Math.max(...fine.maxAbsFlow)
  const errors = { open: [] as number[], full: [] as number[] }
  fine.maxAbsFlow.forEach((flow, i) => {
    if (!(flow > 0.02 * largest)) return
    errors[fine.maxFullDepthRatio[i] >= 0.999 ? 'full' : 'open'].push(
      Math.abs(coarse.maxAbsFlow[i] / flow - 1),
    )
  })
  return errors
}

/** Links that carry more than 2 % of the largest flow. */
export function mainLinks(links: Pair[]): Pair[] {
  const largest = Math.max(0, ...links.map((link) => link.reference))
  return links.filter((link) => link.reference > 0.02 * largest)
}

export const relative = (pair: Pair) => Math.abs(pair.value / pair.reference - 1)
export const absolute = (pair: Pair) => Math.abs(pair.value - pair.reference)

/** Quantile of values, linear between their ranks (Hyndman and Fan 1996, type 7); 0 for none. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = share * Math.max(0, sorted.length - 1)
  const low = Math.floor(rank)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted.length === 0 ? 0 : sorted[low] + (rank - low) * (sorted[high] - sorted[low])
}
