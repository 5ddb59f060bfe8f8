import { highestCrowns } from '@radx/hydrology/sewer/results/statistics'
import type { Simulated } from '../simulate.ts'
import { elapsed, fixed, general, heading, type ReportUnits, table, text } from './text.ts'

const kindOf = (kind: string) => kind.toUpperCase()

export function nodeDepths({ sewer, peaks, statistics }: Simulated, u: ReportUnits): string[] {
  const heads = [
    '                               Average  Maximum  Maximum  Time of Max    Reported',
    '                                 Depth    Depth      HGL   Occurrence   Max Depth',
    u.us
      ? 'Node                 Type         Feet     Feet     Feet  days hr:min        Feet'
      : 'Node                 Type       Meters   Meters   Meters  days hr:min      Meters',
  ]
  const { node } = statistics
  const rows = sewer.network.nodes.map(({ name, kind }, n) => {
    const mean = node.depthSum[n] / Math.max(1, statistics.reports)
    const depths = [mean, peaks.node.maxDepth[n], peaks.node.maxHead[n]].map((m) => fixed(u.length(m), 7, 2))
    return `${text(name, 20)} ${text(kindOf(kind), 9)} ${depths.join('  ')}  ${elapsed(peaks.node.timeS[n])}  ${fixed(u.length(node.reportedDepth[n]), 10, 2)}`
  })
  return [...heading('Node Depth Summary'), ...table(81, heads, rows)]
}

export function nodeInflows({ sewer, peaks, statistics }: Simulated, u: ReportUnits): string[] {
  const heads = [
    '                                Maximum  Maximum                  Lateral       Total        Flow',
    '                                Lateral    Total  Time of Max      Inflow      Inflow     Balance',
    '                                 Inflow   Inflow   Occurrence      Volume      Volume       Error',
    `Node                 Type           ${u.flowName}      ${u.flowName}  days hr:min    ${u.bulkName}    ${u.bulkName}     Percent`,
  ]
  const { node } = statistics
  const rows = sewer.network.nodes.map(({ name, kind }, n) => {
    const most = Math.max(node.maxInflow[n], peaks.node.maxInflow[n])
    return `${text(name, 20)} ${text(kindOf(kind), 9)}${u.flow(node.maxLateral[n])}${u.flow(most)}  ${elapsed(node.inflowTimeS[n])}${general(u.bulk(node.lateralVolume[n]), 12)}${general(u.bulk(node.inflowVolume[n]), 12)}${fixed(0, 12, 3)}`
  })
  return [...heading('Node Inflow Summary'), ...table(97, heads, rows)]
}

export function nodeSurcharges({ sewer, peaks, statistics }: Simulated, u: ReportUnits): string[] {
  const crowns = highestCrowns(sewer)
  const rows = sewer.network.nodes.flatMap(({ name, kind }, n) => {
    const seconds = statistics.node.surchargedS[n]
    if (kind === 'outfall' || seconds === 0) return []
    const above = Math.max(0, peaks.node.maxHead[n] - crowns[n])
    const below = Math.max(0, sewer.groundElevations[n] - peaks.node.maxHead[n])
    return [
      `${text(name, 20)} ${text(kindOf(kind), 9)}  ${fixed(Math.max(0.01, seconds / 3600), 9, 2)}      ${fixed(u.length(above), 9, 3)}    ${fixed(u.length(below), 9, 3)}`,
    ]
  })
  const title = heading('Node Surcharge Summary')
  if (rows.length === 0) return [...title, '', 'No nodes were surcharged.', '']
  const heads = [
    '                                             Max. Height   Min. Depth',
    '                                 Hours       Above Crown    Below Rim',
    `Node                 Type      Surcharged         ${u.feet.padStart(6)}       ${u.feet.padStart(6)}`,
  ]
  return [
    ...title,
    '',
    'Surcharging occurs when water rises above the top of the highest conduit.',
    ...table(69, heads, rows).slice(1),
  ]
}

export function nodeFloods({ sewer, peaks, statistics }: Simulated, u: ReportUnits): string[] {
  const { node } = statistics
  const rows = sewer.network.nodes.flatMap(({ name, kind }, n) => {
    const ponded = Math.max(0, peaks.node.maxHead[n] - sewer.groundElevations[n])
    if (kind === 'outfall' || node.floodedS[n] === 0) return []
    return [
      `${text(name, 20)} ${fixed(Math.max(0.01, node.floodedS[n] / 3600), 7, 2)} ${u.flow(node.maxFlooding[n])}   ${elapsed(node.floodTimeS[n])}${fixed(u.bulk(peaks.node.floodVolume[n]), 12, 3)} ${fixed(u.length(ponded), 9, 3)}`,
    ]
  })
  const title = heading('Node Flooding Summary')
  if (rows.length === 0) return [...title, '', 'No nodes were flooded.', '']
  const heads = [
    '                                                           Total   Maximum',
    '                               Maximum   Time of Max       Flood    Ponded',
    '                      Hours       Rate    Occurrence      Volume     Depth',
    `Node                 Flooded       ${u.flowName}   days hr:min    ${u.bulkName}    ${u.feet.padStart(6)}`,
  ]
  return [
    ...title,
    '',
    'Flooding refers to all water that overflows a node, whether it ponds or not.',
    ...table(74, heads, rows).slice(1),
  ]
}

