import { describe, expect, test } from 'vitest'
import { symmetricEigen } from './eigen.ts'
import { behavioural, weightedQuantiles } from './glue.ts'
import { SeededDraws } from './random.ts'
import { Search, type SearchTask } from './search.ts'

/** Runs a search to its end. */
function fit(task: SearchTask, score: (x: number[]) => number) {
  const search = new Search(task)
  const trials: { x: number[]; score: number }[] = []
  for (let lot = search.ask(); lot.length > 0; lot = search.ask()) {
    const scores = lot.map(score)
    trials.push(...lot.map((x, k) => ({ x, score: scores[k] })))
    search.tell(scores)
  }
  return { trials, best: trials.reduce((a, b) => (b.score > a.score ? b : a)) }
}
const bounds = (n: number, min = -5, max = 10) =>
  Array.from({ length: n }, () => ({ min, max, scale: 'linear' as const }))

describe('search on standard functions', () => {
  const sphere = (x: number[]) => -x.reduce((sum, v) => sum + (v - 2) ** 2, 0)
  const ellipsoid = (x: number[]) =>
    -x.reduce((sum, v, i) => sum + 10 ** (3 * (i / (x.length - 1))) * v * v, 0)
  const rosenbrock = (x: number[]) => -(100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2)
  const rastrigin = (x: number[]) =>
    -x.reduce((sum, v) => sum + 10 + v * v - 10 * Math.cos(2 * Math.PI * v), 0)

  test.each([1, 2, 3])('sphere in 4 dimensions, 200 trials, seed %i: within 2 % of the range', (seed) => {
    const { best, trials } = fit({ bounds: bounds(4), start: [9, 9, 9, 9], budget: 200, seed }, sphere)
    expect(trials).toHaveLength(200)
    for (const v of best.x) expect(Math.abs(v - 2)).toBeLessThan(0.3)
  })

  test('an ill-scaled ellipsoid', () => {
    const { best } = fit({ bounds: bounds(4), start: [9, 9, 9, 9], budget: 1200, seed: 5 }, ellipsoid)
    expect(best.score).toBeGreaterThan(-1e-6)
  })

  test('the curved valley of Rosenbrock', () => {
    const { best } = fit({ bounds: bounds(2), start: [-4, 8], budget: 1500, seed: 7 }, rosenbrock)
    expect(best.x[0]).toBeCloseTo(1, 3)
    expect(best.x[1]).toBeCloseTo(1, 3)
  })

  test('the hollows of Rastrigin: a good one out of 225', () => {
    const { best } = fit({ bounds: bounds(2), start: [9, 9], budget: 600, seed: 11 }, rastrigin)
    expect(best.score).toBeGreaterThan(-2.1)
  })

  test('a best point at a bound is found, and no trial leaves the bounds', () => {
    const { best, trials } = fit(
      { bounds: bounds(3, 0, 1), start: [0.5, 0.5, 0.5], budget: 300, seed: 3 },
      sphere,
    )
    for (const { x } of trials) for (const v of x) expect(v >= 0 && v <= 1).toBe(true)
    for (const v of best.x) expect(v).toBeGreaterThan(0.99)
  })

  test('a logarithmic scale finds what lies decades away', () => {
    const log = [{ min: 1e-8, max: 1e-3, scale: 'log' as const }]
    const { best } = fit(
      { bounds: log, start: [1e-3], budget: 80, seed: 1 },
      ([x]) => -(Math.log10(x / 3e-7) ** 2),
    )
    expect(best.x[0] / 3e-7).toBeCloseTo(1, 1)
  })
})

