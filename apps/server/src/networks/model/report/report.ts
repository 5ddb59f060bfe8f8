import type { InpResult } from '@radx/formats/inp/read'
import type { Simulated } from '../simulate.ts'
import { conduitSurcharges, flowClasses, linkFlows, pumps } from './links.ts'
import { nodeDepths, nodeFloods, nodeInflows, nodeSurcharges, outfalls, storages } from './nodes.ts'
import {
  analysisOptions,
  measurePerformance,
  rainInflow,
  routingContinuity,
  runoffContinuity,
  subcatchmentRunoff,
} from './runoff.ts'
import { streetFlows } from './streets.ts'
import { fixed, heading, reportUnits } from './text.ts'

/**
 * A run as EPA SWMM 5.2 reports it, section by section in its layout (report.c, statsrpt.c), so that programs which read
 * such reports go on working. What is not computed stands as 0: power of pumps, kinds of flow beside dry and wet.
 */
export function swmmReport(
  model: InpResult,
  run: Simulated,
  analysed: { beginMs: number; endMs: number },
  notes: string[] = [],
): string {
  const u = reportUnits(model.units)
  const routed = model.network.links.length > 0
  const title = model.network.title.length > 0 ? model.network.title : ['']
  const lines = [
    'STORM WATER MANAGEMENT MODEL - VERSION 5.2 (RadX, in the layout of EPA SWMM 5.2.4)',
    '-'.repeat(82),
    '',
    ...title,
    ...notes,
    ...analysisOptions(model, run),
    ...rainInflow(run, u),
    ...runoffContinuity(run, u),
    ...(routed ? routingContinuity(run, u) : []),
    ...(routed ? timeSteps(run) : []),
    ...subcatchmentRunoff(run, u),
    ...measurePerformance(run, u),
    ...(routed
      ? [
          ...nodeDepths(run, u),
          ...nodeInflows(run, u),
          ...nodeSurcharges(run, u),
          ...nodeFloods(run, u),
          ...storages(run, u),
          ...outfalls(run, u),
          ...linkFlows(run, u),
          ...streetFlows(run, u),
          ...flowClasses(run),
          ...conduitSurcharges(run),
          ...pumps(run, u),
        ]
      : []),
    '',
    `Analysis begun on:  ${stamp(analysed.beginMs)}`,
    `Analysis ended on:  ${stamp(analysed.endMs)}`,
    `Total elapsed time: ${elapsedTime((analysed.endMs - analysed.beginMs) / 1000)}`,
  ]
  return `${lines.map((line) => `  ${line}`).join('\n')}\n`
}

function timeSteps({ sewer }: Simulated): string[] {
  const mean = sewer.steps > 0 ? sewer.timeS / sewer.steps : 0
  return [
    ...heading('Routing Time Step Summary'),
    `Average Time Step           :  ${fixed(mean, 7, 2)} sec`,
    `Maximum Time Step           :  ${fixed(sewer.longestStepS, 7, 2)} sec`,
    `% of Time in Steady State   :  ${fixed(0, 7, 2)}`,
    `% of Steps Not Converging   :  ${fixed((100 * sewer.counts.unsettled) / Math.max(1, sewer.steps), 7, 2)}`,
    '',
  ]
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A moment as C's `ctime`. */
function stamp(ms: number): string {
  const at = new Date(ms)
  return `${DAYS[at.getUTCDay()]} ${MONTHS[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)} ${at.toISOString().slice(11, 19)} ${at.getUTCFullYear()}`
}

function elapsedTime(seconds: number): string {
  if (seconds < 1) return '< 1 sec'
  const days = Math.floor(seconds / 86_400)
  const rest = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19)
  return days > 0 ? `${days}.${rest}` : rest
}
