import { RATE_NO_DATA } from './rates.ts'

/** Depth fallen on every cell, `[row * steps + col]`, row 0 north. */
export interface AccumulationMap {
  /** mm; NaN where no frame had data. */
  depthMm: Float32Array
  /** Seconds that each cell had data for. */
  seconds: Float32Array
  /** Seconds added in all. */
  totalSeconds: number
}

/** Adds frames up cell by cell: the sum of rate x time that each frame stands for. */
export class Accumulation {
  private readonly sum: Float64Array
  private readonly missing: Float64Array
  private totalSeconds = 0

  /** @param cells number of cells of a frame */
  constructor(cells: number) {
    this.sum = new Float64Array(cells)
    this.missing = new Float64Array(cells)
  }

  /** Adds a frame of rate codes that stands for `seconds` (see `representativeness`). */
  add(codes: Uint16Array, seconds: number): void {
    if (codes.length !== this.sum.length) throw new RangeError('frame of another size')
    this.totalSeconds += seconds
    const sum = this.sum
    const missing = this.missing
    const n = codes.length
    // Dry cells, wet ones and those without data come in runs, which a loop of their own takes in half the time.
    let i = 0
    while (i < n) {
      while (i < n && codes[i] === 0) i++
      while (i < n && codes[i] === RATE_NO_DATA) missing[i++] += seconds
      while (i < n && codes[i] !== 0 && codes[i] !== RATE_NO_DATA) {
        sum[i] += codes[i] * seconds
        i++
      }
    }
  }

  /** A frame without rain anywhere and with data everywhere needs no codes. */
  addDry(seconds: number): void {
    this.totalSeconds += seconds
  }

  /**
   * Adds what was added up elsewhere; its time is added by `addDry`.
   * @param cellOf cell of each of the sums
   */
  addSums(
    cellOf: ArrayLike<number>,
    { sum, missing }: { sum: ArrayLike<number>; missing: ArrayLike<number> },
  ): void {
    for (let i = 0; i < sum.length; i++) {
      this.sum[cellOf[i]] += sum[i]
      this.missing[cellOf[i]] += missing[i]
    }
  }

  result(): AccumulationMap {
    const depthMm = new Float32Array(this.sum.length)
    const seconds = new Float32Array(this.sum.length)
    for (let i = 0; i < depthMm.length; i++) {
      const had = this.totalSeconds - this.missing[i]
      // Half a second: what is left of adding the same seconds in two places is rounding, not data.
      const some = had > Math.min(0.5, this.totalSeconds / 2)
      seconds[i] = some ? had : 0
      depthMm[i] = some ? this.sum[i] / 360_000 : Number.NaN
    }
    return { depthMm, seconds, totalSeconds: this.totalSeconds }
  }
}
