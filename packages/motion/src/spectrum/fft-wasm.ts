import type { Shape } from '../field.ts'
import type { Fft2d } from './fft.ts'

interface Exports {
  /** Transforms `lines` lines of `n` values; see assembly/fft.ts. */
  transform(
    re: number,
    im: number,
    nrows: number,
    ncols: number,
    rowFactors: number,
    rowCount: number,
    rowTwiddles: number,
    colFactors: number,
    colCount: number,
    colTwiddles: number,
    work: number,
    sign: number,
  ): void
}

/** Lines that are transformed side by side. */
const BATCH = 8
const PAGE = 65_536

/** The transform in WebAssembly: 8 lines at a time, four to a vector. */
export function createWasmFft(
  { nrows, ncols }: Shape,
  wasm: Uint8Array,
  rowFactors: number[],
  colFactors: number[],
): Fft2d {
  const cells = nrows * ncols
  let top = PAGE
  const take = (floats: number) => {
    const at = top
    top += Math.ceil(floats / 16) * 64
    return at
  }
  const places = {
    re: take(cells),
    im: take(cells),
    rows: take(rowFactors.length),
    cols: take(colFactors.length),
    rowTwiddles: take(2 * nrows),
    colTwiddles: take(2 * ncols),
    work: take(4 * BATCH * Math.max(nrows, ncols)),
  }
  const pages = Math.ceil(top / PAGE) + 1
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const module = new WebAssembly.Module(wasm as Uint8Array<ArrayBuffer>)
  const kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports
  const floats = (at: number, length: number) => new Float32Array(memory.buffer, at, length)
  new Int32Array(memory.buffer, places.rows, rowFactors.length).set(rowFactors)
  new Int32Array(memory.buffer, places.cols, colFactors.length).set(colFactors)
  for (const [at, n] of [
    [places.rowTwiddles, nrows],
    [places.colTwiddles, ncols],
  ]) {
    const table = floats(at, 2 * n)
    for (let k = 0; k < n; k++) {
      table[2 * k] = Math.cos((2 * Math.PI * k) / n)
      table[2 * k + 1] = Math.sin((2 * Math.PI * k) / n)
    }
  }
  const run = (sign: number) =>
    kernel.transform(
      places.re,
      places.im,
      nrows,
      ncols,
      places.rows,
      rowFactors.length,
      places.rowTwiddles,
      places.cols,
      colFactors.length,
      places.colTwiddles,
      places.work,
      sign,
    )
  return {
    nrows,
    ncols,
    re: floats(places.re, cells),
    im: floats(places.im, cells),
    forward: () => run(-1),
    inverse: () => run(1),
  }
}
