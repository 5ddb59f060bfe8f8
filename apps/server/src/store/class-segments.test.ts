import { crc32, gunzipSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BundleEncoding,
  bundleBody,
  type ClassSegment,
  CrcAppender,
  toSegment,
} from './class-segments.ts'

const block = (seed: number, length: number) =>
  Uint8Array.from({ length }, (_, i) => ((i * seed) % 97 < 12 ? (i * seed) % 251 : 0))

describe('class segments', () => {
  test('the CRC of a concatenation follows from the CRCs of its parts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
        const appender = new CrcAppender(b.length)
        expect(appender.append(crc32(a), crc32(b))).toBe(crc32(Buffer.concat([a, b])))
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  async function* each(segments: ClassSegment[]) {
    yield* segments
  }
  const body = async (header: Buffer, blocks: Uint8Array[], encoding: BundleEncoding) =>
    Buffer.concat(await Array.fromAsync(bundleBody(header, each(blocks.map(toSegment)), 1250, encoding)))

  test.each([0, 1, 7])('%i blocks make one gzip member whose checksum holds', async (count) => {
    const header = Buffer.from('RXF1 header ')
    const blocks = Array.from({ length: count }, (_, k) => block(k + 3, 1250))
    // gunzipSync verifies both the CRC and the length of the trailer.
    expect(gunzipSync(await body(header, blocks, 'gzip'))).toEqual(Buffer.concat([header, ...blocks]))
  })

  test('a zstd body is the header followed by the stored frames as they are', async () => {
    const header = Buffer.from('RXF1')
    const blocks = [block(5, 1250), block(9, 1250)]
    const stored = Buffer.concat(blocks.map((bytes) => toSegment(bytes).zstd))
    const bytes = await body(header, blocks, 'zstd')
    expect(bytes.subarray(bytes.length - stored.length)).toEqual(stored)
    expect(zstdDecompressSync(bytes.subarray(0, bytes.length - stored.length))).toEqual(header)
  })
})
