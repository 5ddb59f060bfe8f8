import {
  type NetworkComparison,
  type NetworkPeaks,
  RadxError,
  type SewerFlowUnits,
  type SewerNetwork,
} from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import { type InpUnits, inpUnits } from '@radx/formats/inp/units'
import { readSwmmOut, type SwmmOutPeaks } from '@radx/formats/swmm-out-read'
import { readSwmmReport, type SwmmPeaks } from '@radx/formats/swmm-rpt'
import { peaksOf } from './peaks.ts'
import type { Simulated } from './simulate.ts'
import { csv } from './tables.ts'

/** Rows that the printed tables show: those that differ most. */
const SHOWN = 20
/** Links and nodes below this share of the largest are not ranked. */
const SMALL = 0.02

interface Row {
  name: string
  kind: string
  theirs: number
  ours: number
  /** % of theirs; infinite where they have none. */
  difference: number
  doubtful: boolean
}

export interface CompareResult {
  text: string
  files: Record<string, string>
}

/**
 * Sets a run beside a report (.rpt) or result file (.out) of EPA SWMM: largest flow of each link, largest depth of each
 * node, runoff of each subcatchment. What EPA SWMM itself marks as doubtful (links and nodes that it could not balance or that swing, and all where
 * its continuity is off or its steps do not converge) is marked.
 */
export function compareRuns(theirs: Theirs, run: Simulated, units: InpUnits): CompareResult {
  const { name, peaks: other } = theirs
  const doubtfulRun = other.doubts.length > 0
  const figures = peaksOf(run)
  const { links, nodes, runoff, depths } = allRows(theirs, figures, run.sewer.network, units)
  const runoffText = runoff.length === 0 ? [] : runoffSections({ runoff, depths }, units, doubtfulRun)
  const text = [
    `Comparaison avec ${name} (EPA SWMM${other.sampled ? ', valeurs aux pas de rapport' : ''})`,
    ...other.doubts.map((doubt) => `  douteux : ${doubt}`),
    ...section('Débits maximaux des liens', units.flow, links, doubtfulRun),
    ...section('Hauteurs maximales des nœuds', units.lengthName, nodes, doubtfulRun),
    ...runoffText,
  ].join('\n')
  const table = (rows: Row[]) =>
    csv(
      'name,kind,epa,radx,difference_percent,epa_doubtful',
      rows.map((row) => [
        row.name,
        row.kind,
        row.theirs,
        row.ours,
        row.difference,
        row.doubtful || doubtfulRun ? 1 : 0,
      ]),
    )
  return {
    text,
    files: {
      'compare-links.csv': table(links),
      'compare-nodes.csv': table(nodes),
      ...(runoff.length > 0 && {
        'compare-runoff-peaks.csv': table(runoff),
        'compare-runoff-depths.csv': table(depths),
      }),
    },
  }
}

const runoffSections = (
  { runoff, depths }: { runoff: Row[]; depths: Row[] },
  units: InpUnits,
  doubtful: boolean,
) => [
  ...section('Ruissellements maximaux des bassins', units.flow, runoff, doubtful),
  ...section('Lames ruisselées des bassins', units.us ? 'in' : 'mm', depths, doubtful),
]

/** The same for a page, from what a run keeps. */
export function comparePeaks(
  theirs: Theirs,
  figures: NetworkPeaks,
  { network, units }: Pick<InpResult, 'network' | 'units'>,
): NetworkComparison {
  const { links, nodes, runoff, depths } = allRows(theirs, figures, network, units)
  const doubtfulRun = theirs.peaks.doubts.length > 0
  const table = (unit: string, rows: Row[]) => {
    const { ranked, at } = rankedOf(rows)
    return {
      unit,
      common: rows.length,
      ranked: ranked.length,
      medianPercent: at(0.5),
      p95Percent: at(0.95),
      rows: ranked.map((row) => ({ ...row, doubtful: row.doubtful || doubtfulRun })),
    }
  }
  return {
    name: theirs.name,
    sampled: theirs.peaks.sampled,
    doubts: theirs.peaks.doubts,
    links: table(units.flow, links),
    nodes: table(units.lengthName, nodes),
    runoffPeaks: table(units.flow, runoff),
    runoffDepths: table(units.us ? 'in' : 'mm', depths),
  }
}

function allRows(
  { peaks: theirs }: Theirs,
  { links, nodes, subcatchments }: NetworkPeaks,
  network: SewerNetwork,
  units: InpUnits,
): { links: Row[]; nodes: Row[]; runoff: Row[]; depths: Row[] } {
  const none = new Set<string>()
  const ofSubcatchments = (values: number[], theirValues: Map<string, number>) =>
    rowsOf(
      subcatchments.names.map((name, k) => ({ name, kind: 'subcatchment', ours: values[k] })),
      theirValues,
      none,
    )
  return {
    links: rowsOf(
      network.links.map(({ name, kind }, i) => ({
        ...{ name, kind },
        ours: links.maxFlowM3S[i] / units.flowFactor,
      })),
      theirs.linkFlows,
      theirs.doubtful.links,
    ),
    nodes: rowsOf(
      network.nodes.map(({ name, kind }, n) => ({ name, kind, ours: nodes.maxDepthM[n] / units.length })),
      theirs.nodeDepths,
      theirs.doubtful.nodes,
    ),
    runoff: ofSubcatchments(
      subcatchments.peakM3S.map((peak) => peak / units.flowFactor),
      theirs.runoffPeaks,
    ),
    depths: ofSubcatchments(
      depthsOf(subcatchments).map((depth) => depth / mmOf(units)),
      theirs.runoffDepths,
    ),
  }
}

