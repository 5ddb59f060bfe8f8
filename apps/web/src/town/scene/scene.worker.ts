import { filledHeights } from './heights.ts'
import { type Boxes, houseBoxes } from './houses.ts'

export interface SceneAsked {
  elevationM: Float32Array
  /** Places in the classes of the town, by cell. */
  land: Uint8Array
  /** Which of them are buildings. */
  houses: readonly number[]
  nrows: number
  ncols: number
  ridgeM: number
}

/** Ground and buildings of a town, ready to be drawn. */
export interface SceneParts {
  /** m, `[row * ncols + col]`, without holes. */
  heights: Float32Array<ArrayBuffer>
  lowM: number
  highM: number
  boxes: Boxes[]
}

self.onmessage = ({ data }: MessageEvent<SceneAsked>) => {
  const { elevationM, land, nrows, ncols, ridgeM } = data
  const heights = filledHeights(elevationM, ncols)
  const isHouse = new Uint8Array(256)
  for (const place of data.houses) isHouse[place] = 1
  const boxes = houseBoxes((k) => isHouse[land[k]] === 1, heights, { nrows, ncols }, ridgeM)
  self.postMessage({ heights, boxes, ...rangeOf(heights) } satisfies SceneParts)
}

function rangeOf(heights: Float32Array): { lowM: number; highM: number } {
  let [lowM, highM] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const height of heights) {
    if (height < lowM) lowM = height
    if (height > highM) highM = height
  }
  return { lowM, highM }
}
