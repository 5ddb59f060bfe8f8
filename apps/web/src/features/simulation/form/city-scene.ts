/** A small town block as boxes in metres, drawn by an orthographic projection. */
export interface Box {
  kind: 'ground' | 'soil' | 'deep' | 'road' | 'lawn' | 'house' | 'roof' | 'pipe' | 'gully' | 'tree'
  /** West-south-bottom corner and size, m; z up, ground at 0. */
  x: number
  y: number
  z: number
  w: number
  d: number
  h: number
}

export interface Face {
  kind: Box['kind']
  /** Side that is seen, for its shade. */
  side: 'top' | 'left' | 'right'
  points: string
}

/** Rotation of the slider: 3 degrees a step from -45 (spec 2 §9). */
const ROTATION_OFFSET_DEG = -45
const ROTATION_STEP_DEG = 3
export const ROTATION_MAX = 10
export const rotationDeg = (step: number): number => ROTATION_OFFSET_DEG + ROTATION_STEP_DEG * step

const TILT = 0.52
const SCALE = 5.4
const SPAN = 40

/** Point of the scene on the page: origin in the middle of the block, x right, y down. */
export function project(x: number, y: number, z: number, deg: number): [number, number] {
  const turn = (deg * Math.PI) / 180
  const [cx, cy] = [x - SPAN / 2, y - SPAN / 2]
  const right = cx * Math.cos(turn) - cy * Math.sin(turn)
  const away = cx * Math.sin(turn) + cy * Math.cos(turn)
  return [right * SCALE, (-away * TILT - z * 0.86) * SCALE]
}

const SOIL = -3
const DEEP = -9

const box = (kind: Box['kind'], x: number, y: number, z: number, w: number, d: number, h: number): Box => ({
  kind,
  x,
  y,
  z,
  w,
  d,
  h,
})

/** Underground first, then what stands on it. */
export const UNDERGROUND: Box[] = [
  box('deep', 0, 0, DEEP, SPAN, SPAN, SOIL - DEEP),
  box('soil', 0, 0, SOIL, SPAN, SPAN, -SOIL),
]

export const PIPES: Box[] = [
  box('pipe', 18.8, 0, -6.4, 2.4, SPAN, 1.9),
  box('pipe', 0, 18.8, -6.2, SPAN, 2.4, 1.9),
]

export const SURFACE: Box[] = [
  box('lawn', 0, 0, 0, SPAN, SPAN, 0.1),
  box('road', 17, 0, 0.1, 6, SPAN, 0.1),
  box('road', 0, 17, 0.1, SPAN, 6, 0.1),
  box('gully', 17.3, 15.2, 0.2, 1, 1, 0.12),
  box('gully', 21.7, 24, 0.2, 1, 1, 0.12),
  box('gully', 10, 17.3, 0.2, 1, 1, 0.12),
  box('gully', 30, 21.7, 0.2, 1, 1, 0.12),
]

const house = (x: number, y: number, w: number, d: number, h: number): Box[] => [
  box('house', x, y, 0.1, w, d, h),
  box('roof', x - 0.3, y - 0.3, 0.1 + h, w + 0.6, d + 0.6, 0.7),
]
const tree = (x: number, y: number, h: number): Box[] => [
  box('house', x + 0.7, y + 0.7, 0.1, 0.6, 0.6, 1),
  box('tree', x, y, 1.1, 2, 2, h),
]

export const STANDING: Box[] = [
  ...house(2.5, 3, 6, 5, 5),
  ...house(10.5, 2.5, 4.5, 6, 7),
  ...house(2.5, 11, 5, 4.5, 4),
  ...house(25.5, 2.5, 5, 5, 6),
  ...house(32.5, 4, 5, 8, 9),
  ...house(26, 11, 4.5, 4, 4),
  ...house(2.5, 26, 8, 5, 5),
  ...house(11.5, 33, 4, 4.5, 6),
  ...house(26, 26, 11, 4, 11),
  ...house(33, 33, 4.5, 4.5, 5),
  ...tree(11.5, 12, 3.2),
  ...tree(3, 34, 3.6),
  ...tree(6.5, 33, 2.8),
  ...tree(25.5, 33.5, 3.4),
  ...tree(28.5, 35, 2.8),
  ...tree(13.5, 27, 3),
]

const polygon = (corners: [number, number, number][], deg: number): string =>
  corners
    .map(([x, y, z]) =>
      project(x, y, z, deg)
        .map((v) => v.toFixed(1))
        .join(','),
    )
    .join(' ')

/** The three faces of a box that are seen from here: top, south and east, for rotations from -90 to 0 degrees. */
export function facesOf({ kind, x, y, z, w, d, h }: Box, deg: number): Face[] {
  const [x1, y1, z1] = [x + w, y + d, z + h]
  const face = (side: Face['side'], corners: [number, number, number][]): Face => ({
    kind,
    side,
    points: polygon(corners, deg),
  })
  return [
    face('left', [
      [x, y, z],
      [x1, y, z],
      [x1, y, z1],
      [x, y, z1],
    ]),
    face('right', [
      [x1, y, z],
      [x1, y1, z],
      [x1, y1, z1],
      [x1, y, z1],
    ]),
    face('top', [
      [x, y, z1],
      [x1, y, z1],
      [x1, y1, z1],
      [x, y1, z1],
    ]),
  ]
}

/** Farthest first, so that near boxes cover far ones. */
export function paintOrder(boxes: readonly Box[], deg: number): Box[] {
  const turn = (deg * Math.PI) / 180
  const away = ({ x, y, w, d }: Box) => (x + w / 2) * Math.sin(turn) + (y + d / 2) * Math.cos(turn)
  const level = ({ z }: Box) => z
  return boxes.toSorted((a, b) => away(b) - away(a) || level(a) - level(b))
}
