// Largest speeds, looked at now and then.
import { ACT, HF, MAXHV, MAXV, QX, QY, RECORD, SPEEDX, SPEEDY, down, quads, recordOf, vDry, word, words } from './memory'
import { toWest } from './vectors'

/** Largest speed and depth x speed, from the faces of this step's fluxes. */
export function sampleRow(row: i32): void {
  const above = <usize>quads << 4
  for (let w = 0; w < words; w++) {
    const first = <usize>(row * quads + (w << 6))
    let bits = word(ACT, row, w)
    while (bits) {
      const k = <usize>ctz(bits)
      bits &= bits - 1
      const at = recordOf(first + k)
      const own = (first + k) << 4
      const east = v128.load(at, QX)
      const vx = v128.pmax<f32>(
        faceSpeed(east, SPEEDX + own),
        faceSpeed(toWest(v128.load(at - RECORD, QX), east), SPEEDX + own - 4),
      )
      const vy = v128.pmax<f32>(
        faceSpeed(v128.load(at, QY), SPEEDY + own),
        faceSpeed(v128.load(at - down, QY), SPEEDY + own - above),
      )
      const h = v128.load(at, HF)
      const all = v128.sqrt<f32>(v128.add<f32>(v128.mul<f32>(vx, vx), v128.mul<f32>(vy, vy)))
      const speed = v128.and(all, v128.gt<f32>(h, vDry))
      v128.store(MAXV + own, v128.pmax<f32>(v128.load(MAXV + own), speed))
      v128.store(MAXHV + own, v128.pmax<f32>(v128.load(MAXHV + own), v128.mul<f32>(speed, h)))
    }
  }
}

// A face that carries nothing keeps an old speed, which must not count. Walls (edges too) have none.
// @ts-ignore: decorator
@inline export function faceSpeed(q: v128, speeds: usize): v128 {
  return v128.and(v128.load(speeds), v128.ne<f32>(q, f32x4.splat(0)))
}
