import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { StoreCorruptError } from '../store/frame-codec.ts'
import { decodeChunk, encodeChunk, type MrrChunk } from './chunk-codec.ts'

const HOUR = Date.parse('2026-05-04T08:00:00Z')
const chunk: MrrChunk = {
  timesMs: [HOUR, HOUR + 10_000, HOUR + 20_000],
  heightsM: [35, 70],
  variables: {
    LWC: Float32Array.of(0.1, Number.NaN, 0.3, -0.4, 1e-30, 6),
    RR: Float32Array.of(1, 2, 3, 4, 5, Number.NaN),
    VEL: Float32Array.of(-11.9, 0, -0, 4.25, 5, 6.5),
  },
}

/** As chunks were before variables were packed one by one. */
function former({ timesMs, heightsM, variables }: MrrChunk): Buffer {
  const names = Object.keys(variables)
  const header = Buffer.from(JSON.stringify({ timesMs, heightsM, names }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  const planes = Object.values(variables).map((values) => {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
    return Buffer.from([0, 1, 2, 3].flatMap((plane) => [...bytes].filter((_, i) => i % 4 === plane)))
  })
  return zstdCompressSync(Buffer.concat([length, header, ...planes]))
}

describe.each([
  ['variables packed one by one', encodeChunk],
  ['the former layout', former],
])('%s', (_, encode) => {
  test('every bit comes back', () => {
    expect(decodeChunk(encode(chunk))).toEqual(chunk)
  })

  test('only what is asked for is unpacked, and always LWC', () => {
    const { variables } = decodeChunk(encode(chunk), ['RR'])
    expect(variables).toEqual({ LWC: chunk.variables.LWC, RR: chunk.variables.RR })
  })

  test('what is cut off, or has no LWC, is said to be damaged', () => {
    const bytes = encode(chunk)
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeChunk(bytes.subarray(0, length)), `${length} bytes`).toThrow(StoreCorruptError)
    const { RR } = chunk.variables
    expect(() => decodeChunk(encode({ ...chunk, variables: { RR } as MrrChunk['variables'] }))).toThrow(
      StoreCorruptError,
    )
  })
})
