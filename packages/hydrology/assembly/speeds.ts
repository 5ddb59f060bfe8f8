// Largest speeds, looked at now and then.
import {
  ACTIVE,
  down,
  MAX_DEPTH_SPEED,
  MAX_SPEED,
  QUAD,
  QX,
  QY,
  quads,
  recordOf,
  SHALLOW,
  SPEED_X,
  SPEED_Y,
  vDry,
  word,
  words,
} from './memory'
import { toWest } from './vectors'

/** Largest speed and depth x speed, from the faces of this step's fluxes. */
export function sampleRow(row: i32): void {
  const above = (<usize>quads) << 4
  for (let w = 0; w < words; w++) {
    const first = <usize>(row * quads + (w << 6))
    let bits = word(ACTIVE, row, w)
    while (bits) {
      const k = <usize>ctz(bits)
      bits &= bits - 1
      const at = recordOf(first + k)
      const own = (first + k) << 4
      const east = v128.load(at, QX)
      const vx = v128.pmax<f32>(
        faceSpeed(east, SPEED_X + own),
        faceSpeed(toWest(v128.load(at - QUAD, QX), east), SPEED_X + own - 4),
      )
      const vy = v128.pmax<f32>(
        faceSpeed(v128.load(at, QY), SPEED_Y + own),
        faceSpeed(v128.load(at - down, QY), SPEED_Y + own - above),
      )
      const h = v128.load(at, SHALLOW)
      const all = v128.sqrt<f32>(v128.add<f32>(v128.mul<f32>(vx, vx), v128.mul<f32>(vy, vy)))
      const speed = v128.and(all, v128.gt<f32>(h, vDry))
      v128.store(MAX_SPEED + own, v128.pmax<f32>(v128.load(MAX_SPEED + own), speed))
      v128.store(
        MAX_DEPTH_SPEED + own,
        v128.pmax<f32>(v128.load(MAX_DEPTH_SPEED + own), v128.mul<f32>(speed, h)),
      )
    }
  }
}

// A face that carries nothing keeps an old speed, which must not count. Walls (edges too) have none.
// @inline
export function faceSpeed(q: v128, speeds: usize): v128 {
  return v128.and(v128.load(speeds), v128.ne<f32>(q, f32x4.splat(0)))
}