/** Depths of runoff as EPA SWMM sums them, mm. */
const depthsOf = ({ runoffMm, ratedMm }: NetworkPeaks['subcatchments']) => ratedMm ?? runoffMm

/** mm in the unit that EPA SWMM reports depths of rain in. */
const mmOf = ({ us }: InpUnits) => (us ? 25.4 : 1)

function rowsOf(
  ours: { name: string; kind: string; ours: number }[],
  theirs: Map<string, number>,
  doubtful: Set<string>,
): Row[] {
  return ours.flatMap((one) => {
    const value = theirs.get(one.name)
    if (value === undefined) return []
    const difference =
      value === 0 ? (one.ours === 0 ? 0 : Number.POSITIVE_INFINITY) : (one.ours / value - 1) * 100
    return [{ ...one, theirs: value, difference, doubtful: doubtful.has(one.name) }]
  })
}

const figure = (value: number, digits: number) =>
  value.toLocaleString('fr-FR', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** Rows above 2 % of the largest, the largest difference first, and quantiles of the differences, %. */
function rankedOf(rows: Row[]): { ranked: Row[]; at(share: number): number } {
  const largest = rows.reduce((most, row) => Math.max(most, row.theirs), 0)
  const ranked = rows
    .filter((row) => row.theirs >= SMALL * largest && row.theirs > 0)
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
  const sorted = ranked.map((row) => Math.abs(row.difference)).sort((a, b) => a - b)
  return {
    ranked,
    at: (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0,
  }
}

function section(title: string, unit: string, rows: Row[], all: boolean): string[] {
  const { ranked, at } = rankedOf(rows)
  return [
    '',
    `${title} (${unit}) : ${rows.length} communs, ${ranked.length} au-dessus de ${SMALL * 100} % du plus grand ; écart médian ${figure(at(0.5), 2)} %, 95e centile ${figure(at(0.95), 2)} %`,
    `  ${'nom'.padEnd(24)}${'EPA SWMM'.padStart(14)}${'RadX'.padStart(14)}${'écart %'.padStart(11)}`,
    ...ranked
      .slice(0, SHOWN)
      .map(
        (row) =>
          `  ${row.name.padEnd(24)}${figure(row.theirs, 3).padStart(14)}${figure(row.ours, 3).padStart(14)}${figure(row.difference, 2).padStart(11)}${row.doubtful || all ? '  douteux' : ''}`,
      ),
    ...(ranked.length > SHOWN
      ? [`  … les ${ranked.length - SHOWN} autres sont dans les fichiers compare-*.csv`]
      : []),
  ]
}

/** A report or result file of EPA SWMM, and its name. */
export interface Theirs {
  name: string
  peaks: SwmmPeaks
}

/**
 * Reads a report or result file of EPA SWMM. This comes before the run, which may take long.
 * @param name its name: one that ends in .out is a result file
 * @param subcatchments names of those that the run has
 * @throws RadxError when it is neither, or has no node, link or subcatchment of this network
 */
export function theirsOf(
  bytes: Uint8Array,
  name: string,
  network: SewerNetwork,
  subcatchments: readonly string[],
): Theirs {
  const isOut = name.toLowerCase().endsWith('.out')
  const peaks = isOut
    ? inUnits(readSwmmOut(bytes, name), network.options.flowUnits)
    : readSwmmReport(bytes, name)
  if (peaks.linkFlows.size + peaks.nodeDepths.size + peaks.runoffPeaks.size === 0)
    throw new RadxError(
      'sewer.compare',
      422,
      `${name} : ce résultat ne rapporte aucun élément. Ajoutez SUBCATCHMENTS ALL, NODES ALL et LINKS ALL à [REPORT], puis refaites le calcul.`,
    )
  if (
    !network.links.some((link) => peaks.linkFlows.has(link.name)) &&
    !network.nodes.some((node) => peaks.nodeDepths.has(node.name)) &&
    !subcatchments.some((one) => peaks.runoffPeaks.has(one))
  )
    throw new RadxError(
      'sewer.compare',
      422,
      `${name} : aucun nœud, lien ni bassin de ce réseau. Donnez le résultat du même fichier .inp.`,
    )
  return { name, peaks }
}

/** A run of a network as what another one is compared with. */
export const peaksAsTheirs = (
  name: string,
  { links, nodes, subcatchments }: NetworkPeaks,
  units: InpUnits,
): Theirs => ({
  name,
  peaks: {
    linkFlows: new Map(links.names.map((link, i) => [link, links.maxFlowM3S[i] / units.flowFactor])),
    nodeDepths: new Map(nodes.names.map((node, n) => [node, nodes.maxDepthM[n] / units.length])),
    runoffPeaks: new Map(
      subcatchments.names.map((one, k) => [one, subcatchments.peakM3S[k] / units.flowFactor]),
    ),
    runoffDepths: new Map(
      subcatchments.names.map((one, k) => [one, depthsOf(subcatchments)[k] / mmOf(units)]),
    ),
    doubtful: { links: new Set(), nodes: new Set() },
    doubts: [],
    sampled: false,
  },
})

/** Result files say their units, which need not be those of the network: RadX's are in m and m3/s. */
function inUnits(peaks: SwmmOutPeaks, flowUnits: SewerFlowUnits): SwmmPeaks {
  if (peaks.flowUnits === flowUnits) return peaks
  const [from, to] = [inpUnits(peaks.flowUnits), inpUnits(flowUnits)]
  const times = (values: Map<string, number>, factor: number) =>
    new Map([...values].map(([name, value]) => [name, value * factor]))
  return {
    ...peaks,
    linkFlows: times(peaks.linkFlows, from.flowFactor / to.flowFactor),
    nodeDepths: times(peaks.nodeDepths, from.length / to.length),
  }
}
