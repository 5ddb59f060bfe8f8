import { sampleAlong } from '../advection/sample.ts'
import type { RainFrame } from '../field.ts'
import type { MotionField } from '../motion-field.ts'

/** How often the sums round each node are smoothed, by round: wide windows first. */
const ROUNDS = [4, 4, 2, 2, 1, 1] as const
/** Added to the squared gradients of a node, (ln(1 + mm/h) a cell)^2: where there is little to see, little moves. */
const LEAST_GRADIENT = 0.1
/** Longest correction of a round, cells between the frames. */
const LONGEST = 2

/**
 * Motion between two frames, made to fit just these two: both are moved to the middle of their interval, and each node's
 * velocity is corrected by what is left between them (Lucas and Kanade 1981, symmetric as in Bowler et al. 2004), over ever
 * smaller windows, in ln(1 + mm/h), smoothed between rounds. Cells that are missing in either say nothing.
 * @returns `motion` itself where the correction brings the frames no nearer
 */
export function refineMotion(a: RainFrame, b: RainFrame, motion: MotionField): MotionField {
  const minutes = (b.timeMs - a.timeMs) / 60_000
  const logs = [a, b].map(({ rateMmH }) => rateMmH.map((rate) => (rate >= 0 ? Math.log1p(rate) : Number.NaN)))
  const pair = new MiddlePair(logs[0], logs[1], minutes, motion)
  let now = motion
  let first: number | null = null
  for (const passes of ROUNDS) {
    const sums = pair.at(now)
    first ??= sums.meanSquare
    now = corrected(now, sums, passes, minutes)
  }
  return pair.at(now).meanSquare < first! ? now : motion
}

/** What two frames moved to the middle of their interval say, summed to the nearest node. */
interface Sums {
  xx: Float32Array
  xy: Float32Array
  yy: Float32Array
  xd: Float32Array
  yd: Float32Array
  /** Of the difference between them. */
  meanSquare: number
}

class MiddlePair {
  private readonly a: Float32Array
  private readonly b: Float32Array
  private readonly minutes: number
  private readonly from: Float32Array<ArrayBuffer>
  private readonly to: Float32Array<ArrayBuffer>
  private readonly nodes: number

  constructor(a: Float32Array, b: Float32Array, minutes: number, { u }: MotionField) {
    this.a = a
    this.b = b
    this.minutes = minutes
    this.from = new Float32Array(a.length)
    this.to = new Float32Array(a.length)
    this.nodes = u.length
  }

  at(motion: MotionField): Sums {
    const half = this.minutes / 2
    const way = (values: Float32Array, by: number) => values.map((value) => value * by)
    sampleAlong(this.a, { motion, dx: way(motion.u, -half), dy: way(motion.v, -half) }, this.from)
    sampleAlong(this.b, { motion, dx: way(motion.u, half), dy: way(motion.v, half) }, this.to)
    const [xx, xy, yy, xd, yd] = Array.from({ length: 5 }, () => new Float32Array(this.nodes))
    const [from, to] = [this.from, this.to]
    const { shape, step, nodes } = motion
    const { nrows, ncols } = shape
    const nodeOf = Int32Array.from({ length: ncols }, (_, col) => Math.round(col / step))
    let [squares, cells] = [0, 0]
    for (let row = 1; row < nrows - 1; row++) {
      const line = Math.round(row / step) * nodes.ncols
      for (let col = 1, i = row * ncols + 1; col < ncols - 1; col++, i++) {
        const d = to[i] - from[i]
        if (!(d * 0 === 0)) continue
        cells++
        squares += d * d
        const gx = (from[i + 1] - from[i - 1] + to[i + 1] - to[i - 1]) / 4
        const gy = (from[i + ncols] - from[i - ncols] + to[i + ncols] - to[i - ncols]) / 4
        if (!((gx !== 0 || gy !== 0) && (gx + gy) * 0 === 0)) continue
        const k = line + nodeOf[col]
        xx[k] += gx * gx
        xy[k] += gx * gy
        yy[k] += gy * gy
        xd[k] += gx * d
        yd[k] += gy * d
      }
    }
    return { xx, xy, yy, xd, yd, meanSquare: cells > 0 ? squares / cells : 0 }
  }
}

/** One step of Newton at each node, over what stands round it. */
function corrected(motion: MotionField, sums: Sums, passes: number, minutes: number): MotionField {
  const wide = (values: Float32Array) => smoothed(values, motion, passes)
  const [xx, xy, yy, xd, yd] = [sums.xx, sums.xy, sums.yy, sums.xd, sums.yd].map(wide)
  const [u, v] = [motion.u.slice(), motion.v.slice()]
  for (let k = 0; k < u.length; k++) {
    const [p, q] = [xx[k] + LEAST_GRADIENT, yy[k] + LEAST_GRADIENT]
    const det = p * q - xy[k] * xy[k]
    const x = (xy[k] * yd[k] - q * xd[k]) / det
    const y = (xy[k] * xd[k] - p * yd[k]) / det
    const scale = Math.min(1, LONGEST / Math.hypot(x, y)) / minutes
    u[k] += x * scale
    v[k] += y * scale
  }
  return { ...motion, u: smoothed(u, motion, 1), v: smoothed(v, motion, 1) }
}

/** By 1 2 1 over nodes in both directions, so many times. */
function smoothed(values: Float32Array, { nodes }: MotionField, passes: number): Float32Array {
  const { nrows, ncols } = nodes
  let now = values
  for (let pass = 0; pass < passes; pass++) {
    const [across, out] = [new Float32Array(now.length), new Float32Array(now.length)]
    for (let row = 0, i = 0; row < nrows; row++)
      for (let col = 0; col < ncols; col++, i++)
        across[i] = (now[col > 0 ? i - 1 : i] + 2 * now[i] + now[col < ncols - 1 ? i + 1 : i]) / 4
    for (let row = 0, i = 0; row < nrows; row++)
      for (let col = 0; col < ncols; col++, i++)
        out[i] =
          (across[row > 0 ? i - ncols : i] + 2 * across[i] + across[row < nrows - 1 ? i + ncols : i]) / 4
    now = out
  }
  return now
}
