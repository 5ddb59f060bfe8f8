import type { Level } from './images.ts'
import { corner, type Pyramid, WINDOW, type Windows } from './windows.ts'

interface Exports {
  cut(
    image: number,
    gx: number,
    gy: number,
    offset: number,
    stride: number,
    fx: number,
    fy: number,
    out: number,
    sums: number,
  ): void
  mismatch(
    image: number,
    offset: number,
    stride: number,
    fx: number,
    fy: number,
    out: number,
    sums: number,
  ): void
}

const PAGE = 65_536
const FLOAT = 4
/** A row of a window has two lanes to spare (assembly/follow.ts). */
const LINE = 52

/** The windows of `followPoints`, four cells at a time. */
export function wasmWindows(from: Pyramid[], to: Pyramid[], wasm: Uint8Array): Windows {
  let top = PAGE
  const take = (floats: number) => {
    const at = top
    top += Math.ceil((floats + 4) / 4) * 4 * FLOAT
    return at
  }
  const places = from.map((level, k) => ({
    image: take(level.image.values.length),
    gx: take(level.gx.values.length),
    gy: take(level.gy.values.length),
    next: take(to[k].image.values.length),
  }))
  const out = take(3 * LINE * WINDOW)
  const sumsAt = take(8)
  const pages = Math.ceil(top / PAGE) + 1
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const module = new WebAssembly.Module(wasm as Uint8Array<ArrayBuffer>)
  const kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports
  const put = (at: number, { values }: Level) =>
    new Float32Array(memory.buffer, at, values.length).set(values)
  places.forEach((place, k) => {
    put(place.image, from[k].image)
    put(place.gx, from[k].gx)
    put(place.gy, from[k].gy)
    put(place.next, to[k].image)
  })
  const sums = new Float64Array(memory.buffer, sumsAt, 3)
  return {
    cut(k, x, y) {
      const level = from[k].image
      const { at, fx, fy } = corner(level, x, y)
      const { image, gx, gy } = places[k]
      kernel.cut(image, gx, gy, at * FLOAT, level.stride * FLOAT, fx, fy, out, sumsAt)
      return [sums[0], sums[1], sums[2]]
    },
    mismatch(k, x, y) {
      const level = to[k].image
      const { at, fx, fy } = corner(level, x, y)
      kernel.mismatch(places[k].next, at * FLOAT, level.stride * FLOAT, fx, fy, out, sumsAt)
      return [sums[0], sums[1]]
    },
  }
}
