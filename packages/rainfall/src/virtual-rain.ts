import type {
  ChicagoStorm,
  DoubleTriangle,
  SimpleTriangle,
  UniformStorm,
  VirtualParams,
  VirtualShape,
} from '@radx/contracts/simulation'
import type { SteppedRain } from './storms/depth-duration.ts'
import { type BlockRain, chicago, MAX_STORM_MIN } from './storms/design-storms.ts'

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

function polyline(shape: 'simple' | 'double', params: SimpleTriangle | DoubleTriangle): Point[] {
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

/** A shape that its parameters alone draw. */
export type DrawnShape = Exclude<VirtualShape, 'series'>

/**
 * Virtual rain, mm/h, one value a minute. Simple triangle: `d` total duration and `t` time of the peak (min).
 * Double triangle after Desbordes: a long weak rain of `t3` min with an intense part of `t1` min that begins at
 * minute `t2`; `i2` (mm/h) is reached when the intense part begins and ends, `iMax` in its middle.
 * Chicago: the blocks of `storms/design-storms.ts`; uniform: `iMax` over `duration`.
 * 15 zeros, the curve, then the calm. Each value is the mean over its minute, so that the depth is exactly that of
 * the curve. Empty when a parameter is 0, negative, NaN or infinite, or when there is no such storm (no curve).
 */
export function virtualRain<S extends DrawnShape>(shape: S, params: VirtualParams[S]): number[] {
  const values = Object.values(params) as number[]
  if (values.some((value) => !Number.isFinite(value) || value <= 0)) return []
  const curve = curveOf(shape, params)
  return curve.length === 0 ? [] : framed(curve, params.calmAfter)
}

function curveOf(shape: DrawnShape, params: VirtualParams[DrawnShape]): number[] {
  if (shape === 'chicago') {
    const blocks = chicagoBlocks(params as ChicagoStorm)
    return blocks === null ? [] : minuteMeans(edged(blocks))
  }
  if (shape === 'uniform') {
    const { duration, iMax } = params as UniformStorm
    return duration > MAX_STORM_MIN ? [] : minuteMeans({ edgesMin: [0, duration], ratesMmH: [iMax] })
  }
  const line = polyline(shape, params as SimpleTriangle | DoubleTriangle)
  const minutes = Math.ceil(line[line.length - 1][0])
  return Array.from({ length: minutes }, (_, k) => integral(line, k + 1) - integral(line, k))
}

/** The zeros before a rain and the calm after it. */
function framed(curve: readonly number[], calmMin: number): number[] {
  const calm = new Array<number>(Math.ceil(calmMin)).fill(0)
  return [...new Array<number>(VIRTUAL_RAIN_LEAD_MIN).fill(0), ...curve, ...calm]
}

/** Blocks of a Chicago storm; null where there is none. */
function chicagoBlocks({ a, b, duration, step, peak }: ChicagoStorm): BlockRain | null {
  try {
    return chicago({ a, b }, { durationMin: duration, stepMin: step, peak })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const edged = ({ stepMin, ratesMmH }: BlockRain): SteppedRain => ({
  edgesMin: Array.from({ length: ratesMmH.length + 1 }, (_, k) => k * stepMin),
  ratesMmH,
})

/** A rain of one's own as virtual rain, mm/h a minute: its depth stays, its peaks may not where steps are shorter. */
export const ownRain = (rain: SteppedRain, calmMin: number): number[] => framed(minuteMeans(rain), calmMin)

/** Means over whole minutes of a rain in steps, mm/h; the last one reaches over its end. */
export function minuteMeans({ edgesMin, ratesMmH }: SteppedRain): number[] {
  const start = edgesMin[0]
  const end = edgesMin[ratesMmH.length] - start
  // A thousandth of a second: ends made of fractions of minutes.
  const minutes = new Array<number>(Math.ceil(end - 1e-5)).fill(0)
  for (let k = 0; k < ratesMmH.length; k++) {
    const [from, to] = [edgesMin[k] - start, Math.min(edgesMin[k + 1] - start, minutes.length)]
    for (let m = Math.floor(from); m < to; m++)
      minutes[m] += ratesMmH[k] * Math.max(0, Math.min(to, m + 1) - Math.max(from, m))
  }
  return minutes
}
