import type { GridPlace } from '@radx/contracts/flood'
import { lngLatAt } from './lines.ts'

/** South-west and north-east, [lng, lat]. */
export type Bounds = [[number, number], [number, number]]

/** Room round what a map is fitted to, px. */
export const FIT_PX = 24

export function boundsAround(points: readonly (readonly [number, number])[]): Bounds {
  const [lngs, lats] = [points.map(([lng]) => lng), points.map(([, lat]) => lat)]
  return [
    [Math.min(...lngs), Math.min(...lats)],
    [Math.max(...lngs), Math.max(...lats)],
  ]
}

export const boundsOfPlace = ({ corners: { sw, se, ne, nw } }: GridPlace): Bounds =>
  boundsAround([sw, se, ne, nw])

/** Around the cells that fit; null without one. @param fits by cell */
export function boundsOfCells(place: GridPlace, fits: (k: number) => boolean): Bounds | null {
  const { nrows, ncols } = place
  let [top, bottom, left, right] = [nrows, -1, ncols, -1]
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      if (!fits(row * ncols + col)) continue
      top = Math.min(top, row)
      bottom = row
      left = Math.min(left, col)
      right = Math.max(right, col)
    }
  if (bottom < 0) return null
  return boundsAround(
    [
      [left, top],
      [right + 1, top],
      [left, bottom + 1],
      [right + 1, bottom + 1],
    ].map(([x, y]) => lngLatAt(place, x, y)),
  )
}
