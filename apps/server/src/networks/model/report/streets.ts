import type { SewerTransect } from '@radx/contracts'
import { sectionShape } from '@radx/hydrology/sewer/sections/section-shapes'
import type { Simulated } from '../simulate.ts'
import { fixed, heading, type ReportUnits, text } from './text.ts'

const RULE = '-'.repeat(135)

/** Street Flow Summary: each street with its inlets. */
export function streetFlows({ sewer, peaks, inlets }: Simulated, u: ReportUnits): string[] {
  const { links } = sewer.network
  const rows = links.flatMap((link, i) => {
    if (link.kind !== 'conduit' || link.section.shape !== 'STREET') return []
    const figures = inlets?.figures.find(({ input }) => input.link === i)
    const flow = peaks.link.maxAbsFlow[i]
    const depth = peaks.link.maxFullDepthRatio[i] * sewer.linkFullDepths[i]
    const shape = sectionShape(link.section)
    const step = 1e-4
    const width = shape.width?.(depth) ?? (shape.area(depth) - shape.area(Math.max(0, depth - step))) / step
    const sides = link.section.transect ? sidesOf(link.section.transect) : 1
    const crown = shape.maxWidthM / sides
    const street = `${text(link.name, 16)} ${u.flow(flow)} ${fixed(u.length(Math.min(crown, width / sides)), 9, 3)} ${fixed(u.length(depth), 9, 3)}`
    if (!figures) return [street]
    const { input, placement, flowing, taking, passing, returning, shares, peakShare } = figures
    const place = `${street}  ${text(input.design.name, 16)}${placement === 'sag' ? '  ON-SAG  ' : '  ON-GRADE'}  ${String(input.count).padStart(5)}`
    if (flowing === 0) return [place]
    const percent = (part: number, of: number) => fixed(of > 0 ? (100 * part) / of : 0, 7, 2)
    const taken = u.flow((flow / sides / input.count) * peakShare).slice(-7)
    const left = u.flow(flow * (1 - peakShare)).slice(-7)
    return [
      `${place}  ${percent(peakShare, 1)}  ${percent(shares, taking)}  ${percent(passing, taking)}  ${percent(returning, flowing)}  ${taken}  ${left}`,
    ]
  })
  if (rows.length === 0) return []
  const unit = u.us ? 'ft' : ' m'
  return [
    ...heading('Street Flow Summary'),
    '',
    RULE,
    '                                                                                      Peak     Avg.   Bypass     Back     Peak     Peak',
    '                      Peak   Maximum   Maximum                                        Flow     Flow     Flow     Flow  Capture   Bypass',
    '                      Flow    Spread     Depth  Inlet             Inlet     Inlet  Capture  Capture     Freq     Freq  / Inlet     Flow',
    `Street Conduit         ${u.flowName}        ${unit}        ${unit}  Design            Location  Count     Pcnt     Pcnt     Pcnt     Pcnt      ${u.flowName}      ${u.flowName}`,
    RULE,
    ...rows,
    '',
  ]
}

/** A street whose profile is the same from both ends has two sides. */
const sidesOf = ({ elevationsM }: SewerTransect): 1 | 2 =>
  elevationsM.every((level, k) => level === elevationsM[elevationsM.length - 1 - k]) ? 2 : 1