export function storages({ sewer, statistics }: Simulated, u: ReportUnits): string[] {
  const { node } = statistics
  const rows = sewer.network.nodes.flatMap((one, n) => {
    if (one.kind !== 'storage') return []
    const mean = node.volumeSum[n] / Math.max(1, statistics.reports)
    const full = fullVolume(one.shape, one.fullDepthM)
    const share = (volume: number) => fixed(full > 0 ? (volume / full) * 100 : 0, 5, 1)
    return [
      `${text(one.name, 20)}${fixed(u.thousands(mean), 10, 3)}  ${share(mean)}  ${fixed(0, 5, 1)}  ${fixed(0, 5, 1)}  ${fixed(u.thousands(node.maxVolume[n]), 10, 3)}  ${share(node.maxVolume[n])}    ${elapsed(node.volumeTimeS[n])}  ${u.flow(node.maxOutflow[n])}`,
    ]
  })
  if (rows.length === 0) return []
  const heads = [
    '                       Average    Avg   Evap  Exfil     Maximum    Max    Time of Max    Maximum',
    '                        Volume   Pcnt   Pcnt   Pcnt      Volume   Pcnt     Occurrence    Outflow',
    `Storage Unit          ${u.cubic}   Full   Loss   Loss    ${u.cubic}   Full    days hr:min        ${u.flowName}`,
  ]
  return [...heading('Storage Volume Summary'), ...table(96, heads, rows)]
}

type Shape = Extract<Simulated['sewer']['network']['nodes'][number], { kind: 'storage' }>['shape']

/** Volume of a storage's shape to its full depth, m3. */
function fullVolume(shape: Shape, depth: number): number {
  if (shape.type === 'functional')
    return shape.constant * depth + (shape.coefficient * depth ** (shape.exponent + 1)) / (shape.exponent + 1)
  if (shape.type === 'quadratic') return depth * (shape.a0 + depth * (shape.a1 / 2 + (depth * shape.a2) / 3))
  const { x, y } = shape.table
  let volume = x[0] * y[0]
  for (let i = 1; i < x.length && x[i - 1] < depth; i++) {
    const top = Math.min(depth, x[i])
    const area = y[i - 1] + ((y[i] - y[i - 1]) * (top - x[i - 1])) / (x[i] - x[i - 1])
    volume += ((y[i - 1] + area) / 2) * (top - x[i - 1])
  }
  const last = x.length - 1
  return depth > x[last] ? volume + y[last] * (depth - x[last]) : volume
}

export function outfalls({ sewer, peaks, statistics }: Simulated, u: ReportUnits): string[] {
  const { node } = statistics
  const reports = Math.max(1, statistics.reports)
  let flow = 0
  let share = 0
  let volume = 0
  let count = 0
  const rows = sewer.network.nodes.flatMap(({ name, kind }, n) => {
    if (kind !== 'outfall') return []
    const frequency = (100 * node.flowing[n]) / reports
    const mean = node.flowing[n] > 0 ? node.flowSum[n] / node.flowing[n] : 0
    flow += mean
    share += frequency
    count++
    volume += node.inflowVolume[n]
    return [
      `${text(name, 20)}${fixed(frequency, 7, 2)} ${u.flow(mean)} ${u.flow(peaks.node.maxInflow[n])}${fixed(u.bulk(node.inflowVolume[n]), 12, 3)}`,
    ]
  })
  if (count === 0) return []
  const heads = [
    '                       Flow       Avg       Max       Total',
    '                       Freq      Flow      Flow      Volume',
    `Outfall Node           Pcnt       ${u.flowName}       ${u.flowName}    ${u.bulkName}`,
  ]
  const sum = `${text('System', 20)}${fixed(share / count, 7, 2)} ${u.flow(flow)} ${u.flow(statistics.maxOutfall)}${fixed(u.bulk(volume), 12, 3)}`
  return [...heading('Outfall Loading Summary'), ...table(59, heads, [...rows, '-'.repeat(59), sum])]
}
