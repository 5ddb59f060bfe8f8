/** What the kernel of the full scheme is told, and what it answers; as src/surface/full/fields.ts. */
@unmanaged
export class FullHeader {
  // As in FirstHeader: by these `bind` tells them apart, and threads agree.
  order: i32
  /** Blocks of rows that a stage is done in. */
  blocks: i32
  control: usize
  stride: i32
  rows: i32
  wallCount: i32
  fastestCell: i32
  /** What a stage is told: whether rain falls, whether it is the first of its step. */
  raining: i32
  first: i32
  dx: f64
  dryDepth: f64
  /** Water that is no deeper, nor that beside it, rests. */
  film: f64
  fastest: f64
  deepest: f64
  /** Length of a stage, s, and its share of the mean through faces. */
  dt: f64
  weight: f64

  bed: usize
  live: usize
  friction: usize
  kh: usize
  capsh: usize
  soilmd: usize
  rain: usize
  interception: usize
  infiltrated: usize
  depth: usize
  momentumX: usize
  momentumY: usize
  seen: usize
  speedX: usize
  speedY: usize
  massX: usize
  beforeX: usize
  behindX: usize
  alongX: usize
  massY: usize
  beforeY: usize
  behindY: usize
  alongY: usize
  qx: usize
  qy: usize
  maxDepth: usize
  maxSpeed: usize
  maxDepthSpeed: usize
  levelSlopeX: usize
  depthSlopeX: usize
  acrossSlopeX: usize
  alongSlopeX: usize
  levelSlopeY: usize
  depthSlopeY: usize
  acrossSlopeY: usize
  alongSlopeY: usize
  keptDepth: usize
  keptX: usize
  keptY: usize
  wetFrom: usize
  wetTo: usize
  changeFrom: usize
  changeTo: usize
  found: usize
  walls: usize
}
