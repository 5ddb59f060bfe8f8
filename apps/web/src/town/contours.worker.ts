import { contourStep, contours, type Lines, outline, smoothed } from './lines.ts'

export interface LinesAsked {
  elevationM: Float32Array
  nrows: number
  ncols: number
}

/** In cells of the grid, as `Lines` are. */
export interface LinesFound {
  outline: Lines
  stepM: number
  contours: { levelM: number; lines: Lines }[]
}

self.onmessage = ({ data: { elevationM, nrows, ncols } }: MessageEvent<LinesAsked>) => {
  const smooth = smoothed(elevationM, ncols)
  const stepM = contourStep(smooth)
  const found: LinesFound = {
    outline: outline((k) => !Number.isNaN(elevationM[k]), nrows, ncols),
    stepM,
    contours: [...contours(smooth, ncols, stepM)].map(([levelM, lines]) => ({ levelM, lines })),
  }
  self.postMessage(found)
}
