import { fieldsOf } from '../../records.ts'
import { REACH_ENDS, REACH_FIGURES } from '../network/reach-arrays.ts'
import { SECTION_RECORDS } from '../network/section-memory.ts'

/** Arrays of the state (`SewerState`) that the kernel works on. */
export const STATE_ARRAYS = [
  'flow',
  'area',
  'lastStepS',
  'nextArea',
  'depth',
  'endDepth',
  'conduitFlow',
  'meanFlow',
  'open',
  'canLeave',
  'outfallGate',
  'floodLevel',
  'floodArea',
  'vector',
  'diagonal',
  'upper',
  'lower',
] as const

/** Arrays of the elimination (`Elimination`). */
export const ELIMINATION_ARRAYS = ['start', 'partner', 'updateStart', 'update'] as const

/** Options of the network (`SchemeOptions`). */
export const OPTIONS = ['slot', 'dampNone', 'dampFull', 'capBySlope', 'capByFroude'] as const

/** What is so of a conduit or is not, and figures that stay (`ConduitFacts`). */
export const CONDUIT_TRAITS = [
  'closed',
  'lossy',
  'atOutfall',
  'forceMain',
  'flapAlong',
  'flapAgainst',
  'limited',
  'culvert',
] as const
export const CONDUIT_FIGURES = [
  'barrels',
  'fromInvert',
  'toInvert',
  'fullDepth',
  'perMetre',
  'dropFrom',
  'dropTo',
  'friction',
  'perLength',
  'beta',
  'length',
  'maxFlow',
  'lossIn',
  'lossOut',
  'lossMean',
] as const

/** A conduit's law for one step (`ConduitLaws`). */
export const LAW = [
  'constant',
  'fromSlope',
  'toSlope',
  'highSlope',
  'high',
  'low',
  'weight',
  'carried',
] as const

/** Where a step's arrays lie: of the state, of the sewer's views and of `StepArrays`. */
export const STEP_STATE = ['head', 'trial', 'rate', 'leaving', 'volume', 'wanted'] as const
export const STEP_ARRAYS = [
  'lateral',
  'rim',
  'surfaceLevels',
  'openingAreas',
  'floodVolumes',
  'passed',
  'net',
  'arriving',
  'inside',
  'conduitInside',
  'carried',
  'flooded',
  'incoming',
  'brought',
] as const

/** What `assembly/sewer/records.ts` declares, under the same names. */
export const SEWER_RECORDS = {
  SewerHeader: {
    unknowns: 'i32',
    ...fieldsOf('bool', OPTIONS),
    ...fieldsOf('f64', ['theta', 'thetaFull']),
    ...fieldsOf('usize', ['conduits', 'nodes', 'inverses']),
    ...fieldsOf('usize', STATE_ARRAYS),
    ...fieldsOf('usize', ELIMINATION_ARRAYS),
  },
  StepHeader: {
    ...fieldsOf('bool', ['coupled', 'overflows']),
    conduitCount: 'i32',
    ...fieldsOf('usize', ['nodeOf', 'link', 'direction']),
    ...fieldsOf('usize', STEP_STATE),
    ...fieldsOf('usize', STEP_ARRAYS),
  },
  Conduit: {
    ...fieldsOf('i32', ['from', 'to', 'pair']),
    table: 'usize',
    ...fieldsOf('bool', CONDUIT_TRAITS),
    ...fieldsOf('f64', CONDUIT_FIGURES),
    ...fieldsOf('f64', LAW),
  },
  ...SECTION_RECORDS,
  Node: {
    ...fieldsOf('f64', ['invert', 'perMetre', 'metres']),
    rows: 'usize',
    intervals: 'i32',
  },
  VolumeRow: fieldsOf('f64', ['volume', 'surface']),
  ReachHeader: { count: 'i32', ...fieldsOf('usize', ['reaches', 'slotSums']) },
  Reach: { ...fieldsOf('i32', REACH_ENDS), areas: 'usize', ...fieldsOf('f64', REACH_FIGURES) },
} as const
