/** What the kernel of the full scheme's first order is told, and what it answers; as src/surface/full/first-fields.ts. */
@unmanaged
export class FirstHeader {
  // As in FullHeader: by these `bind` tells them apart, and threads agree.
  order: i32
  /** Blocks of rows that a step is done in. */
  blocks: i32
  control: usize
  stride: i32
  rows: i32
  fastestCell: i32
  raining: i32
  dx: f64
  dt: f64
  fastest: f64
  deepest: f64
  dryDepth: f32
  /** Water that is no deeper, nor that beside it, rests. */
  film: f32

  bed: usize
  depth: usize
  rain: usize
  interception: usize
  infiltrated: usize
  kind: usize
  stepX: usize
  stepY: usize
  friction: usize
  kh: usize
  capsh: usize
  soilmd: usize
  momentumX: usize
  momentumY: usize
  qx: usize
  qy: usize
  maxDepth: usize
  maxSpeed: usize
  maxDepthSpeed: usize
  wetFrom: usize
  wetTo: usize
  changeFrom: usize
  changeTo: usize
  found: usize
  seams: usize
  window: usize
  wallRows: usize
  walls: usize
  edgeRows: usize
  edges: usize
}

/** A face behind which there is nothing; `side` of the cell as everywhere: 0 east, 1 west, 2 south, 3 north. */
@unmanaged
export class Wall {
  column: i32
  side: i32
}

/** A face of the model's edge with what the host has found to pass it, in the direction of the axis. */
@unmanaged
export class EdgeFlux {
  column: i32
  side: i32
  mass: f32
  /** Push on its cell, less that of the cell's water at rest, over density. */
  push: f32
  along: f32
}
