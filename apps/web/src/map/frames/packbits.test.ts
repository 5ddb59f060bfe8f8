import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packRuns, unpackRuns } from './packbits.ts'

const roundTrip = (bytes: Uint8Array) => {
  const out = new Uint8Array(bytes.length)
  unpackRuns(packRuns(bytes), out)
  return out
}

test('every block comes back as it was', () => {
  const runs = fc.array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 400 })), { maxLength: 20 })
  fc.assert(
    fc.property(runs, (list) => {
      const bytes = Uint8Array.from(list.flatMap(([value, count]) => Array<number>(count).fill(value)))
      expect(roundTrip(bytes)).toEqual(bytes)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(roundTrip(bytes)).toEqual(bytes)
    }),
  )
})

test('a dry frame takes next to nothing', () => {
  expect(packRuns(new Uint8Array(80_000)).length).toBeLessThan(1300)
})
