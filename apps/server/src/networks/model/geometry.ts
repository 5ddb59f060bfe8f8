import type { NetworkModel, SewerLink, SewerNetwork } from '@radx/contracts'
import type { InpDocument } from '@radx/formats/inp/lines'
import type { InpResult } from '@radx/formats/inp/read'
import { layoutOf } from './layout.ts'

/** What a file says, for a map and tables. */
export function geometryOf({ network, runoff, document, units, cutOff, warnings }: InpResult): NetworkModel {
  const { at, placed, guessed } = layoutOf(network)
  const { options } = network
  const rings = ringsOf(document)
  const nameOf = (outlet: { node: number } | { subcatchment: number } | null) =>
    outlet === null
      ? null
      : 'node' in outlet
        ? (network.nodes[outlet.node]?.name ?? null)
        : (runoff?.subcatchments[outlet.subcatchment]?.name ?? null)
  return {
    title: network.title
      .map((line) => line.trim().slice(0, 1_000))
      .filter((line) => !line.startsWith(';'))
      .slice(0, 50),
    file: document.file,
    units: { flow: units.flow, length: units.lengthName },
    startAt: new Date(options.startEpochS * 1000).toISOString(),
    durationS: options.durationS,
    reportStepS: options.reportStepS,
    routing: options.routing,
    placed: placed === 'file' && inDegrees(document, network) ? 'degrees' : placed,
    guessed,
    nodes: network.nodes.map(({ name, kind, invertM, fullDepthM }, n) => ({
      name,
      kind,
      at: at[n],
      invertM,
      depthM: fullDepthM,
    })),
    links: network.links.map((link) => ({
      name: link.name,
      kind: link.kind,
      from: link.from,
      to: link.to,
      bends: placed === 'layout' ? [] : link.vertices,
      lengthM: link.kind === 'conduit' ? link.lengthM : 0,
      ...sectionOf(link),
    })),
    subcatchments: (runoff?.subcatchments ?? []).map((one) => ({
      name: one.name,
      areaM2: one.areaM2,
      imperviousShare: one.imperviousShare,
      outlet: nameOf(one.outlet),
      gage: runoff?.gages[one.gage]?.name ?? null,
      measures: one.measures.length,
      ring: placed === 'layout' ? [] : (rings.get(one.name) ?? []),
    })),
    gages: (runoff?.gages ?? []).map(({ name }) => name),
    cutOff,
    warnings: warnings.map(warningOf).sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  }
}

function sectionOf(link: SewerLink): { shape: string; heightM: number } {
  if (!('section' in link)) return { shape: '', heightM: 0 }
  const { shape, dims, transect } = link.section
  const heightM = transect ? heightOf(transect.elevationsM) : dims[0]
  return { shape, heightM: Number.isFinite(heightM) ? heightM : 0 }
}

function heightOf(elevationsM: readonly number[]): number {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const z of elevationsM) {
    low = Math.min(low, z)
    high = Math.max(high, z)
  }
  return high - low
}

/** Outlines of subcatchments, [POLYGONS]; what is no number there is left out, since nothing is computed with it. */
export function ringsOf({ sections }: InpDocument): Map<string, [number, number][]> {
  const rings = new Map<string, [number, number][]>()
  for (const section of sections) {
    if (section.name !== 'POLYGONS') continue
    for (const { words } of section.lines) {
      const [x, y] = [Number(words[1]), Number(words[2])]
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue
      const ring = rings.get(words[0])
      if (ring) ring.push([x, y])
      else rings.set(words[0], [[x, y]])
    }
  }
  return rings
}

/** Whether [MAP] says that positions are degrees, and they can be. */
export function inDegrees({ sections }: InpDocument, { nodes }: SewerNetwork): boolean {
  const said = sections.some(
    ({ name, lines }) =>
      name === 'MAP' &&
      lines.some(({ words }) => /^units$/i.test(words[0] ?? '') && /^degrees$/i.test(words[1] ?? '')),
  )
  return said && nodes.every(({ x = 0, y = 0 }) => Math.abs(x) <= 180 && Math.abs(y) <= 85)
}

/** A warning as the reader words it: `NAME, ligne N : …`, or `NAME : …` where it has no line. */
function warningOf(text: string): NetworkModel['warnings'][number] {
  const head = /^[^:]{0,200}?(?:, ligne (\d{1,9})|\.inp) : /i.exec(text)
  return { line: head?.[1] ? Number(head[1]) : null, text: head ? text.slice(head[0].length) : text }
}
