import { LAND_USE_NODATA } from '@radx/contracts/landuse'

/** Image export: width of a cell in pixels (spec 2 §9). */
export const CELL_PX = { min: 1, max: 20, default: 5 } as const

/** A cell size as typed, held to the range. */
export const cellSizeOf = (value: number): number =>
  Number.isFinite(value) ? Math.max(CELL_PX.min, Math.min(CELL_PX.max, Math.round(value))) : CELL_PX.default

/**
 * `luse.asc` with other codes: the header lines stay as they are, the rows come from `codes`,
 * `[row * ncols + col]`, row 0 north.
 */
export function withCodes(asc: string, codes: Int16Array): string {
  const header = asc.split('\n').filter((line) => /^\s*[a-z]/i.test(line))
  const ncols = Number(
    header
      .find((line) => /ncols/i.test(line))
      ?.trim()
      .split(/\s+/)[1],
  )
  if (!(ncols > 0) || codes.length % ncols !== 0) throw new RangeError('the grid does not fit the file')
  const rows = Array.from({ length: codes.length / ncols }, (_, row) =>
    codes.subarray(row * ncols, (row + 1) * ncols).join(' '),
  )
  return `${[...header, ...rows].join('\n')}\n`
}

/** A picture of the grid, `cellPx` pixels a cell, empty cells transparent. @throws when the browser has no room */
export async function luseImage(
  codes: Int16Array,
  ncols: number,
  table: readonly { code: number; color: string }[],
  cellPx: number,
): Promise<Blob> {
  const nrows = codes.length / ncols
  const small = new OffscreenCanvas(ncols, nrows)
  const context = small.getContext('2d') as OffscreenCanvasRenderingContext2D
  const image = context.createImageData(ncols, nrows)
  const colors = new Map(
    table.map(({ code, color }) => [code, [1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16))]),
  )
  for (let cell = 0; cell < codes.length; cell++) {
    if (codes[cell] === LAND_USE_NODATA) continue
    image.data.set([...(colors.get(codes[cell]) ?? [156, 163, 175]), 255], 4 * cell)
  }
  context.putImageData(image, 0, 0)
  const large = new OffscreenCanvas(ncols * cellPx, nrows * cellPx)
  const target = large.getContext('2d') as OffscreenCanvasRenderingContext2D
  target.imageSmoothingEnabled = false
  target.drawImage(small, 0, 0, large.width, large.height)
  return large.convertToBlob({ type: 'image/png' })
}
