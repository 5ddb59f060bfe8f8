import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SewerLink } from '@radx/contracts/sewer'
import { SwmmOut } from '@radx/formats/swmm-out'
import { createPeaks, type SewerPeaks } from '@radx/hydrology/sewer/results/peaks'
import { sectionTable, tableAt } from '@radx/hydrology/sewer/sections/section-table'
import type { Sewer } from '@radx/hydrology/sewer/types'
import type { Stateful, StateVisitor } from '@radx/hydrology/state/state'
import { csvField } from '@radx/locale/csv'
import { OUTPUT } from './outputs.ts'

/** A smaller volume is rounding, m3. */
export const FLOODED_M3 = 1e-6

/**
 * Results of the network for other tools: EPA SWMM's binary file, a period an interval of the rain, and peaks and
 * volumes as CSV. States are those at the end of a period; lateral inflow and flooding are means over it.
 */
export class SewerResults implements Stateful {
  readonly #dir: string
  readonly #sewer: Sewer
  readonly #peaks: SewerPeaks
  readonly #out: SwmmOut
  readonly #file: number
  readonly #areas: ((depthM: number) => number)[]
  readonly #lateral: Float64Array
  readonly #flooded: Float64Array
  #sinceS = 0

  /**
   * @param startEpochS start of the run, s since 1970-01-01
   * @param fromS moment of the run from which on there are periods, s
   */
  constructor(dir: string, sewer: Sewer, startEpochS: number, intervalS: number, fromS = 0) {
    this.#dir = dir
    this.#sewer = sewer
    this.#peaks = createPeaks(sewer)
    this.#out = new SwmmOut(sewer.network, startEpochS, intervalS)
    this.#areas = sewer.network.links.map(areaOf(new Map()))
    this.#lateral = new Float64Array(sewer.network.nodes.length)
    this.#flooded = new Float64Array(sewer.network.nodes.length)
    this.#file = openSync(join(dir, OUTPUT.networkResults), 'w')
    writeSync(this.#file, this.#out.head(sewer.linkFullDepths, fromS))
  }

  visit(state: StateVisitor): void {
    this.#sinceS = state.number('sinceS', this.#sinceS)
    state.array('lateral', this.#lateral)
    state.array('flooded', this.#flooded)
    this.#peaks.visit(state)
  }

  /** Takes the step of `dtS` seconds that the sewer has just made. */
  observe(dtS: number): void {
    this.#peaks.observe(dtS)
    this.#sinceS += dtS
    const { lateralVolumes, floodVolumes } = this.#sewer
    for (let k = 0; k < this.#lateral.length; k++) {
      this.#lateral[k] += lateralVolumes[k]
      this.#flooded[k] += floodVolumes[k]
    }
  }

  /** Writes the period that ends now. */
  add(timeS: number): void {
    const sewer = this.#sewer
    const { nodes, links } = sewer.network
    const lasted = Math.max(this.#sinceS, 1e-9)
    const lateralM3S = this.#lateral.map((volume) => volume / lasted)
    const floodingM3S = this.#flooded.map((volume) => volume / lasted)
    const inflowM3S = lateralM3S.slice()
    const volumeM3 = new Float64Array(links.length)
    const capacity = new Float64Array(links.length)
    const depthM = sewer.linkDepths.slice()
    let outflowM3S = 0
    for (const [k, link] of links.entries()) {
      const flow = sewer.flows[k]
      inflowM3S[flow >= 0 ? link.to : link.from] += Math.abs(flow)
      if (nodes[link.to].kind === 'outfall') outflowM3S += flow
      if (nodes[link.from].kind === 'outfall') outflowM3S -= flow
      if (link.kind !== 'conduit') {
        capacity[k] = sewer.settings[k]
        depthM[k] = overCrest(sewer, link, k)
        continue
      }
      const area = this.#areas[k](depthM[k])
      volumeM3[k] = area * link.lengthM * link.section.barrels
      capacity[k] = area / this.#areas[k](sewer.linkFullDepths[k])
    }
    const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0)
    writeSync(
      this.#file,
      this.#out.period(timeS, {
        node: {
          depthM: sewer.depths,
          headM: sewer.heads,
          volumeM3: sewer.volumes,
          lateralM3S,
          inflowM3S,
          floodingM3S,
        },
        link: {
          flowM3S: sewer.flows,
          depthM,
          velocityMS: sewer.velocities,
          volumeM3,
          capacity,
        },
        system: {
          lateralM3S: sum(lateralM3S),
          floodingM3S: sum(floodingM3S),
          outflowM3S,
          storageM3: sewer.totals().stored,
        },
      }),
    )
    this.#lateral.fill(0)
    this.#flooded.fill(0)
    this.#sinceS = 0
  }

  /** Ends the binary file and writes the peaks. */
  finish(): void {
    writeSync(this.#file, this.#out.tail())
    const { nodes, links } = this.#sewer.network
    const { node, link } = this.#peaks
    const round = (value: number, decimals: number) => Number(value.toFixed(decimals))
    const csv = (head: string, rows: (string | number)[][]) =>
      `${[head, ...rows.map((row) => row.map(csvField).join(','))].join('\n')}\n`
    writeFileSync(
      join(this.#dir, OUTPUT.sewerNodes),
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
      join(this.#dir, OUTPUT.sewerLinks),
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
    closeSync(this.#file)
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

/** Water over the crest of a device, no higher than its opening, m; pumps have none. */
function overCrest(sewer: Sewer, link: SewerLink, k: number): number {
  if (link.kind === 'conduit' || link.kind === 'pump') return 0
  const { heads, invertElevations, settings, linkFullDepths } = sewer
  const head = Math.max(heads[link.from], heads[link.to]) - invertElevations[link.from] - link.offsetM
  if (link.kind === 'outlet') return Math.max(0, head)
  const full = linkFullDepths[k]
  // A weir is raised by what is shut of it, an orifice lowered.
  if (link.kind === 'weir') return Math.min(full, Math.max(0, head - (1 - settings[k]) * full))
  const opening = settings[k] * full
  // EPA SWMM calls the opening in a floor full as soon as water stands on it.
  if (link.kind === 'orifice' && link.orientation === 'bottom') return head > 0 ? opening : 0
  return Math.min(opening, Math.max(0, head))
}

/** The text of a field as `csvField` wrote it. */
export const unquote = (field: string): string => {
  const text = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
  return text.replace(/^'(?=[=+\-@\t\r])/, '')
}

/** Area of a link's section by its depth, m2; equal sections share their table. */
const areaOf = (tables: Map<string, (depthM: number) => number>) => (link: SewerLink) => {
  if (link.kind !== 'conduit') return () => 0
  const key = JSON.stringify(link.section)
  let area = tables.get(key)
  if (area === undefined) {
    const table = sectionTable(link.section)
    area = (depthM) => tableAt(table, depthM, 0)
    tables.set(key, area)
  }
  return area
}
