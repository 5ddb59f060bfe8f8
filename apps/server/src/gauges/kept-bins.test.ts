import { describe, expect, test } from 'vitest'
import { KeptBins } from './kept-bins.ts'
import { dayFrames } from './nine-bins.ts'

const day = () => dayFrames(Int32Array.of(0), new Uint16Array(9))
const bins = (steps: number) => ({
  radar: new Float64Array(steps),
  low: new Float64Array(steps),
  high: new Float64Array(steps),
})

describe('bins of the radar that are kept', () => {
  test('are given again for the same days, and not where a day was read anew', () => {
    const kept = new KeptBins(100)
    const days = [day(), day()]
    const made = bins(10)
    kept.keep({ key: 'a', days }, made)
    expect(kept.find({ key: 'a', days: [...days] })).toBe(made)
    expect(kept.find({ key: 'b', days })).toBeNull()
    expect(kept.find({ key: 'a', days: [days[0], day()] })).toBeNull()
    expect(kept.find({ key: 'a', days: days.slice(1) })).toBeNull()
  })

  test('make room: those used longest ago go, and one that is kept anew counts once', () => {
    const kept = new KeptBins(25)
    const days = [day()]
    for (const key of ['a', 'b', 'b']) kept.keep({ key, days }, bins(10))
    expect(kept.find({ key: 'a', days })).not.toBeNull()
    kept.keep({ key: 'c', days }, bins(10))
    expect(['a', 'b', 'c'].map((key) => kept.find({ key, days }) !== null)).toEqual([true, false, true])
  })
})
