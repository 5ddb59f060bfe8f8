import type { Scheme } from '../../../map/basemap.ts'
import type { TownGrid } from '../../../town/api.ts'
import type { GridPicture } from '../../../town/paint-ground.ts'

type Rgb = readonly [number, number, number]

/** From the lowest ground to the highest, as on printed maps. */
const RAMPS: Record<Scheme, readonly Rgb[]> = {
  light: [
    [176, 208, 196],
    [209, 222, 184],
    [240, 229, 188],
    [226, 199, 160],
    [214, 190, 178],
  ],
  dark: [
    [22, 50, 48],
    [38, 60, 42],
    [66, 66, 44],
    [78, 62, 46],
    [92, 80, 74],
  ],
}
/** Heights below and above these shares of all cells have the ends of the ramp: a tower does not flatten the town. */
const ENDS = [0.01, 0.99] as const

/** Heights in colours, a pixel a cell; nothing outside the model. */
export function heightPicture({ place, elevationM }: TownGrid, scheme: Scheme): GridPicture {
  const { nrows, ncols } = place
  const data = new Uint8ClampedArray(4 * nrows * ncols)
  const heights = elevationM.filter((z) => !Number.isNaN(z)).sort()
  const [low, high] = ENDS.map((share) => heights[Math.floor(share * (heights.length - 1))] ?? 0)
  const ramp = RAMPS[scheme]
  const last = ramp.length - 1
  for (let k = 0; k < nrows * ncols; k++) {
    const z = elevationM[k]
    if (Number.isNaN(z)) continue
    const share = high > low ? Math.min(1, Math.max(0, (z - low) / (high - low))) : 0.5
    const step = Math.min(last - 1, Math.floor(share * last))
    const between = share * last - step
    for (let c = 0; c < 3; c++)
      data[4 * k + c] = ramp[step][c] + between * (ramp[step + 1][c] - ramp[step][c])
    data[4 * k + 3] = 255
  }
  return { width: ncols, height: nrows, data }
}
