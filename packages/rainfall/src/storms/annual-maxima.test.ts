import { expect, test } from 'vitest'
import {
  type AnnualLaw,
  annualQuantile,
  fitGev,
  fitGumbel,
  gevQuantiles,
  gumbelQuantiles,
  type Quantile,
} from './annual-maxima.ts'

/** Values that a law puts at the middles of n equal shares: a sample without luck. */
const middles = (n: number, quantile: (share: number) => number) =>
  Array.from({ length: n }, (_, k) => quantile((k + 0.5) / n))

test('Gumbel by moments is the formula of the reference', () => {
  const maxima = [21.4, 30.2, 18.9, 25.5, 41.3, 22.8, 27.1, 19.7, 33.6, 24.0]
  const mean = maxima.reduce((sum, mm) => sum + mm, 0) / 10
  const s = Math.sqrt(maxima.reduce((sum, mm) => sum + (mm - mean) ** 2, 0) / 9)
  const beta = (s * Math.sqrt(6)) / Math.PI
  const [ten] = gumbelQuantiles(maxima, [10])
  expect(ten.depthMm).toBeCloseTo(mean - 0.5772156649 * beta - beta * Math.log(-Math.log(0.9)), 8)
  expect(ten.lowMm).toBeLessThan(ten.depthMm)
  expect(ten.highMm - ten.depthMm).toBeCloseTo(ten.depthMm - ten.lowMm, 10)
})

test.each([
  ['heavy', -0.2],
  ['bounded', 0.15],
  ['Gumbel', 0],
])('L-moments find a %s tail again', (_name, shape) => {
  const law = { kind: 'gev' as const, muMm: 20, scaleMm: 6, shape }
  const found = fitGev(middles(4000, (share) => annualQuantile(law, 1 / (1 - share))))
  expect(found.shape).toBeCloseTo(shape, 1)
  expect(annualQuantile(found, 100) / annualQuantile(law, 100)).toBeCloseTo(1, 1)
  if (shape === 0) {
    const { muMm, betaMm } = fitGumbel(middles(4000, (share) => annualQuantile(law, 1 / (1 - share))))
    expect([muMm, betaMm]).toEqual([expect.closeTo(20, 0), expect.closeTo(6, 0)])
  }
})

test('GEV bounds hold the quantile, widen with the period and are the same twice', () => {
  const maxima = middles(25, (share) => 20 - 6 * Math.log(-Math.log(share)))
  const quantiles = gevQuantiles(maxima, [10, 100])
  for (const { lowMm, depthMm, highMm } of quantiles) {
    expect(lowMm).toBeLessThan(depthMm)
    expect(highMm).toBeGreaterThan(depthMm)
  }
  expect(quantiles[1].highMm - quantiles[1].lowMm).toBeGreaterThan(quantiles[0].highMm - quantiles[0].lowMm)
  expect(gevQuantiles(maxima, [10, 100])).toEqual(quantiles)
})

test('equal maxima give their value, too few a refusal', () => {
  expect(annualQuantile(fitGev([5, 5, 5]), 100)).toBe(5)
  expect(gumbelQuantiles([5, 5], [100])[0]).toMatchObject({ depthMm: 5, lowMm: 5, highMm: 5 })
  expect(() => fitGumbel([5])).toThrow(RangeError)
  expect(() => fitGev([5, 6])).toThrow(RangeError)
})

/** A sample of n years of a law, the same for the same seed (Park and Miller 1988). */
function sampleOf(law: AnnualLaw, n: number, seed: number): number[] {
  let state = (seed * 7919 + 17) % 2147483647
  const next = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  for (let k = 0; k < 20; k++) next()
  return Array.from({ length: n }, () => annualQuantile(law, 1 / (1 - next())))
}

/** Share of samples whose bounds hold the law's own quantile. */
function coverage(
  law: AnnualLaw,
  bounds: (sample: number[]) => Quantile,
  n: number,
  samples: number,
): number {
  const depthMm = annualQuantile(law, bounds(sampleOf(law, n, 0)).periodYears)
  let held = 0
  for (let seed = 0; seed < samples; seed++) {
    const { lowMm, highMm } = bounds(sampleOf(law, n, seed))
    if (lowMm <= depthMm && depthMm <= highMm) held++
  }
  return held / samples
}

test('bounds of 90 % hold the truth about nine times in ten', () => {
  const gumbel: AnnualLaw = { kind: 'gumbel', muMm: 20, betaMm: 6 }
  const gev: AnnualLaw = { kind: 'gev', muMm: 20, scaleMm: 6, shape: -0.1 }
  expect(coverage(gumbel, (sample) => gumbelQuantiles(sample, [10])[0], 15, 1000)).toBeGreaterThan(0.84)
  expect(coverage(gumbel, (sample) => gumbelQuantiles(sample, [10])[0], 15, 1000)).toBeLessThan(0.95)
  // Few years know little of a tail's shape: bounds of a resampled fit then are somewhat narrow.
  const held = coverage(gev, (sample) => gevQuantiles(sample, [20])[0], 30, 120)
  expect(held).toBeGreaterThan(0.78)
  expect(held).toBeLessThan(0.98)
})
