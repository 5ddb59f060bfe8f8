import { FormatError, type SewerFlowUnits } from '@radx/contracts'
import { FLOW_UNITS } from './inp/units.ts'
import type { SwmmPeaks } from './swmm-rpt.ts'

const MAGIC = 516114522

export interface SwmmOutPeaks extends SwmmPeaks {
  /** What flows are in; lengths are in feet with the first three, else in metres. */
  flowUnits: SewerFlowUnits
}

/**
 * Largest flows and depths of a result file of EPA SWMM 5 ("SWMM 5 Interfacing", Rossman; output.c), at its reporting
 * times, in the units of its file.
 * @throws FormatError when it is damaged or no such file
 */
export function readSwmmOut(bytes: Uint8Array, file: string): SwmmOutPeaks {
  const refuse = (why: string) =>
    new FormatError('out.damaged', `${file} : ${why} Relancez EPA SWMM et donnez son fichier .out entier.`)
  if (bytes.length < 64) throw refuse('le fichier est trop court.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const int = (at: number) => {
    if (!(at >= 0 && at + 4 <= bytes.length)) throw refuse('le fichier est tronqué.')
    return view.getInt32(at, true)
  }
  const tail = bytes.length - 24
  if (int(0) !== MAGIC || int(tail + 20) !== MAGIC)
    throw refuse("ce n'est pas un fichier de résultats de SWMM 5.")
  const [namesAt, inputAt, resultsAt, periods, error] = [0, 4, 8, 12, 16].map((offset) => int(tail + offset))
  if (error !== 0) throw refuse('EPA SWMM y a noté une erreur.')
  const flowUnits = FLOW_UNITS[int(8)]
  if (!flowUnits) throw refuse('ses unités sont inconnues.')
  const [subcatchments, nodes, links, pollutants] = [12, 16, 20, 24].map(int)
  if (Math.min(subcatchments, nodes, links, pollutants, periods) < 0 || nodes + links > bytes.length)
    throw refuse('ses nombres sont impossibles.')
  let at = namesAt
  const text = new TextDecoder()
  const name = () => {
    const length = int(at)
    if (length < 0 || at + 4 + length > bytes.length) throw refuse('un nom y est tronqué.')
    const value = text.decode(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
    return value
  }
  const take = (count: number) => Array.from({ length: count }, name)
  take(subcatchments)
  const nodeNames = take(nodes)
  const linkNames = take(links)
  // Properties as given, then the codes of the variables.
  at = inputAt
  for (const rows of [subcatchments, nodes, links]) {
    const properties = int(at)
    if (properties < 0 || properties > 1000) throw refuse('ses propriétés sont impossibles.')
    at += 4 + 4 * properties + 4 * properties * rows
  }
  const variables = [0, 0, 0, 0].map(() => {
    const count = int(at)
    if (count < 0 || count > 10_000) throw refuse('ses variables sont impossibles.')
    at += 4 + 4 * count
    return count
  })
  const [perSubcatchment, perNode, perLink, perSystem] = variables
  const period = 8 + 4 * (subcatchments * perSubcatchment + nodes * perNode + links * perLink + perSystem)
  if (resultsAt + periods * period > bytes.length) throw refuse('des périodes manquent.')
  const depths = new Float64Array(nodes)
  const flows = new Float64Array(links)
  for (let p = 0; p < periods; p++) {
    const nodesAt = resultsAt + p * period + 8 + 4 * subcatchments * perSubcatchment
    const linksAt = nodesAt + 4 * nodes * perNode
    for (let n = 0; n < nodes; n++)
      depths[n] = Math.max(depths[n], view.getFloat32(nodesAt + 4 * n * perNode, true))
    for (let i = 0; i < links; i++)
      flows[i] = Math.max(flows[i], Math.abs(view.getFloat32(linksAt + 4 * i * perLink, true)))
  }
  return {
    linkFlows: new Map(linkNames.map((link, i) => [link, flows[i]])),
    nodeDepths: new Map(nodeNames.map((node, n) => [node, depths[n]])),
    doubtful: { links: new Set(), nodes: new Set() },
    runoffPeaks: new Map(),
    runoffDepths: new Map(),
    doubts: [],
    sampled: true,
    flowUnits,
  }
}
