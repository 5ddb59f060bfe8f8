import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { DecodedDays } from './decoded-days.ts'

test('a day is decoded once while its bytes are the same, again when they are not, and the oldest goes', () => {
  let decoded = 0
  const days = new DecodedDays(2, 10, (raw) => {
    decoded++
    return { first: raw[0] }
  })
  const day = (key: string, ...bytes: number[]) => ({ key, packed: zstdCompressSync(Uint8Array.from(bytes)) })
  const of = (...wanted: { key: string; packed: Uint8Array }[]) => days.of(wanted).map(({ first }) => first)
  expect(of(day('a', 1, 2))).toEqual([1])
  expect(of(day('a', 1, 2))).toEqual([1])
  expect(decoded).toBe(1)
  expect(of(day('a', 7, 2))).toEqual([7])
  expect(decoded).toBe(2)
  // One that is known between two that are not.
  expect(of(day('b', 3), day('a', 7, 2), day('c', 4))).toEqual([3, 7, 4])
  expect(decoded).toBe(4)
  expect(of(day('c', 4))).toEqual([4])
  expect(decoded).toBe(4)
  expect(of(day('a', 7, 2))).toEqual([7])
  expect(decoded).toBe(5)
})
