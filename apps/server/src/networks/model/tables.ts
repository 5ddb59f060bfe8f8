import type { InpResult } from '@radx/formats/inp/read'
import type { InpUnits } from '@radx/formats/inp/units'
import type { Inlets } from '@radx/hydrology/inlets/inlets'
import type { Runoff } from '@radx/hydrology/runoff/runoff'
import type { SewerPeaks } from '@radx/hydrology/sewer/results/peaks'
import type { Sewer } from '@radx/hydrology/sewer/types'
import { csvField } from '@radx/locale/csv'

/**
 * Volumes in m3; the error is what the balance lacks, relative to everything that came in or was there. As in EPA SWMM what comes back
 * through outfalls has come in.
 */
export function balanceOf(sewer: Sewer, runoff: Runoff | null, inlets: Inlets | null = null) {
  const { initial, stored, inflow, outfall, backflow = 0, flooded, loss, error } = sewer.totals()
  // What sewers spill through inlets of streets stays in the model.
  const returned = inlets?.returnedM3() ?? 0
  return {
    initialM3: initial,
    inflowM3: inflow + backflow - returned,
    outfallM3: outfall + backflow,
    floodedM3: flooded - returned,
    lossM3: loss,
    storedM3: stored,
    errorM3: error,
    relativeError: Math.abs(error) / Math.max(1e-9, Math.abs(inflow) + initial),
    ...(runoff ? { runoff: runoffBalance(runoff) } : {}),
  }
}

function runoffBalance(runoff: Runoff) {
  const {
    rain,
    evaporation,
    infiltration,
    runoff: released,
    drains,
    received,
    held,
    initial,
    stored,
    error,
  } = runoff.totals()
  return {
    initialM3: initial,
    rainM3: rain,
    evaporationM3: evaporation,
    infiltrationM3: infiltration,
    runoffM3: released,
    drainsM3: drains,
    receivedM3: received,
    heldM3: held,
    storedM3: stored,
    rainInflowM3: runoff.rainInflow.totals.inflow,
    errorM3: error,
    relativeError: Math.abs(error) / Math.max(1e-9, rain + initial),
  }
}

export const csv = (header: string, rows: (string | number)[][]) =>
  `${[header, ...rows.map((row) => row.map(csvField).join(','))].join('\n')}\n`
export const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

export function linksCsv(sewer: Sewer, { link }: SewerPeaks, units: InpUnits): string {
  return csv(
    'link,max_abs_flow,time_s,max_velocity,max_full_depth_ratio,volume,surcharged_s',
    sewer.network.links.map(({ name }, i) => [
      name,
      link.maxAbsFlow[i] / units.flowFactor,
      link.timeS[i],
      link.maxVelocity[i] / units.length,
      link.maxFullDepthRatio[i],
      link.volume[i] / units.volume,
      link.surchargedS[i],
    ]),
  )
}

export function nodesCsv(sewer: Sewer, { node }: SewerPeaks, units: InpUnits): string {
  return csv(
    'node,max_depth,max_hgl,time_s,max_total_inflow,flood_volume',
    sewer.network.nodes.map(({ name }, i) => [
      name,
      node.maxDepth[i] / units.length,
      node.maxHead[i] / units.length,
      node.timeS[i],
      node.maxInflow[i] / units.flowFactor,
      node.floodVolume[i] / units.volume,
    ]),
  )
}

/**
 * Depths of water in the file's unit of rain (in, mm), over each subcatchment; `runoff_by_rates` sums the rate at each step's end,
 * as EPA SWMM's report does.
 */
export function subcatchmentsCsv(runoff: Runoff, units: InpUnits): string {
  const depth = units.us ? 0.0254 : 0.001
  return csv(
    'subcatchment,precipitation,runon,evaporation,infiltration,impervious_runoff,pervious_runoff,runoff,runoff_volume,peak_runoff,time_s,runoff_by_rates',
    runoff.subcatchments.map(({ input, totals }) => {
      const over = (volume: number) => (input.areaM2 > 0 ? volume / input.areaM2 / depth : 0)
      return [
        input.name,
        over(totals.rain),
        over(totals.runon),
        over(totals.evaporation),
        over(totals.infiltration),
        over(totals.imperviousRunoff),
        over(totals.perviousRunoff),
        over(totals.runoff),
        totals.runoff / units.volume,
        totals.peak / units.flowFactor,
        totals.peakS,
        over(totals.rated),
      ]
    }),
  )
}

/** Water balance of each measure, in the file's unit of rain over its own area. */
export function measuresCsv(runoff: Runoff, units: InpUnits): string | null {
  const depth = units.us ? 0.0254 : 0.001
  const rows = runoff.subcatchments.flatMap(({ input, measures }) =>
    measures.map((measure) => {
      const { totals } = measure
      return [
        input.name,
        measure.design.name,
        ...[
          totals.inflow,
          totals.evaporation,
          totals.seepage,
          totals.outflow,
          totals.drain,
          totals.initial,
          measure.volume(),
        ].map((value) => value / depth),
      ]
    }),
  )
  if (rows.length === 0) return null
  return csv('subcatchment,lid,inflow,evaporation,seepage,outflow,drain,initial,final', rows)
}

/** Those of the names that are no node, link or subcatchment of a model. */
export function unknownNames(names: string[], { network, runoff }: InpResult): string[] {
  const known = new Set(
    [...network.nodes, ...network.links, ...(runoff?.subcatchments ?? [])].map(({ name }) => name),
  )
  return names.filter((name) => !known.has(name))
}

/** Depth, level and flooding of nodes, flow, depth and velocity of links, runoff of subcatchments, at reporting times. */
export class Series {
  private readonly columns: { title: string; value: (sewer: Sewer, runoff: Runoff | null) => number }[] = []
  private readonly rows: number[][] = []
  private readonly names: string[]
  private readonly units: InpUnits
  private prepared = false

  constructor(names: string[], units: InpUnits) {
    this.names = names
    this.units = units
  }

  private prepare(sewer: Sewer, runoff: Runoff | null): void {
    const units = this.units
    for (const name of this.names) {
      const node = sewer.nodeIndex(name)
      const link = sewer.linkIndex(name)
      const catchment = runoff ? runoff.subcatchments.findIndex(({ input }) => input.name === name) : -1
      if (node >= 0)
        this.columns.push(
          { title: `${name} depth`, value: (from) => from.depths[node] / units.length },
          { title: `${name} hgl`, value: (from) => from.heads[node] / units.length },
          { title: `${name} volume`, value: (from) => from.volumes[node] / units.volume },
        )
      if (link >= 0)
        this.columns.push(
          { title: `${name} flow`, value: (from) => from.flows[link] / units.flowFactor },
          { title: `${name} depth`, value: (from) => from.linkDepths[link] / units.length },
          { title: `${name} velocity`, value: (from) => from.velocities[link] / units.length },
        )
      if (catchment >= 0)
        this.columns.push({
          title: `${name} runoff`,
          value: (_, rain) => (rain ? rain.subcatchments[catchment].flow / units.flowFactor : 0),
        })
    }
    this.prepared = true
  }

  take(sewer: Sewer, runoff: Runoff | null): void {
    if (!this.prepared) this.prepare(sewer, runoff)
    if (this.columns.length > 0)
      this.rows.push([sewer.timeS, ...this.columns.map((column) => column.value(sewer, runoff))])
  }

  csv(): string {
    return csv(['time_s', ...this.columns.map((column) => csvField(column.title))].join(','), this.rows)
  }
}
