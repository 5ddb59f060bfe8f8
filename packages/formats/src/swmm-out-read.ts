import { FormatError, type SewerFlowUnits } from '@radx/contracts'
import { FLOW_UNITS } from './inp/units.ts'
import type { SwmmPeaks } from './swmm-rpt.ts'

const MAGIC = 516114522

export interface SwmmOutPeaks extends SwmmPeaks {
  /** What flows are in; lengths are in feet with the first three, else in metres. */
  flowUnits: SewerFlowUnits
}

/** Where things stand in a result file. */
export interface SwmmOutLayout {
  flowUnits: SewerFlowUnits
  nodeNames: string[]
  linkNames: string[]
  /** In the file's units of length; 0 for links without a section. */
  linkFullDepths: number[]
  /** Of SWMM's calendar, days: where the first period begins. */
  startDate: number
  periods: number
  /** Bytes before the first period, and of each. */
  resultsAt: number
  periodBytes: number
  /** In a period, after its date: bytes before the nodes and links, and values of each. */
  nodesAt: number
  perNode: number
  linksAt: number
  perLink: number
}
/** Bytes at the end of a file. */
export const SWMM_OUT_TAIL = 24
/** Place of the largest depth among codes of input properties. */
const FULL_DEPTH = 3

/**
 * Reads where things stand in a result file of EPA SWMM 5 ("SWMM 5 Interfacing", Rossman; output.c).
 * @param head the file, or its bytes up to the first period @param tail its last bytes @param size of the file
 * @throws FormatError when it is damaged or no such file
 */
export function swmmOutLayout(head: Uint8Array, tail: Uint8Array, size: number, file: string): SwmmOutLayout {
  const refuse = (why: string) =>
    new FormatError('out.damaged', `${file} : ${why} Relancez EPA SWMM et donnez son fichier .out entier.`)
  if (head.length < 40 || tail.length < SWMM_OUT_TAIL) throw refuse('le fichier est trop court.')
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const end = new DataView(tail.buffer, tail.byteOffset + tail.byteLength - SWMM_OUT_TAIL, SWMM_OUT_TAIL)
  const within = (at: number, bytes: number) => {
    if (!(at >= 0 && at + bytes <= head.length)) throw refuse('le fichier est tronqué.')
  }
  const int = (at: number) => {
    within(at, 4)
    return view.getInt32(at, true)
  }
  if (int(0) !== MAGIC || end.getInt32(20, true) !== MAGIC)
    throw refuse("ce n'est pas un fichier de résultats de SWMM 5.")
  const [namesAt, inputAt, resultsAt, periods, error] = [0, 4, 8, 12, 16].map((at) => end.getInt32(at, true))
  if (error !== 0) throw refuse('EPA SWMM y a noté une erreur.')
  const flowUnits = FLOW_UNITS[int(8)]
  if (!flowUnits) throw refuse('ses unités sont inconnues.')
  const [subcatchments, nodes, links, pollutants] = [12, 16, 20, 24].map(int)
  if (Math.min(subcatchments, nodes, links, pollutants, periods) < 0 || nodes + links > size)
    throw refuse('ses nombres sont impossibles.')
  let at = namesAt
  const text = new TextDecoder()
  const name = () => {
    const length = int(at)
    if (length < 0 || at + 4 + length > head.length) throw refuse('un nom y est tronqué.')
    const value = text.decode(head.subarray(at + 4, at + 4 + length))
    at += 4 + length
    return value
  }
  const take = (count: number) => Array.from({ length: count }, name)
  take(subcatchments)
  const nodeNames = take(nodes)
  const linkNames = take(links)
  // Codes of the properties, then the properties of each row.
  at = inputAt
  const property = (rows: number, code: number): number[] => {
    const properties = int(at)
    if (properties < 0 || properties > 1000) throw refuse('ses propriétés sont impossibles.')
    const place = Array.from({ length: properties }, (_, k) => int(at + 4 + 4 * k)).indexOf(code)
    const valuesAt = at + 4 + 4 * properties
    at = valuesAt + 4 * properties * rows
    within(valuesAt, at - valuesAt)
    if (place < 0) return new Array<number>(rows).fill(0)
    return Array.from({ length: rows }, (_, k) =>
      view.getFloat32(valuesAt + 4 * (k * properties + place), true),
    )
  }
  property(subcatchments, FULL_DEPTH)
  property(nodes, FULL_DEPTH)
  const linkFullDepths = property(links, FULL_DEPTH)
  const [perSubcatchment, perNode, perLink, perSystem] = [0, 0, 0, 0].map(() => {
    const count = int(at)
    if (count < 0 || count > 10_000) throw refuse('ses variables sont impossibles.')
    at += 4 + 4 * count
    return count
  })
  within(at, 8)
  const nodesAt = 8 + 4 * subcatchments * perSubcatchment
  const linksAt = nodesAt + 4 * nodes * perNode
  const periodBytes = linksAt + 4 * (links * perLink + perSystem)
  if (resultsAt + periods * periodBytes > size) throw refuse('des périodes manquent.')
  return {
    ...{ flowUnits, nodeNames, linkNames, linkFullDepths, startDate: view.getFloat64(at, true) },
    ...{ periods, resultsAt, periodBytes, nodesAt, perNode, linksAt, perLink },
  }
}

/**
 * Largest flows and depths of a result file of EPA SWMM 5, at its reporting times, in the units of its file.
 * @throws FormatError when it is damaged or no such file
 */
export function readSwmmOut(bytes: Uint8Array, file: string): SwmmOutPeaks {
  const layout = swmmOutLayout(bytes, bytes.subarray(-SWMM_OUT_TAIL), bytes.length, file)
  const { flowUnits, nodeNames, linkNames, periods, perNode, perLink } = layout
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [nodes, links] = [nodeNames.length, linkNames.length]
  const depths = new Float64Array(nodes)
  const flows = new Float64Array(links)
  for (let p = 0; p < periods; p++) {
    const at = layout.resultsAt + p * layout.periodBytes
    const [nodesAt, linksAt] = [at + layout.nodesAt, at + layout.linksAt]
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
