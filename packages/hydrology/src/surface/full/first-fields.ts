import { fieldsOf } from '../../records.ts'

/** Padded arrays of the first order in f64: bed, m (0 outside), depth, m, with what has gone into open water, rain, soil. */
export const FIRST_F64 = ['bed', 'depth', 'rain', 'interception', 'infiltrated'] as const

/**
 * Those in f32: bed less that of the cell to the east and to the south, m, g n^2, soil, momentum over density, m2/s, what
 * passed eastern and southern faces in the last step, m2/s, and what was largest.
 */
export const FIRST_F32 = [
  'stepX',
  'stepY',
  'friction',
  'kh',
  'capsh',
  'soilmd',
  'momentumX',
  'momentumY',
  'qx',
  'qy',
  'maxDepth',
  'maxSpeed',
  'maxDepthSpeed',
] as const

export type FirstFields = Record<(typeof FIRST_F64)[number], Float64Array> &
  Record<(typeof FIRST_F32)[number], Float32Array>

/** What outlives a step; rain is the caller's. */
export const FIRST_KEPT = [
  'depth',
  'interception',
  'infiltrated',
  'momentumX',
  'momentumY',
  'maxDepth',
  'maxSpeed',
  'maxDepthSpeed',
] as const

/** What `assembly/first/records.ts` declares, under the same names. */
export const FIRST_RECORDS = {
  FirstHeader: {
    ...fieldsOf('i32', ['order', 'blocks']),
    ...fieldsOf('usize', ['control']),
    ...fieldsOf('i32', ['stride', 'rows', 'fastestCell', 'raining']),
    ...fieldsOf('f64', ['dx', 'dt', 'fastest', 'deepest']),
    ...fieldsOf('f32', ['dryDepth', 'film']),
    ...fieldsOf('usize', [...FIRST_F64, ...FIRST_F32]),
    // -1 live, 1 open water, 0 outside; first and last cell of each row that has had water, and those that a step may change.
    ...fieldsOf('usize', ['kind', 'wetFrom', 'wetTo', 'changeFrom', 'changeTo']),
    // What blocks of rows found, the old water beside them, and the rows that each has open.
    ...fieldsOf('usize', ['found', 'seams', 'window']),
    // Walls and edges, and where those of each row begin, by the row that has their face.
    ...fieldsOf('usize', ['wallRows', 'walls', 'edgeRows', 'edges']),
  },
  Wall: fieldsOf('i32', ['column', 'side']),
  EdgeFlux: { ...fieldsOf('i32', ['column', 'side']), ...fieldsOf('f32', ['mass', 'push', 'along']) },
} as const
