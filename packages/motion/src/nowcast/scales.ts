import { backwardPath } from '../advection/displacement.ts'
import { sampleAlong } from '../advection/sample.ts'
import { DRY_DBR, toDecibels } from '../field.ts'
import { type Ar2, ar2, rescaledLag2 } from '../spectrum/autoregression.ts'
import { createFft, type Fft2d, transformLength } from '../spectrum/fft.ts'
import { type Levels, levelsOf } from '../spectrum/levels.ts'
import type { NowcastStart } from './start.ts'

/** Spectra and memory of rain by scale, in coordinates that move with it. */
export interface Scales {
  fft: Fft2d
  levels: Levels
  /** Minutes of a step of the autoregression: the last interval. */
  stepMin: number
  /** Spectra of the last field and of the one before (null where there is none), in dBR above dry. */
  now: Spectrum
  before: Spectrum | null
  /** A level each: correlations at one and two steps, coefficients, ratio of spreads now / before, spread now (dBR). */
  lag1: number[]
  lag2: number[]
  model: Ar2[]
  ratio: number[]
  spread: number[]
}

export interface Spectrum {
  re: Float32Array
  im: Float32Array
}

/**
 * Splits the last fields by scale and measures how long each scale remembers: correlation of each level with itself one
 * and two frames before, after both were moved to the last (Seed 2003).
 * @param wasm bytes of the compiled transform
 */
export function measureScales(start: NowcastStart, wasm?: Uint8Array): Scales {
  const { frames, shape } = start
  const count = frames.length
  const fft = createFft({ nrows: transformLength(shape.nrows), ncols: transformLength(shape.ncols) }, wasm)
  const levels = levelsOf(fft)
  const last = frames[count - 1]
  const minutesBack = frames.map((frame) => (last.timeMs - frame.timeMs) / 60_000)
  // Moved in dBR, unlike rates that are forecast: what is compared are spectra of dBR, and rates averaged over a wet
  // edge would widen it. CSI at 5 mm/h and 30 min is 0.02 lower otherwise.
  const moved = frames.map((frame, k) => {
    const dbr = toDecibels(frame.rateMmH)
    if (k === count - 1) return dbr
    const out = sampleAlong(dbr, backwardPath(start.motion).to(minutesBack[k]))
    for (let i = 0; i < out.length; i++) if (!(out[i] >= DRY_DBR)) out[i] = DRY_DBR
    return out
  })
  const [now, before, older] = spectra(fft, moved.reverse(), shape)
  const step = minutesBack[count - 2]
  const power = levelPower(levels, now, now)
  const powerBefore = levelPower(levels, before, before)
  const correlations = (a: Spectrum, b: Spectrum) => {
    const [aa, bb, ab] = [levelPower(levels, a, a), levelPower(levels, b, b), levelPower(levels, a, b)]
    return ab.map((value, k) => (aa[k] * bb[k] > 0 ? value / Math.sqrt(aa[k] * bb[k]) : 0))
  }
  const lag1 = correlations(now, before)
  const measured2 = older ? correlations(now, older) : null
  const lag2 = lag1.map((g1, k) =>
    measured2 ? rescaledLag2(g1, measured2[k], step, minutesBack[count - 3]) : g1 * g1,
  )
  const cells = now.re.length
  return {
    fft,
    levels,
    stepMin: step,
    now,
    before,
    lag1,
    lag2,
    model: lag1.map((g1, k) => ar2(g1, lag2[k])),
    ratio: power.map((value, k) => (powerBefore[k] > 0 ? Math.sqrt(value / powerBefore[k]) : 1)),
    spread: power.map((value) => Math.sqrt(value) / cells),
  }
}

/** Spectra of real fields, two by one transform; fields are padded with dry cells. */
function spectra(
  fft: Fft2d,
  fields: Float32Array[],
  { nrows, ncols }: { nrows: number; ncols: number },
): Spectrum[] {
  const out: Spectrum[] = []
  const place = (field: Float32Array | undefined, into: Float32Array) => {
    into.fill(0)
    if (!field) return
    for (let row = 0; row < nrows; row++)
      for (let col = 0; col < ncols; col++) into[row * fft.ncols + col] = field[row * ncols + col] - DRY_DBR
  }
  for (let k = 0; k < fields.length; k += 2) {
    place(fields[k], fft.re)
    place(fields[k + 1], fft.im)
    fft.forward()
    const [a, b] = parted(fft)
    out.push(a)
    if (k + 1 < fields.length) out.push(b)
  }
  return out
}

/** The spectra of real and imaginary part of what was transformed. */
function parted({ re, im, nrows, ncols }: Fft2d): [Spectrum, Spectrum] {
  const make = (): Spectrum => ({ re: new Float32Array(re.length), im: new Float32Array(re.length) })
  const [a, b] = [make(), make()]
  for (let row = 0; row < nrows; row++) {
    const opposite = ((nrows - row) % nrows) * ncols
    for (let col = 0; col < ncols; col++) {
      const i = row * ncols + col
      const o = opposite + ((ncols - col) % ncols)
      a.re[i] = (re[i] + re[o]) / 2
      a.im[i] = (im[i] - im[o]) / 2
      b.re[i] = (im[i] + im[o]) / 2
      b.im[i] = (re[o] - re[i]) / 2
    }
  }
  return [a, b]
}

/** Sum of a times conjugate b over the coefficients of each level, without the mean. */
function levelPower({ count, radius, weights }: Levels, a: Spectrum, b: Spectrum): number[] {
  const byRadius = new Float64Array(weights.length / count)
  for (let i = 1; i < radius.length; i++) byRadius[radius[i]] += a.re[i] * b.re[i] + a.im[i] * b.im[i]
  const out = new Array<number>(count).fill(0)
  byRadius.forEach((sum, r) => {
    for (let k = 0; k < count; k++) out[k] += weights[r * count + k] ** 2 * sum
  })
  return out
}
