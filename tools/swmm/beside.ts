import { readInp } from '@radx/formats/inp/read'
import { createPeaks, stepObserved } from '@radx/hydrology/sewer/results/peaks'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { explicitSewerWasm } from '@radx/hydrology/testing/kernels'
import { runEpa, withOptions } from './epa.ts'
import { reportTable } from './report-table.ts'

const MAIN = 0.02
const AGREE = 0.02
/** Last digit of the report's flows, l/s. */
const DIGIT = 0.01

/** A link's peak, l/s, and its distance to the interval between EPA SWMM's own and quarter step, as a share. */
export interface Off {
  link: string
  kind: string
  own: number
  quarter: number
  value: number
  error: number
  full: boolean
}

function peaksOf(report: string): Map<string, { flow: number; ratio: number }> {
  const rows = [...reportTable(report, 'Link Flow Summary', 2)]
  return new Map(rows.map(([key, [flow, , , , , ratio = 0]]) => [key.split(' ')[0], { flow, ratio }]))
}

function ours(inp: string) {
  const { network, units } = readInp(inp)
  const sewer = createSewer(network, { scheme: 'explicit', wasm: explicitSewerWasm() })
  const peaks = createPeaks(sewer)
  const end = network.options.durationS
  while (sewer.timeS < end - 1e-6)
    stepObserved(sewer, Math.min(sewer.nextStepS, end - sewer.timeS), peaks.observe)
  return { sewer, peaks, units, totals: sewer.totals() }
}

/** How a network comes out beside EPA SWMM. */
export interface Beside {
  /** EPA SWMM's refusal. */
  refused?: string
  /** Its balance is off by more than 2 %, or more than a tenth of its steps do not converge. */
  unsure: boolean
  balance: number
  offs: Off[]
  continuityPercent: number
  nonConvergingPercent: number
}

/**
 * Runs a network in litres a second in EPA SWMM, at its own and a quarter of its step, and by our explicit scheme. Links above 2 % of the largest
 * flow where EPA SWMM's two agree within 2 %.
 * @throws Error when ours refuses what EPA SWMM runs, or a head is no number
 */
export async function besideEpa(inp: string, kinds: Record<string, string> = {}): Promise<Beside> {
  const result: Beside = {
    unsure: false,
    balance: 0,
    offs: [],
    continuityPercent: 0,
    nonConvergingPercent: 0,
  }
  let own: Awaited<ReturnType<typeof runEpa>>
  try {
    own = await runEpa(inp)
  } catch (error) {
    return { ...result, refused: /ERROR[^\n]*/.exec(String(error))?.[0] ?? String(error) }
  }
  const step = Number(/ROUTING_STEP (\S+)/.exec(inp)?.[1]) / 4
  const courant = Number(/VARIABLE_STEP (\S+)/.exec(inp)?.[1]) / 4
  const quarter = await runEpa(
    withOptions(inp, { ROUTING_STEP: step, VARIABLE_STEP: courant, MINIMUM_STEP: 0.025 }),
  )
  const { sewer, peaks, units, totals } = ours(inp)
  result.balance = Math.abs(totals.error) / Math.max(1e-9, Math.abs(totals.inflow) + totals.initial)
  if (sewer.heads.some((head) => !Number.isFinite(head))) throw new Error('a head is no number')
  result.continuityPercent = own.continuityPercent
  result.nonConvergingPercent = own.nonConvergingPercent
  result.unsure = Math.abs(own.continuityPercent) > 2 || own.nonConvergingPercent > 10
  const a = peaksOf(own.report)
  const b = peaksOf(quarter.report)
  const largest = Math.max(...[...a.values()].map(({ flow }) => flow))
  for (const [link, { flow, ratio }] of a) {
    const q = b.get(link)?.flow ?? flow
    if (flow <= MAIN * largest || Math.abs(q / flow - 1) > AGREE) continue
    const value = peaks.link.maxAbsFlow[sewer.linkIndex(link)] / units.flowFactor
    const [low, high] = [Math.min(flow, q) - DIGIT / 2, Math.max(flow, q) + DIGIT / 2]
    const error = value < low ? 1 - value / low : value > high ? value / high - 1 : 0
    const full = ratio >= 0.999
    result.offs.push({ link, kind: kinds[link] ?? '', own: flow, quarter: q, value, error, full })
  }
  return result
}
