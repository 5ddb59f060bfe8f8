import { fieldsOf } from '../../records.ts'
import { FIRST_RECORDS } from './first-fields.ts'

/** Padded f64 arrays of the full scheme, in both its kernels. x runs to the east, y to the south. */
export const FULL_FIELDS = [
  // What stays: bed, m (0 outside), 1 where live, g n^2, soil.
  'bed',
  'live',
  'friction',
  'kh',
  'capsh',
  'soilmd',
  'rain',
  'interception',
  'infiltrated',
  // Depth, m, with what has gone into open water; momentum over density, m2/s.
  'depth',
  'momentumX',
  'momentumY',
  // Depth that flow sees, and speeds, m/s, at the start of a stage.
  'seen',
  'speedX',
  'speedY',
  // Through eastern and southern faces: mass, momentum across as the cell before the face and that behind it feel it
  // with the weight of water on the bed, momentum along.
  'massX',
  'beforeX',
  'behindX',
  'alongX',
  'massY',
  'beforeY',
  'behindY',
  'alongY',
  // Mean of mass over a step.
  'qx',
  'qy',
  'maxDepth',
  'maxSpeed',
  'maxDepthSpeed',
] as const

/** Further ones of the second order: slopes within cells, from face to face, and the state before a step. */
export const SECOND_ORDER_FIELDS = [
  'levelSlopeX',
  'depthSlopeX',
  'acrossSlopeX',
  'alongSlopeX',
  'levelSlopeY',
  'depthSlopeY',
  'acrossSlopeY',
  'alongSlopeY',
  'keptDepth',
  'keptX',
  'keptY',
] as const

export type FullField = (typeof FULL_FIELDS)[number] | (typeof SECOND_ORDER_FIELDS)[number]

/** What becomes of each field when a state is saved: as `BLOCK_STATES` of the other scheme; every stage of a step finds its own. */
export const FULL_STATES: Readonly<Record<FullField, 'kept' | 'scratch' | 'rain' | 'fixed'>> = {
  bed: 'fixed',
  live: 'fixed',
  friction: 'fixed',
  kh: 'fixed',
  capsh: 'fixed',
  soilmd: 'fixed',
  rain: 'rain',
  interception: 'kept',
  infiltrated: 'kept',
  depth: 'kept',
  momentumX: 'kept',
  momentumY: 'kept',
  seen: 'scratch',
  speedX: 'scratch',
  speedY: 'scratch',
  massX: 'scratch',
  beforeX: 'scratch',
  behindX: 'scratch',
  alongX: 'scratch',
  massY: 'scratch',
  beforeY: 'scratch',
  behindY: 'scratch',
  alongY: 'scratch',
  qx: 'scratch',
  qy: 'scratch',
  maxDepth: 'kept',
  maxSpeed: 'kept',
  maxDepthSpeed: 'kept',
  levelSlopeX: 'scratch',
  depthSlopeX: 'scratch',
  acrossSlopeX: 'scratch',
  alongSlopeX: 'scratch',
  levelSlopeY: 'scratch',
  depthSlopeY: 'scratch',
  acrossSlopeY: 'scratch',
  alongSlopeY: 'scratch',
  keptDepth: 'scratch',
  keptX: 'scratch',
  keptY: 'scratch',
}

/** What `assembly/full/records.ts` and `assembly/first/records.ts` declare, under the same names. */
export const FULL_RECORDS = {
  ...FIRST_RECORDS,
  FullHeader: {
    ...fieldsOf('i32', ['order', 'blocks']),
    ...fieldsOf('usize', ['control']),
    ...fieldsOf('i32', ['stride', 'rows', 'wallCount', 'fastestCell', 'raining', 'first']),
    ...fieldsOf('f64', ['dx', 'dryDepth', 'film', 'fastest', 'deepest', 'dt', 'weight']),
    ...fieldsOf('usize', [...FULL_FIELDS, ...SECOND_ORDER_FIELDS]),
    // Of each row the first and the last cell that has had water, and those that a step may change; what blocks of rows
    // found; walls as pairs of cell and side.
    ...fieldsOf('usize', ['wetFrom', 'wetTo', 'changeFrom', 'changeTo', 'found', 'walls']),
  },
} as const
