import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discreteCascade } from './cascade.ts'
import { type Samples, scaleMoments } from './moments.ts'
import { seededRandom } from './random.ts'
import { doubleTraceMoments, momentScaling, traceMoments } from './trace-moments.ts'

function cascades(alpha: number, c1: number, steps: number, dimension: 1 | 2, count: number): Samples {
  const random = seededRandom(20210704)
  const fields = Array.from({ length: count }, () => discreteCascade({ alpha, c1 }, steps, dimension, random))
  return { dimension, side: 2 ** steps, fields }
}

describe('cascades of known parameters', () => {
  test.each([
    [2, 1.8, 0.1, 7, 12],
    [2, 1.5, 0.2, 7, 12],
    [2, 2, 0.1, 7, 12],
    [1, 1.8, 0.1, 9, 600],
    [1, 1.5, 0.2, 9, 600],
  ] as const)('%d-D, alpha %d, C1 %d: both analyses find them', (dimension, alpha, c1, steps, count) => {
    const samples = cascades(alpha, c1, steps, dimension, count)
    // The finest boxes of a cascade hold none of the variability below them, coarser ones do: a few halvings away from
    // the cells a line has the slope of the cascade. In a square, whose boxes hold more cells, that weighs less.
    const range = { low: 1, high: dimension === 1 ? samples.side / 16 : samples.side }
    const tm = traceMoments(samples, range)!
    const dtm = doubleTraceMoments(samples, range)!
    for (const found of [tm, dtm]) {
      // 200 series leave a scatter of 0.02 in alpha.
      expect(Math.abs(found.alpha - alpha)).toBeLessThan(0.05)
      expect(Math.abs(found.c1 - c1)).toBeLessThan(0.05)
    }
    expect(tm.k.find(({ q }) => q === 2)!.k).toBeCloseTo(momentScaling(2, tm), 1)
  })
})

describe('moments over scales', () => {
  test('mean is 1 at every scale, and no moment above 1 grows towards coarse scales', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1 as const, 2 as const),
        fc.infiniteStream(fc.double({ min: 0, max: 100, noNaN: true })),
        (dimension, stream) => {
          const side = 8
          const values = Float64Array.from({ length: side ** dimension }, () => stream.next().value)
          const scales = scaleMoments({ dimension, side, fields: [values] }, [1, 2])
          if (values.every((v) => v === 0)) {
            expect(scales).toBeNull()
            return
          }
          scales!.moments.forEach(([first, second], i) => {
            expect(first).toBeCloseTo(1, 9)
            if (i > 0) expect(second).toBeGreaterThanOrEqual(scales!.moments[i - 1][1] - 1e-9)
          })
        },
      ),
    )
  })

  test('missing cells take no part: boxes below half known are left out', () => {
    const values = Float64Array.from([1, 3, Number.NaN, Number.NaN, 5, Number.NaN, 7, 9])
    const { lambda, moments } = scaleMoments({ dimension: 1, side: 8, fields: [values] }, [2])!
    const mean = 5
    expect(lambda).toEqual([1, 2, 4, 8])
    expect(moments[3][0]).toBeCloseTo((1 + 9 + 25 + 49 + 81) / 5 / mean ** 2, 12)
    expect(moments[2][0]).toBeCloseTo((4 + 25 + 64) / 3 / mean ** 2, 12)
  })

  test('dry and unknown samples have no moments', () => {
    const dry = { dimension: 1, side: 4, fields: [new Float64Array(4)] } as const
    const unknown = { ...dry, fields: [new Float64Array(4).fill(Number.NaN)] }
    for (const samples of [dry, unknown]) {
      expect(traceMoments(samples, { low: 1, high: 4 })).toBeNull()
      expect(doubleTraceMoments(samples, { low: 1, high: 4 })).toBeNull()
    }
  })

  test('an even field has no codimension', () => {
    const even = { dimension: 2, side: 4, fields: [new Float64Array(16).fill(2)] } as const
    expect(traceMoments(even, { low: 1, high: 4 })).toBeNull()
    expect(doubleTraceMoments(even, { low: 1, high: 4 })).toBeNull()
  })

  test('one scale is no range', () => {
    const samples = cascades(1.8, 0.1, 4, 2, 1)
    expect(traceMoments(samples, { low: 16, high: 16 })).toBeNull()
  })
})
