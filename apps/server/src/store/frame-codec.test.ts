import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packCodes, StoreCorruptError, unpackCodes } from './frame-codec.ts'

describe('frame codec', () => {
  test('codes come back as they were, no data included', () => {
    fc.assert(
      fc.property(fc.uint16Array({ maxLength: 500 }), (codes) => {
        expect(unpackCodes(packCodes(codes), codes.length)).toEqual(codes)
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  test('a torn or altered block is refused, never decoded to something else', () => {
    const codes = Uint16Array.from({ length: 4000 }, (_, i) => (i % 7 === 0 ? i : 0))
    const packed = packCodes(codes)
    expect(() => unpackCodes(packed.subarray(0, packed.length - 9), 4000)).toThrow(StoreCorruptError)
    expect(() => unpackCodes(packed, 3999)).toThrow(StoreCorruptError)
    const altered = Buffer.from(packed)
    altered[packed.length - 2] ^= 0x40
    expect(() => unpackCodes(altered, 4000)).toThrow(StoreCorruptError)
  })
})
