import type { Shape } from '../field.ts'
import { createWasmFft } from './fft-wasm.ts'

/**
 * Two-dimensional discrete Fourier transform of complex fields, in place: fill `re` and `im`, transform, read them.
 * Forward is sum of x exp(-2 pi i ...), inverse divides by the number of cells. Two real fields go as one complex.
 */
export interface Fft2d extends Shape {
  re: Float32Array
  im: Float32Array
  forward(): void
  inverse(): void
}

/** Prime factors that a side may have. */
const FACTORS = [5, 3, 2] as const

/** The next length at or above `n` whose factors are 2, 3 and 5. */
export function transformLength(n: number): number {
  for (let length = n; ; length++) if (splitLength(length)) return length
}

/** Factors of a length, each 5, 4, 3 or 2; null where there are others. */
export function splitLength(length: number): number[] | null {
  const out: number[] = []
  let rest = length
  while (rest % 4 === 0) {
    out.push(4)
    rest /= 4
  }
  for (const factor of FACTORS)
    while (rest % factor === 0) {
      out.push(factor)
      rest /= factor
    }
  return rest === 1 ? out : null
}

/**
 * @param shape sides with factors 2, 3 and 5 only
 * @param wasm bytes of the compiled kernel; without it the reference below
 * @throws RangeError for another side
 */
export function createFft({ nrows, ncols }: Shape, wasm?: Uint8Array): Fft2d {
  const [rowFactors, colFactors] = [splitLength(nrows), splitLength(ncols)]
  if (!rowFactors || !colFactors) throw new RangeError(`no transform of ${nrows} x ${ncols} cells`)
  if (wasm) return createWasmFft({ nrows, ncols }, wasm, rowFactors, colFactors)
  const re = new Float32Array(nrows * ncols)
  const im = new Float32Array(nrows * ncols)
  const transform = (sign: 1 | -1) => {
    for (let row = 0; row < nrows; row++) transformLine(re, im, row * ncols, 1, colFactors, sign)
    for (let col = 0; col < ncols; col++) transformLine(re, im, col, ncols, rowFactors, sign)
  }
  return {
    nrows,
    ncols,
    re,
    im,
    forward: () => transform(-1),
    inverse() {
      transform(1)
      const scale = 1 / re.length
      for (let i = 0; i < re.length; i++) {
        re[i] *= scale
        im[i] *= scale
      }
    },
  }
}

/** Stockham's self-sorting transform of one line (Van Loan 1992, section 1.7), any factors. */
function transformLine(
  re: Float32Array,
  im: Float32Array,
  offset: number,
  stride: number,
  factors: readonly number[],
  sign: 1 | -1,
): void {
  const n = factors.reduce((product, factor) => product * factor, 1)
  let [ar, ai] = [new Float64Array(n), new Float64Array(n)]
  let [br, bi] = [new Float64Array(n), new Float64Array(n)]
  for (let k = 0; k < n; k++) {
    ar[k] = re[offset + k * stride]
    ai[k] = im[offset + k * stride]
  }
  let before = 1
  for (const r of factors) {
    const m = n / before / r
    for (let p = 0; p < m; p++)
      for (let j = 0; j < r; j++)
        for (let q = 0; q < before; q++) {
          let [sumR, sumI] = [0, 0]
          for (let k = 0; k < r; k++) {
            const angle = (sign * 2 * Math.PI * j * k) / r
            const from = q + before * (p + m * k)
            sumR += ar[from] * Math.cos(angle) - ai[from] * Math.sin(angle)
            sumI += ar[from] * Math.sin(angle) + ai[from] * Math.cos(angle)
          }
          const turn = (sign * 2 * Math.PI * j * p) / (m * r)
          const to = q + before * (r * p + j)
          br[to] = sumR * Math.cos(turn) - sumI * Math.sin(turn)
          bi[to] = sumR * Math.sin(turn) + sumI * Math.cos(turn)
        }
    ;[ar, br] = [br, ar]
    ;[ai, bi] = [bi, ai]
    before *= r
  }
  for (let k = 0; k < n; k++) {
    re[offset + k * stride] = ar[k]
    im[offset + k * stride] = ai[k]
  }
}
