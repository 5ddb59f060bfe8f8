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

/** Where a level lies in the kernel's memory, bytes. */
interface Places {
  image: number
  gx: number
  gy: number
}

/** The windows of `followPoints` from one picture to another and back, four cells at a time. */
export function wasmWindows(
  from: Pyramid[],
  to: Pyramid[],
  wasm: Uint8Array,
): { there: Windows; back: Windows } {
  let top = PAGE
  const take = (floats: number) => {
    const at = top
    top += Math.ceil((floats + 4) / 4) * 4 * FLOAT
    return at
  }
  const placesOf = (pyramid: Pyramid[]) =>
    pyramid.map(({ image, gx, gy }) => ({
      image: take(image.values.length),
      gx: take(gx.values.length),
      gy: take(gy.values.length),
    }))
  const [first, second] = [placesOf(from), placesOf(to)]
  const out = take(3 * LINE * WINDOW)
  const sumsAt = take(8)
  const pages = Math.ceil(top / PAGE) + 1
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const module = new WebAssembly.Module(wasm as Uint8Array<ArrayBuffer>)
  const kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports
  const put = (at: number, { values }: Level) =>
    new Float32Array(memory.buffer, at, values.length).set(values)
  for (const [pyramid, places] of [
    [from, first],
    [to, second],
  ] as const)
    places.forEach((place, k) => {
      put(place.image, pyramid[k].image)
      put(place.gx, pyramid[k].gx)
      put(place.gy, pyramid[k].gy)
    })
  const sums = new Float64Array(memory.buffer, sumsAt, 3)
  const between = (
    a: { pyramid: Pyramid[]; places: Places[] },
    b: { pyramid: Pyramid[]; places: Places[] },
  ): Windows => ({
    cut(k, x, y) {
      const level = a.pyramid[k].image
      const { at, fx, fy } = corner(level, x, y)
      const { image, gx, gy } = a.places[k]
      kernel.cut(image, gx, gy, at * FLOAT, level.stride * FLOAT, fx, fy, out, sumsAt)
      return [sums[0], sums[1], sums[2]]
    },
    mismatch(k, x, y) {
      const level = b.pyramid[k].image
      const { at, fx, fy } = corner(level, x, y)
      kernel.mismatch(b.places[k].image, at * FLOAT, level.stride * FLOAT, fx, fy, out, sumsAt)
      return [sums[0], sums[1]]
    },
  })
  const [one, other] = [
    { pyramid: from, places: first },
    { pyramid: to, places: second },
  ]
  return { there: between(one, other), back: between(other, one) }
}
