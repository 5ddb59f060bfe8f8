import { fieldsOf } from '../../records.ts'
import { SECTION_RECORDS } from '../network/section-memory.ts'
import { OBSERVED_RECORDS } from './observed.ts'

/** Arrays (`ExplicitArrays`) of numbers that the kernel works on: by position of nodes, by conduit, by node and by link of the file, by device. */
export const POSITION_ARRAYS = [
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
  'carried',
] as const
export const CONDUIT_ARRAYS = [
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
  'oldLoss',
  'direction',
  'fullAreas',
] as const
export const NODE_ARRAYS = [
  'rates',
  'oldRates',
  'entering',
  'heads',
  'depths',
  'volumes',
  'floodVolumes',
  'outfallVolumes',
  'lateralVolumes',
] as const
export const LINK_ARRAYS = ['flows', 'linkDepths', 'velocities'] as const
export const DEVICE_ARRAYS = ['deviceFlow', 'oldDeviceFlow'] as const

/** All arrays whose addresses the kernel is told. */
export const SHARED_ARRAYS = [
  ...POSITION_ARRAYS,
  ...CONDUIT_ARRAYS,
  ...NODE_ARRAYS,
  ...LINK_ARRAYS,
  ...DEVICE_ARRAYS,
  'settled',
  'active',
  'open',
  'nodeOf',
  'linkOf',
  'deviceLink',
  'deviceFrom',
  'deviceTo',
  'outfallKind',
  'outfallConduit',
  'outfallOffset',
  'stages',
  'sums',
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
  'mainFriction',
  'filmArea',
  'fullArea',
  'fullRadius43',
] as const

/** Options of momentum. */
export const OPTIONS = ['slot', 'dampNone', 'dampFull', 'capBySlope', 'capByFroude'] as const

/** What stays of a node (`NodeFacts`). */
export const NODE_FIGURES = ['invert', 'fullDepth', 'pondedArea', 'surcharge', 'crown', 'fullOwn'] as const

/** What `assembly/explicit/records.ts` declares, under the same names. */
export const EXPLICIT_RECORDS = {
  ExplicitHeader: {
    ...fieldsOf('i32', ['unknowns', 'nodeCount', 'conduitCount', 'linkCount', 'deviceCount', 'maxTrials']),
    ...fieldsOf('bool', OPTIONS),
    seeping: 'bool',
    ...fieldsOf('f64', ['toleranceM', 'leastSurface', 'longestStepS', 'courant', 'hazenPower']),
    ...fieldsOf('usize', ['hazenScales', 'hazenMiddles']),
    ...fieldsOf('usize', ['nodes', 'conduits']),
    ...fieldsOf('usize', SHARED_ARRAYS),
  },
  ExplicitConduit: {
    ...fieldsOf('i32', ['from', 'to']),
    table: 'usize',
    ...fieldsOf('bool', TRAITS),
    ...fieldsOf('f64', FIGURES),
  },
  ExplicitNode: {
    ...fieldsOf('bool', ['tank', 'terminal']),
    ...fieldsOf('i32', ['shape', 'rowCount']),
    rows: 'usize',
    ...fieldsOf('f64', NODE_FIGURES),
    ...fieldsOf('f64', ['a0', 'a1', 'a2']),
  },
  ...OBSERVED_RECORDS,
  ...SECTION_RECORDS,
} as const
