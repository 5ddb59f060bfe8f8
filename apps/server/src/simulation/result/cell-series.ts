import type { CellSeries } from '@radx/contracts'
import { DEPTH_FRAME_NO_DATA } from '@radx/contracts'
import { BadRequest } from '../../http/errors.ts'
import { type DepthFrameIndex, readFrames } from './depth-frames.ts'
import { eachVelocityFrame } from './velocity-frames.ts'

/** Frames held at a time. */
const AT_A_TIME = 8

/**
 * Water of a cell at the moments of the depth frames.
 * @throws BadRequest for a cell outside the grid or the model
 * @throws OutputMissing
 */
export async function cellSeries(
  dir: string,
  index: DepthFrameIndex,
  { row, col }: { row: number; col: number },
  elevationM: ArrayLike<number>,
): Promise<CellSeries> {
  const { nrows, ncols, frames } = index
  const cell = row * ncols + col
  if (row >= nrows || col >= ncols || Number.isNaN(elevationM[cell]))
    throw new BadRequest('cell', 'row', 'Cette cellule est hors du bassin.')
  const cells = nrows * ncols
  const depthsM: number[] = []
  for (let from = 0; from < frames.length; from += AT_A_TIME) {
    const depths = await readFrames(dir, index, from, from + AT_A_TIME)
    for (let k = cell; k < depths.length; k += cells)
      depthsM.push(depths[k] === DEPTH_FRAME_NO_DATA ? 0 : depths[k] / 1000)
  }
  const speeds = frames.map(() => 0)
  const known = await eachVelocityFrame(dir, ({ east, north }, k) => {
    if (k < speeds.length) speeds[k] = Math.hypot(east[cell], north[cell]) / 100
  })
  return {
    groundM: elevationM[cell],
    timesS: frames.map(({ timeS }) => timeS),
    depthsM,
    speedsMS: known ? speeds : null,
  }
}
