// What stands in the kernel's memory. The build exports the place of each field (tools/kernel-transform.js), by which the
// host fills it in (src/surface/memory.ts): names and types are the same on both sides, and a kernel that has others is
// refused. A field whose meaning changes gets another name.

/** What a step is told, sizes and the address of each block; the host fills it in. */
@unmanaged
export class Header {
  /** Padded cells in a row, rows with those around the grid, and 64-bit words of a mask in a row. */
  stride: i32
  rows: i32
  words: i32
  flags: i32
  halvings: i32
  part: i32
  /** Length of the step, and the most that the next one may have, s. */
  dt: f64
  watch: f64
  /** Size of a cell and depth under which nothing flows, m; shares of the limits of waves. */
  dx: f64
  dry: f64
  froude: f64
  cfl: f64

  quads: usize
  fixed: usize
  soils: usize
  rain: usize
  interception: usize
  infiltrated: usize
  maxDepth: usize
  maxSpeed: usize
  maxDepthSpeed: usize
  speedX: usize
  speedY: usize
  normalX: usize
  normalY: usize
  paceX: usize
  paceY: usize
  pace: usize
  live: usize
  active: usize
  soaking: usize
  flowing: usize
  soil: usize
  alive: usize
  leaving: usize
  wantHalves: usize
  wantQuarters: usize
  faceHalves: usize
  faceQuarters: usize
  cellHalves: usize
  cellQuarters: usize
  rained: usize
  edges: usize
  edgeRows: usize
  rowMax: usize
  rowSpeed: usize
  rowSpread: usize
  levels: usize
  drains: usize
  inlets: usize
  drainRows: usize
  /** Heads at outlets, m, and what each drain took, m of its cell. */
  heads: usize
  taken: usize
  control: usize
  flowDepths: usize
}

/**
 * What changes in every part of a step, of four cells: depth as f32 (0 where a cell is not live), discharge through east
 * and south faces, depth of two cells each as f64.
 */
@unmanaged
export class Quad {
  shallow: v128
  qx: v128
  qy: v128
  depth: v128
  depthOfLast: v128
}

/** What stays, of four cells: a cache line that is never written back. */
@unmanaged
export class FixedQuad {
  stepX: v128
  stepY: v128
  frictionX: v128
  frictionY: v128
}

/** Soil of four cells. Suction is the head of the wetting front times the deficit, m. */
@unmanaged
export class SoilQuad {
  kh: v128
  suction: v128
  soilmd: v128
}

/**
 * Of each level of steps, for its length dt: four times g dt / dx and 4 dt as f32, twice dt / dx and dt as f64, four times
 * dt as f32.
 */
@unmanaged
export class Level {
  gravity: v128
  step4: v128
  share: v128
  lasts: v128
  lasts32: v128
}

/** An open face at the edge: addresses of the depth and of the discharge, factor of normal flow and its sign. */
@unmanaged
export class Edge {
  depth: u32
  face: u32
  factor: f32
  sign: f32
}

/** Of a drain what every part of a step needs: padded cell, outlet, crest, m, and the factor of its free weir. */
@unmanaged
export class Drain {
  cell: i32
  outlet: i32
  crest: f64
  freeWeir: f64
}

/** What only those need whose outlet's head is above the crest: two factors, and the depth at which the inlet is full. */
@unmanaged
export class Inlet {
  submergedWeir: f64
  orifice: f64
  full: f64
}

/** Of each thread: depths of the flow through the faces of a word of quads, f32x4 east and south each. */
@unmanaged
export class FlowDepths {
  east: v128
  south: v128
}
