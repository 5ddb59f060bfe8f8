import { RadxError, type SewerNetwork } from '@radx/contracts'
import type { InpUnits } from '@radx/formats/inp/units'
import { readSwmmOut } from '@radx/formats/swmm-out-read'
import { readSwmmReport, type SwmmPeaks } from '@radx/formats/swmm-rpt'
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
  /** % of theirs. */
  difference: number
  doubtful: boolean
}

export interface CompareResult {
  text: string
  files: Record<string, string>
}

/**
 * Sets a run beside a report (.rpt) or result file (.out) of EPA SWMM: largest flow of each link, largest depth of each
 * node. What EPA SWMM itself marks as doubtful (links and nodes that it could not balance or that swing, and all where
 * its continuity is off or its steps do not converge) is marked.
 */
export function compareRuns({ name, peaks: theirs }: Theirs, run: Simulated, units: InpUnits): CompareResult {
  const { sewer, peaks } = run
  const doubtfulRun = theirs.doubts.length > 0
  const links = rowsOf(
    sewer.network.links.map(({ name, kind }, i) => ({
      name,
      kind,
      ours: peaks.link.maxAbsFlow[i] / units.flowFactor,
    })),
    theirs.linkFlows,
    theirs.doubtful.links,
  )
  const nodes = rowsOf(
    sewer.network.nodes.map(({ name, kind }, n) => ({
      name,
      kind,
      ours: peaks.node.maxDepth[n] / units.length,
    })),
    theirs.nodeDepths,
    theirs.doubtful.nodes,
  )
  const text = [
    `Comparaison avec ${name} (EPA SWMM${theirs.sampled ? ', valeurs aux pas de rapport' : ''})`,
    ...theirs.doubts.map((doubt) => `  douteux : ${doubt}`),
    ...section('Débits maximaux des liens', units.flow, links, doubtfulRun),
    ...section('Hauteurs maximales des nœuds', units.lengthName, nodes, doubtfulRun),
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
  return { text, files: { 'compare-links.csv': table(links), 'compare-nodes.csv': table(nodes) } }
}

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

function section(title: string, unit: string, rows: Row[], all: boolean): string[] {
  const largest = Math.max(0, ...rows.map((row) => row.theirs))
  const ranked = rows
    .filter((row) => row.theirs >= SMALL * largest && row.theirs > 0)
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
  const at = (share: number) => {
    const sorted = ranked.map((row) => Math.abs(row.difference)).sort((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  }
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
 * @throws RadxError when it is neither, or has no node or link of this network
 */
export function theirsOf(bytes: Uint8Array, name: string, network: SewerNetwork): Theirs {
  const peaks = name.toLowerCase().endsWith('.out') ? readSwmmOut(bytes, name) : readSwmmReport(bytes, name)
  if (
    !network.links.some((link) => peaks.linkFlows.has(link.name)) &&
    !network.nodes.some((node) => peaks.nodeDepths.has(node.name))
  )
    throw new RadxError(
      'sewer.compare',
      422,
      `${name} : aucun nœud ni lien de ce réseau. Donnez le résultat du même fichier .inp.`,
    )
  return { name, peaks }
}
