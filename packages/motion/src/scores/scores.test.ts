import { describe, expect, test } from 'vitest'
import { createRandom, NORMAL_TABLE } from '../random.ts'
import { csi, far, frequencyBias, pod } from './contingency.ts'
import { addForecast, emptyScores, summarize } from './deterministic.ts'
import { addEnsemble, emptyEnsembleScores, summarizeEnsemble, unevenness } from './ensemble.ts'
import { fss } from './fractions.ts'

const all = (n: number) => new Uint8Array(n).fill(1)

describe('scores of a forecast', () => {
  test('hits, misses and false alarms; missing cells on either side do not count', () => {
    const scores = emptyScores([1], [1])
    const forecast = Float32Array.of(2, 2, 0, 0, Number.NaN, 2, 3, 0.5)
    const seen = Float32Array.of(2, 0, 2, 0, 9, Number.NaN, 1, 0)
    addForecast(scores, forecast, seen, all(8), 4, { row: 0, col: 0, nrows: 2, ncols: 4 })
    expect(scores.tables[0]).toEqual({ hits: 2, misses: 1, falseAlarms: 1 })
    expect(csi(scores.tables[0])).toBe(0.5)
    expect(pod(scores.tables[0])).toBeCloseTo(2 / 3)
    expect(far(scores.tables[0])).toBeCloseTo(1 / 3)
    expect(frequencyBias(scores.tables[0])).toBe(1)
    const { n, mae, rmse, bias } = summarize(scores)
    expect([n, mae]).toEqual([6, (2 + 2 + 2 + 0.5) / 6])
    expect(rmse).toBeCloseTo(Math.sqrt((4 + 4 + 4 + 0.25) / 6))
    expect(bias).toBeCloseTo((2 - 2 + 2 + 0.5) / 6)
  })

  test('counts of several issues are pooled, and only the window counts', () => {
    const scores = emptyScores([1], [])
    const window = { row: 0, col: 1, nrows: 2, ncols: 1 }
    addForecast(scores, Float32Array.of(9, 1, 9, 0), Float32Array.of(0, 1, 0, 0), all(4), 2, window)
    addForecast(scores, Float32Array.of(9, 1, 9, 1), Float32Array.of(0, 0, 0, 1), all(4), 2, window)
    expect(scores.n).toBe(4)
    expect(csi(scores.tables[0])).toBeCloseTo(2 / 3)
  })

  test('a shower one cell off has no skill cell by cell, and much over squares', () => {
    const [forecast, seen] = [new Float32Array(400), new Float32Array(400)]
    forecast[210] = 2
    seen[211] = 2
    const scores = emptyScores([1], [1, 5])
    addForecast(scores, forecast, seen, all(400), 20, { row: 0, col: 0, nrows: 20, ncols: 20 })
    expect(fss(scores.fractions[0][0])).toBe(0)
    // Of 25 squares each 20 hold both.
    expect(fss(scores.fractions[0][1])).toBeCloseTo(1 - 10 / 50)
  })

  test('a threshold of 0.1 counts cells that hold 0.1 in 32 bits', () => {
    const scores = emptyScores([0.1], [])
    addForecast(scores, Float32Array.of(0.1), Float32Array.of(0.1), all(1), 1, {
      row: 0,
      col: 0,
      nrows: 1,
      ncols: 1,
    })
    expect(scores.tables[0].hits).toBe(1)
  })
})

describe('scores of an ensemble', () => {
  const window = { row: 0, col: 0, nrows: 1, ncols: 1 }
  const scoreOf = (members: number[], seen: number) => {
    const scores = emptyEnsembleScores(members.length, [1])
    addEnsemble(
      scores,
      members.map((value) => Float32Array.of(value)),
      Float32Array.of(seen),
      all(1),
      1,
      window,
    )
    return scores
  }

  test('CRPS is the mean distance to what was seen less half of that between members', () => {
    const { crps, crpsFair, maeOfMean } = summarizeEnsemble(scoreOf([3, 0, 1], 2))
    expect(crps).toBeCloseTo(4 / 3 - 12 / 9 / 2)
    expect(crpsFair).toBeCloseTo(4 / 3 - 12 / 6 / 2)
    expect(maeOfMean).toBeCloseTo(2 / 3)
    expect(summarizeEnsemble(scoreOf([1.5], 2)).crps).toBeCloseTo(0.5)
  })

  test('Brier, reliability and ranks; equal values share their ranks', () => {
    const scores = scoreOf([3, 0, 1], 2)
    expect(scores.brier[0]).toBeCloseTo((2 / 3 - 1) ** 2)
    expect(scores.reliability[0]).toEqual({ cells: [0, 0, 1, 0], exceeded: [0, 0, 1, 0] })
    expect(scores.ranks).toEqual([0, 0, 1, 0])
    expect(scoreOf([0, 0, 1], 0).ranks).toEqual([1 / 3, 1 / 3, 1 / 3, 0])
    expect(scoreOf([0, 0, 0], 0).wetRanks).toEqual([0, 0, 0, 0])
  })

  test('members like what was seen give flat ranks, and as much spread as error', () => {
    const random = createRandom(7)
    const normal = () => 5 + NORMAL_TABLE[random.bits() >>> 20]
    const n = 20_000
    const field = () => Float32Array.from({ length: n }, normal)
    const scores = emptyEnsembleScores(9, [5])
    addEnsemble(scores, Array.from({ length: 9 }, field), field(), all(n), n, {
      row: 0,
      col: 0,
      nrows: 1,
      ncols: n,
    })
    expect(unevenness(scores.ranks)).toBeLessThan(0.05)
    const { spread, rmseOfMean } = summarizeEnsemble(scores)
    expect(spread * Math.sqrt(10 / 9)).toBeCloseTo(rmseOfMean, 1)
  })
})
