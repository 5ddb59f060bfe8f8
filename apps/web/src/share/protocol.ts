import type { Bounds } from '@radx/contracts/site'

/** Kinds of files that an animation may be. */
export const FILM_FORMATS = ['mp4', 'webm', 'gif'] as const
export type FilmFormat = (typeof FILM_FORMATS)[number]

/** Where the cells of the moving layer lie in the picture. */
export type CellPlace =
  /** Rows even in latitude, columns in longitude; `view` says where the unit square of Web Mercator lies, px. */
  | { kind: 'latlng'; bounds: Bounds; view: MercatorView }
  /** Corners of the grid, px: north-west, north-east, south-east, south-west. */
  | { kind: 'quad'; corners: readonly [number, number][] }

/** A place of Web Mercator's unit square lies at `x * size + left`, `y * size + top`, px. */
export interface MercatorView {
  size: number
  left: number
  top: number
}

/** How codes are coloured. */
export interface CodeLook {
  /** Four bytes a code, not premultiplied; what is higher has the last. */
  palette: Uint8Array<ArrayBuffer>
  /** Code of cells without data, and the colour of their hatching; null leaves them clear. */
  noData: { code: number; color: readonly [number, number, number, number] } | null
  /** 0 to 1, of everything but missing data. */
  opacity: number
  /** The line inside the edge of what is coloured, RGBA with alpha 0 to 1; null without. */
  edge: readonly [number, number, number, number] | null
}

export interface FilmStart {
  kind: 'start'
  format: FilmFormat
  width: number
  height: number
  frames: number
  /** Pictures a second. */
  fps: number
  nrows: number
  ncols: number
  place: CellPlace
  look: CodeLook
  /** Ground below the moving layer, and what lies over it, legend included. */
  under: ImageBitmap
  over: ImageBitmap
  /** Where the clock of each picture stands, px. */
  clockAt: readonly [number, number]
}

export interface FilmFrame {
  kind: 'frame'
  /** `[row * ncols + col]`, row 0 north. */
  codes: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>
  clock: ImageBitmap
}

export type FilmRequest = FilmStart | FilmFrame

export type FilmReply =
  /** The worker waits for a picture. */
  | { kind: 'want'; frame: number }
  | { kind: 'done'; bytes: ArrayBuffer; type: string; codec: string }
  | { kind: 'failed'; reason: 'codec' | 'encoder'; message: string }
