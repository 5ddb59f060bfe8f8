import { expect, test } from 'vitest'
import { commonDepth, doubleMass, isRatioTold, pairedSteps, rainSpells, wetScores } from './compare.ts'

const of = (gauge: number[], radar: number[]) => {
  const both = { gauge: Float64Array.from(gauge), radar: Float64Array.from(radar) }
  return { ...both, low: both.radar.map((v) => v / 2), high: both.radar.map((v) => 2 * v) }
}

test('only what both know counts', () => {
  const beside = of([1, Number.NaN, 2, 3], [2, 2, Number.NaN, 1])
  expect(commonDepth(beside)).toEqual({ gaugeMm: 4, radarMm: 3, lowMm: 1.5, highMm: 6, steps: 2 })
  expect(commonDepth(beside, 1, 3).steps).toBe(0)
  expect(doubleMass(beside, 10)).toEqual([
    [0, 0],
    [2, 1],
    [3, 4],
  ])
  const { gauge, radar } = pairedSteps(beside, 0, 1)
  expect([...gauge]).toEqual([1, Number.NaN, Number.NaN, 3])
  expect([...radar]).toEqual([2, Number.NaN, Number.NaN, 1])
})

test('steps in which both are dry take no part in scores', () => {
  const scores = wetScores([of([0, 0, 2, 0], [0, 1, 1, 0])])
  expect([scores.pairs, scores.biasPct, scores.ratioOfSums]).toEqual([2, 0, 1])
})

test('a ratio of less than half a millimetre on both sides says nothing', () => {
  expect(isRatioTold({ gaugeMm: 0.2, radarMm: 0.4 })).toBe(false)
  expect(isRatioTold({ gaugeMm: 0, radarMm: 0 })).toBe(false)
  expect(isRatioTold({ gaugeMm: 0, radarMm: 0.5 })).toBe(true)
  expect(isRatioTold({ gaugeMm: 3, radarMm: 0.1 })).toBe(true)
})

test('spells of rain are six dry hours apart, and have a millimetre at some place', () => {
  const steps = 12 * 24
  const mm = new Float64Array(steps)
  mm.fill(0.5, 10, 14)
  mm.fill(0.5, 10 + 12 * 5, 14 + 12 * 5)
  mm.fill(0.1, 12 * 20, 12 * 20 + 4)
  expect(rainSpells([of([...mm], Array(steps).fill(0))])).toEqual([{ from: 10, to: 14 + 12 * 5 }])
})
