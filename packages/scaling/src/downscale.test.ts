import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discreteCascade } from './cascade.ts'
import { type CoarseRain, downscale } from './downscale.ts'
import { seededRandom } from './random.ts'
import { doubleTraceMoments, traceMoments } from './trace-moments.ts'

const OPTIONS = { alpha: 1.7, c1: 0.1, spaceSteps: 3, timeSteps: 2, seed: 11 }

function means(fine: Float32Array[], { nrows, ncols }: CoarseRain, ratio: number, times: number, t: number) {
  return Float64Array.from({ length: nrows * ncols }, (_, i) => {
    const [row, col] = [Math.floor(i / ncols), i % ncols]
    let sum = 0
    for (let s = 0; s < times; s++)
      for (let r = 0; r < ratio; r++)
        for (let c = 0; c < ratio; c++)
          sum += fine[t * times + s][(row * ratio + r) * ncols * ratio + col * ratio + c]
    return sum / (ratio * ratio * times)
  })
}

describe('downscaling', () => {
  test('keeps each coarse cell, whatever its rate, the parameters and the steps', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constant(0),
            fc.constant(Number.NaN),
            fc.float({ min: Math.fround(0.01), max: 300, noNaN: true }),
          ),
          {
            minLength: 12,
            maxLength: 12,
          },
        ),
        fc.double({ min: 1.1, max: 2, noNaN: true }),
        fc.double({ min: 0.01, max: 0.6, noNaN: true }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3 }),
        fc.nat(),
        (values, alpha, c1, spaceSteps, timeSteps, seed) => {
          const rain = {
            nrows: 2,
            ncols: 3,
            rateMmH: [Float32Array.from(values.slice(0, 6)), Float32Array.from(values.slice(6))],
          }
          const steps = Math.min(timeSteps, spaceSteps)
          const fine = downscale(rain, { alpha, c1, spaceSteps, timeSteps: steps, seed })
          expect(fine.length).toBe(2 * 2 ** steps)
          for (const t of [0, 1])
            means(fine, rain, 2 ** spaceSteps, 2 ** steps, t).forEach((mean, i) => {
              const rate = rain.rateMmH[t][i]
              if (rate > 0) expect(Math.abs(mean / rate - 1)).toBeLessThan(1e-6)
              else expect(mean).toBe(rate)
            })
        },
      ),
      { numRuns: 60 },
    )
  })

  test('the same seed makes the same member, another one another', () => {
    const rain = { nrows: 2, ncols: 2, rateMmH: [Float32Array.of(1, 2, 3, 4)] }
    expect(downscale(rain, OPTIONS)).toEqual(downscale(rain, OPTIONS))
    expect(downscale(rain, OPTIONS)).not.toEqual(downscale(rain, { ...OPTIONS, seed: 12 }))
  })

  test.each([
    [1.8, 0.1],
    [1.5, 0.2],
    [2, 0.05],
  ])('alpha %d and C1 %d come back from even rain taken down', (alpha, c1) => {
    const side = 8
    const rain = { nrows: 1, ncols: 1, rateMmH: [Float32Array.of(5)] }
    const fields: Float64Array[] = []
    for (let seed = 0; seed < 300; seed++)
      for (const frame of downscale(rain, { alpha, c1, spaceSteps: 3, timeSteps: 0, seed }))
        fields.push(Float64Array.from(frame))
    const range = { low: 1, high: side }
    const tm = traceMoments({ dimension: 2, side, fields }, range)!
    const dtm = doubleTraceMoments({ dimension: 2, side, fields }, range)!
    for (const found of [tm, dtm]) expect(Math.abs(found.alpha - alpha)).toBeLessThan(0.05)
    expect(Math.abs(tm.c1 - c1)).toBeLessThan(0.05)
    expect(Math.abs(dtm.c1 - c1)).toBeLessThan(0.05)
  })

  test('a cascade taken further down keeps its alpha and C1 over all scales', () => {
    const truth = { alpha: 1.8, c1: 0.1 }
    const random = seededRandom(1)
    const fields = Array.from({ length: 30 }, (_, seed) => {
      const coarse = Float32Array.from(discreteCascade(truth, 4, 2, random))
      const rain = { nrows: 16, ncols: 16, rateMmH: [coarse] }
      return Float64Array.from(downscale(rain, { ...truth, spaceSteps: 3, timeSteps: 0, seed })[0])
    })
    const samples = { dimension: 2 as const, side: 128, fields }
    for (const low of [1, 16])
      for (const analyse of [traceMoments, doubleTraceMoments]) {
        const found = analyse(samples, { low, high: 128 })!
        expect(Math.abs(found.alpha - truth.alpha)).toBeLessThan(0.05)
        expect(Math.abs(found.c1 - truth.c1)).toBeLessThan(0.05)
      }
  })

  test('no seam between cells is fixed: neighbours differ as much inside a pair as between pairs', () => {
    const rain = { nrows: 4, ncols: 4, rateMmH: [new Float32Array(16).fill(5)] }
    let [inside, between] = [0, 0]
    for (let seed = 0; seed < 200; seed++) {
      const [frame] = downscale(rain, { ...OPTIONS, timeSteps: 0, seed })
      for (let row = 0; row < 32; row++)
        for (let col = 1; col < 31; col += 2) {
          // Between coarse cells there is a seam: each keeps its own mean.
          if (col % 8 === 7) continue
          inside += Math.abs(frame[row * 32 + col - 1] - frame[row * 32 + col]) / 12
          between += Math.abs(frame[row * 32 + col] - frame[row * 32 + col + 1]) / 12
        }
    }
    expect(Math.abs(between / inside - 1)).toBeLessThan(0.05)
  })
})