describe('a search', () => {
  const task: SearchTask = { bounds: bounds(3), start: [0, 0, 0], budget: 100, seed: 42 }
  const score = (x: number[]) => -x.reduce((sum, v, i) => sum + (v - i) ** 2, 0)

  test('begins with what one has, pulled into the bounds', () => {
    expect(new Search({ ...task, start: [99, 0, -99] }).ask()).toEqual([[10, 0, -5]])
  })

  test('is the same again with its seed, and another one with another', () => {
    expect(fit(task, score)).toEqual(fit(task, score))
    expect(fit(task, score)).not.toEqual(fit({ ...task, seed: 43 }, score))
  })

  test('told again what it was told, it goes on to the bit', () => {
    const { trials } = fit(task, score)
    const again = new Search(task)
    let known = 0
    for (let lot = again.ask(); known < 60; lot = again.ask()) {
      again.tell(lot.map((_, k) => trials[known + k].score))
      known += lot.length
    }
    // The lot that follows was asked for by the loop already.
    const next = new Search(task)
    let told = 0
    let lot = next.ask()
    for (; told < known; lot = next.ask()) {
      next.tell(lot.map((_, k) => trials[told + k].score))
      told += lot.length
    }
    expect(lot).toEqual(trials.slice(known, known + lot.length).map(({ x }) => x))
  })

  test('goes on when trials fail', () => {
    const failing = (x: number[]) => (x[0] > 2 ? Number.NaN : score(x))
    expect(fit(task, failing).best.score).toBeGreaterThan(-0.3)
    expect(fit(task, () => Number.NaN).trials).toHaveLength(100)
  })

  test.each([
    { min: 1, max: 1, scale: 'linear' as const },
    { min: 0, max: 1, scale: 'log' as const },
    { min: Number.NaN, max: 1, scale: 'linear' as const },
  ])('refuses bounds that are none: %o', (bound) => {
    expect(() => new Search({ bounds: [bound], start: [1], budget: 10, seed: 1 })).toThrow(/Bornes/)
  })
})

test('eigenvectors give their matrix back', () => {
  const draws = new SeededDraws(9)
  const a = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => draws.normal()))
  const symmetric = a.map((row, i) => row.map((_, j) => a[i][j] + a[j][i]))
  const { values, vectors } = symmetricEigen(symmetric)
  const back = symmetric.map((row, i) =>
    row.map((_, j) => values.reduce((sum, value, k) => sum + value * vectors[i][k] * vectors[j][k], 0)),
  )
  const errors = back.flatMap((row, i) => row.map((v, j) => Math.abs(v - symmetric[i][j])))
  expect(Math.max(...errors)).toBeLessThan(1e-10)
})

test('draws have the mean and spread that they say', () => {
  const draws = new SeededDraws(1)
  const normal = Array.from({ length: 20_000 }, () => draws.normal())
  const mean = normal.reduce((sum, v) => sum + v, 0) / normal.length
  const variance = normal.reduce((sum, v) => sum + (v - mean) ** 2, 0) / normal.length
  expect(Math.abs(mean)).toBeLessThan(0.03)
  expect(Math.abs(variance - 1)).toBeLessThan(0.04)
})

describe('GLUE', () => {
  test('keeps what stands above the threshold, by how far', () => {
    const { trials, weights } = behavioural([0.5, 0.9, Number.NaN, 0.8, 0.7], 0.7)
    expect(trials).toEqual([1, 3])
    expect(weights).toEqual([expect.closeTo(2 / 3, 9), expect.closeTo(1 / 3, 9)])
  })

  test('without a threshold takes those near the best; the best alone where none passes', () => {
    expect(behavioural([0.9, 0.88, 0.8]).trials).toEqual([0, 1])
    expect(behavioural([0.2, 0.1], 0.5)).toMatchObject({ trials: [0], weights: [1] })
    expect(behavioural([Number.NaN]).trials).toEqual([])
  })

  test('quantiles follow the weights and leave out what is missing', () => {
    expect(weightedQuantiles([3, 1, 2, Number.NaN], [0.1, 0.8, 0.1, 9], [0.05, 0.5, 0.95])).toEqual([1, 1, 3])
    expect(weightedQuantiles([Number.NaN], [1], [0.5])).toEqual([Number.NaN])
  })
})
