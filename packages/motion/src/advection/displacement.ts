import { atPlace, type MotionField } from '../motion-field.ts'

/** Longest step of the way back, minutes. */
const LONGEST_STEP_MIN = 5

/** Where the air at each node of a motion field came from: cells to add to its place. */
export interface Displacement {
  motion: MotionField
  dx: Float32Array
  dy: Float32Array
}

/** Grows as time goes on; `to` may be called with ever later moments. */
export interface BackwardPath {
  /** Way back from `minutes` to the start; the same arrays at every call. */
  to(minutes: number): Displacement
}

/**
 * Backward semi-Lagrangian way, one midpoint iteration a step (Germann and Zawadzki 2002): v = V(x + D - v/2), D -= v.
 * Steps of at most 5 min. Negative minutes follow the rain back in time.
 * @param at motion at a moment, where it does not stand still; as at the end of a step
 */
export function backwardPath(motion: MotionField, at?: (minutes: number) => MotionField): BackwardPath {
  const { nodes, step } = motion
  const dx = new Float32Array(motion.u.length)
  const dy = new Float32Array(motion.u.length)
  let now = 0
  const move = (dt: number, current: MotionField) => {
    const { u, v } = current
    for (let j = 0; j < nodes.nrows; j++)
      for (let i = 0; i < nodes.ncols; i++) {
        const k = j * nodes.ncols + i
        const x = i * step + dx[k]
        const y = j * step + dy[k]
        const mx = x - (dt * atPlace(u, current, x, y)) / 2
        const my = y - (dt * atPlace(v, current, x, y)) / 2
        dx[k] -= dt * atPlace(u, current, mx, my)
        dy[k] -= dt * atPlace(v, current, mx, my)
      }
  }
  return {
    to(minutes) {
      const way = minutes - now
      const steps = Math.ceil(Math.abs(way) / LONGEST_STEP_MIN - 1e-9)
      for (let k = 1; k <= steps; k++) move(way / steps, at ? at(now + (way * k) / steps) : motion)
      if (steps > 0) now = minutes
      return { motion, dx, dy }
    },
  }
}
