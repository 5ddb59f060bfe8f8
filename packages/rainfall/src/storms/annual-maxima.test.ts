import { expect, test } from 'vitest'
import { annualQuantile, fitGev, fitGumbel, gevQuantiles, gumbelQuantiles } from './annual-maxima.ts'

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
