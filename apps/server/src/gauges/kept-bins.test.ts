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
  const asking = (kept: KeptBins, key: string, days: ReturnType<typeof day>[]) => {
    let made = false
    const found = kept.of(key, days, () => {
      made = true
      return bins(10)
    })
    return { found, made }
  }

  test('are given again for the same days, and not where a day was read anew', () => {
    const kept = new KeptBins(100)
    const days = [day(), day()]
    const { found } = asking(kept, 'a', days)
    expect(asking(kept, 'a', [...days])).toEqual({ found, made: false })
    expect(asking(kept, 'a', [...days]).found).toBe(found)
    expect(asking(kept, 'b', days).made).toBe(true)
    expect(asking(kept, 'a', [days[0], day()]).made).toBe(true)
    expect(asking(kept, 'a', days.slice(1)).made).toBe(true)
  })

  test('make room: those used longest ago go, and one that is kept anew counts once', () => {
    const kept = new KeptBins(25)
    const days = [day()]
    for (const key of ['a', 'b', 'b']) asking(kept, key, key === 'b' ? [day()] : days)
    expect(asking(kept, 'a', days).made).toBe(false)
    asking(kept, 'c', days)
    expect([asking(kept, 'a', days).made, asking(kept, 'c', days).made]).toEqual([false, false])
    expect(asking(kept, 'b', days).made).toBe(true)
  })
})
