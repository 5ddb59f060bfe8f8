import type { SectionFlow } from '@radx/contracts'
import { DEPTH_FRAME_NO_DATA } from '@radx/contracts'
import { BadRequest } from '../../http/errors.ts'
import { type DepthFrameIndex, readFrames } from './depth-frames.ts'
import { eachVelocityFrame } from './velocity-frames.ts'

/** A line across the grid, in cells from the north-west corner, x to the east, y to the south. */
export interface SectionLine {
  x1: number
  y1: number
  x2: number
  y2: number
}

/** Pieces of a line a cell. */
const FINENESS = 4
/** A line from corner to corner of the largest town. */
const MOST_PIECES = 200_000

/**
 * Water that flows through a line, to the right of who goes along it: depth times the velocity across, summed over pieces
 * of a quarter of a cell.
 * @throws BadRequest for a line without a length or outside the grid
 * @throws OutputMissing
 */
export async function sectionFlow(
  dir: string,
  index: DepthFrameIndex,
  line: SectionLine,
): Promise<SectionFlow> {
  const { cells, widthM, east, north, lengthM } = piecesOf(line, index)
  const timesS = index.frames.map(({ timeS }) => timeS)
  const size = index.nrows * index.ncols
  // The depths along the line alone stay: frames of a large town would not fit.
  const depths: Uint16Array[] = []
  for (let k = 0; k < timesS.length; k++) {
    const frame = await readFrames(dir, index, k, k + 1)
    depths.push(Uint16Array.from(cells, (cell) => frame[cell]))
  }
  const flowM3S = timesS.map(() => 0)
  const known = await eachVelocityFrame(dir, (frame, k) => {
    if (frame.east.length !== size || depths[k] === undefined) return
    let flow = 0
    for (const [piece, cell] of cells.entries()) {
      const mm = depths[k][piece]
      if (mm === DEPTH_FRAME_NO_DATA) continue
      const acrossMS = (frame.east[cell] * east + frame.north[cell] * north) / 100
      flow += (mm / 1000) * acrossMS * widthM
    }
    flowM3S[k] = flow
  })
  return { lengthM, timesS, flowM3S: known ? flowM3S : null }
}

/** Cells under the pieces of a line, their width and the direction to its right. */
function piecesOf({ x1, y1, x2, y2 }: SectionLine, { nrows, ncols, cellSize }: DepthFrameIndex) {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const inside = [x1, x2].every((x) => x >= 0 && x <= ncols) && [y1, y2].every((y) => y >= 0 && y <= nrows)
  const count = Math.ceil(length * FINENESS)
  if (!inside || count < 1 || count > MOST_PIECES)
    throw new BadRequest('section', 'x1', 'Tracez une ligne dans la grille, d’un point à un autre.')
  const cells = Array.from({ length: count }, (_, k) => {
    const share = (k + 0.5) / count
    const col = Math.min(ncols - 1, Math.floor(x1 + share * (x2 - x1)))
    const row = Math.min(nrows - 1, Math.floor(y1 + share * (y2 - y1)))
    return row * ncols + col
  })
  // Along the line (dx, -dy) to the east and north; its right is a quarter turn clockwise.
  const [alongEast, alongNorth] = [(x2 - x1) / length, -(y2 - y1) / length]
  return {
    cells,
    widthM: (length * cellSize) / count,
    lengthM: length * cellSize,
    east: alongNorth,
    north: -alongEast,
  }
}
