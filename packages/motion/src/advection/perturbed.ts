import type { MotionField } from '../motion-field.ts'

/**
 * Errors of motion grow with the lead: standard deviation p0 t^p1 + p2, km/h, t in minutes (Bowler et al. 2006), of which
 * `LEFT` is left by motion that is followed forth and back.
 */
const LEFT = 0.8
export const ALONG = [10.88, 0.23, -7.68] as const
export const ACROSS = [5.76, 0.31, -2.72] as const

export const motionErrorKmH = ([p0, p1, p2]: readonly [number, number, number], minutes: number) =>
  LEFT * Math.max(0, p0 * minutes ** p1 + p2)

/**
 * A motion field that is off by a speed along the flow and across it.
 * @param along cells a minute, in the direction of the motion at each place
 * @param across cells a minute, to its right
 */
export function perturbed(motion: MotionField, along: number, across: number): MotionField {
  const u = new Float32Array(motion.u.length)
  const v = new Float32Array(motion.v.length)
  for (let k = 0; k < u.length; k++) {
    const speed = Math.hypot(motion.u[k], motion.v[k])
    // Where nothing moves, to the east.
    const ex = speed > 1e-6 ? motion.u[k] / speed : 1
    const ey = speed > 1e-6 ? motion.v[k] / speed : 0
    u[k] = motion.u[k] + along * ex - across * ey
    v[k] = motion.v[k] + along * ey + across * ex
  }
  return { ...motion, u, v }
}
