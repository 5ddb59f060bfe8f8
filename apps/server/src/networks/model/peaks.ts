import type { NetworkPeaks } from '@radx/contracts'
import type { Simulated } from './simulate.ts'

/** Figures that a run is remembered by, in SI; they are rounded to what the pages show and files compare. */
export function peaksOf({ sewer, runoff, peaks: { node, link } }: Simulated): NetworkPeaks {
  const { nodes, links } = sewer.network
  const catchments = runoff?.subcatchments ?? []
  const depthMm = (of: (one: (typeof catchments)[number]) => number) =>
    catchments.map((one) => rounded(one.input.areaM2 > 0 ? (1000 * of(one)) / one.input.areaM2 : 0))
  return {
    nodes: {
      names: nodes.map(({ name }) => name),
      maxDepthM: Array.from(node.maxDepth, rounded),
      maxHeadM: Array.from(node.maxHead, rounded),
      timeS: Array.from(node.timeS, rounded),
      maxInflowM3S: Array.from(node.maxInflow, rounded),
      floodedM3: Array.from(node.floodVolume, rounded),
    },
    links: {
      names: links.map(({ name }) => name),
      maxFlowM3S: Array.from(link.maxAbsFlow, rounded),
      timeS: Array.from(link.timeS, rounded),
      maxVelocityMS: Array.from(link.maxVelocity, rounded),
      fill: Array.from(link.maxFullDepthRatio, rounded),
      volumeM3: Array.from(link.volume, rounded),
      surchargedS: Array.from(link.surchargedS, rounded),
    },
    subcatchments: {
      names: catchments.map(({ input }) => input.name),
      rainMm: depthMm(({ totals }) => totals.rain),
      infiltrationMm: depthMm(({ totals }) => totals.infiltration),
      runoffMm: depthMm(({ totals }) => totals.runoff),
      ratedMm: depthMm(({ totals }) => totals.rated),
      peakM3S: catchments.map(({ totals }) => rounded(totals.peak)),
    },
  }
}

/** Seven digits, enough to compare a hundredth of a per mille; what is not finite has no place in JSON. */
const rounded = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(7)) : 0)
