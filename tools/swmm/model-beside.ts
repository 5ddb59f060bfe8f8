import { readInp } from '@radx/formats/inp/read'
import { simulate } from '../../apps/server/src/networks/model/simulate.ts'
import { runEpa, withOptions } from './epa.ts'
import { reportTable } from './report-table.ts'

const MAIN = 0.02
const AGREE = 0.02

/** A peak or a volume in the file's units, and its distance to the interval between EPA SWMM's own and quarter step, as a share. */
export interface Figure {
  what: string
  own: number
  quarter: number
  value: number
  error: number
}

export interface ModelBeside {
  /** EPA SWMM's refusal, and what ours said of it. */
  refused?: string
  ours?: string
  /** Its balance is off by more than 2 %, or more than a tenth of its steps do not converge. */
  unsure: boolean
  balance: number
  /** Peaks of links, depths of nodes, volumes of the whole, where EPA SWMM's two steps agree within 2 %. */
  figures: Figure[]
}

/**
 * Runs a whole model in EPA SWMM, at its own and a quarter of its step, and as `radx sewer` does.
 * @throws Error when ours refuses what EPA SWMM runs, or a head is no number
 */
export async function modelBesideEpa(inp: string): Promise<ModelBeside> {
  const result: ModelBeside = { unsure: false, balance: 0, figures: [] }
  let own: Awaited<ReturnType<typeof runEpa>>
  try {
    own = await runEpa(inp)
  } catch (error) {
    return {
      ...result,
      refused: /ERROR[^\n]*(\n[^\n]*)?/.exec(String(error))?.[0] ?? String(error),
      ours: ourWord(inp),
    }
  }
  const quarter = await runEpa(withOptions(inp, quarterOf(inp)))
  const model = readInp(inp, { file: 'essai.inp', runoff: true, inlets: true })
  const { sewer, peaks, runoff, stopped } = await simulate(model, {})
  if (stopped) throw new Error(`stopped: ${stopped.message}`)
  if (sewer.heads.some((head) => !Number.isFinite(head))) throw new Error('a head is no number')
  const { units } = model
  const totals = sewer.totals()
  result.balance = Math.abs(totals.error) / Math.max(1e-9, Math.abs(totals.inflow) + totals.initial)
  result.unsure = !(Math.abs(own.continuityPercent) <= 2 && own.nonConvergingPercent <= 10)
  const add = (what: string, a: number, b: number, value: number, digit: number, whole: number) => {
    if (Math.abs(a) <= MAIN * whole || Math.abs(b / a - 1) > AGREE) return
    const [low, high] = [Math.min(a, b) - digit / 2, Math.max(a, b) + digit / 2]
    const error = value < low ? 1 - value / low : value > high ? value / high - 1 : 0
    result.figures.push({ what, own: a, quarter: b, value, error })
  }
  const flows = reportTable(own.report, 'Link Flow Summary', 2)
  const flowsFine = reportTable(quarter.report, 'Link Flow Summary', 2)
  const largest = Math.max(...[...flows.values()].map(([flow]) => flow))
  for (const [key, [flow]] of flows)
    add(
      `link ${key.split(' ')[0]}`,
      flow,
      flowsFine.get(key)?.[0] ?? flow,
      peaks.link.maxAbsFlow[sewer.linkIndex(key.split(' ')[0])] / units.flowFactor,
      0.01,
      largest,
    )
  const depths = reportTable(own.report, 'Node Depth Summary', 2)
  const depthsFine = reportTable(quarter.report, 'Node Depth Summary', 2)
  for (const [key, [, depth]] of depths)
    add(
      `node ${key.split(' ')[0]}`,
      depth,
      depthsFine.get(key)?.[1] ?? depth,
      peaks.node.maxDepth[sewer.nodeIndex(key.split(' ')[0])] / units.length,
      0.01,
      1,
    )
  const unit = units.us ? 43_560 * 0.3048 ** 3 : 10_000
  const volume = (report: string, label: string) => {
    const from = report.indexOf('Flow Routing Continuity')
    return Number(new RegExp(`${label} \\.+\\s+(-?[\\d.]+)`).exec(report.slice(from))?.[1] ?? 0)
  }
  const inflow = (totals.inflow + totals.initial) / unit
  for (const [label, value] of [
    ['External Outflow', totals.outfall + (totals.backflow ?? 0)],
    ['Flooding Loss', totals.flooded],
  ] as const)
    add(label, volume(own.report, label), volume(quarter.report, label), value / unit, 0.001, inflow)
  const loss = volume(own.report, 'Exfiltration Loss') + volume(own.report, 'Evaporation Loss')
  const lossFine = volume(quarter.report, 'Exfiltration Loss') + volume(quarter.report, 'Evaporation Loss')
  add('Losses', loss, lossFine, totals.loss / unit, 0.002, inflow)
  const table = reportTable(own.report, 'Subcatchment Runoff Summary')
  for (const { input, totals: of } of runoff?.subcatchments ?? []) {
    const row = table.get(input.name)
    if (!row) continue
    const depth = units.us ? 0.0254 : 0.001
    add(`runoff ${input.name}`, row[6], row[6], of.rated / input.areaM2 / depth, 0.01, row[0])
  }
  return result
}

function ourWord(inp: string): string {
  try {
    readInp(inp, { file: 'essai.inp', runoff: true, inlets: true })
    return 'runs'
  } catch (error) {
    return String(error)
  }
}

/** Routing by quarters of the file's step. */
function quarterOf(text: string): Record<string, string | number> {
  const step = Number(/ROUTING_STEP\s+(\S+)/i.exec(text)?.[1] ?? 20) / 4
  const factor = Number(/VARIABLE_STEP\s+(\S+)/i.exec(text)?.[1] ?? 0) / 4
  return { ROUTING_STEP: step, VARIABLE_STEP: factor, MINIMUM_STEP: 0.025 }
}
