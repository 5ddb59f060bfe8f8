import type { Bounds, LatLng } from '@radx/contracts/site'

/** A point of Web Mercator's unit square: x eastwards from 180° W, y southwards from 85.051° N. */
export interface MercatorPoint {
  x: number
  y: number
}

const mercatorX = (lng: number) => (lng + 180) / 360

export const mercatorY = (lat: number) =>
  (1 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / Math.PI) / 2

export const latOfMercatorY = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI

export const toMercator = ({ lat, lng }: LatLng): MercatorPoint => ({ x: mercatorX(lng), y: mercatorY(lat) })

const NODES = 4

/**
 * Coefficients c of `rowFraction`, which stands for the inverse Mercator projection inside one product:
 * rows are even in latitude, the screen is even in Mercator y. Interpolated at Chebyshev nodes (Newton's
 * divided differences) in double precision, because the arctangent of a shading language may be off by
 * kilometres (4096 ulp are allowed) where a polynomial in t is exact to a few hundredths of a cell.
 */
export function rowPolynomial(bounds: Bounds): [number, number, number, number] {
  const top = mercatorY(bounds.ul.lat)
  const bottom = mercatorY(bounds.lr.lat)
  const span = bounds.ul.lat - bounds.lr.lat
  const s = Array.from({ length: NODES }, (_, i) => Math.cos(((2 * i + 1) * Math.PI) / (2 * NODES)))
  const divided = s.map((node) => {
    const t = (node + 1) / 2
    const row = (bounds.ul.lat - latOfMercatorY(top + t * (bottom - top))) / span
    return (row - t) / (t * (1 - t))
  })
  for (let order = 1; order < NODES; order++)
    for (let i = NODES - 1; i >= order; i--)
      divided[i] = (divided[i] - divided[i - 1]) / (s[i] - s[i - order])
  // Newton form to powers of s, innermost bracket first.
  let c = [divided[NODES - 1], 0, 0, 0]
  for (let i = NODES - 2; i >= 0; i--)
    c = c.map((value, power) => (power === 0 ? divided[i] : c[power - 1]) - s[i] * value)
  return c as [number, number, number, number]
}

/**
 * Fraction of the way from the top row's upper edge (0) to the bottom row's lower edge (1) at a point
 * that is t of the way down in Mercator y. The fragment shader computes the same expression.
 */
export function rowFraction(t: number, [c0, c1, c2, c3]: readonly [number, number, number, number]): number {
  const s = 2 * t - 1
  return t + t * (1 - t) * (c0 + s * (c1 + s * (c2 + s * c3)))
}
