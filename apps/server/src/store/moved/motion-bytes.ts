import type { MotionField } from '@radx/motion/motion-field'
import { nodesOf } from '@radx/motion/motion-field'

/** Cells a minute of a unit. */
const UNIT = 0.001

/** Velocities of the nodes as int16 little-endian in 0.001 cells a minute: the spacing, all u, then all v. */
export function motionBytes({ step, u, v }: MotionField): Uint8Array {
  const out = new DataView(new ArrayBuffer(2 * (1 + u.length + v.length)))
  out.setInt16(0, step, true)
  const put = (values: Float32Array, from: number) =>
    values.forEach((value, k) => {
      out.setInt16(2 * (from + k), Math.max(-32767, Math.min(32767, Math.round(value / UNIT))), true)
    })
  put(u, 1)
  put(v, 1 + u.length)
  return new Uint8Array(out.buffer)
}

/** The motion field that `motionBytes` wrote. @param steps cells of a side of its grid */
export function readMotion(bytes: Uint8Array, steps: number): MotionField {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const shape = { nrows: steps, ncols: steps }
  const step = view.getInt16(0, true)
  const nodes = nodesOf(shape, step)
  const count = nodes.nrows * nodes.ncols
  const take = (from: number) =>
    Float32Array.from({ length: count }, (_, k) => view.getInt16(2 * (from + k), true) * UNIT)
  return { shape, step, nodes, u: take(1), v: take(1 + count) }
}
