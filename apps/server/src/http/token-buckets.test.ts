import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenBuckets } from './token-buckets.ts'

test('a caller gets its burst, then what time gives back, and nobody else pays', () => {
  const buckets = new TokenBuckets({ burst: 3, perSecond: 2 })
  expect([0, 0, 0, 0].map((at) => buckets.take('a', at))).toEqual([true, true, true, false])
  expect(buckets.take('b', 0)).toBe(true)
  expect(buckets.waitSeconds('a', 0)).toBe(1)
  expect(buckets.take('a', 400)).toBe(false)
  expect(buckets.take('a', 500)).toBe(true)
  expect(buckets.take('a', 500)).toBe(false)
})

test('over any times, also of a clock set back, no more pass than burst and rate allow', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 2_000 }), { maxLength: 200 }), (steps) => {
      const buckets = new TokenBuckets({ burst: 5, perSecond: 2 })
      let [now, gained, passed] = [0, 0, 0]
      for (const step of steps) {
        now += step
        gained += Math.max(0, step)
        if (buckets.take('a', now)) passed++
      }
      expect(passed).toBeLessThanOrEqual(5 + (gained / 1000) * 2 + 1e-6)
    }),
  )
})

test('as many callers as one likes take bounded memory', () => {
  const buckets = new TokenBuckets({ burst: 1, perSecond: 1 }, 3)
  for (const name of ['a', 'b', 'c', 'd']) buckets.take(name, 0)
  // The longest unseen was forgotten, the others were not.
  expect(buckets.take('d', 0)).toBe(false)
  expect(buckets.take('c', 0)).toBe(false)
})
