import { paletteBytes } from '@radx/charts/palettes'
import { GULLY_CODE, LAND_USE_NODATA } from '@radx/contracts/landuse'
import type { CatchmentSummary, LuseConfig, LuseData, NetworkNode } from '@radx/contracts/simulation'
import { cellAt } from '../../../map/grid-cell.ts'
import { elevationRange } from '../editor/view.ts'

/** A picture of the basin, four bytes a cell (red, green, blue, opacity), row 0 north. */
export interface Picture {
  width: number
  height: number
  data: Uint8ClampedArray<ArrayBuffer>
}

const rgb = (color: string): number[] => [1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16))

function paint(
  rows: readonly (readonly number[])[],
  colorOf: (value: number, i: number, j: number) => number[] | null,
): Picture {
  const height = rows.length
  const width = rows[0]?.length ?? 0
  const data = new Uint8ClampedArray(width * height * 4)
  rows.forEach((row, i) => {
    row.forEach((value, j) => {
      const color = colorOf(value, i, j)
      if (color !== null) data.set([color[0], color[1], color[2], 255], 4 * (i * width + j))
    })
  })
  return { width, height, data }
}

export function landUsePicture(data: LuseData, table: readonly LuseConfig[]): Picture {
  const colors = new Map(table.map(({ code, color }) => [code, rgb(color)]))
  return paint(data.data, (code) => (code === LAND_USE_NODATA ? null : (colors.get(code) ?? [156, 163, 175])))
}

/** Light from the north-west, 45 degrees high (Horn, 1981); the slope is drawn five times as steep. */
const RELIEF = 5

/** Elevation in viridis, shaded; empty when the file came without elevation. */
export function reliefPicture({ elevation = [], cellSizeM }: LuseData): Picture {
  const { low, high } = elevationRange(elevation.flat(), LAND_USE_NODATA)
  const palette = paletteBytes('viridis')
  const at = (i: number, j: number, here: number) => {
    const z = elevation[i]?.[j]
    return z === undefined || z === LAND_USE_NODATA ? here : z
  }
  return paint(elevation, (z, i, j) => {
    if (z === LAND_USE_NODATA) return null
    const east = ((at(i, j + 1, z) - at(i, j - 1, z)) / (2 * cellSizeM)) * RELIEF
    const north = ((at(i - 1, j, z) - at(i + 1, j, z)) / (2 * cellSizeM)) * RELIEF
    const light = (1 + (east - north) / Math.SQRT2) / Math.SQRT2 / Math.sqrt(1 + east ** 2 + north ** 2)
    const shade = 0.45 + 0.8 * Math.max(0, light)
    const k = 4 * Math.round((255 * (z - low)) / (high - low))
    return [palette[k] * shade, palette[k + 1] * shade, palette[k + 2] * shade]
  })
}

/** Streets in grey, gullies and manholes over them. */
export function networkPicture(
  data: LuseData,
  nodes: readonly NetworkNode[],
  corners: CatchmentSummary['corners'],
): Picture {
  const picture = paint(data.data, (code) => {
    if (code === LAND_USE_NODATA) return null
    if (code === GULLY_CODE) return [92, 188, 194]
    return code === 2 ? [92, 106, 112] : [27, 36, 39]
  })
  for (const { lon, lat } of nodes) {
    const { row, col } = cellAt(lon, lat, corners, picture)
    for (const [di, dj] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]) {
      const [i, j] = [row + di, col + dj]
      if (i >= 0 && j >= 0 && i < picture.height && j < picture.width)
        picture.data.set([242, 151, 93, 255], 4 * (i * picture.width + j))
    }
  }
  return picture
}
