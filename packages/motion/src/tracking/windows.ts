import type { Level } from './images.ts'

/** Side of the square of cells that is followed. */
export const WINDOW = 50
export const HALF = (WINDOW - 1) / 2

/** A picture, its gradients and its smaller copies. */
export interface Pyramid {
  image: Level
  gx: Level
  gy: Level
}

/** What following a point needs of the pictures: in TypeScript below, or compiled (follow-wasm.ts). */
export interface Windows {
  /** Cuts the window round a point of the first picture at a level; sums of gx gx, gx gy, gy gy over it. */
  cut(level: number, x: number, y: number): readonly [xx: number, xy: number, yy: number]
  /** Sums over the cut window of its difference to that round a point of the next picture, times gx and gy. */
  mismatch(level: number, x: number, y: number): readonly [bx: number, by: number]
}

/** Upper left cell of the window round a point, and how far the window lies beyond it. */
export function corner({ stride, margin }: Level, x: number, y: number) {
  const left = x - HALF + margin
  const top = y - HALF + margin
  const [ix, iy] = [Math.floor(left), Math.floor(top)]
  return { at: iy * stride + ix, fx: left - ix, fy: top - iy }
}
