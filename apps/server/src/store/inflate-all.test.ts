import { constants, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inflateAll } from './inflate-all.ts'

const bytes = (length: number, seed: number) =>
  Buffer.from(Uint8Array.from({ length }, (_, i) => (seed * 31 + (i >> 3) * 7) & 0xff))
const WITH_CHECK = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

test('frames of any sizes, together and mixed, hold what they held', () => {
  const sizes = [
    0, 1, 63, 64, 255, 256, 300, 2304, 2304, 2304, 2312, 9240, 9240, 65_791, 65_792, 70_000, 2304,
  ]
  const held = sizes.map((length, k) => bytes(length, k))
  expect(
    inflateAll(
      held.map((raw, k) => zstdCompressSync(raw, k % 2 === 0 ? WITH_CHECK : {})),
      100_000,
    ),
  ).toEqual(held)
  const many = Array.from({ length: 1500 }, (_, k) => bytes(9240, k))
  expect(
    inflateAll(
      many.map((raw) => zstdCompressSync(raw)),
      100_000,
    ),
  ).toEqual(many)
  expect(inflateAll([], 10)).toEqual([])
})

test('a frame that is torn, or holds more than it may, is refused wherever it stands', () => {
  const held = Array.from({ length: 5 }, (_, k) => bytes(2304, k))
  const packed = held.map((raw) => zstdCompressSync(raw, WITH_CHECK))
  for (const k of packed.keys()) {
    expect(() => inflateAll(packed.with(k, packed[k].subarray(0, -3)), 10_000)).toThrow()
    const bent = Buffer.from(packed[k])
    bent[bent.length - 1] ^= 1
    expect(() => inflateAll(packed.with(k, bent), 10_000)).toThrow()
  }
  expect(() => inflateAll(packed, 2303)).toThrow()
})
