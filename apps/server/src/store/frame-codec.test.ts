import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packCodes, StoreCorruptError, unpackAll, unpackCodes } from './frame-codec.ts'

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

  test('blocks one after another come back as each alone does, and a damaged one is refused', () => {
    const row = (packed: Buffer[]) => {
      let end = 0
      const ends = packed.map(({ length }) => {
        end += length
        return end
      })
      return { bytes: Buffer.concat(packed), ends }
    }
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 90 })
          .chain((count) =>
            fc.array(fc.uint16Array({ minLength: count, maxLength: count }), { maxLength: 12 }),
          ),
        (blocks) => {
          const { bytes, ends } = row(blocks.map(packCodes))
          expect(unpackAll(bytes, ends, blocks[0]?.length ?? 0)).toEqual(blocks)
        },
      ),
      { numRuns: 100, seed: 7 },
    )
    const { bytes, ends } = row([1, 2, 3].map((code) => packCodes(new Uint16Array(400).fill(code))))
    const altered = Buffer.from(bytes)
    altered[ends[1] - 2] ^= 0x40
    expect(() => unpackAll(altered, ends, 400)).toThrow(StoreCorruptError)
    expect(() => unpackAll(bytes.subarray(0, -9), ends, 400)).toThrow(StoreCorruptError)
    expect(() => unpackAll(bytes, ends, 399)).toThrow(StoreCorruptError)
  })
})
