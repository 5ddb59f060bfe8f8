import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPeaks, type SewerPeaks } from '@radx/hydrology/sewer/results/peaks'
import type { Sewer } from '@radx/hydrology/sewer/types'
import type { Stateful, StateVisitor } from '@radx/hydrology/state/state'
import { csvField } from '@radx/locale/csv'
import { OutFile } from '../../networks/api.ts'
import { OUTPUT } from './outputs.ts'

/** A smaller volume is rounding, m3. */
export const FLOODED_M3 = 1e-6

/**
 * Results of the network for other tools: EPA SWMM's binary file, a period an interval of the rain, and peaks and
 * volumes as CSV. States are those at the end of a period; lateral inflow and flooding are means over it.
 */
export class SewerResults implements Stateful {
  private readonly dir: string
  private readonly sewer: Sewer
  private readonly peaks: SewerPeaks
  private readonly out: OutFile

  /**
   * @param startEpochS start of the run, s since 1970-01-01
   * @param fromS moment of the run from which on there are periods, s
   */
  constructor(dir: string, sewer: Sewer, startEpochS: number, intervalS: number, fromS = 0) {
    this.dir = dir
    this.sewer = sewer
    this.peaks = createPeaks(sewer)
    this.out = new OutFile(join(dir, OUTPUT.networkResults), sewer, startEpochS, intervalS, fromS)
  }

  visit(state: StateVisitor): void {
    this.out.visit(state)
    this.peaks.visit(state)
  }

  /** Takes the step of `dtS` seconds that the sewer has just made. */
  observe(dtS: number): void {
    this.peaks.observe(dtS)
    this.out.observe(dtS)
  }

  /** Writes the period that ends now. */
  add(timeS: number): void {
    this.out.period(timeS)
  }

  /** Ends the binary file and writes the peaks. */
  finish(): void {
    this.out.finish()
    const { nodes, links } = this.sewer.network
    const { node, link } = this.peaks
    const round = (value: number, decimals: number) => Number(value.toFixed(decimals))
    const csv = (head: string, rows: (string | number)[][]) =>
      `${[head, ...rows.map((row) => row.map(csvField).join(','))].join('\n')}\n`
    writeFileSync(
      join(this.dir, OUTPUT.sewerNodes),
      csv(
        NODE_HEAD,
        nodes.map(({ name }, k) => [
          name,
          round(node.maxDepth[k], 4),
          round(node.maxHead[k], 4),
          round(node.timeS[k], 1),
          round(node.maxInflow[k], 6),
          round(node.floodVolume[k], 6),
          round(node.outfallVolume[k], 6),
        ]),
      ),
    )
    writeFileSync(
      join(this.dir, OUTPUT.sewerLinks),
      csv(
        LINK_HEAD,
        links.map(({ name }, k) => [
          name,
          round(link.maxAbsFlow[k], 6),
          round(link.timeS[k], 1),
          round(link.maxVelocity[k], 4),
          round(link.maxFullDepthRatio[k], 4),
          round(link.volume[k], 6),
          round(link.surchargedS[k], 1),
        ]),
      ),
    )
  }

  close(): void {
    this.out.close()
  }
}

export const NODE_HEAD = 'node,max_depth_m,max_head_m,time_s,max_inflow_m3s,flooded_m3,outfall_m3'

export const LINK_HEAD = 'link,max_flow_m3s,time_s,max_velocity_ms,max_full_depth,volume_m3,surcharged_s'

/** A link that ran full, and how long, s. */
export interface SurchargedLink {
  name: string
  maxFlowM3S: number
  surchargedS: number
}

/** Links that ran full, the longest first; null for a run without a network or of another version. */
export function readSurcharged(dir: string): SurchargedLink[] | null {
  let text: string
  try {
    text = readFileSync(join(dir, OUTPUT.sewerLinks), 'utf8')
  } catch {
    return null
  }
  const [head, ...lines] = text.trimEnd().split('\n')
  if (head !== LINK_HEAD) return null
  return lines
    .flatMap((line) => {
      const match = /^(.*),([^,]*),[^,]*,[^,]*,[^,]*,[^,]*,([^,]*)$/.exec(line)
      const surchargedS = Number(match?.[3])
      return match && surchargedS > 0
        ? [{ name: unquote(match[1]), maxFlowM3S: Number(match[2]), surchargedS }]
        : []
    })
    .sort((a, b) => b.surchargedS - a.surchargedS || a.name.localeCompare(b.name))
}

/** Names of the nodes that gave water back to the surface; null for a run that did not write them down. */
export function readOverflowing(dir: string): string[] | null {
  let text: string
  try {
    text = readFileSync(join(dir, OUTPUT.sewerNodes), 'utf8')
  } catch {
    return null
  }
  const [head, ...lines] = text.trimEnd().split('\n')
  if (head !== NODE_HEAD) return null
  return lines.flatMap((line) => {
    // The name comes first and may hold anything; the six figures after it do not.
    const match = /^(.*),[^,]*,[^,]*,[^,]*,[^,]*,([^,]*),[^,]*$/.exec(line)
    return match && Number(match[2]) > FLOODED_M3 ? [unquote(match[1])] : []
  })
}

/** The text of a field as `csvField` wrote it. */
export const unquote = (field: string): string => {
  const text = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
  return text.replace(/^'(?=[=+\-@\t\r])/, '')
}
