import { differenceBytes, paletteBytes } from '@radx/charts/palettes'
import type { GridPicture } from '../../../../town/paint-ground.ts'
import type { DepthPalette } from './view.ts'

export interface DepthScale {
  palette: DepthPalette
  minCm: number
  maxCm: number
}

interface Grid {
  nrows: number
  ncols: number
}

/** Lowest difference that is drawn, cm: less is below what the model tells apart. */
export const DIFFERENCE_FROM_CM = 0.1

/**
 * Depths in the colours of a scale. Zero and what lies below the minimum is empty; what lies above the maximum
 * has its colour.
 * @param ground colour of empty cells inside the basin; null leaves them transparent
 */
export function depthPicture(
  { nrows, ncols }: Grid,
  cm: ArrayLike<number>,
  { palette, minCm, maxCm }: DepthScale,
  ground: readonly [number, number, number] | null,
): GridPicture {
  const colors = paletteBytes(palette)
  return paint(nrows, ncols, (k) => {
    const depth = cm[k]
    if (Number.isNaN(depth)) return null
    if (!(depth > 0) || depth < minCm) return ground
    const share = maxCm > minCm ? (depth - minCm) / (maxCm - minCm) : 1
    return at(colors, share)
  })
}

/** Differences, blue where shallower, red where deeper, on a scale from `-spanCm` to `spanCm`; small ones are faint. */
export function differencePicture(
  { nrows, ncols }: Grid,
  cm: ArrayLike<number>,
  spanCm: number,
): GridPicture {
  const colors = differenceBytes()
  const picture = paint(nrows, ncols, (k) =>
    Math.abs(cm[k]) >= DIFFERENCE_FROM_CM ? at(colors, 0.5 + cm[k] / spanCm / 2) : null,
  )
  for (let k = 0; k < cm.length; k++)
    if (picture.data[4 * k + 3] > 0)
      picture.data[4 * k + 3] = 255 * Math.min(1, 0.3 + (2 * Math.abs(cm[k])) / spanCm)
  return picture
}

function at(colors: Uint8Array, share: number): Uint8Array {
  const k = 4 * Math.round(255 * Math.min(1, Math.max(0, share)))
  return colors.subarray(k, k + 3)
}

function paint(height: number, width: number, colorOf: (k: number) => ArrayLike<number> | null): GridPicture {
  const data = new Uint8ClampedArray(4 * width * height)
  for (let k = 0; k < width * height; k++) {
    const color = colorOf(k)
    if (color === null) continue
    data[4 * k] = color[0]
    data[4 * k + 1] = color[1]
    data[4 * k + 2] = color[2]
    data[4 * k + 3] = 255
  }
  return { width, height, data }
}

/** Draws a picture into a canvas of its own size. */
export function drawPicture(canvas: HTMLCanvasElement, { width, height, data }: GridPicture): void {
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0)
}
