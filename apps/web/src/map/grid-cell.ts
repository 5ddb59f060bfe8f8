import type { GridPlace } from '@radx/contracts/flood'

/** Cell of a place; the grid is nearly a parallelogram in degrees. */
export function cellAt(
  lng: number,
  lat: number,
  { sw, se, nw }: GridPlace['corners'],
  { width, height }: { width: number; height: number },
): { row: number; col: number } {
  const [ax, ay] = [se[0] - sw[0], se[1] - sw[1]]
  const [bx, by] = [nw[0] - sw[0], nw[1] - sw[1]]
  const [px, py] = [lng - sw[0], lat - sw[1]]
  const area = ax * by - ay * bx
  const u = (px * by - py * bx) / area
  const v = (ax * py - ay * px) / area
  return { row: Math.floor((1 - v) * height), col: Math.floor(u * width) }
}
