/** Quads along the side of a tile at its finest level; each level further has half as many. */
export const TILE_QUADS = 64
/** Levels of the ground, the finest first: 64 to 2 quads a side. */
export const GROUND_LEVELS = 6
/** Levels of the buildings: blocks of 1, 2, 4, 8 and 16 quads; the last has so few that all tiles fit into any picture. */
export const HOUSE_LEVELS = 5
/** Tiles along the longer side of a grid: more than that cost script. */
const MOST_TILES = 32
/** Triangles of a box without its floor. */
const BOX_TRIANGLES = 10
/** A tile keeps so much of its reach from one try to the next. */
const SHRINK = 0.85

/** A square of cells from the north-west corner, and what stands on it. */
export interface Tile {
  /** First cell. */
  col: number
  row: number
  /** Its middle, m, as the scene has it: x to the east, z to the south. */
  x: number
  z: number
  /** Buildings by level. */
  houses: readonly number[]
}

/** Cells between two vertices of the finest level. */
export const strideOf = ({ nrows, ncols }: { nrows: number; ncols: number }): number =>
  Math.max(1, Math.ceil(Math.max(nrows, ncols) / (TILE_QUADS * MOST_TILES)))

/** Triangles of a tile's ground, with the skirt that hides the step to coarser neighbours. */
export function groundTriangles(level: number): number {
  const quads = TILE_QUADS >> level
  return 2 * quads * quads + 8 * quads
}

/** The level of the buildings on a tile: a level finer than their ground, which is smooth. */
export const houseLevel = (level: number): number => Math.min(HOUSE_LEVELS - 1, Math.max(0, level - 1))

/** Triangles of a tile at a level. */
export const tileTriangles = ({ houses }: Pick<Tile, 'houses'>, level: number): number =>
  groundTriangles(level) + BOX_TRIANGLES * (houses[houseLevel(level)] ?? 0)

/**
 * How finely each tile is drawn: as finely as the screen can show, and no finer than the budget allows, the near ones
 * first.
 * @param eye m, in the scene
 * @param nearM distance up to which the finest level is worth its triangles
 * @param seen by tile; what is out of sight is not drawn
 * @param budget triangles in all
 * @returns a level a tile, -1 where it is out of sight
 */
export function chooseLevels(
  tiles: readonly Tile[],
  eye: { x: number; y: number; z: number },
  nearM: number,
  seen: (tile: number) => boolean,
  budget: number,
): Int8Array {
  const levels = new Int8Array(tiles.length).fill(-1)
  const distances = tiles.map(({ x, z }, k) =>
    seen(k) ? Math.max(1, Math.hypot(x - eye.x, eye.y, z - eye.z)) : -1,
  )
  // Each try reaches less far, until all fits or nothing is fine any more.
  for (let reach = nearM; ; reach *= SHRINK) {
    let [triangles, coarse] = [0, true]
    for (let k = 0; k < tiles.length; k++) {
      if (distances[k] < 0) continue
      const level = Math.min(GROUND_LEVELS - 1, Math.max(0, Math.ceil(Math.log2(distances[k] / reach))))
      levels[k] = level
      triangles += tileTriangles(tiles[k], level)
      if (level < GROUND_LEVELS - 1) coarse = false
    }
    if (triangles <= budget || coarse) return levels
  }
}
