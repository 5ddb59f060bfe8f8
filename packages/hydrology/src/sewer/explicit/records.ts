import { fieldsOf } from '../../records.ts'
import { SECTION_RECORDS } from '../network/section-memory.ts'

/** Arrays (`ExplicitArrays`) that the kernel works on. */
export const SHARED_ARRAYS = [
  'head',
  'depth',
  'oldDepth',
  'surface',
  'openSurface',
  'inflow',
  'outflow',
  'oldNet',
  'sampled',
  'lateral',
  'slopes',
  'overflow',
  'rise',
  'own',
  'oldOwn',
  'settled',
  'flow',
  'oldFlow',
  'area',
  'oldArea',
  'endArea',
  'middle',
  'square',
  'wave',
  'slope',
  'fromSurface',
  'toSurface',
  'loss',
  'open',
] as const

/** What is so of a conduit or is not, and figures that stay (`ExplicitFacts`). */
export const TRAITS = [
  'closed',
  'lossy',
  'atOutfall',
  'forceMain',
  'culvert',
  'seeping',
  'shutBack',
  'shutAlong',
  'rimmed',
  'plain',
  'falls',
] as const
export const FIGURES = [
  'barrels',
  'fromInvert',
  'toInvert',
  'fullDepth',
  'perMetre',
  'dropFrom',
  'dropTo',
  'friction',
  'beta',
  'length',
  'perLength',
  'maxFlow',
  'lossIn',
  'lossOut',
  'lossMean',
  'closesAt',
  'topWidth',
  'seepage',
  'widestDepth',
] as const

/** Options of momentum. */
export const OPTIONS = ['slot', 'dampNone', 'dampFull', 'capBySlope', 'capByFroude'] as const

/** What stays of a node (`NodeFacts`). */
export const NODE_FIGURES = ['invert', 'fullDepth', 'pondedArea', 'surcharge', 'crown', 'fullOwn'] as const

/** What `assembly/explicit/records.ts` declares, under the same names. */
export const EXPLICIT_RECORDS = {
  ExplicitHeader: {
    ...fieldsOf('i32', ['unknowns', 'nodeCount', 'conduitCount', 'maxTrials']),
    ...fieldsOf('bool', OPTIONS),
    devices: 'bool',
    ...fieldsOf('f64', ['toleranceM', 'leastSurface', 'longestStepS', 'courant']),
    ...fieldsOf('usize', ['nodes', 'conduits']),
    ...fieldsOf('usize', SHARED_ARRAYS),
  },
  ExplicitConduit: {
    ...fieldsOf('i32', ['from', 'to']),
    table: 'usize',
    ...fieldsOf('bool', TRAITS),
    ...fieldsOf('f64', FIGURES),
  },
  ExplicitNode: { ...fieldsOf('bool', ['tank', 'terminal']), ...fieldsOf('f64', NODE_FIGURES) },
  ...SECTION_RECORDS,
} as const
