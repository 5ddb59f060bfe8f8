import { expect, test } from 'vitest'
import { depthBetween, momentAt, peakOf } from './moments.ts'

test('a moment lies between two frames, or at the first or last', () => {
  const times = [0, 300, 600]
  expect(momentAt(times, 0)).toEqual({ before: 0, after: 0, share: 0 })
  expect(momentAt(times, 300)).toEqual({ before: 1, after: 1, share: 0 })
  expect(momentAt(times, 375)).toEqual({ before: 1, after: 2, share: 0.25 })
  expect(momentAt(times, 9999)).toEqual({ before: 2, after: 2, share: 0 })
  expect(momentAt([0], 60)).toEqual({ before: 0, after: 0, share: 0 })
})

test('depths between two frames are in proportion, in cm, and nothing outside', () => {
  const between = depthBetween(Uint16Array.of(100, 0, 65535), Uint16Array.of(200, 10, 65535), 0.25)
  expect([...between]).toEqual([12.5, 0.25, Number.NaN])
})

test('a peak is the first of the largest values', () => {
  expect(peakOf([0, 3, 7, 7, 1])).toBe(2)
})
