import { LAND_USE_NODATA, type LuseConfig } from '@radx/contracts'
import { encode } from 'jpeg-js'

const OUTSIDE = [255, 255, 255]
const UNKNOWN = [160, 160, 160]

const rgb = (color: string): number[] => [1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16))

/** Land use as a JPEG, a cell `cellPx` pixels wide, in the colours of its table. */
export function luseImage(
  codes: Int16Array,
  ncols: number,
  nrows: number,
  configs: readonly LuseConfig[],
  cellPx = 1,
): Buffer {
  const colors = new Map(configs.map(({ code, color }) => [code, rgb(color)]))
  const width = ncols * cellPx
  const data = Buffer.alloc(width * nrows * cellPx * 4, 255)
  for (let y = 0; y < nrows * cellPx; y++)
    for (let x = 0; x < width; x++) {
      const code = codes[Math.floor(y / cellPx) * ncols + Math.floor(x / cellPx)]
      const [r, g, b] = code === LAND_USE_NODATA ? OUTSIDE : (colors.get(code) ?? UNKNOWN)
      const k = 4 * (y * width + x)
      data[k] = r
      data[k + 1] = g
      data[k + 2] = b
    }
  return encode({ data, width, height: nrows * cellPx }, 82).data
}
