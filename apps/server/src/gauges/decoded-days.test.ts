import { expect, test } from 'vitest'
import { DecodedDays } from './decoded-days.ts'

test('a day is decoded once while its bytes are the same, again when they are not, and the oldest goes', () => {
  let decoded = 0
  const days = new DecodedDays(2, (packed) => {
    decoded++
    return { first: packed[0] }
  })
  expect(days.of('a', Uint8Array.of(1, 2))).toEqual({ first: 1 })
  expect(days.of('a', Uint8Array.of(1, 2))).toEqual({ first: 1 })
  expect(decoded).toBe(1)
  expect(days.of('a', Uint8Array.of(7, 2))).toEqual({ first: 7 })
  expect(decoded).toBe(2)
  days.of('b', Uint8Array.of(3))
  days.of('a', Uint8Array.of(7, 2))
  days.of('c', Uint8Array.of(4))
  expect(decoded).toBe(4)
  days.of('a', Uint8Array.of(7, 2))
  expect(decoded).toBe(4)
  days.of('b', Uint8Array.of(3))
  expect(decoded).toBe(5)
})
