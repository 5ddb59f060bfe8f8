import { DRY_DBR, toDecibels, WET_MM_H } from '../field.ts'
import { createRandom, NORMAL_TABLE } from '../random.ts'
import { ar2 } from '../spectrum/autoregression.ts'
import { radialFactor } from '../spectrum/levels.ts'
import type { Scales } from './scales.ts'
import type { NowcastStart } from './start.ts'

/** Noise of two members, in the spectrum: one is the real, the other the imaginary part of its field. */
export interface Noise {
  re: Float32Array
  im: Float32Array
  /** One step of the autoregression on. */
  advance(): void
}

/** Share of each side over which the field fades before its spectrum is taken (Tukey window). */
const TAPER = 0.1

/**
 * Noise that remembers each scale as the rain does, with the spectrum of the last field and the spread of each of its
 * levels (Seed et al. 2013; nonparametric filter of Pulkkinen et al. 2019). It starts from nothing.
 */
export function createNoise(scales: Scales, start: NowcastStart, seed: number, pair: number): Noise {
  const { levels } = scales
  const amplitude = amplitudeOf(scales, start)
  const g1 = radialFactor(levels, scales.lag1, 1)
  const g2 = radialFactor(levels, scales.lag2, 1)
  const models = Array.from(g1, (value, r) => ar2(value, g2[r]))
  const column = (name: 'first' | 'second' | 'noise') => Float32Array.from(models, (model) => model[name])
  const [first, second, fresh] = [column('first'), column('second'), column('noise')]
  const random = createRandom(seed, 1, pair)
  const cells = amplitude.length
  const make = () => new Float32Array(cells)
  let [re, im, pastRe, pastIm] = [make(), make(), make(), make()]
  const noise: Noise = {
    re,
    im,
    advance() {
      const { radius } = levels
      for (let i = 1; i < cells; i++) {
        const r = radius[i]
        const bits = random.bits()
        const by = fresh[r] * amplitude[i]
        pastRe[i] = first[r] * re[i] + second[r] * pastRe[i] + by * NORMAL_TABLE[bits >>> 20]
        pastIm[i] = first[r] * im[i] + second[r] * pastIm[i] + by * NORMAL_TABLE[(bits >>> 8) & 4095]
      }
      ;[re, pastRe] = [pastRe, re]
      ;[im, pastIm] = [pastIm, im]
      noise.re = re
      noise.im = im
    },
  }
  return noise
}

const amplitudes = new WeakMap<Scales, Float32Array>()

/** Amplitude of the noise at each coefficient: that of the last field, with the spread of its levels. */
function amplitudeOf(scales: Scales, start: NowcastStart): Float32Array {
  const known = amplitudes.get(scales)
  if (known) return known
  const { fft, levels, spread } = scales
  const { nrows, ncols } = start.shape
  const dbr = toDecibels(start.frames[start.frames.length - 1].rateMmH)
  // Without the step from dry to the smallest rain, which would make every edge rough.
  const step = 10 * Math.log10(WET_MM_H) - DRY_DBR
  fft.re.fill(0)
  fft.im.fill(0)
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const above = Math.max(0, dbr[row * ncols + col] - DRY_DBR - step)
      fft.re[row * fft.ncols + col] = above * taper(row, nrows) * taper(col, ncols)
    }
  fft.forward()
  const out = fft.re.map((re, i) => Math.sqrt(re * re + fft.im[i] * fft.im[i]))
  const { count, radius, weights } = levels
  const power = new Float64Array(count)
  for (let i = 1; i < out.length; i++)
    for (let k = 0; k < count; k++) power[k] += (weights[radius[i] * count + k] * out[i]) ** 2
  const cells = out.length
  const factor = radialFactor(
    levels,
    spread.map((value, k) => (power[k] > 0 ? (value * cells) / Math.sqrt(power[k]) : 0)),
    0,
  )
  for (let i = 0; i < out.length; i++) out[i] *= factor[radius[i]]
  amplitudes.set(scales, out)
  return out
}

function taper(k: number, length: number): number {
  const edge = Math.max(1, TAPER * length)
  const from = Math.min(k + 0.5, length - k - 0.5)
  return from >= edge ? 1 : (1 - Math.cos((Math.PI * from) / edge)) / 2
}
