import { fieldsOf } from '../records.ts'

/** Records of quads of four cells, so that a lone wet quad costs few cache lines. */
export const QUAD_BLOCKS = { quads: 'Quad', fixed: 'FixedQuad', soils: 'SoilQuad' } as const

/** Fields with an array of their own: bytes an element. */
export const ARRAY_BYTES = {
  rain: 8,
  interception: 8,
  infiltrated: 8,
  maxDepth: 4,
  maxSpeed: 4,
  maxDepthSpeed: 4,
  speedX: 4,
  speedY: 4,
  normalX: 4,
  normalY: 4,
  paceX: 4,
  paceY: 4,
  pace: 4,
  live: 4,
} as const

/** Bitmasks, a bit a quad. */
export const MASKS = [
  'active',
  'soaking',
  'flowing',
  'soil',
  'alive',
  'leaving',
  'wantHalves',
  'wantQuarters',
  'faceHalves',
  'faceQuarters',
  'cellHalves',
  'cellQuarters',
  'rained',
] as const

const ROW_BLOCKS = ['edgeRows', 'rowMax', 'rowSpeed', 'rowSpread', 'drainRows'] as const
const LISTS = ['edges', 'levels', 'drains', 'inlets', 'heads', 'taken', 'control', 'flowDepths'] as const

export type MaskName = (typeof MASKS)[number]
export type Block =
  | keyof typeof QUAD_BLOCKS
  | keyof typeof ARRAY_BYTES
  | MaskName
  | (typeof ROW_BLOCKS)[number]
  | (typeof LISTS)[number]

/** What `assembly/records.ts` declares, under the same names; the header has the address of every block. */
export const SURFACE_RECORDS = {
  Header: {
    ...fieldsOf('i32', ['stride', 'rows', 'words', 'flags', 'halvings', 'part']),
    ...fieldsOf('f64', ['dt', 'watch', 'dx', 'dry', 'froude', 'cfl']),
    ...fieldsOf('usize', Object.keys(QUAD_BLOCKS) as (keyof typeof QUAD_BLOCKS)[]),
    ...fieldsOf('usize', Object.keys(ARRAY_BYTES) as (keyof typeof ARRAY_BYTES)[]),
    ...fieldsOf('usize', [...MASKS, ...ROW_BLOCKS, ...LISTS]),
  },
  Quad: fieldsOf('v128', ['shallow', 'qx', 'qy', 'depth', 'depthOfLast']),
  FixedQuad: fieldsOf('v128', ['stepX', 'stepY', 'frictionX', 'frictionY']),
  SoilQuad: fieldsOf('v128', ['kh', 'suction', 'soilmd']),
  Level: fieldsOf('v128', ['gravity', 'step4', 'share', 'lasts', 'lasts32']),
  Edge: { ...fieldsOf('u32', ['depth', 'face']), ...fieldsOf('f32', ['factor', 'sign']) },
  Drain: { ...fieldsOf('i32', ['cell', 'outlet']), ...fieldsOf('f64', ['crest', 'freeWeir']) },
  Inlet: fieldsOf('f64', ['submergedWeir', 'orifice', 'full']),
  FlowDepths: fieldsOf('v128', ['east', 'south']),
} as const

/**
 * What becomes of each block when a state is saved: `kept` goes with it, `scratch` is found anew before it is looked at, `rain`
 * is set anew by the caller, `fixed` follows from grid and parameters, `drains` are visited with what they take.
 */
export const BLOCK_STATES: Readonly<Record<Block, 'kept' | 'scratch' | 'rain' | 'fixed' | 'drains'>> = {
  quads: 'kept',
  fixed: 'fixed',
  soils: 'fixed',
  rain: 'rain',
  interception: 'kept',
  infiltrated: 'kept',
  maxDepth: 'kept',
  maxSpeed: 'kept',
  maxDepthSpeed: 'kept',
  // Speeds at faces are looked at in the part of a step that has computed them; a face with an older one carries nothing.
  speedX: 'scratch',
  speedY: 'scratch',
  normalX: 'fixed',
  normalY: 'fixed',
  paceX: 'fixed',
  paceY: 'fixed',
  pace: 'fixed',
  live: 'fixed',
  active: 'kept',
  soaking: 'kept',
  flowing: 'kept',
  soil: 'fixed',
  alive: 'fixed',
  leaving: 'fixed',
  wantHalves: 'kept',
  wantQuarters: 'kept',
  // Levels are taken before the first part of a step.
  faceHalves: 'scratch',
  faceQuarters: 'scratch',
  cellHalves: 'scratch',
  cellQuarters: 'scratch',
  rained: 'rain',
  edges: 'fixed',
  edgeRows: 'fixed',
  rowMax: 'kept',
  rowSpeed: 'kept',
  rowSpread: 'kept',
  levels: 'scratch',
  drains: 'fixed',
  inlets: 'fixed',
  drainRows: 'fixed',
  heads: 'drains',
  taken: 'drains',
  // How threads share out a step, which no result hangs on.
  control: 'scratch',
  flowDepths: 'scratch',
}
