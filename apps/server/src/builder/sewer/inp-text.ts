import type { Draft } from './draft.ts'

/** Of a network made from lines. What a run takes from here are steps and laws; when it begins is the run's own. */
const OPTIONS: Record<string, string | number> = {
  FLOW_UNITS: 'CMS',
  FLOW_ROUTING: 'DYNWAVE',
  LINK_OFFSETS: 'DEPTH',
  START_DATE: '01/01/2026',
  START_TIME: '00:00:00',
  REPORT_START_DATE: '01/01/2026',
  REPORT_START_TIME: '00:00:00',
  END_DATE: '01/01/2026',
  END_TIME: '06:00:00',
  REPORT_STEP: '00:05:00',
  ROUTING_STEP: '0:00:05',
  INERTIAL_DAMPING: 'PARTIAL',
  NORMAL_FLOW_LIMITED: 'BOTH',
}

/** Options that the text itself hangs on. */
export const FIXED_OPTIONS = ['FLOW_UNITS', 'LINK_OFFSETS'] as const

/** A tenth of a millimetre. */
const plain = (value: number) => String(Math.round(value * 1e4) / 1e4)

/** Shallowest manhole that is written, m: a rim at the invert would be closed for good. */
const LEAST_DEPTH_M = 0.1

/**
 * A draft as an EPA SWMM file in SI units. Every node has its invert and rim by now.
 * @param title lines of [TITLE]
 */
export function inpText(
  { nodes, pipes }: Draft,
  title: readonly string[],
  options: Record<string, string | number>,
): string {
  const depthOf = ({ rim, invert }: Draft['nodes'][number]) =>
    Math.max(LEAST_DEPTH_M, (rim ?? invert! + LEAST_DEPTH_M) - invert!)
  const offset = (invert: number | null, node: number) =>
    plain(invert === null ? 0 : Math.max(0, invert - nodes[node].invert!))
  const sections: [string, string, string[]][] = [
    [
      'OPTIONS',
      '',
      Object.entries({ ...OPTIONS, ...options }).map(([name, value]) => `${name.padEnd(22)} ${value}`),
    ],
    [
      'JUNCTIONS',
      ';;Name Elevation MaxDepth InitDepth SurDepth Aponded',
      nodes
        .filter(({ outfall }) => !outfall)
        .map((node) => `${node.name} ${plain(node.invert!)} ${plain(depthOf(node))} 0 0 0`),
    ],
    [
      'OUTFALLS',
      ';;Name Elevation Type Gated',
      nodes.filter(({ outfall }) => outfall).map((node) => `${node.name} ${plain(node.invert!)} FREE NO`),
    ],
    [
      'CONDUITS',
      ';;Name FromNode ToNode Length Roughness InOffset OutOffset InitFlow MaxFlow',
      pipes.map(
        (pipe) =>
          `${pipe.name} ${nodes[pipe.from].name} ${nodes[pipe.to].name} ${plain(pipe.length)} ${pipe.roughness} ${offset(pipe.fromInvert, pipe.from)} ${offset(pipe.toInvert, pipe.to)} 0 0`,
      ),
    ],
    [
      'XSECTIONS',
      ';;Link Shape Geom1 Geom2 Geom3 Geom4 Barrels',
      pipes.map((pipe) => `${pipe.name} ${pipe.shape} ${plain(pipe.height)} ${plain(pipe.width)} 0 0 1`),
    ],
    ['COORDINATES', ';;Node X Y', nodes.map(({ name, at }) => `${name} ${plain(at[0])} ${plain(at[1])}`)],
    [
      'VERTICES',
      ';;Link X Y',
      pipes.flatMap(({ name, line }) => line.slice(1, -1).map(([x, y]) => `${name} ${plain(x)} ${plain(y)}`)),
    ],
  ]
  const text = sections.map(([name, head, rows]) =>
    [`[${name}]`, ...(head === '' ? [] : [head]), ...rows, ''].join('\n'),
  )
  return `[TITLE]\n${title.join('\n')}\n\n${text.join('\n')}`
}
