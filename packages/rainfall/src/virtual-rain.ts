import type { DoubleTriangle, SimpleTriangle, VirtualShape } from '@radx/contracts/simulation'

/** Minutes without rain before every virtual rain. */
export const VIRTUAL_RAIN_LEAD_MIN = 15

type Point = [minute: number, rateMmH: number]

/** Integral of a polyline from its start to `minute`, mm/h x min. */
function integral(line: Point[], minute: number): number {
  let sum = 0
  for (let k = 1; k < line.length; k++) {
    const [x0, y0] = line[k - 1]
    const [x1, y1] = line[k]
    const end = Math.min(minute, x1)
    if (end <= x0 || x1 <= x0) continue
    const yEnd = y0 + ((y1 - y0) * (end - x0)) / (x1 - x0)
    sum += ((y0 + yEnd) / 2) * (end - x0)
  }
  return sum
}

function polyline(shape: VirtualShape, params: SimpleTriangle | DoubleTriangle): Point[] {
  if (shape === 'simple') {
    const { d, t, iMax } = params as SimpleTriangle
    const peak = Math.min(t, d)
    return [
      [0, 0],
      [peak, iMax],
      [d, 0],
    ]
  }
  const { t1, t2, t3, iMax, i2 } = params as DoubleTriangle
  return [
    [0, 0],
    [t2, i2],
    [t2 + t1 / 2, iMax],
    [t2 + t1, i2],
    [Math.max(t3, t2 + t1), 0],
  ]
}

/**
 * Virtual rain, mm/h, one value a minute. Simple triangle: `d` total duration and `t` time of the peak (min).
 * Double triangle after Desbordes: a long weak rain of `t3` min with an intense part of `t1` min that begins at
 * minute `t2`; `i2` (mm/h) is reached when the intense part begins and ends, `iMax` in its middle.
 * 15 zeros, the curve, then the calm. Each value is the mean over its
 * minute, so that the depth is exactly that of the triangles. Empty when a parameter is 0, negative, NaN or
 * infinite (no curve).
 */
export function virtualRain(shape: 'simple', params: SimpleTriangle): number[]
export function virtualRain(shape: 'double', params: DoubleTriangle): number[]
export function virtualRain(shape: VirtualShape, params: SimpleTriangle | DoubleTriangle): number[]
export function virtualRain(shape: VirtualShape, params: SimpleTriangle | DoubleTriangle): number[] {
  const values = Object.values(params) as number[]
  if (values.some((value) => !Number.isFinite(value) || value <= 0)) return []
  const line = polyline(shape, params)
  const minutes = Math.ceil(line[line.length - 1][0])
  const curve = Array.from({ length: minutes }, (_, k) => integral(line, k + 1) - integral(line, k))
  const calm = new Array<number>(Math.ceil(params.calmAfter)).fill(0)
  return [...new Array<number>(VIRTUAL_RAIN_LEAD_MIN).fill(0), ...curve, ...calm]
}
