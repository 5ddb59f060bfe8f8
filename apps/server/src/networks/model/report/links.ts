import type { SewerLink } from '@radx/contracts'
import { sectionShape } from '@radx/hydrology/sewer/sections/section-shapes'
import type { Simulated } from '../simulate.ts'
import { elapsed, fixed, heading, type ReportUnits, table, text } from './text.ts'

function typeOf(link: SewerLink): string {
  if (link.kind === 'conduit' && link.section.shape === 'DUMMY') return 'DUMMY'
  if (link.kind === 'conduit' && link.section.shape === 'IRREGULAR') return 'CHANNEL'
  return link.kind.toUpperCase()
}

/** Flow of a link when it is full, all barrels, m3/s; for pumps the largest of the curve. */
export function fullFlow({ sewer }: Simulated, index: number): number {
  const link = sewer.network.links[index]
  const { nodes } = sewer.network
  if (link.kind === 'pump') return link.curve ? Math.max(...link.curve.y) : 0
  if (link.kind !== 'conduit' || link.section.shape === 'DUMMY') return 0
  const section = sectionShape(link.section)
  const full = section.fullDepthM
  const drop = Math.abs(nodes[link.from].invertM + link.inOffsetM - nodes[link.to].invertM - link.outOffsetM)
  const height = Math.max(drop, 0.0003048)
  const slope =
    height >= link.lengthM ? height / link.lengthM : height / Math.sqrt(link.lengthM ** 2 - height ** 2)
  return (
    (Math.sqrt(slope) / link.roughness) *
    section.area(full) *
    section.radius(full) ** (2 / 3) *
    link.section.barrels
  )
}

export function linkFlows(run: Simulated, u: ReportUnits): string[] {
  const { sewer, peaks } = run
  const heads = [
    '                               Maximum  Time of Max   Maximum    Max/    Max/',
    '                                |Flow|   Occurrence   |Veloc|    Full    Full',
    `Link                 Type          ${u.flowName}  days hr:min    ${u.speed}    Flow   Depth`,
  ]
  const rows = sewer.network.links.map((link, i) => {
    const most = peaks.link.maxAbsFlow[i]
    const full = fullFlow(run, i)
    const type = typeOf(link)
    let row = `${text(link.name, 20)} ${text(type, 7)} ${u.flow(most)}  ${elapsed(peaks.link.timeS[i])}`
    if (link.kind === 'pump') return full > 0 ? `${row}          ${`  ${fixed(most / full, 6, 2)}`}` : row
    if (type === 'DUMMY' || link.kind === 'outlet') return row
    if (link.kind === 'conduit') {
      const speed = u.length(peaks.link.maxVelocity[i])
      row += speed > 50 ? '    >50.00' : `   ${fixed(speed, 7, 2)}`
      row += `  ${fixed(full > 0 ? most / full : 0, 6, 2)}`
    } else row += ' '.repeat(18)
    const bottom = link.kind === 'orifice' && link.orientation === 'bottom'
    return sewer.linkFullDepths[i] > 0 && !bottom
      ? `${row}  ${fixed(peaks.link.maxFullDepthRatio[i], 6, 2)}`
      : `${row}        `
  })
  return [...heading('Link Flow Summary', 20), ...table(77, heads, rows)]
}

/** Share of the time that each conduit was dry or not; which kind of flow it was is not kept. */
export function flowClasses({ sewer, statistics }: Simulated): string[] {
  const heads = [
    '                    Adjusted    ---------- Fraction of Time in Flow Class ---------- ',
    '                     /Actual         Up    Down  Sub   Sup   Up    Down  Norm  Inlet ',
    'Conduit               Length    Dry  Dry   Dry   Crit  Crit  Crit  Crit  Ltd   Ctrl  ',
  ]
  const time = Math.max(1e-9, sewer.timeS)
  const rows = sewer.network.links.flatMap((link, i) => {
    if (link.kind !== 'conduit' || link.section.shape === 'DUMMY') return []
    const dry = statistics.link.dryS[i] / time
    const shares = [dry, 0, 0, 1 - dry, 0, 0, 0, 0, 0].map((share) => `  ${fixed(share, 4, 2)}`)
    return [`${text(link.name, 20)}  ${fixed(1, 6, 2)} ${shares.join('')}`]
  })
  return [...heading('Flow Classification Summary'), ...table(85, heads, rows)]
}

export function conduitSurcharges({ sewer, statistics }: Simulated): string[] {
  const { link: full } = statistics
  const rows = sewer.network.links.flatMap((link, i) => {
    if (link.kind !== 'conduit' || link.section.shape === 'DUMMY') return []
    const seconds = [full.fullS[i], full.fullUpS[i], full.fullDownS[i], 0, 0]
    if (seconds.every((value) => value === 0)) return []
    const hours = seconds.map((value) => fixed(Math.max(0.01, value / 3600), 8, 2))
    return [`${text(link.name, 20)}    ${hours.slice(0, 4).join('  ')}     ${hours[4]}`]
  })
  const title = heading('Conduit Surcharge Summary')
  if (rows.length === 0) return [...title, '', 'No conduits were surcharged.', '']
  const heads = [
    '                                                         Hours        Hours ',
    '                       --------- Hours Full --------   Above Full   Capacity',
    'Conduit                Both Ends  Upstream  Dnstream   Normal Flow   Limited',
  ]
  return [...title, ...table(76, heads, rows)]
}

export function pumps({ sewer, peaks, statistics }: Simulated, u: ReportUnits): string[] {
  const { link } = statistics
  const time = Math.max(1e-9, sewer.timeS)
  const rows = sewer.network.links.flatMap((one, i) => {
    if (one.kind !== 'pump') return []
    const on = link.onS[i]
    const mean = on > 0 ? peaks.link.volume[i] / on : 0
    const least = Number.isFinite(link.minFlow[i]) ? link.minFlow[i] : 0
    return [
      `${text(one.name, 20)} ${fixed((on / time) * 100, 8, 2)}  ${String(link.starts[i]).padStart(10)} ${u.flow(least)} ${u.flow(mean)} ${u.flow(peaks.link.maxAbsFlow[i])} ${fixed(u.bulk(peaks.link.volume[i]), 9, 3)} ${fixed(0, 9, 2)} ${fixed(0, 6, 1)} ${fixed(0, 6, 1)}`,
    ]
  })
  if (rows.length === 0) return []
  const heads = [
    '                                                Min       Avg       Max     Total     Power    % Time Off',
    '                      Percent   Number of      Flow      Flow      Flow    Volume     Usage    Pump Curve',
    `Pump                 Utilized   Start-Ups       ${u.flowName}       ${u.flowName}       ${u.flowName}  ${u.bulkName}     Kw-hr    Low   High`,
  ]
  return [...heading('Pumping Summary'), ...table(105, heads, rows)]
}
